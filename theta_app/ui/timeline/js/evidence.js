// Why this θ: curves with their ranges, sizes with their elbow, and maps, all at the θ that the timeline of the page
// stands on. Whatever moves θ (the track, a curve, a map, the shuffle slider) repaints it without the server.

import { save } from "../../js/save.js";
import { nearest, valueAt } from "./axis.js";
import { dressed } from "./called.js";
import { fit } from "./camera.js";
import { paint, still, wiped } from "./canvas.js";
import { cursorMarks, curveMarks, curvePlot } from "./curves.js";
import { between, decimals, mapKey, mapSection, numberBoxes, rangeTable, scoreTable, steadyButtons, whole } from "./evidencewords.js";
import { clamp, counted, escaped, short } from "./format.js";
import { cellAt, mapCursor, mapMarks, mapPlot } from "./heatmap.js";
import { keptShare, withKept } from "./keeping.js";
import { CHAINED, GO, LOOK, MOVED, WHERE } from "./look.js";
import { groundMarks, overMarks, pointMark } from "./picture.js";
import { path, rects } from "./scene.js";
import { sizeMarks } from "./sizes.js";
import { Stamped } from "./stamp.js";
import { svgOf } from "./svg.js";
import { readTheme } from "./theme.js";

const BAND = 0.13; // how strongly the best of the other ranges is painted
const CHARTS = ["curves", "sizes", "points", "over"];

const pages = new WeakMap();

class Evidence {
  /** `send` tells Python; it is set with the data. */
  constructor(root) {
    this.root = root;
    this.part = {};
    for (const element of root.querySelectorAll("[data-part]")) this.part[element.dataset.part] = element;
    this.canvas = Object.fromEntries(CHARTS.map((name) => [name, this.part[name]]));
    this.moved = ({ detail }) => this.stand(detail);
    this.looked = ({ detail }) => this.lookAt(detail);
    document.addEventListener(MOVED, this.moved);
    document.addEventListener(LOOK, this.looked);
    document.addEventListener(CHAINED, this.looked);
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(root);
    this.drags(this.part.curves, (x) => this.curveValue(x));
    this.listen();
  }

  stop() {
    document.removeEventListener(MOVED, this.moved);
    document.removeEventListener(LOOK, this.looked);
    document.removeEventListener(CHAINED, this.looked);
    this.observer.disconnect();
    cancelAnimationFrame(this.asked);
  }

  // ---- what the person does

  listen() {
    const { keep, back, give } = this.part;
    keep.addEventListener("input", () => { this.keep = Number(keep.value); this.ask(); });
    keep.addEventListener("change", () => this.send("keep", this.keep));
    back.addEventListener("click", () => this.send("keep", 0));
    give.addEventListener("change", () => this.ask());
    this.root.addEventListener("click", ({ target }) => {
      if (target.dataset.go) this.go(Number(target.dataset.go), true);
      if (target.dataset.save) this.save(target.dataset.save);
    });
  }

  go(value, release) { document.dispatchEvent(new CustomEvent(GO, { detail: { value, release } })); }

  curveValue(x) {
    const { left, right } = this.plot;
    return valueAt(this.data.axis, clamp((x - left) / (right - left), 0, 1));
  }

  /** Dragging on a canvas drags θ; `valueOf(x, y)`. */
  drags(canvas, valueOf) {
    let down = false;
    const move = (event, release) => {
      const box = canvas.getBoundingClientRect();
      this.go(valueOf(event.clientX - box.left, event.clientY - box.top), release);
    };
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

  // ---- what it is told

  load(data) {
    this.data = data;
    this.keep = data.keep?.k ?? null;
    this.build();
    this.layout();
    document.dispatchEvent(new CustomEvent(WHERE)); // the timeline answers if it is there already
  }

  /** The timeline stands at another value: { value, frame, body, marks }. */
  stand(detail) {
    Object.assign(this, { at: detail, look: null });
    this.ask();
  }

  /** Other clusters at this θ are looked at, by the first shuffles or at another ε: { body, at, frame }; null: its own. */
  lookAt(look) {
    if (!this.at) return;
    this.look = look && { ...look, frame: dressed(this.at.body, { ...look.frame }, this.at.marks) };
    this.ask();
  }

  /** How many shuffles are looked at, where not all. */
  get shuffles() { return this.along("shuffles"); }

  /** The value that is looked at of another axis than θ: "shuffles" or "epsilon"; null for none. */
  along(axis) { return this.look?.body.axis.id === axis ? this.look.body.values[this.look.at] : null; }

  get index() { return nearest(this.data.axis, this.data.values, this.at.value); }

  get value() { return this.data.values[this.index]; }

  curve(id) { return this.data.curves.find((curve) => curve.id === id); }

  map(id) { return this.data.maps.find((map) => map.id === id); }

  // ---- what there is

  build() {
    const { data, part } = this, { keep, ranges } = data;
    part.numbers.innerHTML = numberBoxes(this.curve("nmi"));
    part.curves.setAttribute("aria-label", `${data.curves.map(({ label }) => label).join(", ")} over ${data.axis.label}`);
    part.ranges.innerHTML = rangeTable(ranges);
    part["ranges-note"].textContent = ranges.length
      ? "★ suggested. Click a range to go to its middle; the range you are in is marked." : "There is no range with two or more clusters.";
    part.steady.innerHTML = steadyButtons(data.steady);
    part.keeping.hidden = !keep || keep.total < 2;
    if (keep) {
      part.back.hidden = keep.k === keep.suggested;
      part.back.textContent = `Back to ${whole(keep.suggested)}, as suggested`;
      part.scores.innerHTML = scoreTable(keep.scores);
    }
    this.buildMaps();
  }

  buildMaps() {
    const built = JSON.stringify(this.data.maps.map(({ id }) => id));
    if (this.built !== built) {
      this.built = built;
      this.part.maps.replaceChildren(...this.data.maps.map((map) => this.mapFigure(map)));
    }
    for (const map of this.data.maps) {
      const [note, key] = this.part.maps.querySelector(`[data-map="${map.id}"]`).querySelectorAll("p, div");
      note.textContent = map.note;
      key.className = map.names ? "ev-key" : "ev-scale";
      key.innerHTML = mapKey(map);
    }
  }

  mapFigure(map) {
    const { id } = map, section = mapSection(map), canvas = (this.canvas[id] = section.querySelector("canvas"));
    const cell = (x, y) => cellAt(this.maps[id].plot, this.map(id), x, y);
    if (id === "chains") {
      canvas.addEventListener("click", ({ offsetX, offsetY }) => {
        const [column, row] = cell(offsetX, offsetY), { thetas, rows } = this.map(id);
        this.send("chain", [thetas[column], rows[row]]);
      });
    } else this.drags(canvas, (x, y) => this.map(id).thetas[cell(x, y)[0]]);
    canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
      const [column, row] = cell(offsetX, offsetY), { thetas, rows, values, title, row_label } = this.map(id);
      canvas.title = `θ = ${short(thetas[column])}, ${row_label} ${short(rows[row])}: ${title} ${short(values[row][column])}`;
    });
    return section;
  }

  // ---- drawing

  layout() {
    if (!this.data || !this.root.clientWidth) return;
    const theme = (this.theme = readTheme(this.root)), scale = (this.scale = Math.min(devicePixelRatio || 1, 2));
    this.size = {};
    for (const [name, canvas] of Object.entries(this.canvas)) {
      const width = canvas.clientWidth, height = canvas.clientHeight;
      this.size[name] = { width, height };
      Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
    }
    this.plot = curvePlot(this.data, this.size.curves);
    this.marks = [...this.bands(), ...curveMarks(this.data, this.plot, theme)];
    this.layer = still(this.part.curves, scale, this.marks, theme.font);
    this.maps = {};
    for (const map of this.data.maps) {
      const plot = mapPlot(map, this.size[map.id]), marks = mapMarks(map, plot, theme);
      this.maps[map.id] = { plot, marks, layer: still(this.canvas[map.id], scale, marks, theme.font) };
    }
    this.camera = null;
    this.ask();
  }

  /** All ranges behind the curves; the suggested one is painted with the curves. */
  bands() {
    const { x, panels } = this.plot;
    return panels.flatMap(({ top, bottom }) => this.data.ranges.flatMap(({ low, high, recommended }, i) => {
      if (recommended) return [];
      const alpha = BAND / Math.sqrt(i + 1), from = x(low);
      return [rects("band", [from, top, Math.max(x(high) - from, 2), bottom - top], { fill: this.theme.accent, alpha })];
    }));
  }

  ask() { this.asked ||= requestAnimationFrame(() => { this.asked = 0; this.paint(); }); }

  put(name, marks, layer = null) {
    const { width, height } = this.size[name];
    if (!width || !height) return;
    const context = wiped(this.canvas[name], this.scale);
    if (layer) context.drawImage(layer, 0, 0, width, height);
    paint(context, marks, this.theme.font);
  }

  paint() {
    if (!this.at || !this.size || !this.data) return;
    this.put("curves", this.overCurves(), this.layer);
    this.put("sizes", this.sizeMarks());
    for (const map of this.data.maps) this.put(map.id, this.overMap(map), this.maps[map.id].layer);
    this.paintPoints();
    this.tell();
  }

  overCurves() { return [...this.firstShuffles(), ...cursorMarks(this, this.plot, this.theme)]; }

  overMap(map) {
    const epsilon = map.here ? this.along("epsilon") : null, here = epsilon === null ? map.here : [this.value, epsilon];
    return mapCursor({ ...map, here }, this.maps[map.id].plot, this.value, this.row(map), this.theme);
  }

  /** The row of a map for the shuffles that are looked at; null for all. */
  row({ rows, names }) { return this.shuffles && !names ? Math.max(rows.findLastIndex((count) => count <= this.shuffles), 0) : null; }

  /** K and order agreement over all θ as the first shuffles alone give them. */
  firstShuffles() {
    const known = [this.map("shuffles"), this.map("orders")];
    if (!this.shuffles || !known[0]) return [];
    const { x, panels } = this.plot, { of_shuffles } = this.data;
    return known.flatMap((map, i) => {
      if (map.id === "shuffles" && !of_shuffles) return []; // small clusters, where the curve has chains
      const row = this.row(map), at = map.thetas.flatMap((theta, column) => [x(theta), panels[i].y(map.values[row][column])]);
      return [path("first", at, { stroke: this.theme.text, width: 2.5, dash: [6, 3] })];
    });
  }

  // ---- the clusters

  /** The frame that is shown: the timeline's, or that of the first shuffles. */
  get frame() { return this.look?.frame ?? this.at.frame; }

  /** { after: clusters before the elbow or null, of: clusters }. */
  get elbow() {
    const { look } = this;
    return look ? { after: look.frame.elbow, of: look.frame.sizes.length } : this.data.elbows[this.index];
  }

  /** Whether this is the θ for which Python knows what is kept. */
  get chosen() { return Boolean(this.data.keep) && !this.look && this.data.keep.theta === this.value; }

  /** How many of the largest clusters are kept: as chosen, elsewhere as the elbow says. */
  get kept() { return this.chosen ? this.keep : this.elbow.after ?? this.elbow.of; }

  /** Sizes in descending order, those that are not kept in grey. */
  sizeMarks() {
    const { kept, theme, data, look } = this;
    const sizes = look ? [...look.frame.sizes].sort((a, b) => b - a) : data.sizes[this.index];
    const shown = { sizes, order: [...sizes.keys()], elbow: this.elbow.after, colours: sizes.map((_, rank) => (rank < kept ? 0 : 1)) };
    return sizeMarks({ palette: [theme.accent, data.muted] }, shown, -1, this.size.sizes, theme);
  }

  paintPoints() {
    const { theme, size: { points: size }, at: { body }, part } = this;
    if (!size.width || !size.height) return;
    if (!this.camera || this.drawn !== body) {
      this.drawn = body;
      this.camera = fit(body, size);
      this.stamped = new Stamped(part.points, this.scale, groundMarks(body, this.camera, size, theme), theme.font);
    }
    const frame = this.data.keep ? withKept(body, this.frame, this.kept, part.give.checked && body.plain) : this.frame;
    const shown = { lit: -1, outline: null };
    this.stamped.paint(pointMark(body, frame, this.camera, shown, theme));
    this.put("over", overMarks(body, { ...frame, pair: null }, this.camera, shown, theme));
  }

  // ---- words

  tell() {
    const { data, part, elbow, value, kept, chosen } = this;
    const { values } = this.curve("k"), k = values[this.index];
    const here = data.ranges.findIndex((range) => range.k === k && value >= range.low && value <= range.high);
    const figures = this.figures(here);
    for (const box of part.numbers.children) {
      const [, figure, meaning] = box.children, [text, about] = figures[figure.dataset.testid.slice("evidence-".length)];
      if (figure.textContent !== text) figure.textContent = text;
      if (meaning.textContent !== about) meaning.textContent = about;
    }
    part.ranges.querySelectorAll("tbody tr").forEach((row, i) => row.classList.toggle("ev-here", i === here));
    const said = this.along("epsilon") === null ? [data.elbows[this.index].text, chosen && data.keep.support] : ["Shown after release."];
    part.elbow.textContent = said.filter(Boolean).join(" ");
    part.kept.textContent = `${whole(kept)}: ${Math.round(100 * keptShare(this.frame.sizes, kept))} % of the points`;
    Object.assign(part.keep, { disabled: !chosen, max: elbow.of, value: kept });
    part.scores.classList.toggle("ev-elsewhere", !chosen || this.keep !== data.keep.k);
    part["give-choice"].hidden = !this.at.body.plain || kept >= elbow.of;
    Object.assign(this.root.dataset, { theta: value, range: here, kept, shuffles: this.shuffles ?? "all" });
  }

  /** What each box of numbers says: a figure, and what it means. */
  figures(here) {
    const { elbow, data: { ranges, axis } } = this, range = ranges[here], first = this.first();
    const at = (id) => this.curve(id)?.values[this.index] ?? null;
    const standing = range?.recommended ? "suggested" : `number ${here + 1} of ${ranges.length}`;
    return {
      theta: [short(this.value), axis.unit],
      k: [whole(first?.k ?? at("k")), this.shuffles ? `first ${counted(this.shuffles, "shuffle")}` : first ? `at ε = ${short(this.along("epsilon"))}` : ""],
      range: first?.range ? first.range : range ? [between(range), `K = ${range.k} · ${standing}`]
        : ["none", at("k") > 1 ? "K changes with every step here" : "all points are one cluster"],
      agreement: [decimals(first?.agreement ?? at("agreement")), "1: row order has no effect"],
      silhouette: this.along("epsilon") !== null ? ["–", "shown after release"] : [decimals(at("silhouette")), "1 = well separated"],
      nmi: [decimals(first?.nmi ?? at("nmi")), "with known classes"],
      sizes: elbow.after ? [whole(elbow.after), `of ${whole(elbow.of)}`] : ["none", "keep all"],
    };
  }

  /** What is known of the clusters that are looked at; null where they are the timeline's own. */
  first() {
    if (!this.look) return null;
    const { body, at } = this.look;
    const read = (id) => body.readouts.find((one) => one.id === id)?.values[at];
    const number = (id) => { const v = Number(read(id)?.[0].replaceAll(",", "")); return Number.isFinite(v) ? v : undefined; };
    const range = this.along("epsilon") === null ? null : read("range");
    return { k: number("k"), agreement: number("agreement"), nmi: number("nmi"), range };
  }

  save(name) {
    const { theme, size: { [name]: { width, height } } } = this;
    const charts = { curves: () => [...this.marks, ...this.overCurves()], sizes: () => this.sizeMarks() };
    const marks = charts[name] ?? (() => [...this.maps[name].marks, ...this.overMap(this.map(name))]);
    const ground = rects("ground", [0, 0, width, height], { fill: theme.back });
    const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${escaped(theme.font)}">${svgOf([ground, ...marks()])}</svg>`;
    save(new Blob([text], { type: "image/svg+xml" }), `${this.at.body.name}-${name}.svg`);
  }
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
