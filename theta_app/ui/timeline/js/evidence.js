// Why this θ: curves with their ranges, sizes with their elbow, and maps, all at the θ that the timeline of the page
// stands on. Whatever moves θ (the track, a curve, a map, the shuffle slider) repaints it without the server.

import { save } from "../../js/save.js";
import { nearest, valueAt } from "./axis.js";
import { fit } from "./camera.js";
import { paint, still, wiped } from "./canvas.js";
import { cursorMarks, curveMarks, curvePlot } from "./curves.js";
import { clamp, counted, escaped, short } from "./format.js";
import { cellAt, mapCursor, mapMarks, mapPlot } from "./heatmap.js";
import { GO, LOOK, MOVED, WHERE } from "./look.js";
import { groundMarks, overMarks, pointMark } from "./picture.js";
import { path, rects } from "./scene.js";
import { sizeMarks } from "./sizes.js";
import { Stamped } from "./stamp.js";
import { svgOf } from "./svg.js";
import { readTheme } from "./theme.js";

const BAND = 0.13; // the strength of the best of the other ranges
const NUMBERS_SHOWN = ["theta", "k", "range", "agreement", "silhouette", "nmi", "sizes"];
const TITLES = {
  theta: "θ", k: "Clusters K", range: "Range", agreement: "Order agreement", silhouette: "Silhouette", nmi: "NMI", sizes: "K by the size elbow",
};

const pages = new WeakMap();

const decimals = (v) => (v === null || v === undefined ? "–" : v.toFixed(3));
const written = (v) => (typeof v !== "number" ? String(v ?? "–") : Number.isInteger(v) ? v.toLocaleString("en-US") : v.toFixed(3));
const between = ({ low, high }) => `${short(low)} – ${short(high)}`;
const within = ({ low, high }, value) => value >= low && value <= high;

class Evidence {
  constructor(root) {
    this.root = root;
    this.part = {};
    for (const element of root.querySelectorAll("[data-part]")) this.part[element.dataset.part] = element;
    this.canvas = {};
    const { curves, sizes, points, over, keep, back, nearest: give } = this.part;
    for (const canvas of [curves, sizes, points, over]) this.canvas[canvas.dataset.part] = canvas;
    this.moved = ({ detail }) => this.stand(detail);
    this.looked = ({ detail }) => this.lookAt(detail);
    document.addEventListener(MOVED, this.moved);
    document.addEventListener(LOOK, this.looked);
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(root);
    this.drags(curves, (x) => this.curveValue(x));
    keep.addEventListener("input", () => { this.keep = Number(keep.value); this.ask(); });
    keep.addEventListener("change", () => this.send("keep", this.keep));
    back.addEventListener("click", () => this.send("keep", 0));
    give.addEventListener("change", () => this.ask());
    for (const button of root.querySelectorAll("[data-save]")) {
      button.title = "Save this chart as SVG";
      button.addEventListener("click", () => this.save(button.dataset.save));
    }
  }

  stop() {
    document.removeEventListener(MOVED, this.moved);
    document.removeEventListener(LOOK, this.looked);
    this.observer.disconnect();
    cancelAnimationFrame(this.asked);
  }

  // ---- what it is told

  load(data) {
    this.data = data;
    this.keep = data.keep?.k ?? null;
    this.build();
    this.layout();
    document.dispatchEvent(new CustomEvent(WHERE)); // the timeline answers if it is there already
  }

  /** The timeline stands at another value: { value, frame, body }. */
  stand(detail) {
    this.at = detail;
    this.look = null;
    this.ask();
  }

  /** The clusters of the first shuffles alone: { body, at, frame }, or null for all. */
  lookAt(detail) {
    this.look = detail;
    this.ask();
  }

  /** How many shuffles are looked at, where not all. */
  get shuffles() { return this.look && this.look.body.values[this.look.at]; }

  get index() { return nearest(this.data.axis, this.data.values, this.at.value); }

  curve(id) { return this.data.curves.find((curve) => curve.id === id); }

  go(value, release) { document.dispatchEvent(new CustomEvent(GO, { detail: { value, release } })); }

  curveValue(x) {
    const { left, right } = this.plot;
    return valueAt(this.data.axis, clamp((x - left) / (right - left), 0, 1));
  }

  /** Dragging on a canvas drags θ; `valueOf(x, y)`. */
  drags(canvas, valueOf) {
    const move = (event, release) => {
      const box = canvas.getBoundingClientRect();
      this.go(valueOf(event.clientX - box.left, event.clientY - box.top), release);
    };
    let down = false;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      down = true;
      move(event, false);
    });
    canvas.addEventListener("pointermove", (event) => { if (down) move(event, false); });
    const end = (event) => { if (down) move(event, true); down = false; };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
  }

  // ---- what there is

  build() {
    const { data, part } = this;
    const shown = NUMBERS_SHOWN.filter((id) => id !== "nmi" || this.curve("nmi"));
    part.numbers.innerHTML = shown.map((id) =>
      `<div class="${id === "theta" ? "tl-lead" : id === "range" ? "tl-wide" : ""}"><span>${TITLES[id]}</span><b data-testid="evidence-${id}"></b><em></em></div>`).join("");
    part.curves.setAttribute("aria-label", `${data.curves.map(({ label }) => label).join(", ")} over ${data.axis.label}`);
    part.sizes.setAttribute("aria-label", "Cluster sizes, largest first, and where they drop");
    part.over.setAttribute("aria-label", "The points, coloured by cluster");
    this.buildRanges();
    this.buildKeeping();
    this.buildMaps();
  }

  buildRanges() {
    const { ranges, steady } = this.data, scored = ranges.some(({ agreement }) => agreement !== undefined);
    const columns = ["θ", "K", "factor", ...(scored ? ["order agreement", "silhouette", "gaps"] : [])];
    const titles = { factor: "Its end divided by its start: 2 is a factor of two, whatever the unit", gaps: "Whether points are sparse at every boundary between the clusters" };
    const head = columns.map((name) => `<th scope="col" title="${titles[name] ?? ""}">${name}</th>`).join("");
    const row = (range, i) => {
      const numbers = scored ? [decimals(range.agreement), decimals(range.silhouette), range.separate ? "yes" : "no"] : [];
      const cells = [range.k.toLocaleString("en-US"), Math.exp(range.width).toFixed(2), ...numbers].map((text) => `<td>${text}</td>`);
      const mark = range.recommended ? " ★" : "";
      return `<tr data-range="${i}"><td><button type="button" data-go="${range.middle}">${between(range)}</button>${mark}</td>${cells.join("")}</tr>`;
    };
    this.part.ranges.innerHTML = `<thead><tr>${head}</tr></thead><tbody>${ranges.map(row).join("")}</tbody>`;
    this.part["ranges-note"].textContent = ranges.length
      ? "★ the suggested range. A click goes to the middle of a range; the one you stand in is marked." : "There is no range with two or more clusters.";
    const chips = steady.slice(0, 4).map((range) => `<button type="button" data-go="${range.middle}">${range.k} from ${between(range)}</button>`);
    this.part.steady.innerHTML = chips.length ? `The elbow is steady at ${chips.join(" ")}` : "";
    for (const button of this.root.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.go(Number(button.dataset.go), true));
    }
  }

  buildKeeping() {
    const { keep } = this.data, { keeping, keep: slider, back, scores } = this.part;
    keeping.hidden = !keep || keep.total < 2;
    if (!keep) return;
    Object.assign(slider, { max: keep.total, value: keep.k });
    back.hidden = keep.k === keep.suggested;
    back.textContent = `Back to ${keep.suggested}, as suggested`;
    const { columns, rows } = keep.scores;
    const head = columns.map((name) => `<th scope="col">${escaped(name)}</th>`).join("");
    const body = rows.map((row) => `<tr>${row.map((v) => `<td>${escaped(written(v))}</td>`).join("")}</tr>`).join("");
    scores.innerHTML = `<thead><tr>${head}</tr></thead><tbody>${body}</tbody>`;
  }

  buildMaps() {
    const built = JSON.stringify(this.data.maps.map(({ id, title }) => [id, title]));
    if (this.built === built) return;
    this.built = built;
    this.part.maps.replaceChildren(...this.data.maps.map((map) => this.mapFigure(map)));
  }

  mapFigure({ id, heading, title, row_label }) {
    const section = document.createElement("section");
    section.className = "ev-map";
    section.dataset.map = id;
    section.innerHTML = `<header><h3>${escaped(heading)}</h3><button type="button">SVG</button></header><p></p><canvas role="img"></canvas><div></div>`;
    const canvas = (this.canvas[id] = section.querySelector("canvas")), button = section.querySelector("button");
    button.addEventListener("click", () => this.save(id));
    button.title = "Save this map as SVG";
    canvas.setAttribute("aria-label", `${title} over θ and ${row_label}`);
    const cell = (x, y) => cellAt(this.maps[id].plot, this.map(id), x, y);
    if (id === "chains") {
      canvas.addEventListener("click", (event) => {
        const [column, row] = cell(event.offsetX, event.offsetY), { thetas, rows } = this.map(id);
        this.send("chain", [thetas[column], rows[row]]);
      });
    } else this.drags(canvas, (x, y) => this.map(id).thetas[cell(x, y)[0]]);
    canvas.addEventListener("pointermove", (event) => {
      const [column, row] = cell(event.offsetX, event.offsetY), { thetas, rows, values } = this.map(id);
      canvas.title = `θ = ${short(thetas[column])}, ${row_label} ${short(rows[row])}: ${title} ${short(values[row][column])}`;
    });
    return section;
  }

  map(id) { return this.data.maps.find((map) => map.id === id); }

  // ---- drawing

  layout() {
    if (!this.data || !this.root.clientWidth) return;
    this.theme = readTheme(this.root);
    this.scale = Math.min(devicePixelRatio || 1, 2);
    this.size = {};
    for (const [name, canvas] of Object.entries(this.canvas)) {
      const width = canvas.clientWidth, height = canvas.clientHeight;
      this.size[name] = { width, height };
      const [w, h] = [Math.round(width * this.scale), Math.round(height * this.scale)];
      if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    }
    const { theme, scale, data } = this;
    this.plot = curvePlot(data, this.size.curves);
    this.marks = [...this.bands(), ...curveMarks(data, this.plot, theme)];
    this.layer = still(this.part.curves, scale, this.marks, theme.font);
    this.maps = {};
    for (const map of data.maps) {
      const plot = mapPlot(map, this.size[map.id]), marks = mapMarks(map, plot, theme);
      this.maps[map.id] = { plot, marks, layer: still(this.canvas[map.id], scale, marks, theme.font) };
      this.describeMap(map);
    }
    this.camera = null;
    this.ask();
  }

  /** All ranges behind the curves, the suggested one in green. */
  bands() {
    const { x, panels } = this.plot, [first] = panels, last = panels[panels.length - 1];
    const { ranges, good } = this.data;
    return ranges.map((range, i) => {
      const from = x(range.low), wide = Math.max(x(range.high) - from, 2);
      const style = range.recommended ? { fill: good, alpha: 0.22 } : { fill: this.theme.accent, alpha: BAND / Math.sqrt(i + 1) };
      return rects("band", [from, first.top, wide, last.bottom - first.top], style);
    });
  }

  describeMap({ id, names, colours, ends, note }) {
    const [text, , key] = this.root.querySelector(`[data-map="${id}"]`).querySelectorAll("p, canvas, div");
    text.textContent = note ?? "";
    key.className = names ? "ev-key" : "ev-scale";
    key.innerHTML = names
      ? names.map((name, i) => `<span><i style="background: ${colours[i]}"></i>${escaped(name)}</span>`).join("")
      : `<span>${escaped(ends[0])}</span><i style="background: linear-gradient(90deg, ${colours.join(",")})"></i><span>${escaped(ends[1])}</span>`;
  }

  ask() { this.asked ||= requestAnimationFrame(() => { this.asked = 0; this.paint(); }); }

  put(name, marks, layer = null) {
    const canvas = this.canvas[name], { width, height } = this.size[name];
    if (!width || !height) return;
    const context = wiped(canvas, this.scale);
    if (layer) context.drawImage(layer, 0, 0, width, height);
    paint(context, marks, this.theme.font);
  }

  paint() {
    if (!this.at || !this.size || !this.data) return;
    const { index, theme } = this, value = this.data.values[index];
    this.put("curves", [...this.firstShuffles(), ...cursorMarks({ index, value }, this.plot, theme)], this.layer);
    this.put("sizes", this.sizeMarks());
    for (const map of this.data.maps) {
      const { plot, layer } = this.maps[map.id];
      this.put(map.id, mapCursor(map, plot, value, map.id === "chains" ? null : this.row(map), theme), layer);
    }
    this.paintPoints();
    this.tell(index, value);
  }

  /** The row of a map for the shuffles that are looked at; null for all. */
  row({ rows }) {
    if (!this.shuffles) return null;
    return Math.max(rows.findLastIndex((count) => count <= this.shuffles), 0);
  }

  /** K and order agreement over all θ as the first shuffles alone give them. */
  firstShuffles() {
    const [clusters, orders] = [this.map("shuffles"), this.map("orders")];
    if (!this.shuffles || !clusters) return [];
    const row = this.row(clusters), { x, panels } = this.plot;
    return [clusters, orders].map(({ thetas, values }, i) => {
      const at = thetas.flatMap((theta, column) => [x(theta), panels[i].y(values[row][column])]);
      return path("first", at, { stroke: this.data.second, width: 3 });
    });
  }

  // ---- the clusters

  /** The frame that is shown: the timeline's, or that of the first shuffles. */
  get frame() { return this.look?.frame ?? this.at.frame; }

  /** How many of the largest clusters are kept here: what was chosen at the θ it was chosen for, else what the elbow says. */
  get kept() {
    const { keep, elbows } = this.data, { after, of } = elbows[this.index];
    if (this.look) return this.look.frame.elbow ?? this.look.frame.sizes.length;
    return keep && keep.theta === this.data.values[this.index] ? this.keep : after ?? of;
  }

  /** Sizes in descending order, and those that are not kept in grey. */
  sizeMarks() {
    const { index, kept, theme } = this, { sizes, elbows, muted } = this.data;
    const shown = this.look ? [...this.look.frame.sizes].sort((a, b) => b - a) : sizes[index];
    const after = this.look ? this.look.frame.elbow : elbows[index].after;
    const frame = { sizes: shown, order: [...shown.keys()], elbow: after ?? shown.length, colours: shown.map((_, rank) => (rank < kept ? 0 : 1)) };
    return sizeMarks({ palette: [theme.accent, muted] }, frame, -1, this.size.sizes, theme);
  }

  paintPoints() {
    const { theme, size, at: { body } } = this;
    if (!size.points.width || !size.points.height) return;
    if (!this.camera || this.drawnBody !== body) {
      this.drawnBody = body;
      this.camera = fit(body, size.points);
      this.stamped = new Stamped(this.canvas.points, this.scale, groundMarks(body, this.camera, size.points, theme), theme.font);
    }
    const frame = this.withKept(this.frame), shown = { lit: -1, outline: null };
    this.stamped.paint(pointMark(body, frame, this.camera, shown, theme));
    this.put("over", overMarks(body, { ...frame, pair: null }, this.camera, shown, theme));
  }

  /** The frame with the clusters that are not kept in grey, or given to the nearest that is. */
  withKept(frame) {
    const { kept } = this, { body } = this.at, grey = body.usual.length - 1;
    if (kept >= frame.sizes.length || this.data.name !== "TDG") return frame;
    const rank = [...frame.sizes.keys()].sort((a, b) => frame.sizes[b] - frame.sizes[a]);
    const stays = new Uint8Array(frame.sizes.length);
    for (const cluster of rank.slice(0, kept)) stays[cluster] = 1;
    const centroids = [], owners = [];
    frame.owners.forEach((cluster, c) => {
      if (stays[cluster]) { centroids.push(frame.centroids[2 * c], frame.centroids[2 * c + 1]); owners.push(cluster); }
    });
    const own = { ...frame, centroids, owners };
    if (this.part.nearest.checked && body.plain) return { ...own, labels: givenAway(body.points, frame.labels, stays, own) };
    return { ...own, colours: Array.from(frame.colours, (colour, cluster) => (stays[cluster] ? colour : grey)) };
  }

  // ---- words

  tell(index, value) {
    const { data, part } = this, { axis, ranges, keep } = data;
    const at = (id) => this.curve(id)?.values[index] ?? null, elbow = data.elbows[index];
    const here = ranges.findIndex((range) => within(range, value)), range = ranges[here];
    const first = this.first(value);
    const figures = {
      theta: [short(value), axis.unit],
      k: [(first?.k ?? at("k")).toLocaleString("en-US"), first ? `first ${counted(this.shuffles, "shuffle")}` : ""],
      range: range ? [between(range), `K = ${range.k}${range.recommended ? " · suggested" : ` · number ${here + 1} of ${ranges.length}`}`]
        : ["none", at("k") > 1 ? "K changes with every step here" : "all points are one cluster"],
      agreement: [decimals(first?.agreement ?? at("agreement")), "1: row order does not matter"],
      silhouette: [decimals(at("silhouette")), "1 = well separated, 0 = overlapping"],
      nmi: [decimals(at("nmi")), "with the known classes"],
      sizes: [(elbow.after ?? elbow.of).toLocaleString("en-US"), elbow.after ? `of ${elbow.of.toLocaleString("en-US")}` : "no elbow"],
    };
    for (const box of part.numbers.children) {
      const [, figure, meaning] = box.children, [text, about] = figures[figure.dataset.testid.slice("evidence-".length)];
      if (figure.textContent !== text) figure.textContent = text;
      if (meaning.textContent !== about) meaning.textContent = about;
    }
    part.elbow.textContent = elbow.text;
    part.ranges.querySelectorAll("tbody tr").forEach((row, i) => {
      row.classList.toggle("ev-here", i === here);
      if (i === here) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
    });
    const chosen = keep && keep.theta === value, { sizes } = this.frame, sum = (list) => list.reduce((a, b) => a + b, 0);
    const descending = [...sizes].sort((a, b) => b - a), share = sum(descending.slice(0, this.kept)) / sum(descending);
    part.kept.textContent = `${this.kept.toLocaleString("en-US")}: ${Math.round(100 * share)} % of the points`;
    part.keep.disabled = !chosen;
    if (!chosen && keep) Object.assign(part.keep, { max: elbow.of, value: this.kept });
    else if (keep) Object.assign(part.keep, { max: keep.total, value: this.keep });
    part.scores.classList.toggle("ev-elsewhere", !chosen || this.keep !== keep.k);
    part["nearest-choice"].hidden = !this.at.body.plain || this.kept >= sizes.length;
    Object.assign(this.root.dataset, { theta: value, k: at("k"), range: here, kept: this.kept, shuffles: this.shuffles ?? "all" });
  }

  /** K and order agreement of the first shuffles at θ, from the map. */
  first() {
    if (!this.look) return null;
    const read = (id) => this.look.body.readouts.find((one) => one.id === id)?.values[this.look.at][0];
    return { k: Number((read("k") ?? "").replaceAll(",", "")), agreement: Number(read("agreement")) };
  }

  save(name) {
    const { width, height } = this.size[name], { theme } = this, value = this.data.values[this.index];
    const marks = {
      curves: () => [...this.marks, ...this.firstShuffles(), ...cursorMarks({ index: this.index, value }, this.plot, theme)],
      sizes: () => this.sizeMarks(),
    }[name] ?? (() => [...this.maps[name].marks, ...mapCursor(this.map(name), this.maps[name].plot, value, null, theme)]);
    const ground = rects("ground", [0, 0, width, height], { fill: theme.back });
    const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${escaped(theme.font)}">${svgOf([ground, ...marks()])}</svg>`;
    save(new Blob([text], { type: "image/svg+xml" }), `evidence-${name}.svg`);
  }
}

/** Labels where points of clusters that do not stay have gone to the nearest centroid that does. */
function givenAway(points, labels, stays, { centroids, owners }) {
  const given = Int32Array.from(labels);
  for (let i = 0; i < given.length; i++) {
    if (stays[given[i]]) continue;
    let least = Infinity;
    for (let c = 0; c < owners.length; c++) {
      const distance = Math.hypot(centroids[2 * c] - points[2 * i], centroids[2 * c + 1] - points[2 * i + 1]);
      if (distance < least) { least = distance; given[i] = owners[c]; }
    }
  }
  return given;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".ev");
  if (!root) return undefined;
  if (!pages.has(root)) pages.set(root, new Evidence(root));
  const page = pages.get(root);
  page.send = setTriggerValue;
  page.load(data);
  return () => { if (!root.isConnected) page.stop(); };
}
