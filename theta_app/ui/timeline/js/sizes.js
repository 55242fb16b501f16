// Cluster sizes as a scene: a bar per cluster, largest first, and their elbow.

import { ticks } from "./axis.js";
import { briefly } from "./format.js";
import { bySize, colourOf } from "./frames.js";
import { lines, rects, words } from "./scene.js";

const BAR_MARGIN = { left: 46, right: 10, top: 22, bottom: 8 }; // pixels

export function sizeMarks(body, frame, lit, { width, height }, theme) {
  const order = bySize(frame);
  const { left, top } = BAR_MARGIN, right = width - BAR_MARGIN.right, bottom = height - BAR_MARGIN.bottom;
  const most = order.length ? frame.sizes[order[0]] : 1;
  const y = (v) => bottom - (v / most) * (bottom - top);
  const step = (right - left) / Math.max(order.length, 1);
  return [
    ...scaleMarks(ticks(0, most, (bottom - top) / 30), { left, right, y }, theme),
    ...barMarks(body, frame, lit, { left, right, bottom, step, y }),
    words("title", "Cluster sizes", left, 13, { size: 12, weight: 600, fill: theme.text }),
    ...dropMarks(frame, { x: left + frame.elbow * step, top, right, bottom }, theme),
  ];
}

function scaleMarks(values, { left, right, y }, theme) {
  const at = values.flatMap((v) => [left, Math.round(y(v)) + 0.5, right, Math.round(y(v)) + 0.5]);
  const style = { align: "right", size: 11, fill: theme.text, alpha: 0.75 };
  return [
    lines("grid", at, { stroke: theme.line, alpha: 0.6 }),
    ...values.map((v) => words("tick", briefly(v), left - 5, y(v) + 4, style)),
  ];
}

function barMarks(body, frame, lit, { left, right, bottom, step, y }) {
  const order = bySize(frame), K = order.length;
  const shown = Math.min(K, Math.ceil(right - left)); // no more bars than pixels
  const width = Math.max(step - (step > 5 ? 2 : 0), 1);
  return Array.from({ length: shown }, (_, s) => {
    const rank = K > shown ? Math.floor((s * K) / shown) : s;
    const cluster = order[rank], top = y(frame.sizes[cluster]);
    const fill = body.palette[colourOf(body, frame, cluster)];
    const alpha = lit >= 0 && cluster !== lit ? 0.25 : 1;
    return rects("bar", [left + rank * step, top, width, bottom - top], { fill, alpha });
  });
}

function dropMarks({ elbow, sizes }, { x, top, right, bottom }, theme) {
  if (!elbow || elbow >= sizes.length) return [];
  return [
    lines("drop", [x, top - 4, x, bottom], { stroke: theme.text, width: 1.5, dash: [4, 3] }),
    words("drop-text", `elbow after ${elbow}`, right, 13, { align: "right", size: 12, fill: theme.text }),
  ];
}

/** The cluster whose bar is at x, or -1. */
export function barAt(frame, x, width) {
  const order = bySize(frame);
  const { left, right } = BAR_MARGIN;
  const rank = Math.floor(((x - left) / (width - right - left)) * order.length);
  return order[rank] ?? -1;
}
