// From the coordinates that were sent to pixels of the picture, and back.

import { layersOf } from "./deep.js";
import { clamp } from "./format.js";
import { cageOf } from "./solid.js";

const PAD = 22; // pixels around the points
const MOST_DOTS = 20000; // in sight: more hide each other, and their density says more

/**
 * All points in sight, with equal scales on both axes: a circle of radius θ must be one. On a map a unit across is as
 * wide as `body.aspect` says. Where axes have units of their own (`body.stretch`), each has its own scale. `look`: how
 * much closer, and around which place.
 */
export function fit(body, { width, height }, { factor = 1, middle: around = null } = {}) {
  const box = (body.box ??= extent(body.points)), { x0, x1, y0, y1 } = box;
  const most = [(width - 2 * PAD) / (x1 - x0 || 1e-300), (height - 2 * PAD) / (y1 - y0 || 1e-300)];
  const usable = (v) => (Number.isFinite(v) && v < 1e290 ? v : 1); // all points in one place
  const aspect = body.aspect ?? 1, both = usable(Math.min(most[0] / aspect, most[1]));
  const [sx, sy] = (body.stretch ? most.map(usable) : [both * aspect, both]).map((scale) => scale * factor);
  const middle = around ?? [(x0 + x1) / 2, (y0 + y1) / 2];
  const x = (v) => width / 2 + (v - middle[0]) * sx;
  const y = (v) => height / 2 - (v - middle[1]) * sy;
  const closer = factor ** 0.25; // dots grow a little
  const places = scaled(body.points, [sx, -sy], [width / 2 - middle[0] * sx, height / 2 + middle[1] * sy]);
  const seen = !body.space && body.n > MOST_DOTS && factor > 1 ? inSight(places, width, height) : null;
  const n = seen ? seen.length : body.n;
  return {
    scale: sx, sx, sy, x, y, box, middle, width, height,
    back: ([px, py]) => [middle[0] + (px - width / 2) / sx, middle[1] - (py - height / 2) / sy],
    flat: !(y1 > y0), // one feature: no heights to read
    places,
    seen, // the points in sight, where there are many; null: all of them
    crowd: n > MOST_DOTS,
    strands: body.strands ? { at: scaled(body.seen.at, [sx, -sy], [width / 2 - middle[0] * sx, height / 2 + middle[1] * sy]), many: body.many } : null,
    layers: body.space ? layersOf((body.seen ?? body).depths, body.reach) : null, // in 3-D the points from far to near, of lines their places
    cage: body.space ? cageOf(body, x, y) : null,
    dot: clamp(4.6 - 0.8 * Math.log10(n / 50 + 1), 1.5, 4.2) * closer, // the radius of a point: smaller where there are many
  };
}

/** x, y, ... times and plus what is given for each axis. */
function scaled(points, times, plus) {
  const out = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    out[i] = points[i] * times[0] + plus[0];
    out[i + 1] = points[i + 1] * times[1] + plus[1];
  }
  return out;
}

/** The points within the picture, or so near that a part of them is. */
function inSight(places, width, height) {
  const found = new Uint32Array(places.length / 2);
  let many = 0;
  for (let i = 0; i < places.length; i += 2) {
    const x = places[i], y = places[i + 1];
    if (x > -PAD && y > -PAD && x < width + PAD && y < height + PAD) found[many++] = i / 2;
  }
  return found.slice(0, many);
}

function extent(points) {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i], y = points[i + 1];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
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
