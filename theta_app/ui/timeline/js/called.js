// What a person has said about clusters: names and colours, each tied to a point and so to its cluster at any value.

import { rects, words } from "./scene.js";
import { textWidth } from "./theme.js";

/** The frame with the names and colours of `marks`: { names: [[i, text]], colours: [[i, colour]] }. */
export function dressed(body, frame, marks) {
  frame.called = new Map();
  for (const [i, name] of marks?.names ?? []) {
    const cluster = frame.labels[i], others = frame.called.get(cluster);
    frame.called.set(cluster, others ? `${others} + ${name}` : name);
  }
  if (marks?.colours.length) {
    frame.colours = Uint16Array.from(frame.colours);
    marks.colours.forEach(([i], at) => { frame.colours[frame.labels[i]] = body.usual.length + at; });
  }
  return frame;
}

/** The palette, with the colours that were chosen by hand at its end. */
export const paletteWith = (body, marks) => [...body.usual, ...(marks?.colours ?? []).map(([, colour]) => colour)];

export const calledOf = (frame, cluster) => {
  if (cluster >= frame.clusters) return "Outliers";
  const name = frame.called?.get(cluster);
  return name ? `${name} (cluster ${cluster})` : `Cluster ${cluster}`;
};

/** Names beside the centroids of their clusters. */
export function nameMarks(frame, camera, theme) {
  const style = { size: 13, weight: 600, fill: theme.text, align: "center" };
  return [...frame.called].flatMap(([cluster, name]) => {
    const own = [...frame.owners.keys()].filter((c) => frame.owners[c] === cluster);
    if (!own.length) return [];
    const mean = (axis) => own.reduce((sum, c) => sum + frame.centroids[2 * c + axis], 0) / own.length;
    const x = camera.x(mean(0)), y = camera.y(mean(1)) - 13, wide = textWidth(name, style, theme.font) + 10;
    return [
      rects("name-back", [x - wide / 2, y - 13, wide, 18], { fill: theme.back, alpha: 0.82, round: 4 }),
      words("name", name, x, y, style),
    ];
  });
}

/** Rings around rows that were searched for. */
export const foundAt = (found, camera, body) =>
  found.flatMap((i) => [camera.x(body.points[2 * i]), camera.y(body.points[2 * i + 1])]);
