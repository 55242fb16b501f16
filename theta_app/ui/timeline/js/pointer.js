// Pointing at points, centroids and bars: what they are, highlighting their cluster, and drawing a selection.

import { calledOf } from "./called.js";
import { placed } from "./camera.js";
import { counted, short } from "./format.js";
import { bySize, distanceOf } from "./frames.js";
import { rowLines, rowPicture } from "./rowtip.js";
import { barAt } from "./sizes.js";
import { placeIn } from "./stage.js";
import { nearestStrand } from "./strands.js";
import { hideTip, showTip } from "./tip.js";

const REACH = 12, CENTROID_REACH = 7, STEADY = 5; // pixels

export function listenToPicture(view) {
  const { over } = view.part, { state } = view;
  let pressed = null;
  const at = (event) => placeIn(over, event);

  over.addEventListener("pointermove", (event) => {
    if (!view.screen.camera) return;
    if (state.drawing) extend(view, at(event));
    else if (view.turn.on && view.zoom.fingers.size) hideTip(view);
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
    if (state.drawing) closeSelection(view);
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
  sizes.addEventListener("keydown", (event) => {
    const order = bySize(view.frame), at = order.indexOf(view.lit);
    const next = { ArrowRight: at + 1, ArrowLeft: at < 0 ? order.length - 1 : at - 1, Home: 0, End: order.length - 1 }[event.key];
    if (event.key === "Escape") view.highlight(-1);
    if (next === undefined) return;
    event.preventDefault();
    view.choose(view.frame.labels.indexOf(order[(next + order.length) % order.length]));
  });
}

const gap = ([x1, y1], [x2, y2]) => Math.hypot(x1 - x2, y1 - y2);

// ---- what is there

/** The cluster under the pointer, and the point `i` where it is one: each -1 for none. Centroids come first. */
function pointed(view, here) {
  const { body, frame, screen: { camera } } = view;
  if (camera.strands) return pointedStrand(body, frame, camera, here);
  for (let c = 0; c < frame.owners.length; c++) {
    const there = [camera.x(frame.centroids[2 * c]), camera.y(frame.centroids[2 * c + 1])];
    if (gap(here, there) < CENTROID_REACH) return { cluster: frame.owners[c], i: -1 };
  }
  const i = nearestPoint(camera.places, here);
  return { cluster: i < 0 ? -1 : frame.labels[i], i };
}

function pointedStrand(body, frame, camera, here) {
  const centroid = nearestStrand(placed(camera, frame.strands), body.many, here, CENTROID_REACH);
  if (centroid >= 0) return { cluster: frame.owners[centroid], i: -1 };
  const i = nearestStrand(camera.strands.at, body.many, here, REACH);
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
  const said = [calledOf(frame, cluster), counted(frame.sizes[cluster], "point")];
  if (i >= 0) {
    const distance = distanceOf(body, frame, i);
    said.unshift(`Row ${body.rows[i]}`);
    if (distance !== null) said.push(`${short(distance)} from its centroid`);
    said.push(...rowLines(body, i));
  }
  return showTip(view, said.join("\n"), event, rowPicture(body, i));
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

const MOST_CORNERS = 40; // of a lasso: it travels in the link

function thinned(corners) {
  const every = Math.ceil(corners.length / MOST_CORNERS);
  return corners.filter((_, i) => i % every === 0);
}

/** Take what has been drawn. */
export function closeSelection(view) {
  const drawn = view.state.drawing;
  view.state.drawing = null;
  view.ask();
  if (drawn.length < 3) return;
  if (view.state.tool) view.tools.choose(null);
  view.select(thinned(drawn));
}
