// Numbers over the parameter as a scene: K with a scale of its own above, numbers from 0 to 1 below, and the cursor.

import { apart, share, ticksOf } from "./axis.js";
import { clamp, onAxis } from "./format.js";
import { discs, lines, path, rects, words } from "./scene.js";
import { textWidth } from "./theme.js";

const CURVE_MARGIN = { left: 46, right: 10, top: 20, bottom: 20 }; // pixels

/** Where the curves are: the panels from top to bottom, and the ends of the axis. */
export function curvePlot({ curves, axis }, { width, height }) {
  const of = (panel) => curves.filter((curve) => curve.panel === panel);
  const [own, unit] = [of("k"), of("unit")];
  const left = CURVE_MARGIN.left, right = width - CURVE_MARGIN.right;
  const top = CURVE_MARGIN.top, bottom = height - CURVE_MARGIN.bottom;
  const split = Math.round(height * 0.56);
  const panels = [];
  if (own.length) panels.push(panelOf(own, ownScale(own), top, unit.length ? split - 6 : bottom));
  if (unit.length) panels.push(panelOf(unit, unitScale(unit), own.length ? split + 18 : top, bottom));
  return { left, right, top, bottom, width, height, panels, x: (v) => left + share(axis, v) * (right - left) };
}

function finite(curves) {
  const all = curves.flatMap(({ values, low, high }) => [...values, ...(low ?? []), ...(high ?? [])]);
  return all.filter((v) => v !== null && Number.isFinite(v));
}

function ownScale(curves) {
  const all = finite(curves);
  if (!all.length) return { low: 1, high: 2 };
  const low = Math.min(...all), high = Math.max(...all);
  if (low > 0 && high / low > 12) return { low, high, scale: "log" };
  const floor = Math.min(low, 0);
  return { low: floor, high: high > floor ? high : floor + 1 };
}

function unitScale(curves) {
  return { low: Math.min(0, Math.floor(Math.min(...finite(curves), 0) * 5) / 5), high: 1 };
}

function panelOf(curves, scale, top, bottom) {
  const { low, high } = scale;
  const y = scale.scale === "log"
    ? (v) => bottom - (Math.log(Math.max(v, low) / low) / Math.log(high / low)) * (bottom - top)
    : (v) => bottom - ((v - low) / (high - low)) * (bottom - top);
  return { curves, scale, top, bottom, y };
}

/** All that stays while the cursor moves. */
export function curveMarks(body, plot, theme) {
  const marks = plot.panels.flatMap((panel) => [
    ...gridMarks(panel, plot, theme),
    ...bandMarks(body, panel, plot),
    ...panel.curves.flatMap((curve) => lineMarks(curve, body.values, plot.x, panel.y)),
    ...legendMarks(panel, plot, theme),
  ]);
  return [...marks, ...axisMarks(body.axis, plot, theme)];
}

export function gridMarks({ scale, top, bottom, y }, { left, right }, theme) {
  const values = ticksOf(scale, scale.scale === "log" ? 5 : (bottom - top) / 34);
  const at = values.flatMap((v) => [left, Math.round(y(v)) + 0.5, right, Math.round(y(v)) + 0.5]);
  const style = { align: "right", size: 11, fill: theme.text, alpha: 0.75 };
  return [
    lines("grid", at, { stroke: theme.line, alpha: 0.6 }),
    ...values.map((v) => words("tick", onAxis(v), left - 5, y(v) + 4, style)),
  ];
}

/** The recommended range. */
function bandMarks({ ranges, good }, { top, bottom }, { x }) {
  const best = ranges.find((range) => range.recommended);
  if (!best) return [];
  const from = x(best.low), to = Math.max(x(best.high), from + 2);
  return [rects("band", [from, top, to - from, bottom - top], { fill: good, alpha: 0.16 })];
}

export function lineMarks({ values: numbers, low, high, colour, dash }, values, x, y) {
  const marks = [];
  if (low && high) {
    const known = [...values.keys()].filter((i) => low[i] !== null);
    const upper = known.flatMap((i) => [x(values[i]), y(high[i])]);
    const lower = known.reverse().flatMap((i) => [x(values[i]), y(low[i])]);
    marks.push(path("between", [...upper, ...lower], { closed: true, fill: colour, alpha: 0.2 }));
  }
  let run = null; // a gap where the number does not exist ends a line
  numbers.forEach((v, i) => {
    if (v === null) { run = null; return; }
    if (!run) marks.push(path("curve", (run = []), { stroke: colour, width: 2, dash }));
    run.push(x(values[i]), y(v));
  });
  return marks;
}

function legendMarks({ curves, top }, { left, right }, theme) {
  const style = { size: 12, weight: 600, fill: theme.text };
  const wide = curves.map(({ label }) => 16 + textWidth(label, style, theme.font));
  const room = right - left - 4 - wide.reduce((sum, width) => sum + width, 0);
  let at = room < 0 ? left + 4 + room : left + 4; // into the margin of the numbers rather than out of the picture
  return curves.flatMap(({ label, colour }, i) => {
    const here = at;
    at += wide[i] + clamp(room / Math.max(curves.length - 1, 1), 4, 14);
    return [
      rects("key", [here, top - 13, 12, 4], { fill: colour }),
      words("legend", label, here + 16, top - 7, style),
    ];
  });
}

export function axisMarks(axis, { left, right, width, height, x }, theme) {
  const style = { align: "center", size: 11, fill: theme.text, alpha: 0.75 };
  const half = (v) => textWidth(onAxis(v), style, theme.font) / 2, middle = (v) => clamp(x(v), left, right - half(v));
  const values = apart(ticksOf(axis, width / 80), (v) => [middle(v) - half(v), middle(v) + half(v)]);
  return values.map((v) => words("tick", onAxis(v), middle(v), height - 6, style));
}

/** Where the parameter stands, and each curve's number there. */
export function cursorMarks(frame, plot, theme) {
  const x = plot.x(frame.value);
  const marks = [];
  for (const { curves, top, bottom, y } of plot.panels) { // not through what is written between them
    marks.push(lines("cursor", [x, top - 3, x, bottom + 2], { stroke: theme.text, width: 1.5 }));
    for (const { values, colour } of curves) {
      const v = values[frame.index];
      if (v !== null) marks.push(discs("here", [x, y(v)], 4.5, { fill: colour, stroke: theme.back, width: 1.5 }));
    }
  }
  return marks;
}
