// Other methods at every θ: a panel of curves per score, a table of what each reaches at the θ one stands on. Dragging
// θ on the slider or on a panel moves all of it without the server; Python is asked for what is still being computed,
// and told where θ is released.

import { nearest, valueAt } from "./axis.js";
import { paint, still, wiped } from "./canvas.js";
import { axisMarks, cursorMarks, curvePlot, gridMarks, lineMarks } from "./curves.js";
import { clamp, escaped, short } from "./format.js";
import { path, words } from "./scene.js";
import { readTheme } from "./theme.js";

const WHY_FIRST = ["not yet", "not run", "left out"]; // what says most of a curve that is not there
const GAP_DASH = [1, 5];
const LONGEST_WHY = 14; // letters of why there is no value yet; what is longer is why there never will be

const drawings = new WeakMap();

const seconds = (v) => (v < 1 ? `${short(1000 * v, 3)} ms` : `${short(v, 3)} s`);
const FORMS = { seconds, k: (v) => v.toLocaleString("en-US") };
const written = (id, v) => FORMS[id]?.(v) ?? v.toFixed(3);

class Others {
  constructor(root) {
    this.root = root;
    this.part = {};
    for (const element of root.querySelectorAll("[data-part]")) this.part[element.dataset.part] = element;
    const { slider } = this.part;
    slider.addEventListener("input", () => { this.dragged = true; this.stand(this.data.thetas[slider.value]); });
    slider.addEventListener("change", () => { this.dragged = false; this.release(); });
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(root);
  }

  stop() {
    this.observer.disconnect();
    clearTimeout(this.later);
    cancelAnimationFrame(this.asked);
  }

  load(data) {
    this.data = data;
    this.build();
    this.part.status.textContent = data.status;
    this.part.slider.max = data.thetas.length - 1;
    if (this.stood !== data.here && !this.dragged) this.value = data.thetas[data.here];
    this.stood = data.here;
    this.layout();
    this.askSoon();
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
    const asked = JSON.stringify([measures, methods.map(({ id, label, colour, rule }) => [id, label, colour, rule])]);
    if (this.built === asked) return;
    this.built = asked;
    const drawn = measures.filter(({ curve }) => curve);
    this.part.panels.replaceChildren(...drawn.map(({ id, label }) => this.figure(id, label)));
    const headings = ["K", ...measures.map(({ label }) => label.replace(" (s)", ""))];
    const cells = headings.map((label) => `<th scope="col">${escaped(label)}</th>`).join("");
    this.root.querySelector("thead").innerHTML = `<tr><th scope="col">Method</th><th scope="col" class="tl-others-rule">Rule</th>${cells}</tr>`;
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

  row({ id, label, colour, rule }) {
    const row = document.createElement("tr");
    const cells = ["k", ...this.data.measures.map((measure) => measure.id)].map((name) => `<td data-testid="other-${id}-${name}"></td>`);
    const line = `<i style="border-color: ${colour}"></i>${escaped(label)}<small></small>`; // the rule, on a narrow page
    row.innerHTML = `<th scope="row">${line}</th><td class="tl-others-rule"></td>${cells.join("")}`;
    row.classList.toggle("tl-others-own", rule === "yours");
    return row;
  }

  /** θ is released where one stands: Python measures what is missing there. */
  release() {
    const { axis, thetas } = this.data;
    this.tellPython("value", thetas[nearest(axis, thetas, this.value)]);
  }

  /** Dragging on a panel drags θ. */
  listen(canvas) {
    const go = (event, release) => {
      const { left, right } = this.panels[0].plot, x = event.clientX - canvas.getBoundingClientRect().left;
      this.stand(valueAt(this.data.axis, clamp((x - left) / (right - left), 0, 1)));
      if (release) this.release();
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

  /** The methods that are measured at every θ. */
  curves() { return this.data.methods.filter(({ curve }) => curve); }

  plot(measure, size) {
    const panel = measure === "seconds" ? "k" : "unit";
    const curves = this.curves().map(({ colour, values }) => ({ panel, colour, dash: [], values: values[measure] }));
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
      const names = none.filter((i) => this.whyNone(i) === why).map((i) => this.curves()[i].label);
      return names.length === curves.length ? why : `${why}: ${names.join(", ")}`;
    }).join("; ");
    return text ? [words("missing", text, left, top - 8, { size: 11, fill: this.theme.text, alpha: 0.85 })] : [];
  }

  /** Why a method has no value anywhere. */
  whyNone(i) {
    const { why } = this.curves()[i];
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
    const told = count > 1 ? `: other methods use K = ${count.toLocaleString("en-US")}` : ": one cluster, no K to use";
    const head = `At θ = ${short(value)}${data.axis.unit ? ` ${data.axis.unit}` : ""}${told}`;
    this.part.head.textContent = head;
    Object.assign(this.part.slider, { value: index, ariaValueText: head });
    const rows = this.root.querySelector("tbody").children;
    const columns = ["k", ...data.measures.map(({ id }) => id)];
    const best = columns.map((id) => (id === "k" ? null : bestOf(id, data.methods.map(({ values }) => values[id][index]))));
    data.methods.forEach((method, i) => {
      const why = method.why[index], failed = why.length > LONGEST_WHY; // a sentence stands where the rule would
      for (const place of rows[i].querySelectorAll("small, .tl-others-rule")) put(place, failed ? why : method.rule);
      columns.forEach((id, j) => {
        const number = method.values[id][index], cell = rows[i].children[j + 2];
        put(cell, number !== null ? written(id, number) : id === "seconds" && why && !failed ? why : "–");
        cell.classList.toggle("tl-others-none", number === null);
        cell.classList.toggle("tl-others-best", number !== null && best[j] !== null && written(id, number) === best[j]);
      });
    });
    Object.assign(this.root.dataset, { theta: value, k: count, frames: data.thetas.length });
  }
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The best value of a column as it is written, null where there is none to speak of. */
function bestOf(id, values) {
  const known = values.filter((v) => v !== null);
  if (known.length < 2) return null;
  return written(id, id === "seconds" ? Math.min(...known) : Math.max(...known));
}

export default function ({ parentElement, data, setTriggerValue, setStateValue }) {
  const root = parentElement.querySelector(".tl-others");
  if (!root) return undefined;
  if (!drawings.has(root)) drawings.set(root, new Others(root));
  const drawing = drawings.get(root);
  drawing.trigger = setTriggerValue;
  drawing.tellPython = setStateValue;
  drawing.load(data);
  return () => { if (!root.isConnected) drawing.stop(); };
}
