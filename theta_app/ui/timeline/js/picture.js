// The picture as a scene: grid, points, circles, chains, centroids, the closest pair, the selection.

import { ticks } from "./axis.js";
import { foundAt, nameMarks } from "./called.js";
import { placed } from "./camera.js";
import { clamp, onAxis } from "./format.js";
import { circleRadius, colourOf } from "./frames.js";
import { asLongitude, globeCircle } from "./globe.js";
import { discs, lines, path, pointsOf, rects, words } from "./scene.js";
import { holdsFor, shadeLegend, shadedMark } from "./shade.js";
import { cageWords, spheres } from "./solid.js";
import { mixed } from "./theme.js";

const MOST_CIRCLES = 1500; // more cover each other
const LEAST_CIRCLE = 4; // pixels; smaller ones vanish behind their centroid
const FAINT = 0.22; // of the colour of clusters that are not highlighted

/** What lies under the points and does not depend on the value: the background, and where one is. */
export function groundMarks(body, camera, { width, height }, theme) {
  if (body.space) return [rects("ground", [0, 0, width, height], { fill: theme.back })]; // the rest turns
  const { origin, unit } = body; // what was sent is centred and scaled; what is read is not
  const real = (v, axis) => origin[axis] + unit * v, sent = (v, axis) => (v - origin[axis]) / unit;
  const corner = camera.back([30, height - 24]), opposite = camera.back([width - 10, 12]);
  const grid = [], labels = [];
  const style = { size: 11, fill: theme.text, alpha: 0.7 };
  const label = (v, x, y, align) => labels.push(words("tick", onAxis(v), x, y, { align, ...style }));
  for (const v of ticks(real(corner[0], 0), real(opposite[0], 0), width / 90)) {
    const x = Math.round(camera.x(sent(v, 0))) + 0.5;
    grid.push(x, 0, x, height);
    label(body.globe ? asLongitude(v) : v, clamp(x, 16, width - 20), height - 5, "center");
  }
  if (!camera.flat) {
    for (const v of ticks(real(corner[1], 1), real(opposite[1], 1), height / 70)) {
      const y = Math.round(camera.y(sent(v, 1))) + 0.5;
      grid.push(0, y, width, y);
      label(v, 5, y - 4, "left");
    }
  }
  return [
    rects("ground", [0, 0, width, height], { fill: theme.back }),
    lines("grid", grid, { stroke: theme.line, alpha: 0.55 }),
    ...labels,
  ];
}

/** The points, coloured by cluster or by a shade. `lit`: the highlighted cluster, or -1. */
export function pointMark(body, frame, camera, { lit, shade }, theme) {
  if (holdsFor(shade, frame)) return shadedMark(body, frame, camera, { lit, shade }, theme);
  const { palette } = body;
  const faint = palette.map((colour) => mixed(colour, theme.back, FAINT));
  const shades = new Uint16Array(frame.sizes.length);
  for (let k = 0; k < shades.length; k++) {
    const away = k === frame.waiting || (lit >= 0 && k !== lit);
    shades[k] = colourOf(body, frame, k) + (away ? palette.length : 0);
  }
  const style = { groups: frame.labels, shades, colours: [...palette, ...faint], last: lit, back: theme.back, line: theme.line };
  return pointsOf("points", camera, style);
}

/** What lies over the points. `outline`: the selection, a list of [x, y] as they were sent, or null. */
export function overMarks(body, frame, camera, { lit, outline, shade, found = [], near = [] }, theme) {
  const many = frame.owners.length;
  const groups = centroidsByColour(body, frame, camera, lit);
  return [
    ...(body.space
      ? [...cageWords(body, camera, theme), ...spheres(body, frame, camera, { lit, near })]
      : body.globe
        ? globeCircles(body, frame, camera, lit)
        : circles(groups, circleRadius(body, frame) * camera.scale, many, body.norm)),
    ...chains(frame, camera, theme),
    ...(body.strands ? centroidStrands(body, frame, camera, lit, theme) : centroids(groups, many, theme)),
    ...closestPair(frame, camera, theme),
    ...selection(outline, camera, theme),
    ...rings(foundAt(found, camera, body), theme),
    ...nameMarks(frame, camera, theme),
    ...(holdsFor(shade, frame) ? shadeLegend(shade, camera, theme) : []),
  ];
}

/** A map from colour to the places of its centroids, x, y, ... in one list; of the highlighted cluster alone if any. */
function centroidsByColour(body, frame, camera, lit) {
  const groups = new Map();
  for (let c = 0; c < frame.owners.length; c++) {
    const cluster = frame.owners[c];
    if (lit >= 0 && cluster !== lit) continue;
    const colour = body.palette[colourOf(body, frame, cluster)];
    if (!groups.has(colour)) groups.set(colour, []);
    groups.get(colour).push(camera.x(frame.centroids[2 * c]), camera.y(frame.centroids[2 * c + 1]));
  }
  return groups;
}

function circles(groups, radius, many, norm) {
  if (radius < LEAST_CIRCLE || many > MOST_CIRCLES) return [];
  return [...groups].flatMap(([colour, at]) => [
    ...(many <= 60 ? [discs("within", at, radius, { norm, fill: colour, alpha: 0.07 })] : []),
    discs("circle", at, radius, { norm, stroke: colour, width: 1.6, alpha: many > 200 ? 0.5 : 0.85 }),
  ]);
}

/** The same on a map of the globe, each circle with its own shape. */
function globeCircles(body, frame, camera, lit) {
  const { origin, unit, globe } = body, many = frame.owners.length;
  const angle = (circleRadius(body, frame) * unit * 180) / (Math.PI * globe); // in degrees
  if ((angle / unit) * camera.sy < LEAST_CIRCLE || many > MOST_CIRCLES) return [];
  const marks = [];
  for (let c = 0; c < many; c++) {
    if (lit >= 0 && frame.owners[c] !== lit) continue;
    const colour = body.palette[colourOf(body, frame, frame.owners[c])];
    const place = [0, 1].map((axis) => origin[axis] + unit * frame.centroids[2 * c + axis]);
    const corners = globeCircle(...place, angle, many > 200 ? 36 : undefined);
    const at = placed(camera, corners.map((v, i) => (v - origin[i % 2]) / unit));
    if (many <= 60) marks.push(path("within", at, { closed: true, fill: colour, alpha: 0.07 }));
    marks.push(path("circle", at, { closed: true, stroke: colour, width: 1.6, alpha: many > 200 ? 0.5 : 0.85 }));
  }
  return marks;
}

function chains({ segments, centroids: ends }, camera, theme) {
  if (!segments?.length) return [];
  const at = [];
  for (const end of segments) at.push(camera.x(ends[2 * end]), camera.y(ends[2 * end + 1]));
  return [lines("chain", at, { stroke: theme.text, width: 2, alpha: 0.75 })];
}

function centroids(groups, many, theme) {
  if (many > MOST_CIRCLES) return [...groups].map(([colour, at]) => specks("centroid", at, colour));
  const radius = many > 800 ? 2 : many > 150 ? 3.2 : 5;
  const edge = { stroke: theme.back, width: radius > 3 ? 2 : 1 };
  const marks = [...groups].map(([colour, at]) => discs("centroid", at, radius, { fill: colour, ...edge }));
  if (radius <= 3) return marks;
  // a dark ring: a centroid must stand out from points of its own colour
  const ring = discs("ring", [...groups.values()].flat(), radius + 1.5, { stroke: theme.text, width: 1.4 });
  return [...marks, ring];
}

/** Centroids that are lines: strong, in their colour, with an edge. */
function centroidStrands(body, frame, camera, lit, theme) {
  const { strands, owners } = frame, long = 2 * body.many, room = clamp(Math.min(camera.width, camera.height) / 500, 0.55, 1);
  const width = (owners.length > 60 ? 2.5 : 4.5) * room;
  return Array.from({ length: strands.length / long }, (_, c) => c).flatMap((c) => {
    if (lit >= 0 && owners[c] !== lit) return [];
    const at = placed(camera, strands.subarray(long * c, long * (c + 1)));
    const colour = body.palette[colourOf(body, frame, owners[c])];
    return [
      path("centroid-edge", at, { stroke: theme.back, width: width + 4 * room }),
      path("centroid-rim", at, { stroke: theme.text, width: width + 1.6 * room }),
      path("centroid", at, { stroke: colour, width }),
    ];
  });
}

/** Thousands of centroids: squares are painted in a fraction of the time of discs. */
function specks(name, at, fill) {
  const squares = new Array(2 * at.length);
  for (let i = 0; i < at.length; i += 2) {
    [squares[2 * i], squares[2 * i + 1], squares[2 * i + 2], squares[2 * i + 3]] = [at[i] - 1.5, at[i + 1] - 1.5, 3, 3];
  }
  return rects(name, squares, { fill });
}

function closestPair({ pair }, camera, theme) {
  if (!pair) return [];
  const at = placed(camera, pair);
  return [
    lines("pair", at, { stroke: theme.text, width: 2.5 }),
    discs("pair-end", at, 6, { stroke: theme.text, width: 2 }),
  ];
}

/** Around rows that were searched for. */
function rings(at, theme) {
  if (!at.length) return [];
  return [
    discs("found-edge", at, 11, { stroke: theme.back, width: 6 }),
    discs("found", at, 11, { stroke: theme.accent, width: 3.5 }),
  ];
}

function selection(outline, camera, theme) {
  if (!outline) return [];
  const at = placed(camera, outline.flat());
  return [
    path("selection", at, { closed: true, fill: theme.accent, alpha: 0.12 }),
    path("selection-edge", at, { closed: true, stroke: theme.accent, width: 2, dash: [6, 4] }),
  ];
}
