// Pointing at points, centroids and bars: what they are, highlighting their cluster, and drawing a selection.

import { clamp, counted, short } from "./format.js";
import { distanceOf } from "./frames.js";
import { barAt } from "./sizes.js";
import { placeIn } from "./stage.js";

const REACH = 12, CENTROID_REACH = 7, STEADY = 5; // pixels

export function listenToPicture(view) {
  const { over } = view.part, { state } = view;
  let pressed = null;
  const at = (event) => placeIn(over, event);

  over.addEventListener("pointermove", (event) => {
    if (!view.screen.camera) return;
    if (state.drawing) extend(view, at(event));
    else tell(view, pointed(view, at(event)), event);
  });
  over.addEventListener("pointerleave", () => hideTip(view));
  over.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !view.screen.camera) return;
    if (!state.tool) { pressed = at(event); return; }
    over.setPointerCapture(event.pointerId);
    state.drawing = [view.screen.camera.back(at(event))];
    event.preventDefault();
  });
  over.addEventListener("pointerup", (event) => {
    if (state.drawing) close(view);
    else if (pressed && gap(pressed, at(event)) < STEADY) pick(view, pointed(view, at(event)));
    pressed = null;
  });
  over.addEventListener("pointercancel", () => {
    state.drawing = pressed = null;
    view.ask();
  });
}

export function listenToSizes(view) {
  const { sizes } = view.part;
  const cluster = (event) => {
    if (!view.screen.camera) return -1;
    return barAt(view.frame, placeIn(sizes, event)[0], view.screen.size("sizes").width);
  };
  sizes.addEventListener("pointermove", (event) => tell(view, { cluster: cluster(event), i: -1 }, event));
  sizes.addEventListener("pointerleave", () => hideTip(view));
  sizes.addEventListener("click", (event) => {
    if (cluster(event) >= 0) view.highlight(cluster(event));
  });
}

const gap = ([x1, y1], [x2, y2]) => Math.hypot(x1 - x2, y1 - y2);

// ---- what is there

/** The cluster under the pointer, and the point `i` where it is one: each -1 for none. Centroids come first. */
function pointed(view, here) {
  const { frame, screen: { camera } } = view;
  for (let c = 0; c < frame.owners.length; c++) {
    const there = [camera.x(frame.centroids[2 * c]), camera.y(frame.centroids[2 * c + 1])];
    if (gap(here, there) < CENTROID_REACH) return { cluster: frame.owners[c], i: -1 };
  }
  const i = nearestPoint(camera.places, here);
  return { cluster: i < 0 ? -1 : frame.labels[i], i };
}

function nearestPoint(places, [x, y]) {
  let best = -1, least = REACH ** 2;
  for (let i = 0; i < places.length; i += 2) {
    const dx = places[i] - x, dy = places[i + 1] - y, squared = dx * dx + dy * dy;
    if (squared < least) { least = squared; best = i / 2; }
  }
  return best;
}

function pick(view, { cluster, i }) {
  if (cluster < 0) view.highlight(-1);
  else if (i < 0) view.highlight(cluster);
  else view.highlight(cluster, i);
}

// ---- telling

function tell(view, { cluster, i }, event) {
  if (cluster < 0) return hideTip(view);
  const { body, frame } = view;
  const words = [`Cluster ${frame.names[cluster]}`, counted(frame.sizes[cluster], "point")];
  if (i >= 0) {
    const distance = distanceOf(body, frame, i);
    words.unshift(`Row ${body.rows[i]}`);
    if (distance !== null) words.push(`${short(distance)} from its centroid`);
  }
  return showTip(view, words.join("\n"), event);
}

function showTip({ part: { tip }, root }, text, event) {
  tip.textContent = text;
  tip.hidden = false;
  const { clientWidth: width, clientHeight: height } = root;
  const [x, y] = placeIn(root, event);
  tip.style.left = `${clamp(x + 14, 0, width - tip.offsetWidth)}px`;
  tip.style.top = `${y + 16 + tip.offsetHeight > height ? y - tip.offsetHeight - 10 : y + 16}px`;
}

function hideTip(view) {
  view.part.tip.hidden = true;
}

// ---- a selection

function extend(view, here) {
  const { state, screen } = view;
  const [x, y] = screen.camera.back(here);
  if (state.tool === "box") {
    const [x0, y0] = state.drawing[0];
    state.drawing = [[x0, y0], [x, y0], [x, y], [x0, y]];
  } else state.drawing.push([x, y]);
  view.ask();
}

function close(view) {
  const drawn = view.state.drawing;
  view.state.drawing = null;
  view.ask();
  if (drawn.length < 3) return;
  view.tools.choose(null);
  view.select(drawn);
}
