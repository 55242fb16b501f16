// A number over θ (across) and something else (up) as a scene: a cell per pair, and where one stands.

import { share, ticksOf } from "./axis.js";
import { axisMarks } from "./curves.js";
import { clamp, onAxis } from "./format.js";
import { discs, lines, path, rects, words } from "./scene.js";

const MAP_MARGIN = { left: 46, right: 10, top: 18, bottom: 20 }; // pixels

/** Where the cells of a map are. */
export function mapPlot({ axis, thetas, rows }, { width, height }) {
  const { left, top } = MAP_MARGIN, right = width - MAP_MARGIN.right, bottom = height - MAP_MARGIN.bottom;
  const x = (v) => left + share(axis, v) * (right - left), step = (bottom - top) / Math.max(rows.length, 1);
  const middles = thetas.map(x);
  const edges = [left, ...middles.slice(1).map((at, i) => (at + middles[i]) / 2), right];
  return { left, right, top, bottom, width, height, x, step, edges, y: (row) => bottom - (row + 0.5) * step };
}

/** The cell under a place: [column, row]. */
export function cellAt({ edges, bottom, step }, { rows, thetas }, x, y) {
  const column = edges.findIndex((edge, i) => i > 0 && x < edge) - 1;
  return [clamp(column < 0 ? thetas.length - 1 : column, 0, thetas.length - 1), clamp(Math.floor((bottom - y) / step), 0, rows.length - 1)];
}

/** The cells, one mark per colour, and the numbers beside them. */
export function mapMarks(map, plot, theme) {
  const { codes, colours } = map, { edges, bottom, step, left } = plot;
  const cells = colours.map(() => []);
  codes.forEach((line, row) => line.forEach((code, column) => {
    if (code >= 0) cells[code].push(edges[column], bottom - (row + 1) * step, edges[column + 1] - edges[column] + 0.5, step + 0.5);
  }));
  const style = { align: "right", size: 11, fill: theme.text, alpha: 0.75 };
  const marks = cells.flatMap((at, code) => (at.length ? [rects("cell", at, { fill: colours[code] })] : []));
  const labels = rowLabels(map, plot).map(([text, y]) => words("tick", text, left - 5, y + 4, style));
  return [...marks, ...steadyMarks(map, plot, theme), ...axisMarks(map.axis, plot, theme), ...labels,
    words("label", map.row_label, left, plot.top - 6, { size: 11, weight: 600, fill: theme.text })];
}

/** Lengths have round numbers along their axis; counts stand at their rows. */
function rowLabels({ rows, names }, { y, bottom, top }) {
  const gap = Math.max(Math.ceil(18 / Math.max((bottom - top) / rows.length, 1e-9)), 1);
  if (!names) return rows.flatMap((v, row) => (row % gap === 0 ? [[onAxis(v), y(row)]] : []));
  const axis = { low: rows[0], high: rows[rows.length - 1], scale: "log" };
  return ticksOf(axis, 5).map((v) => [onAxis(v), y(share(axis, v) * (rows.length - 1))]);
}

/** From which row on nothing changes, as a stair. */
function steadyMarks({ line, colours }, { edges, bottom, step }, theme) {
  if (!line || !colours.length) return [];
  const at = line.flatMap((row, column) => {
    const y = bottom - row * step;
    return [edges[column], y, edges[column + 1], y];
  });
  return [path("steady-edge", at, { stroke: theme.back, width: 5 }), path("steady", at, { stroke: "#D55E00", width: 3 })];
}

/** Where one stands: θ, and the row if there is one. */
export function mapCursor(map, plot, value, row, theme) {
  const { axis, bar, here, rows } = map, { x, y, top, bottom, left, right, step } = plot;
  const marks = [], level = (v) => y(share({ low: rows[0], high: rows[rows.length - 1], scale: "log" }, v) * (rows.length - 1));
  const both = (make, name, at, width) => marks.push(make(`${name}-edge`, at, { stroke: theme.back, width: width + 3 }), make(name, at, { stroke: theme.text, width }));
  if (bar) both(lines, "bar", [x(bar[0]), level(bar[2]), x(bar[0]), level(bar[3])], 3);
  if (bar) marks.push(discs("star", [x(bar[0]), level(bar[1])], 5, { fill: theme.text, stroke: theme.back, width: 2 }));
  if (value >= axis.low * 0.999 && value <= axis.high * 1.001) both(lines, "cursor", [x(value), top, x(value), bottom], 1.5);
  if (here && here[0] === value) {
    for (const [stroke, width] of [[theme.back, 6], [theme.text, 3]]) marks.push(discs("here", [x(here[0]), level(here[1])], 8, { stroke, width }));
  }
  if (row !== null) both(lines, "row", [left, bottom - (row + 1) * step, right, bottom - (row + 1) * step], 1.5);
  return marks;
}
