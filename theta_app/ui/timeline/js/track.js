// The track as a scene: the ranges where K holds, the recommended one strongest, a mark per swept value, and the scale.

import { apart, share, ticksOf, valueAt } from "./axis.js";
import { clamp, onAxis } from "./format.js";
import { rects, words } from "./scene.js";
import { textWidth } from "./theme.js";

const INSET = 16; // pixels at both ends: the handle must not be cut off

export const trackX = (axis, value, width) => INSET + share(axis, value) * (width - 2 * INSET);
export const trackValue = (axis, x, width) => valueAt(axis, clamp((x - INSET) / (width - 2 * INSET), 0, 1));

/** The range a value is in, if any. */
export const rangeAt = (body, value) => body.ranges.find((range) => value >= range.low && value <= range.high);

export function trackMarks(body, { width }, theme) {
  const x = (v) => trackX(body.axis, v, width);
  const best = Math.max(...body.ranges.map((range) => range.strength), 1e-9);
  return [
    rects("track", [INSET - 6, 4, width - 2 * INSET + 12, 34], { fill: theme.soft, round: 7 }),
    ...body.ranges.flatMap((range) => rangeMarks(range, best, x, body, theme)),
    rects("value", body.values.flatMap((v) => [x(v) - 0.5, 36, 1, 4]), { fill: theme.text, alpha: 0.5 }),
    ...scaleOf(body.axis, width, x, theme),
  ];
}

function rangeMarks({ low, high, k, strength, recommended }, best, x, body, theme) {
  const from = x(low), to = Math.max(x(high), from + 3);
  const fill = recommended ? body.good : theme.accent;
  const alpha = recommended ? 0.95 : 0.16 + 0.32 * Math.max(strength / best, 0);
  const marks = [rects("range", [from + 0.5, 4, to - from - 1, 34], { fill, alpha, round: 5 })];
  const style = { align: "center", size: 12, weight: recommended ? 700 : 500, fill: recommended ? "#fff" : theme.text };
  const fits = (text) => textWidth(text, style, theme.font) < to - from - 6;
  const text = [`${body.axis.counts} = ${k}`, String(k)].find(fits);
  if (text) marks.push(words("range-k", text, (from + to) / 2, 18, style));
  return marks;
}

function scaleOf(axis, width, x, theme) {
  const values = ticksOf(axis, width / 90);
  const style = { align: "center", size: 12, fill: theme.text, alpha: 0.85 };
  const half = (v) => textWidth(onAxis(v), style, theme.font) / 2;
  const middle = (v) => clamp(x(v), half(v) + 1, width - half(v) - 1);
  const labelled = apart(values, (v) => [middle(v) - half(v), middle(v) + half(v)]);
  const label = (v) => words("tick", onAxis(v), middle(v), 60, style);
  const at = values.flatMap((v) => [x(v) - 0.5, 38, 1, 6]);
  return [rects("tick-mark", at, { fill: theme.text, alpha: 0.85 }), ...labelled.map(label)];
}
