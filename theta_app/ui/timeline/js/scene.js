// A scene is a list of marks: plain objects that say what is drawn where, in pixels. canvas.js and svg.js draw them.
//
// `name` says what a mark stands for: "centroid", "grid". Its style may have
//   fill, stroke    colours; without one it is not filled or has no line
//   width, dash     of the line
//   alpha           of the mark as a whole, 1 unless given
// Places are flat lists of numbers, and a mark holds all places of one style: thousands of strokes, each on its own,
// would not fit into one frame of the display.

/** Equal discs; at: x, y of each. With a `norm` other than 2 what is a disc in that norm (see ball.js). */
export const discs = (name, at, radius, style) => ({ kind: "discs", name, at, radius, ...style });

/** Straight lines; at: x, y, x, y of each. */
export const lines = (name, at, style) => ({ kind: "lines", name, at, ...style });

/** One line through many places, or with `closed` an area; at: x, y of each place. */
export const path = (name, at, style) => ({ kind: "path", name, at, ...style });

/** Rectangles; at: x, y, width, height of each; `round`: the radius of their corners. */
export const rects = (name, at, style) => ({ kind: "rects", name, at, ...style });

/** A text with its base line at y; `align`: left, center or right of x; `size` in pixels, `weight`. */
export const words = (name, text, x, y, style) => ({ kind: "words", name, text, x, y, ...style });

/**
 * Points by the thousand, as a camera sees them: groups: the group of each; shades: the place of each group in colours.
 * The points of the group `last` are drawn over the others. Where more are in sight than can be told apart the mark is
 * of kind "density", else "dots"; `seen`: those in sight, where these are not all. In 3-D it is of kind "deep", with
 * `layers` from far to near in a `cage`; `back`: the colour of the ground, into which far ones fade, `line`: of the cage.
 * Points that are lines through so many `places` are of kind "strands".
 */
export function pointsOf(name, { places: at, dot: radius, crowd, seen, layers, cage, width, height, strands }, style) {
  if (strands) return { kind: "strands", name, at: strands.at, places: strands.many, layers, cage, width, height, ...style };
  return { kind: layers ? "deep" : crowd ? "density" : "dots", name, at, radius, seen, layers, cage, width, height, ...style };
}

const NUMBERS = { discs: 2, dots: 2, density: 2, deep: 2, lines: 4, rects: 4 }; // per place

/** How many things of each name a scene has: { centroid: 9, grid: 12 }. */
export function census(marks) {
  const counts = {};
  for (const { kind, name, at, places } of marks) {
    const per = kind === "strands" ? 2 * places : NUMBERS[kind];
    counts[name] = (counts[name] ?? 0) + (per ? at.length / per : 1);
  }
  return counts;
}
