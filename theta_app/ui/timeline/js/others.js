// Other methods at the K of every θ: a panel of curves per score, a table of what each reaches at the θ that the
// timeline stands on. Dragging θ there or here moves all of it without the server; Python is only asked for what is
// still being computed.

import { nearest, valueAt } from "./axis.js";
import { paint, still, wiped } from "./canvas.js";
import { axisMarks, cursorMarks, curvePlot, gridMarks, lineMarks } from "./curves.js";
import { clamp, escaped, short } from "./format.js";
import { GO, MOVED } from "./look.js";
import { path, words } from "./scene.js";
import { readTheme } from "./theme.js";

const WHY_FIRST = ["not yet", "not run", "left out"]; // what says most of a curve that is not there
const GAP_DASH = [1, 5];

const drawings = new WeakMap();

const seconds = (v) => (v < 1 ? `${short(1000 * v, 3)} ms` : `${short(v, 3)} s`);
const written = (id, v) => (id === "seconds" ? seconds(v) : v.toFixed(3));

class Others {
  constructor(root) {
    this.root = root;
    this.part = {};
    for (const element of root.querySelectorAll("[data-part]")) this.part[element.dataset.part] = element;
    this.follow = ({ detail }) => this.stand(detail.value);
    document.addEventListener(MOVED, this.follow);
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(root);
  }

  stop() {
    document.removeEventListener(MOVED, this.follow);
    this.observer.disconnect();
    clearTimeout(this.later);
    cancelAnimationFrame(this.asked);
  }

  load(data) {
    this.data = data;
    this.build();
    this.part.status.textContent = data.status;
    if (this.value === undefined) {
      this.value = this.shown();
      requestAnimationFrame(() => this.stand(this.shown())); // the timeline may be told another value in this very moment
    }
    this.layout();
    this.askSoon();
  }

  /** The θ that the timeline shows. */
  shown() {
    const track = document.querySelector("[data-axis=theta]");
    return Number(track?.getAttribute("aria-valuenow") ?? this.data.thetas[0]);
  }

  /** As long as values are missing that somebody looks for: a tab in the background asks for nothing. */
  askSoon() {
    clearTimeout(this.later);
    if (!this.data.going) return;
    this.later = setTimeout(() => {
      if (!document.hidden) this.trigger("more", Date.now());
      this.askSoon();
    }, 1000 * this.data.every);
  }

  // ---- what there is

  build() {
    const { measures, methods } = this.data;
    const asked = JSON.stringify([measures, methods.map(({ id, label, colour }) => [id, label, colour])]);
    if (this.built === asked) return;
    this.built = asked;
    this.part.panels.replaceChildren(...measures.map(({ id, label }) => this.figure(id, label)));
    const headings = measures.map(({ label }) => `<th scope="col">${escaped(label.replace(" (s)", ""))}</th>`);
    this.root.querySelector("thead").innerHTML = `<tr><th scope="col">Method</th>${headings.join("")}</tr>`;
    this.root.querySelector("tbody").replaceChildren(...methods.map((method) => this.row(method)));
  }

  figure(id, label) {
    const figure = document.createElement("figure");
    figure.innerHTML = `<figcaption>${escaped(label)}</figcaption><canvas role="img" data-measure="${escaped(id)}"></canvas>`;
    const canvas = figure.querySelector("canvas");
    canvas.setAttribute("aria-label", `${label} of every method over θ`);
    this.listen(canvas);
    return figure;
  }

  row({ id, label, colour }) {
    const row = document.createElement("tr");
    const cells = this.data.measures.map((measure) => `<td data-testid="other-${id}-${measure.id}"></td>`);
    row.innerHTML = `<th scope="row"><i style="border-color: ${colour}"></i>${escaped(label)}</th>${cells.join("")}`;
    return row;
  }

  /** Dragging on a panel drags θ. */
  listen(canvas) {
    const go = (event, release) => {
      const { left, right } = this.panels[0].plot, x = event.clientX - canvas.getBoundingClientRect().left;
      const value = valueAt(this.data.axis, clamp((x - left) / (right - left), 0, 1));
      document.dispatchEvent(new CustomEvent(GO, { detail: { value, release } }));
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.dragged = true;
      go(event, false);
    });
    canvas.addEventListener("pointermove", (event) => { if (this.dragged) go(event, false); });
    const end = (event) => { if (this.dragged) go(event, true); this.dragged = false; };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
  }

  // ---- drawing

  layout() {
    if (!this.data || !this.root.clientWidth) return;
    this.theme = readTheme(this.root);
    this.scale = Math.min(devicePixelRatio || 1, 2);
    const { scale } = this;
    this.panels = [...this.part.panels.querySelectorAll("canvas")].map((canvas) => {
      const size = { width: canvas.clientWidth, height: canvas.clientHeight };
      Object.assign(canvas, { width: Math.round(size.width * scale), height: Math.round(size.height * scale) });
      const plot = this.plot(canvas.dataset.measure, size);
      return { canvas, plot, layer: still(canvas, scale, this.marks(plot), this.theme.font) };
    });
    this.stand(this.value);
  }

  plot(measure, size) {
    const panel = measure === "seconds" ? "k" : "unit";
    const curves = this.data.methods.map(({ colour, values }) => ({ panel, colour, dash: [], values: values[measure] }));
    return curvePlot({ curves, axis: this.data.axis }, size);
  }

  marks(plot) {
    const { thetas, axis } = this.data, { theme } = this, [panel] = plot.panels;
    const empty = panel.curves.every(({ values }) => values.every((v) => v === null));
    const marks = [...(empty ? [] : gridMarks(panel, plot, theme)), ...axisMarks(axis, plot, theme), ...this.missing(plot)];
    for (const curve of panel.curves) {
      const known = [...thetas.keys()].filter((at) => curve.values[at] !== null);
      const at = known.flatMap((place) => [plot.x(thetas[place]), panel.y(curve.values[place])]);
      marks.push(path("gap", at, { stroke: curve.colour, width: 1.5, dash: GAP_DASH }));
      marks.push(...lineMarks(curve, thetas, plot.x, panel.y));
    }
    return marks;
  }

  /** Which methods have no curve in a panel, and why: a line above it. */
  missing({ left, panels: [{ curves, top }] }) {
    const none = curves.map(({ values }, i) => (values.some((v) => v !== null) ? null : i)).filter((i) => i !== null);
    const whys = [...new Set(none.map((i) => this.whyNone(i)))];
    const text = whys.map((why) => {
      const names = none.filter((i) => this.whyNone(i) === why).map((i) => this.data.methods[i].label);
      return names.length === curves.length ? why : `${why}: ${names.join(", ")}`;
    }).join("; ");
    return text ? [words("missing", text, left, top - 8, { size: 11, fill: this.theme.text, alpha: 0.85 })] : [];
  }

  /** Why a method has no value anywhere. */
  whyNone(i) {
    const { why } = this.data.methods[i];
    return WHY_FIRST.find((text) => why.includes(text)) ?? why.find((text) => text) ?? "undefined";
  }

  stand(value) {
    if (!this.data) return;
    this.value = value;
    this.asked ||= requestAnimationFrame(() => { this.asked = 0; this.paint(); });
  }

  paint() {
    if (!this.panels || !this.data) return;
    const { data, scale, theme } = this, index = nearest(data.axis, data.thetas, this.value);
    const frame = { index, value: data.thetas[index] };
    for (const { canvas, plot, layer } of this.panels) {
      if (!canvas.width || !canvas.height) continue;
      const context = wiped(canvas, scale);
      context.drawImage(layer, 0, 0, canvas.width / scale, canvas.height / scale);
      paint(context, cursorMarks(frame, plot, theme), theme.font);
    }
    this.tell(frame);
  }

  tell({ index, value }) {
    const { data } = this, count = data.counts[index];
    const told = count > 1 ? `: the others are told K = ${count.toLocaleString("en-US")}` : ": one cluster, nothing to tell the others";
    this.part.head.textContent = `At θ = ${short(value)}${data.axis.unit ? ` ${data.axis.unit}` : ""}${told}`;
    const rows = this.root.querySelector("tbody").children;
    data.methods.forEach((method, i) => {
      data.measures.forEach(({ id }, j) => {
        const number = method.values[id][index], cell = rows[i].children[j + 1];
        const text = number === null ? method.why[index] || "undefined" : written(id, number);
        if (cell.textContent !== text) cell.textContent = text;
        cell.classList.toggle("tl-others-none", number === null);
      });
    });
    Object.assign(this.root.dataset, { theta: value, k: count, frames: data.thetas.length });
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".tl-others");
  if (!root) return undefined;
  if (!drawings.has(root)) drawings.set(root, new Others(root));
  const drawing = drawings.get(root);
  drawing.trigger = setTriggerValue;
  drawing.load(data);
  return () => { if (!root.isConnected) drawing.stop(); };
}
