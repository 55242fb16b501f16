// From the coordinates that were sent to pixels of the picture, and back.

import { clamp } from "./format.js";

const PAD = 22; // pixels around the points

/**
 * All points in sight, with equal scales on both axes: a circle of radius θ must be one. Where axes have units of their
 * own (`body.stretch`), each has its own scale. `look`: how much closer, and around which place.
 */
export function fit(body, { width, height }, { factor = 1, middle: around = null } = {}) {
  const { points, n } = body, box = extent(points), { x0, x1, y0, y1 } = box;
  const most = [(width - 2 * PAD) / (x1 - x0 || 1e-300), (height - 2 * PAD) / (y1 - y0 || 1e-300)];
  const usable = (v) => (Number.isFinite(v) && v < 1e290 ? v : 1); // all points in one place
  const both = usable(Math.min(...most));
  const [sx, sy] = (body.stretch ? most.map(usable) : [both, both]).map((scale) => scale * factor);
  const middle = around ?? [(x0 + x1) / 2, (y0 + y1) / 2];
  const x = (v) => width / 2 + (v - middle[0]) * sx;
  const y = (v) => height / 2 - (v - middle[1]) * sy;
  const closer = factor ** 0.25; // dots grow a little
  return {
    scale: sx, sx, sy, x, y, box, middle, width, height,
    back: ([px, py]) => [middle[0] + (px - width / 2) / sx, middle[1] - (py - height / 2) / sy],
    flat: !(y1 > y0), // one feature: no heights to read
    places: Float32Array.from(points, (v, i) => (i % 2 ? y(v) : x(v))),
    dot: clamp(4.6 - 0.8 * Math.log10(n / 50 + 1), 1.5, 4.2) * closer, // the radius of a point: smaller where there are many
  };
}

function extent(points) {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    x0 = Math.min(x0, points[i]); x1 = Math.max(x1, points[i]);
    y0 = Math.min(y0, points[i + 1]); y1 = Math.max(y1, points[i + 1]);
  }
  return { x0, x1, y0, y1 };
}

/** A flat list x, y, ... of the picture, of one x, y, ... that was sent. */
export function placed(camera, at) {
  const out = new Array(at.length);
  for (let i = 0; i < at.length; i += 2) {
    out[i] = camera.x(at[i]);
    out[i + 1] = camera.y(at[i + 1]);
  }
  return out;
}
