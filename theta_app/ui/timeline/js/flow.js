// The flow of clusters along the track: a column of clusters at some of the values, and bands where points go on.

import { nearest } from "./axis.js";
import { paint, still, wiped } from "./canvas.js";
import { calledOf } from "./called.js";
import { clamp, counted, short } from "./format.js";
import { colourOf, crossed } from "./frames.js";
import { lines, path, rects } from "./scene.js";
import { placeIn } from "./stage.js";
import { hideTip, showTip } from "./tip.js";
import { trackValue, trackX } from "./track.js";

const APART = 46; // pixels between columns, at least
const MOST_COLUMNS = 26;
const BAR = 9; // pixels: the width of a column
const LEAST_TALL = 1.5; // pixels of height below which a cluster is dust
const GAP = 1.5; // pixels between clusters of one column
const NEAR = 3; // pixels that a finger may miss a cluster by
const BENDS = 8; // straight pieces of a band's edge

export class Flow {
  constructor(view) {
    this.view = view;
    this.on = false;
    const { flow } = view.part;
    flow.addEventListener("click", (event) => this.go(this.at(placeIn(flow, event))));
    flow.addEventListener("pointermove", (event) => this.tell(event, this.at(placeIn(flow, event))));
    flow.addEventListener("pointerleave", () => hideTip(view));
  }

  toggle() {
    this.on = !this.on;
    this.view.part.stream.hidden = !this.on;
    this.view.tools.button.flow.setAttribute("aria-pressed", String(this.on));
    this.view.layout();
  }

  layout() {
    this.layer = null;
    if (!this.on) return;
    const { flow } = this.view.part, { scale } = this.view.screen;
    flow.width = Math.round(flow.clientWidth * scale);
    flow.height = Math.round(flow.clientHeight * scale);
    if (!flow.width || !flow.height) return;
    const size = { width: flow.width / scale, height: flow.height / scale };
    this.columns = columnsOf(this.view, size);
    const marks = flowMarks(this.view, this.columns);
    this.layer = still(flow, scale, marks, this.view.theme.font);
    flow.dataset.columns = this.columns.length;
    flow.dataset.nodes = this.columns.reduce((sum, column) => sum + column.nodes.length, 0);
  }

  paint() {
    if (!this.layer) return;
    const { part: { flow }, screen, theme, body, state, frame } = this.view;
    const context = wiped(flow, screen.scale);
    const width = flow.width / screen.scale, height = flow.height / screen.scale;
    context.drawImage(this.layer, 0, 0, width, height);
    const x = trackX(body.axis, frame.value, width);
    const marks = [lines("cursor", [x, 0, x, height], { stroke: theme.text, width: 1.5 })];
    if (state.member !== null) {
      const own = this.columns.flatMap((column) => {
        const node = column.nodes.find((one) => one.cluster === column.frame.labels[state.member]);
        return node ? [column.x - BAR / 2 - 1, node.top - 1, BAR + 2, node.height + 2] : [];
      });
      marks.push(rects("lit", own, { stroke: theme.text, width: 2 }));
    }
    paint(context, marks, theme.font);
  }

  /** The column nearest to a place, and the cluster there if any. */
  at([x, y]) {
    if (!this.layer) return null;
    const column = this.columns.reduce((best, one) => (Math.abs(one.x - x) < Math.abs(best.x - x) ? one : best));
    const node = column.nodes.find((one) => y >= one.top - NEAR && y <= one.top + one.height + NEAR) ?? null;
    const { body, part: { flow } } = this.view;
    return { column, node, value: node ? column.frame.value : trackValue(body.axis, x, flow.clientWidth) };
  }

  go(found) {
    if (!found) return;
    const { view } = this;
    view.go(found.value, { release: true });
    if (found.node) view.choose(found.column.frame.labels.indexOf(found.node.cluster));
  }

  tell(event, found) {
    if (!found) return;
    const { column, node } = found, { view } = this;
    if (!node) { hideTip(view); return; }
    const said = [`${view.body.axis.label.split(" ")[0]} = ${short(column.frame.value)}`, calledOf(column.frame, node.cluster)];
    said.push(counted(node.size, "point"));
    if (node.from > 1) said.push(`made of ${node.from} clusters at ${short(column.left)}`);
    if (node.into) said.push(`goes into ${node.into} at ${short(column.right)}`);
    showTip(view, said.join("\n"), event);
  }
}

// ---- where everything is

function columnsOf(view, { width, height }) {
  const { body } = view, many = clamp(Math.floor(width / APART), 3, MOST_COLUMNS);
  const chosen = new Set();
  for (let c = 0; c < many; c++) {
    chosen.add(nearest(body.axis, body.values, trackValue(body.axis, 16 + (c / (many - 1)) * (width - 32), width)));
  }
  const columns = [...chosen].sort((a, b) => a - b).map((index) => {
    const frame = view.frameAt(index);
    return { frame, x: trackX(body.axis, frame.value, width), nodes: [] };
  });
  // from large values to small ones: a part stands where its whole stands
  for (let c = columns.length - 1; c >= 0; c--) stack(columns[c], columns[c + 1] ?? null, body.n, height);
  return columns;
}

/** Clusters of a column from top to bottom, in the order of what they go into; what is too small is left out. */
function stack(column, next, n, height) {
  const { frame } = column, drawn = frame.members;
  const links = next ? crossed(frame, next.frame) : [];
  const goal = new Map(); // of each cluster: where most of it goes
  for (const link of links) if (link.count > (goal.get(link.a)?.count ?? 0)) goal.set(link.a, link);
  const rank = new Map((next?.nodes ?? []).map((node, at) => [node.cluster, at]));
  const place = (cluster) => rank.get(goal.get(cluster)?.b) ?? Infinity;
  const order = [...drawn.keys()].filter((k) => drawn[k]).sort((a, b) => place(a) - place(b) || drawn[b] - drawn[a] || a - b);
  const room = height - 4 - GAP * Math.min(order.length - 1, 40);
  let top = 2;
  for (const cluster of order) {
    const tall = (drawn[cluster] / n) * room;
    if (tall < LEAST_TALL) continue;
    const into = next ? calledOf(next.frame, goal.get(cluster).b).replace(/^(Cluster|Outliers)/, (word) => word.toLowerCase()) : "";
    column.nodes.push({ cluster, size: drawn[cluster], top, height: tall, into, from: 0, out: 0, in: 0 });
    top += tall + GAP;
  }
  column.dust = top < height - 4 ? [top, height - 2 - top] : null; // the room of all that is too small to be seen
  column.links = links;
  if (!next) return;
  [column.right, next.left] = [next.frame.value, frame.value];
  for (const node of next.nodes) node.from = links.filter(({ b, count }) => b === node.cluster && count * 50 >= node.size).length;
}

// ---- what is drawn

function flowMarks({ body, theme }, columns) {
  const bands = columns.slice(0, -1).flatMap((column, c) => bandsBetween(body, column, columns[c + 1]));
  const bars = columns.flatMap(({ frame, x, nodes }) => nodes.map(({ cluster, top, height }) =>
    rects("node", [x - BAR / 2, top, BAR, height], { fill: body.palette[colourOf(body, frame, cluster)] })));
  const dust = columns.filter((column) => column.dust).flatMap(({ x, dust: [top, tall] }) => [x - BAR / 2, top, BAR, tall]);
  return [...bands, rects("dust", dust, { fill: theme.text, alpha: 0.16 }), ...bars];
}

function bandsBetween(body, column, next) {
  const left = new Map(column.nodes.map((node) => [node.cluster, node]));
  const right = new Map(next.nodes.map((node, at) => [node.cluster, { node, at }]));
  const order = new Map(column.nodes.map((node, at) => [node.cluster, at]));
  const both = column.links.filter(({ a, b }) => left.has(a) && right.has(b));
  for (const { node } of right.values()) node.in = 0;
  both.sort((p, q) => order.get(p.a) - order.get(q.a) || right.get(p.b).at - right.get(q.b).at);
  return both.flatMap(({ a, b, count }) => {
    const from = left.get(a), { node: to } = right.get(b);
    const [tall, wide] = [(count / from.size) * from.height, (count / to.size) * to.height];
    const [y0, y1] = [from.top + from.out, to.top + to.in];
    from.out += tall;
    to.in += wide;
    if (tall < 0.4) return [];
    const fill = body.palette[colourOf(body, column.frame, a)];
    return [path("band", bandOf(column.x + BAR / 2, y0, tall, next.x - BAR / 2, y1, wide), { closed: true, fill, alpha: 0.38 })];
  });
}

function bandOf(x0, y0, tall, x1, y1, wide) {
  const steps = Array.from({ length: BENDS + 1 }, (_, s) => s / BENDS);
  const bend = (t) => t * t * (3 - 2 * t);
  const upper = steps.flatMap((t) => [x0 + t * (x1 - x0), y0 + bend(t) * (y1 - y0)]);
  const lower = steps.reverse().flatMap((t) => [x0 + t * (x1 - x0), y0 + tall + bend(t) * (y1 + wide - y0 - tall)]);
  return [...upper, ...lower];
}
