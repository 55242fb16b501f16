// A canvas in the units of the data, and the marks drawn on it. Nothing here clusters: positions, labels, distances and
// sentences all arrive from Python.

import { ballAround, ballCorners } from "../../../js/ball.js";
import { el } from "./dom.js";

/** A canvas whose coordinates are the data's; `paint(stage)` is called, at most once per frame, when something changed. */
export class Stage {
  constructor({ testid, label, paint, tallest = 0.46, focusable = false, free = false }) {
    this.canvas = el("canvas", { "data-testid": testid, role: "img", "aria-label": label });
    if (focusable) this.canvas.tabIndex = 0;
    this.box = el("div", { class: "stage" }, this.canvas);
    this.paint = paint;
    this.tallest = tallest; // share of the screen's height, where the page scrolls
    this.free = free; // takes any shape: a chart, not a map
    this.world = [0, 16, 0, 9];
    this.norm = 2; // what a circle is, see ball.js
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.box);
    this.ontheme = () => setTimeout(() => this.request(), 150);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", this.ontheme);
    this.box.addEventListener("pointerenter", () => this.request()); // a theme picked in the menu sends no event
  }

  destroy() {
    this.observer.disconnect();
    matchMedia("(prefers-color-scheme: dark)").removeEventListener("change", this.ontheme);
  }

  setWorld(world) {
    if (String(world) === String(this.world)) return;
    this.world = world;
    this.resize();
  }

  resize() {
    const [x0, x1, y0, y1] = this.world;
    const box = this.box.getBoundingClientRect(), lesson = this.box.closest(".lesson");
    const room = Math.floor(box.width) - 2; // a border on either side
    if (room <= 0) return;
    this.sized = `${Math.floor(box.width)} ${Math.floor(box.height)}`;
    const fitted = lesson?.classList.contains("fitted");
    const tall = fitted ? Math.floor(box.height) - 2 : this.tallest * Math.max(innerHeight, 480);
    const aspect = this.free && fitted ? room / Math.max(tall, 1) : (x1 - x0) / (y1 - y0);
    this.onStage = Boolean(this.box.closest(".on-stage"));
    this.width = Math.max(40, Math.floor(Math.min(room, tall * aspect)));
    this.height = Math.floor(this.width / aspect);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    const dense = devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * dense);
    this.canvas.height = Math.round(this.height * dense);
    this.request();
  }

  request() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      if (this.width) this.draw();
    });
  }

  draw() {
    const began = performance.now(), box = this.box.getBoundingClientRect();
    // a room that changed and changed back within a frame is not observed
    if (this.sized !== `${Math.floor(box.width)} ${Math.floor(box.height)}`) this.resize();
    const style = getComputedStyle(this.box);
    const read = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
    this.ink = read("--st-text-color", "#16202a");
    this.paper = read("--st-background-color", "#fff");
    this.line = read("--st-border-color", "#ccc");
    this.accent = read("--st-primary-color", "#0b63a5");
    const pen = (this.pen = this.canvas.getContext("2d"));
    const dense = this.canvas.width / this.width;
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.lineJoin = pen.lineCap = "round";
    this.dot = this.onStage ? innerHeight / 80 : Math.max(3.5, Math.min(7, this.width / 120));
    this.text = this.onStage ? innerHeight / 30 : Math.max(12, Math.min(18, this.width / 50));
    this.thick = this.onStage ? Math.max(1, innerHeight / 540) : 1; // lines seen from the last row
    Object.assign(this, { labels: [], taken: [], dots: [] });
    this.paint(this);
    const crowded = this.writeLabels();
    Object.assign(this.canvas.dataset, { dot: this.dot.toFixed(1), text: this.text.toFixed(1), crowded });
    this.canvas.dataset.paintMs = (performance.now() - began).toFixed(2);
  }

  x(value) { return ((value - this.world[0]) / (this.world[1] - this.world[0])) * this.width; }
  y(value) { return this.height - ((value - this.world[2]) / (this.world[3] - this.world[2])) * this.height; }
  length(value) { return (value / (this.world[1] - this.world[0])) * this.width; }

  /** The place under a pointer event, in the data's units, kept inside the picture. */
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    const across = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const up = Math.min(1, Math.max(0, (box.bottom - event.clientY) / box.height));
    const [x0, x1, y0, y1] = this.world;
    const exact = (v) => Math.round(v * 10000) / 10000; // as a link carries it
    return [exact(x0 + across * (x1 - x0)), exact(y0 + up * (y1 - y0))];
  }

  /** A filled area; `corners` in the data's units. */
  area(corners, fill, alpha) {
    const pen = this.pen;
    pen.beginPath();
    corners.forEach(([x, y], i) => (i ? pen.lineTo(this.x(x), this.y(y)) : pen.moveTo(this.x(x), this.y(y))));
    pen.closePath();
    pen.globalAlpha = alpha;
    pen.fillStyle = fill;
    pen.fill();
    pen.globalAlpha = 1;
  }

  point([x, y], { fill, ring, radius = this.dot, alpha = 1, width = 1.5 } = {}) {
    const pen = this.pen;
    this.dots.push([this.x(x), this.y(y)]);
    pen.globalAlpha = alpha;
    pen.beginPath();
    pen.arc(this.x(x), this.y(y), radius, 0, 2 * Math.PI);
    if (fill) { pen.fillStyle = fill; pen.fill(); }
    if (ring) { pen.strokeStyle = ring; pen.lineWidth = width * this.thick; pen.stroke(); }
    pen.globalAlpha = 1;
  }

  circle([x, y], radius, { stroke = this.ink, fill, alpha = 1, dash = [], width = 1.5 } = {}) {
    const pen = this.pen;
    const ball = ballCorners(this.norm);
    pen.beginPath();
    if (!ball) pen.arc(this.x(x), this.y(y), this.length(radius), 0, 2 * Math.PI);
    else {
      const at = ballAround(ball, this.x(x), this.y(y), this.length(radius));
      for (let i = 0; i < at.length; i += 2) pen.lineTo(at[i], at[i + 1]);
      pen.closePath();
    }
    if (fill) { pen.globalAlpha = alpha * 0.12; pen.fillStyle = fill; pen.fill(); }
    pen.globalAlpha = alpha;
    pen.strokeStyle = stroke;
    pen.lineWidth = width * this.thick;
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  segment(a, b, { stroke = this.ink, width = 1.5, dash = [], alpha = 1 } = {}) {
    const pen = this.pen;
    pen.globalAlpha = alpha;
    pen.strokeStyle = stroke;
    pen.lineWidth = width * this.thick;
    pen.setLineDash(dash);
    pen.beginPath();
    pen.moveTo(this.x(a[0]), this.y(a[1]));
    pen.lineTo(this.x(b[0]), this.y(b[1]));
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  words(text, [x, y], { size = this.text, weight = 600, fill = this.ink, align = "center", dx = 0, dy = 0 } = {}) {
    const pen = this.pen;
    pen.font = `${weight} ${size}px system-ui, sans-serif`;
    pen.textAlign = align;
    pen.textBaseline = "middle";
    pen.lineWidth = 4 * this.thick;
    pen.strokeStyle = this.paper; // a halo, so that words stay readable over points and lines
    pen.strokeText(text, this.x(x) + dx, this.y(y) + dy);
    pen.fillStyle = fill;
    pen.fillText(text, this.x(x) + dx, this.y(y) + dy);
  }

  /** Words at the first of their `spots` (see `beside`) that is clear of other words, of centroids and, if there is a choice, of
   *  points. They are written when all marks are drawn, those of the lowest `rank` first; `optional` ones not in a crowd. */
  label(text, spots, { rank = 2, optional = false, size = this.text, weight = 600, fill = this.ink } = {}) {
    this.labels.push({ text: String(text), spots, rank, optional, size, weight, fill });
  }

  /** No words within so many pixels of a place. */
  keepClear([x, y], reach) {
    this.taken.push([this.x(x) - reach, this.y(y) - reach, this.x(x) + reach, this.y(y) + reach]);
  }

  /** Returns how many words could not be kept clear. */
  writeLabels() {
    let crowded = 0;
    for (const { text, spots, optional, size, weight, fill } of this.labels.sort((a, b) => a.rank - b.rank)) {
      this.pen.font = `${weight} ${size}px system-ui, sans-serif`;
      const half = this.pen.measureText(text).width / 2, tall = size * 0.5;
      const places = spots.map(({ at: [x, y], ux, uy, gap }) => {
        const cx = this.x(x) + ux * (gap + half), cy = this.y(y) + uy * (gap + tall), box = [cx - half, cy - tall, cx + half, cy + tall];
        return { at: [x, y], dx: cx - this.x(x), dy: cy - this.y(y), box, hidden: this.hidden(box), over: this.dots.filter((dot) => touches(dot, this.dot * 0.8, box)).length };
      });
      const best = places.reduce((a, b) => (b.hidden - a.hidden || b.over - a.over) < 0 ? b : a);
      if (optional && best.hidden) continue;
      crowded += best.hidden > 0;
      this.taken.push(best.box);
      this.words(text, best.at, { dx: best.dx, dy: best.dy, size, weight, fill });
    }
    return crowded;
  }

  /** How much of a box is taken, or outside the picture, in square pixels. */
  hidden([x0, y0, x1, y1]) {
    const common = (a0, a1, b0, b1) => Math.max(0, Math.min(a1, b1) - Math.max(a0, b0));
    const inside = common(x0, x1, 0, this.width) * common(y0, y1, 0, this.height);
    return this.taken.reduce((sum, [a0, b0, a1, b1]) => sum + common(x0, x1, a0, a1) * common(y0, y1, b0, b1), Math.round((x1 - x0) * (y1 - y0) - inside));
  }

  /** A centroid: a diamond with its cluster's number, so that colour is never the only sign. */
  centroid([x, y], fill, number, { size = this.dot * 1.9, alpha = 1 } = {}) {
    const pen = this.pen, cx = this.x(x), cy = this.y(y);
    this.keepClear([x, y], size * 0.6);
    pen.globalAlpha = alpha;
    pen.beginPath();
    pen.moveTo(cx, cy - size); pen.lineTo(cx + size, cy); pen.lineTo(cx, cy + size); pen.lineTo(cx - size, cy);
    pen.closePath();
    pen.fillStyle = fill;
    pen.fill();
    pen.lineWidth = 2.5 * this.thick;
    pen.strokeStyle = this.paper;
    pen.stroke();
    pen.lineWidth = 1.2 * this.thick;
    pen.strokeStyle = this.ink;
    pen.stroke();
    pen.globalAlpha = 1;
    if (number != null && alpha > 0.5) this.label(number, beside([x, y], size * 0.75), { size: this.text * 0.9 });
  }
}

const touches = ([x, y], reach, [x0, y0, x1, y1]) => x > x0 - reach && x < x1 + reach && y > y0 - reach && y < y1 + reach;
const AROUND = [[1, -0.8], [-1, -0.8], [1, 0.8], [-1, 0.8], [0, -1.1], [0, 1.1], [1.2, 0], [-1.2, 0]];

/** Places for words around a mark: which way they lie from it, and how many pixels off. */
export const beside = (at, gap) => AROUND.map(([ux, uy]) => ({ at, ux, uy, gap }));
/** Places for words along a line: on both sides of it, from its middle outwards. */
export const along = (a, b, gap) => [0.5, 0.35, 0.65, 0.2, 0.8].flatMap((t) => [-1, 1].map((uy) => ({ at: mix(a, b, t), ux: 0, uy, gap })));

export const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
export const between = (a, b) => mix(a, b, 0.5);
