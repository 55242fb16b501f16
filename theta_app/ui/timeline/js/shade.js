// Points coloured by something other than their cluster: the truth, their silhouette, a feature.

import { discs, dots, rects, words } from "./scene.js";
import { mixed, textWidth } from "./theme.js";

const UNKNOWN = 255; // the level of a point without a value
const DIM = 0.22; // of the colour of clusters that are not highlighted
const MOST_NAMED = 10;

/** What Python sent, ready to be drawn: { title, low, high, names, colours, levels, value }. */
export function shadeOf(sent) {
  if (!sent) return null;
  return { ...sent, levels: Uint8Array.from(window.atob(sent.levels), (character) => character.charCodeAt(0)) };
}

/** Whether it holds for a frame: a silhouette is of one value, and while it is dragged clusters are shown. */
export const holdsFor = (shade, frame) => Boolean(shade) && (shade.value ?? frame.value) === frame.value;

/** The points in the colours of a shade. */
export function shadedMark(body, frame, camera, { lit, shade }, theme) {
  const many = shade.colours.length + 1, grey = mixed(theme.text, theme.back, 0.35);
  const colours = [...shade.colours, grey];
  const groups = new Uint16Array(body.n);
  for (let i = 0; i < body.n; i++) {
    const level = shade.levels[i] === UNKNOWN ? many - 1 : shade.levels[i];
    groups[i] = level + (lit >= 0 && frame.labels[i] !== lit ? many : 0);
  }
  const all = [...colours, ...colours.map((colour) => mixed(colour, theme.back, DIM))];
  const style = { groups, shades: Uint16Array.from(all.keys()), colours: all, last: -1 };
  return dots("points", camera.places, camera.dot, style);
}

/** What the colours mean, in the lower left corner of a picture of this height. */
export function shadeLegend(shade, height, theme) {
  const style = { size: 12, fill: theme.text }, bold = { ...style, weight: 600 };
  const wide = (texts) => Math.max(...texts.map((text) => textWidth(text, bold, theme.font)));
  if (shade.names) {
    const named = shade.names.slice(0, MOST_NAMED), tall = 26 + 17 * named.length, top = height - 22 - tall;
    const marks = named.flatMap((name, k) => [
      discs("shade-key", [18, top + 29 + 17 * k], 4.5, { fill: shade.colours[k % shade.colours.length] }),
      words("shade-name", name, 28, top + 33 + 17 * k, style),
    ]);
    return [...plate(shade.title, wide([shade.title, ...named]) + 32, tall, top, bold, theme), ...marks];
  }
  const each = 120 / shade.colours.length, top = height - 76;
  const bars = shade.colours.map((fill, k) => rects("shade-key", [14 + k * each, top + 22, each + 0.5, 9], { fill }));
  return [
    ...plate(shade.title, Math.max(wide([shade.title]) + 18, 136), 54, top, bold, theme), ...bars,
    words("shade-low", shade.low, 14, top + 46, style),
    words("shade-high", shade.high, 134, top + 46, { ...style, align: "right" }),
  ];
}

const plate = (title, width, tall, top, style, theme) => [
  rects("shade-back", [6, top, width, tall], { fill: theme.back, alpha: 0.85, round: 5 }),
  words("shade-title", title, 14, top + 15, style),
];
