// Points coloured by something other than their cluster: the truth, their silhouette, a feature.

import { discs, pointsOf, rects, words } from "./scene.js";
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
  const style = { groups, shades: Uint16Array.from(all.keys()), colours: all, last: -1, back: theme.back, line: theme.line };
  return pointsOf("points", camera, style);
}

/** What the colours mean, in the corner with the fewest points. */
export function shadeLegend(shade, camera, theme) {
  const style = { size: 12, fill: theme.text }, bold = { ...style, weight: 600 };
  const wide = (texts) => Math.max(...texts.map((text) => textWidth(text, bold, theme.font)));
  const named = shade.names?.slice(0, MOST_NAMED);
  const width = named ? wide([shade.title, ...named]) + 32 : Math.max(wide([shade.title]) + 18, 138);
  const [left, top] = emptiest(camera, width, named ? 26 + 17 * named.length : 54);
  const plate = [
    rects("shade-back", [left, top, width, named ? 26 + 17 * named.length : 54], { fill: theme.back, alpha: 0.85, round: 5 }),
    words("shade-title", shade.title, left + 8, top + 15, bold),
  ];
  return [...plate, ...(named ? shadeKeys(shade, named, left, top, style) : shadeScale(shade, left, top, style))];
}

function shadeKeys({ colours }, named, left, top, style) {
  return named.flatMap((name, k) => [
    discs("shade-key", [left + 12, top + 29 + 17 * k], 4.5, { fill: colours[k % colours.length] }),
    words("shade-name", name, left + 22, top + 33 + 17 * k, style),
  ]);
}

function shadeScale({ colours, low, high }, left, top, style) {
  const each = 120 / colours.length;
  return [
    ...colours.map((fill, k) => rects("shade-key", [left + 8 + k * each, top + 22, each + 0.5, 9], { fill })),
    words("shade-low", low, left + 8, top + 46, style),
    words("shade-high", high, left + 128, top + 46, { ...style, align: "right" }),
  ];
}

/** Where a box covers the fewest points: lower left, upper left or upper right. */
function emptiest({ places, width, height }, wide, tall) {
  const corners = [[6, height - 22 - tall], [6, 28], [width - wide - 6, 28]];
  const covered = ([x, y]) => {
    let count = 0;
    for (let i = 0; i < places.length; i += 2) {
      const dx = places[i] - x, dy = places[i + 1] - y;
      if (dx > 0 && dy > 0 && dx < wide && dy < tall) count += 1;
    }
    return count;
  };
  return corners.map((corner) => [covered(corner), corner]).sort(([a], [b]) => a - b)[0][1];
}
