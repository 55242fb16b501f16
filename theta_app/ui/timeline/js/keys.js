// Keys that work wherever the last click was: R to the recommended value, [ and ] from range to range, B for a box.

import { typing } from "../../js/fullscreen.js";
import { boxByKeys } from "./boxkeys.js";

const KEYS = {
  r: (view) => goTo(view, view.body.recommended),
  "[": (view) => goTo(view, nextRange(view, -1)),
  "]": (view) => goTo(view, nextRange(view, 1)),
  b: (view) => { if (view.body.selects) boxByKeys(view); },
};

/** Before Streamlit, which runs the page again on R. */
export class Keys {
  constructor(view) {
    this.pressed = (event) => {
      const press = KEYS[event.key.toLowerCase()];
      if (!press || !view.root.isConnected || !view.body || !isPlain(event)) return;
      event.preventDefault();
      event.stopPropagation();
      press(view);
    };
    window.addEventListener("keydown", this.pressed, true);
  }

  stop() { window.removeEventListener("keydown", this.pressed, true); }
}

/** Brackets need AltGr, which some systems report as Ctrl and Alt, on many keyboards. */
function isPlain(event) {
  const modified = event.ctrlKey || event.metaKey || event.altKey;
  return !event.defaultPrevented && (!modified || event.getModifierState("AltGraph")) && !typing(event.composedPath()[0]);
}

function goTo(view, value) {
  if (value === null || value === undefined) return;
  view.player.pause();
  view.hint.seen();
  view.go(value);
  view.releaseSoon();
}

/** The middle of the next range in a direction, of those that the track shows and one does not stand in. */
function nextRange({ body, own: { value } }, direction) {
  const beyond = body.ranges.filter(({ low, high }) => value < low || value > high).map(({ middle }) => middle);
  return beyond.filter((middle) => direction * (middle - value) > 0).sort((a, b) => direction * (a - b))[0];
}
