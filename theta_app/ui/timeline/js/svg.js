// Marks as SVG: the same scene as on the canvas, for paper and for drawing programs.

import { ballAround, ballCorners } from "../../js/ball.js";
import { layerStyle } from "./deep.js";
import { escaped } from "./format.js";
import { densityImage } from "./stamp.js";
import { strandStyle } from "./strands.js";
import { mixed } from "./theme.js";

const RIM = 0.5; // pixels: the darker edge of a point

export const SHARP = 2; // pixels of a saved image per pixel of the page: for paper and for a projector

const number = (value) => String(Math.round(value * 100) / 100);
const tag = (element, attributes) => `<${element}${listed(attributes)}/>`;

function listed(attributes) {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const text = (value) => (typeof value === "number" ? number(value) : escaped(value));
  return given.map(([name, value]) => ` ${name}="${text(value)}"`).join("");
}

/** `make` of every place: `width` numbers of a flat list. */
function each(at, width, make) {
  const out = [];
  for (let i = 0; i < at.length; i += width) out.push(make(...at.slice(i, i + width)));
  return out.join("");
}

const SHAPES = {
  discs: ({ name, at, radius, norm = 2 }) => {
    const ball = ballCorners(norm);
    return each(at, 2, (cx, cy) => ball
      ? SHAPES.path({ name, at: ballAround(ball, cx, cy, radius), closed: true })
      : tag("circle", { class: name, cx, cy, r: radius }));
  },
  lines: ({ name, at }) => each(at, 4, (x1, y1, x2, y2) => tag("line", { class: name, x1, y1, x2, y2 })),
  path: ({ name, at, closed }) => {
    const places = each(at, 2, (x, y) => `${number(x)},${number(y)} `).trim();
    return tag(closed ? "polygon" : "polyline", { class: name, points: places });
  },
  rects: ({ name, at, round }) =>
    each(at, 4, (x, y, width, height) => tag("rect", { class: name, x, y, width, height, rx: round })),
  words: ({ name, text, x, y, size, weight, align = "left" }) => {
    const anchor = { left: undefined, center: "middle", right: "end" }[align];
    const attributes = { class: name, x, y, "font-size": size, "font-weight": weight, "text-anchor": anchor };
    return `<text${listed(attributes)}>${escaped(text)}</text>`;
  },
};

// Opacity is the group's: where marks of one style overlap they cover as one, as a path on the canvas does.
function group(mark) {
  if (mark.kind === "dots") return shadedDots(mark);
  if (mark.kind === "density") return densityTag(mark);
  if (mark.kind === "deep") return deepDots(mark);
  if (mark.kind === "strands") return strandLines(mark);
  const { fill = "none", stroke, width, dash, alpha } = mark;
  const style = {
    fill, stroke, opacity: alpha,
    "stroke-width": stroke && (width ?? 1),
    "stroke-dasharray": stroke && dash?.length ? dash.join(" ") : undefined,
  };
  return `<g${listed(style)}>${SHAPES[mark.kind](mark)}</g>`;
}

/** Hundreds of thousands of circles would open nowhere: their density as an image. */
function densityTag({ name, width, height, ...mark }) {
  const href = densityImage({ width, height, ...mark }, SHARP);
  return tag("image", { class: `${name}-density`, width, height, href });
}

function shadedDots({ name, at, radius, groups, shades, colours, last, seen }) {
  const others = new Map(), onTop = new Map(); // from a colour to its circles
  for (const i of seen ?? groups.keys()) {
    const circles = groups[i] === last ? onTop : others, colour = colours[shades[groups[i]]];
    if (!circles.has(colour)) circles.set(colour, []);
    circles.get(colour).push(tag("circle", { cx: at[2 * i], cy: at[2 * i + 1], r: radius - RIM / 2 }));
  }
  return [...others, ...onTop].map(([fill, circles]) => {
    const style = { class: name, fill, stroke: mixed(fill, "#000", 0.7), "stroke-width": RIM }; // as on the screen
    return `<g${listed(style)}>${circles.join("")}</g>`;
  }).join("");
}

/** From far to near, each layer in its size and its part of the colours. */
function deepDots({ name, at, radius, layers: { order, starts }, cage, line, groups, shades, colours, last, back }) {
  const dots = [[], []]; // the group `last` lies over the others
  for (let layer = 0; layer + 1 < starts.length; layer++) {
    const style = layerStyle(layer, radius), inks = colours.map((colour) => mixed(colour, back, style.strength));
    for (const i of order.subarray(starts[layer], starts[layer + 1])) {
      const fill = inks[shades[groups[i]]], stroke = mixed(fill, "#000", 0.7);
      const circle = { cx: at[2 * i], cy: at[2 * i + 1], r: style.radius - RIM / 2, fill, stroke };
      dots[Number(groups[i] === last)].push(tag("circle", circle));
    }
  }
  const style = { class: name, "stroke-width": RIM };
  return group({ kind: "lines", name: "cage", at: cage, stroke: line }) + `<g${listed(style)}>${dots.flat().join("")}</g>`;
}

/** Lines from far to near, each as a whole: a drawing program can take one of them. */
function strandLines({ name, at, places, layers: { order, starts }, cage, line, groups, shades, colours, last, back }) {
  const sums = new Float64Array(groups.length); // the mean layer of each
  for (let layer = 0; layer + 1 < starts.length; layer++) {
    for (let j = starts[layer]; j < starts[layer + 1]; j++) sums[Math.floor(order[j] / places)] += layer / places;
  }
  const nearer = Array.from(groups.keys()).sort((a, b) => (groups[a] === last) - (groups[b] === last) || sums[a] - sums[b]);
  const drawn = nearer.map((i) => {
    const { width, strength } = strandStyle(Math.round(sums[i]), groups.length), own = at.subarray(2 * places * i, 2 * places * (i + 1));
    const points = each(Array.from(own), 2, (x, y) => `${number(x)},${number(y)} `).trim();
    return tag("polyline", { points, stroke: mixed(colours[shades[groups[i]]], back, strength), "stroke-width": width });
  });
  const style = { class: name, fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
  return group({ kind: "lines", name: "cage", at: cage, stroke: line }) + `<g${listed(style)}>${drawn.join("")}</g>`;
}

export const svgOf = (marks) => marks.map(group).join("");
