// What stands around points in 3-D: the cage of their extent with the names of its axes, and spheres of radius θ.

import { clamp, short } from "./format.js";
import { circleRadius, colourOf } from "./frames.js";
import { path, words } from "./scene.js";

const AROUND = 72; // corners of an outline
const MOST_SPHERES = 12; // of a highlighted cluster that is a chain
const WITHIN_REACH = 40; // pixels: so far from a centroid the pointer shows its sphere

/** A place in space as it is seen: across, up, and towards the person. */
export const facingOf = (turn, x, y, z) => turn.map((row) => row[0] * x + row[1] * y + row[2] * z);

/** The corners of the cage; corner 0 to 7 has a bit per axis: the far end of it or not. */
function cornersOf({ turn, half }) {
  const end = (corner, axis) => (corner & (1 << axis) ? half[axis] : -half[axis]);
  return Array.from({ length: 8 }, (_, corner) => facingOf(turn, end(corner, 0), end(corner, 1), end(corner, 2)));
}

const nearestCorner = (corners) => corners.reduce((best, corner, i) => (corner[2] > corners[best][2] ? i : best), 0);

/** The edges that are behind the points, x, y, x, y of each in pixels: all but those of the nearest corner. */
export function cageOf(body, x, y) {
  const corners = cornersOf(body), nearest = nearestCorner(corners), at = [];
  for (let corner = 0; corner < 8; corner++) {
    for (const bit of [1, 2, 4]) {
      const other = corner | bit;
      if (corner & bit || corner === nearest || other === nearest) continue;
      for (const end of [corner, other]) at.push(x(corners[end][0]), y(corners[end][1]));
    }
  }
  return at;
}

/** The name of each axis and where it begins and ends, along an edge at the rim: the lowest, of the third the leftmost. */
export function cageWords(body, camera, theme) {
  const corners = cornersOf(body), nearest = nearestCorner(corners), farthest = 7 - nearest;
  const { origin, unit, half, solid } = body, quiet = { size: 11, fill: theme.text, alpha: 0.75 };
  return (solid ?? []).flatMap((name, axis) => {
    const bit = 1 << axis, edges = [];
    for (let corner = 0; corner < 8; corner++) {
      const pair = [corner, corner | bit];
      if (!(corner & bit) && !pair.includes(nearest) && !pair.includes(farthest)) edges.push(pair);
    }
    const height = ([a, b]) => (axis === 2 ? corners[a][0] + corners[b][0] : corners[a][1] + corners[b][1]);
    const edge = edges.sort((a, b) => height(a) - height(b))[0];
    const [low, high] = edge.map((corner) => [camera.x(corners[corner][0]), camera.y(corners[corner][1])]);
    if (Math.hypot(high[0] - low[0], high[1] - low[1]) < 60) return []; // one looks along it
    const beside = (part, away) => {
      const at = [0, 1].map((k) => low[k] + part * (high[k] - low[k])), middle = [camera.x(0), camera.y(0)];
      const normal = [low[1] - high[1], high[0] - low[0]], long = Math.hypot(...normal);
      const out = Math.sign(normal[0] * (at[0] - middle[0]) + normal[1] * (at[1] - middle[1])) || 1;
      const [x, y] = at.map((v, k) => v + (out * away * normal[k]) / long);
      return [clamp(x, 30, camera.width - 30), clamp(y + 4, 12, camera.height - 6)];
    };
    const value = (sign) => short(origin[axis] + unit * sign * half[axis]);
    return [
      words("tick", value(-1), ...beside(0.12, 14), { ...quiet, align: "center" }),
      words("axis", name, ...beside(0.5, 20), { ...quiet, size: 13, weight: 600, alpha: 0.9, align: "center" }),
      words("tick", value(1), ...beside(0.88, 14), { ...quiet, align: "center" }),
    ];
  });
}

/** The centroids near a place of the picture, the nearest first, at most three. */
export function centroidsNear(frame, camera, [x, y]) {
  const found = [];
  for (let c = 0; c < frame.owners.length; c++) {
    const away = Math.hypot(camera.x(frame.centroids[2 * c]) - x, camera.y(frame.centroids[2 * c + 1]) - y);
    if (away < WITHIN_REACH) found.push([away, c]);
  }
  return found.sort((a, b) => a[0] - b[0]).slice(0, 3).map(([, c]) => c);
}

/** Spheres of radius θ around the centroids near the pointer and of the highlighted cluster. */
export function spheres(body, frame, camera, { lit, near }) {
  const radius = circleRadius(body, frame);
  if (!radius) return [];
  const own = lit < 0 ? [] : [...frame.owners.keys()].filter((c) => frame.owners[c] === lit).slice(0, MOST_SPHERES);
  return [...new Set([...near, ...own])].filter((c) => c < frame.owners.length).flatMap((c) => {
    const colour = body.palette[colourOf(body, frame, frame.owners[c])];
    const middle = [frame.centroids[2 * c], frame.centroids[2 * c + 1]];
    const drawn = (places) => places.flatMap(([x, y]) => [camera.x(middle[0] + radius * x), camera.y(middle[1] + radius * y)]);
    const outline = drawn(outlineOf(body.turn, body.norm));
    return [
      path("within", outline, { closed: true, fill: colour, alpha: 0.12 }),
      ...sectionsOf(body.turn, body.norm).map((at) => path("section", drawn(at), { closed: true, stroke: colour, width: 1, alpha: 0.6 })),
      path("sphere", outline, { closed: true, stroke: colour, width: 1.8, alpha: 0.95 }),
    ];
  });
}

/** The rim of the unit ball of a norm as it is seen: in every direction of the picture, the place that reaches farthest. */
export function outlineOf([right, up], norm) {
  return Array.from({ length: AROUND }, (_, i) => {
    const way = (2 * Math.PI * i) / AROUND + 1e-6; // never exactly along an edge
    const towards = right.map((v, axis) => v * Math.cos(way) + up[axis] * Math.sin(way));
    const farthest = farthestOf(towards, norm);
    return [right, up].map((row) => row[0] * farthest[0] + row[1] * farthest[1] + row[2] * farthest[2]);
  });
}

function farthestOf(towards, norm) {
  if (norm === 2) return towards;
  if (norm === null) return towards.map(Math.sign); // a cube
  const largest = Math.max(...towards.map(Math.abs));
  if (norm === 1) return towards.map((v) => (Math.abs(v) === largest ? Math.sign(v) : 0)); // an octahedron
  const dual = norm / (norm - 1), long = towards.reduce((sum, v) => sum + Math.abs(v / largest) ** dual, 0) ** (1 / dual);
  return towards.map((v) => Math.sign(v) * (Math.abs(v / largest) / long) ** (dual - 1));
}

/** The unit ball cut by the three planes of the axes, as these are seen. */
function sectionsOf([right, up], norm) {
  return [[0, 1], [0, 2], [1, 2]].map(([a, b]) => Array.from({ length: AROUND }, (_, i) => {
    const way = (2 * Math.PI * i) / AROUND, x = Math.cos(way), y = Math.sin(way);
    const long = norm === null ? Math.max(Math.abs(x), Math.abs(y)) : (Math.abs(x) ** norm + Math.abs(y) ** norm) ** (1 / norm);
    return [right, up].map((row) => (row[a] * x + row[b] * y) / long);
  }));
}
