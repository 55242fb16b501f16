// Dragging the parameter on a track and on the curves, clicks on ranges, and keys.

import { valueAt } from "./axis.js";
import { clamp } from "./format.js";
import { placeIn } from "./stage.js";
import { rangeAt, trackValue } from "./track.js";

const STILL = 3; // pixels within which a press is a click

/** `view`: what the track moves: the timeline, or the chains at one θ. */
export function listenToTrack(view, track) {
  const onTrack = (x, width) => trackValue(view.body.axis, x, width);
  scrub(view, track, onTrack, (value) => rangeAt(view.body, value)?.middle ?? value);
  track.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    track.classList.add("tl-pointed"); // no focus ring for a pointer, one for keys
    track.focus({ preventScroll: true });
  });
  track.addEventListener("dblclick", () => view.go(view.body.recommended ?? view.state.wanted, { release: true }));
  track.addEventListener("keydown", (event) => press(view, track, event));
}

/** `plotOf`: gives where the curves are, now. */
export function listenToCurves(view, curves, plotOf) {
  const onCurves = (x) => {
    const { left, right } = plotOf();
    return valueAt(view.body.axis, clamp((x - left) / (right - left), 0, 1));
  };
  scrub(view, curves, onCurves, (value) => value);
}

/** `valueOf`: the value at x; `clicked`: where a click at a value goes. */
function scrub(view, element, valueOf, clicked) {
  const { state } = view;
  const under = (event) => valueOf(placeIn(element, event)[0], element.offsetWidth);
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !view.body) return;
    view.player.pause();
    view.hint.seen();
    element.setPointerCapture(event.pointerId);
    state.drag = { x: event.clientX, moved: false };
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (!state.drag) return;
    state.drag.moved ||= Math.abs(event.clientX - state.drag.x) > STILL;
    if (state.drag.moved) view.go(under(event));
  });
  element.addEventListener("pointerup", (event) => {
    if (!state.drag) return;
    const { moved } = state.drag;
    state.drag = null;
    if (moved) view.release();
    else view.go(clicked(under(event)), { release: true });
  });
  element.addEventListener("pointercancel", () => {
    if (!state.drag) return;
    state.drag = null;
    view.release();
  });
}

const STEPS = {
  ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5, Home: -Infinity, End: Infinity,
};

function press(view, track, event) {
  if (!view.body) return;
  if (event.key === " ") {
    event.preventDefault();
    view.player.toggle();
    return;
  }
  if (!(event.key in STEPS) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  track.classList.remove("tl-pointed");
  view.player.pause();
  view.hint.seen();
  view.step(STEPS[event.key]);
  view.releaseSoon();
}
