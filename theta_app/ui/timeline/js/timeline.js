// The timeline: drag a parameter and see the clustering at each of its values, without asking the server.
//
// Python sends every swept value once (see __init__.py for the format); here each move of the pointer asks for one
// animation frame, which paints what is stored. Python hears of the value on release only.

const views = new WeakMap();

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".tl");
  if (!root) return undefined;
  if (!views.has(root)) views.set(root, new Timeline(root));
  const view = views.get(root);
  view.send = setStateValue;
  view.trigger = setTriggerValue;
  view.load(data);
  // Streamlit also calls this for a superseded update of a component that is still on the page: that one goes on.
  return () => { if (!root.isConnected) view.stop(); };
}

// ---- reading what Python sends ---------------------------------------------------------------------------------------

const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array };

function unpack(bytes) {
  const buffer = bytes.slice().buffer; // own, aligned copy
  const numbers = new DataView(buffer);
  const text = (start, length) => new TextDecoder().decode(new Uint8Array(buffer, start, length));
  const startLength = numbers.getUint32(4, true);
  const start = JSON.parse(text(8, startLength));
  return { start, body: () => readBody(buffer, 8 + startLength, numbers, text) };
}

function readBody(buffer, at, numbers, text) {
  const length = numbers.getUint32(at, true);
  const body = JSON.parse(text(at + 8, length));
  const arrays = at + 8 + length;
  for (const [name, [type, offset, count]] of Object.entries(body.arrays)) {
    body[name] = new TYPES[type](buffer, arrays + offset, count);
  }
  return body;
}

// ---- small helpers ---------------------------------------------------------------------------------------------------

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

function short(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return value.toExponential(2);
  return value.toLocaleString("en-US", { maximumSignificantDigits: size >= 1000 ? 6 : 4 });
}

function mark(value) { // a number on an axis: 100K takes less room than 100,000
  return Math.abs(value) >= 1e4 ? value.toLocaleString("en-US", { notation: "compact", maximumSignificantDigits: 4 }) : short(value);
}

function ticks(low, high, most) {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const out = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) out.push(Math.abs(v) < step / 1e6 ? 0 : v);
  return out;
}

function logTicks(low, high, most) {
  const out = [];
  const decades = Math.log10(high / low);
  const marks = decades > most ? [1] : decades > most / 3 ? [1, 3] : decades > 0.6 ? [1, 2, 5] : null;
  if (!marks) return ticks(low, high, most);
  const every = Math.ceil(decades / most);
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e += 1) {
    if (decades > most && e % every) continue;
    for (const m of marks) {
      const v = Number(`${m}e${e}`);
      if (v >= low && v <= high) out.push(v);
    }
  }
  return out;
}

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

// ---- the component ---------------------------------------------------------------------------------------------------

class Timeline {
  constructor(root) {
    this.root = root;
    this.part = {};
    for (const element of root.querySelectorAll("[data-part]")) this.part[element.dataset.part] = element;
    this.paints = 0;
    this.highlight = null; // a cluster by its place in the drawn points: the point whose cluster is meant
    this.dragging = null;
    this.mode = null; // null, "box" or "lasso"
    this.polygon = null; // the selection, in the coordinates of the picture's data
    this.sizesAt = new Map();
    this.tools();
    this.listen();
    this.observer = new ResizeObserver(() => this.layout());
    for (const name of ["points", "curves", "sizes", "ranges"]) this.observer.observe(this.part[name].parentElement);
  }

  stop() {
    this.observer.disconnect();
    clearTimeout(this.playing);
    clearTimeout(this.later);
    cancelAnimationFrame(this.asked);
  }

  load(data) {
    const { start, body } = unpack(data);
    const theme = this.readTheme();
    const fresh = !this.body || this.body.id !== start.body;
    if (fresh) {
      const swept = this.body && this.body.data !== start.data;
      this.body = body();
      this.body.id = start.body;
      this.body.data = start.data;
      this.sizesAt.clear();
      if (swept) { this.highlight = null; this.polygon = null; } // another data set: its points are others
      this.buildReadouts();
    }
    const moved = this.serial !== start.serial && !this.dragging;
    if (moved) {
      this.serial = start.serial;
      this.wanted = start.value;
      this.sent = start.value;
    }
    this.frame = this.nearest(this.wanted);
    if (fresh || theme) this.layout();
    else if (moved) this.ask();
    this.hint();
  }

  readTheme() {
    const style = getComputedStyle(this.root);
    const read = (name) => style.getPropertyValue(name).trim();
    const theme = { text: read("--tl-text"), back: read("--tl-back"), line: read("--tl-line"), accent: read("--tl-accent"), soft: read("--tl-soft") };
    const changed = JSON.stringify(theme) !== JSON.stringify(this.theme);
    this.theme = theme;
    this.font = style.fontFamily;
    return changed;
  }

  // -- the axis

  get axis() { return this.body.axis; }

  share(value) { // where on the track, 0 to 1
    const { low, high, scale } = this.axis;
    if (!(high > low)) return 0.5;
    if (scale === "log") return clamp(Math.log(Math.max(value, low) / low) / Math.log(high / low), 0, 1);
    return clamp((value - low) / (high - low), 0, 1);
  }

  valueAt(share) {
    const { low, high, scale } = this.axis;
    return scale === "log" ? low * (high / low) ** share : low + (high - low) * share;
  }

  nearest(value) {
    const values = this.body.values;
    let best = 0, gap = Infinity;
    const log = this.axis.scale === "log";
    for (let i = 0; i < values.length; i++) {
      const d = values[i] === value ? -1 : log ? Math.abs(Math.log((values[i] || 1e-300) / (value || 1e-300))) : Math.abs(values[i] - value);
      if (d < gap) { gap = d; best = i; }
    }
    return best;
  }

  // -- asking for a repaint: at most one a frame of the display

  ask() {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => { this.asked = 0; this.paint(); });
  }

  go(value, { release = false } = {}) {
    this.wanted = value;
    this.frame = this.nearest(value);
    this.ask();
    if (release) this.release();
  }

  release() {
    clearTimeout(this.later);
    this.later = 0;
    const value = this.body.values[this.frame];
    this.wanted = value;
    this.ask(); // the handle settles on the swept value
    if (value !== this.sent) {
      this.sent = value;
      this.send("value", value);
    }
  }

  releaseSoon() { // after keys: once, when they rest
    clearTimeout(this.later);
    this.later = setTimeout(() => this.release(), 220);
  }

  // -- listening

  listen() {
    const { track, curves, over, sizes } = this.part;
    this.scrub(track, (x, width) => clamp((x - this.inset) / (width - 2 * this.inset), 0, 1), true);
    this.scrub(curves, (x) => clamp((x - this.plot.left) / (this.plot.right - this.plot.left), 0, 1), false);
    track.addEventListener("dblclick", () => this.go(this.body.recommended ?? this.wanted, { release: true }));
    track.addEventListener("keydown", (event) => this.key(event));

    over.addEventListener("pointermove", (event) => (this.drawing ? this.extend(event) : this.hover(event)));
    over.addEventListener("pointerleave", () => this.tip(null));
    over.addEventListener("pointerdown", (event) => this.begin(event));
    over.addEventListener("pointerup", (event) => this.finish(event));
    over.addEventListener("pointercancel", () => { this.drawing = null; this.ask(); });
    sizes.addEventListener("pointermove", (event) => this.hoverSize(event));
    sizes.addEventListener("pointerleave", () => this.tip(null));
    sizes.addEventListener("click", (event) => { const bar = this.barAt(event); if (bar) this.point(bar.cluster); });
  }

  scrub(element, shareAt, ranges) {
    const value = (event) => {
      const box = element.getBoundingClientRect();
      return this.valueAt(shareAt(event.clientX - box.left, box.width));
    };
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !this.body) return;
      this.pause();
      element.setPointerCapture(event.pointerId);
      this.dragging = { x: event.clientX, from: this.body.values[this.frame], moved: false };
      if (ranges) {
        element.classList.add("tl-pointed"); // no focus ring for a pointer, one for keys
        element.focus({ preventScroll: true });
      }
      this.seen();
      event.preventDefault();
    });
    element.addEventListener("pointermove", (event) => {
      if (!this.dragging) return;
      this.dragging.moved ||= Math.abs(event.clientX - this.dragging.x) > 3;
      if (this.dragging.moved) this.go(value(event));
    });
    const end = (event) => {
      if (!this.dragging) return;
      const { moved } = this.dragging;
      this.dragging = null;
      if (moved) return this.release();
      const at = value(event);
      const range = ranges && this.body.ranges.find((r) => at >= r.low && at <= r.high);
      return this.go(range ? range.middle : at, { release: true });
    };
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", () => {
      if (!this.dragging) return;
      this.dragging = null;
      this.release();
    });
  }

  key(event) {
    const last = this.body.values.length - 1;
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5, Home: -Infinity, End: Infinity };
    if (event.key === " ") { event.preventDefault(); this.play(); return; }
    if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.part.track.classList.remove("tl-pointed");
    this.pause();
    this.seen();
    this.frame = clamp(this.frame + steps[event.key], 0, last);
    this.wanted = this.body.values[this.frame];
    this.ask();
    this.releaseSoon();
  }

  // -- the tools under the track

  tools() {
    const button = (id, text, title, press, toggles = false) => {
      const element = document.createElement("button");
      element.type = "button";
      element.dataset.testid = id;
      element.textContent = text;
      element.title = title;
      if (toggles) element.setAttribute("aria-pressed", "false");
      element.addEventListener("click", press);
      this.part.tools.append(element);
      return element;
    };
    this.button = {
      play: button("timeline-play", "▶ Play", "Run slowly upward; again to pause", () => this.play(), true),
      wider: button("timeline-wider", "↔ Wider", "Sweep a wider range", () => this.trigger("wider", Date.now())),
      finer: button("timeline-finer", "⌕ Finer here", "Sweep more values around the cursor", () => this.trigger("finer", this.body.values[this.frame])),
      box: button("timeline-box", "▭ Box", "Select points in a rectangle", () => this.choose("box"), true),
      lasso: button("timeline-lasso", "◌ Lasso", "Select points inside a line you draw", () => this.choose("lasso"), true),
      clear: button("timeline-clear", "✕ Clear", "Forget the selection and the highlighted cluster", () => this.clear()),
      png: button("timeline-png", "PNG", "Save the picture as PNG", () => this.savePng()),
      svg: button("timeline-svg", "SVG", "Save the picture as SVG", () => this.saveSvg()),
    };
    this.note = document.createElement("span");
    this.note.dataset.testid = "timeline-note";
    this.part.tools.append(this.note);
  }

  play() {
    if (this.playing) return this.pause(true);
    this.seen();
    this.button.play.setAttribute("aria-pressed", "true");
    this.button.play.textContent = "❚❚ Pause";
    if (this.frame === this.body.values.length - 1) this.frame = -1;
    const step = () => {
      this.frame += 1;
      this.wanted = this.body.values[this.frame];
      this.ask();
      if (this.frame >= this.body.values.length - 1) return this.pause(true);
      this.playing = setTimeout(step, 450);
      return undefined;
    };
    this.playing = 1;
    return step();
  }

  pause(release = false) {
    if (!this.playing) return;
    clearTimeout(this.playing);
    this.playing = 0;
    this.button.play.setAttribute("aria-pressed", "false");
    this.button.play.textContent = "▶ Play";
    if (release) this.release();
  }

  choose(mode) {
    this.mode = this.mode === mode ? null : mode;
    for (const name of ["box", "lasso"]) this.button[name].setAttribute("aria-pressed", String(this.mode === name));
    this.part.over.classList.toggle("tl-choosing", Boolean(this.mode));
  }

  clear() {
    this.highlight = null;
    if (this.polygon) {
      this.polygon = null;
      this.send("selection", null);
    }
    this.ask();
  }

  hint() {
    if (this.hintDone !== undefined || !this.body.hint) return;
    let known = false;
    try { known = localStorage.getItem("theta-hint") === "seen"; } catch { /* private windows may forbid it */ }
    this.hintDone = known;
    this.part.hint.textContent = this.body.hint;
    this.part.hint.hidden = known;
    if (!known) this.layout();
  }

  seen() {
    if (this.hintDone !== false) return;
    this.hintDone = true;
    this.part.hint.hidden = true;
    try { localStorage.setItem("theta-hint", "seen"); } catch { /* then it is shown again next time */ }
  }

  // -- pointing at points and clusters

  position(event) {
    const box = this.part.over.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  pointAt(x, y) {
    if (!this.px) return -1;
    let best = -1, gap = 12 ** 2;
    const scale = this.dpr;
    for (let i = 0; i < this.px.length; i++) {
      const dx = this.px[i] / scale - x, dy = this.py[i] / scale - y, d = dx * dx + dy * dy;
      if (d < gap) { gap = d; best = i; }
    }
    return best;
  }

  centroidAt(x, y) {
    const { from, to } = this.centroidsOf(this.frame);
    for (let c = from; c < to; c++) {
      if (Math.hypot(this.toX(this.body.centroids[2 * c]) - x, this.toY(this.body.centroids[2 * c + 1]) - y) < 7) return c - from;
    }
    return -1;
  }

  hover(event) {
    if (!this.body) return;
    const [x, y] = this.position(event);
    const c = this.centroidAt(x, y);
    if (c >= 0) {
      const cluster = this.clusterOfCentroid(this.frame, c);
      return this.tip(this.describe(cluster), event);
    }
    const i = this.pointAt(x, y);
    if (i < 0) return this.tip(null);
    const cluster = this.label(this.frame, i);
    const distance = this.distance(this.frame, i);
    const from = distance === null ? "" : `\n${short(distance)} from its centroid`;
    return this.tip(`Row ${this.body.rows[i]}\n${this.describe(cluster)}${from}`, event);
  }

  describe(cluster) {
    const size = this.size(this.frame, cluster);
    const name = this.body.names[this.body.cluster_start[this.frame] + cluster];
    return `Cluster ${name}\n${size.toLocaleString("en-US")} point${size === 1 ? "" : "s"}`;
  }

  tip(text, event) {
    const { tip } = this.part;
    if (text === null) { tip.hidden = true; return; }
    tip.textContent = text;
    tip.hidden = false;
    const box = this.root.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    tip.style.left = `${clamp(x + 14, 0, box.width - tip.offsetWidth)}px`;
    tip.style.top = `${y + 16 + tip.offsetHeight > box.height ? y - tip.offsetHeight - 10 : y + 16}px`;
  }

  begin(event) {
    if (event.button !== 0) return;
    if (!this.mode) { this.pressed = this.position(event); return; }
    this.part.over.setPointerCapture(event.pointerId);
    this.drawing = [this.position(event)];
    event.preventDefault();
  }

  extend(event) {
    const at = this.position(event);
    if (this.mode === "box") {
      const [x, y] = this.drawing[0];
      this.drawing = [[x, y], [at[0], y], at, [x, at[1]]];
    } else this.drawing.push(at);
    this.ask();
  }

  finish(event) {
    if (this.drawing) {
      const drawn = this.drawing;
      this.drawing = null;
      if (drawn.length >= 3) {
        const { origin, unit } = this.body;
        this.polygon = drawn.map(([x, y]) => [this.fromX(x), this.fromY(y)]);
        this.choose(this.mode);
        this.send("selection", this.polygon.map(([x, y]) => [origin[0] + unit * x, origin[1] + unit * y]));
      }
      this.ask();
      return;
    }
    if (!this.pressed) return;
    const [x, y] = this.position(event);
    const still = Math.hypot(x - this.pressed[0], y - this.pressed[1]) < 5;
    this.pressed = null;
    if (!still) return;
    const c = this.centroidAt(x, y);
    const i = c >= 0 ? -1 : this.pointAt(x, y);
    if (c >= 0) this.point(this.clusterOfCentroid(this.frame, c));
    else if (i >= 0) this.point(this.label(this.frame, i), i);
    else { this.highlight = null; this.ask(); }
  }

  point(cluster, i = -1) { // highlight a cluster, or none when it is already
    const member = i >= 0 ? i : this.memberOf(cluster);
    const now = this.highlight === null ? -1 : this.label(this.frame, this.highlight);
    this.highlight = now === cluster ? null : member;
    this.ask();
  }

  memberOf(cluster) {
    const n = this.body.n;
    for (let i = 0; i < n; i++) if (this.label(this.frame, i) === cluster) return i;
    return null;
  }

  barAt(event) {
    const box = this.part.sizes.getBoundingClientRect();
    const sorted = this.sorted(this.frame);
    const p = this.sizePlot;
    if (!p || !sorted.length) return null;
    const rank = Math.floor(((event.clientX - box.left - p.left) / (p.right - p.left)) * sorted.length);
    return rank >= 0 && rank < sorted.length ? { rank, cluster: sorted[rank] } : null;
  }

  hoverSize(event) {
    const bar = this.body && this.barAt(event);
    this.tip(bar ? this.describe(bar.cluster) : null, event);
  }

  // -- what is stored for a frame

  label(f, i) { return this.body.labels[f * this.body.n + i]; }
  centroidsOf(f) { return { from: this.body.centroid_start[f], to: this.body.centroid_start[f + 1] }; }
  clusterOfCentroid(f, c) { return this.body.centroid_cluster[this.body.centroid_start[f] + c]; }
  size(f, cluster) { return this.body.sizes[this.body.cluster_start[f] + cluster]; }
  colour(f, cluster) { return this.body.colours[this.body.cluster_start[f] + cluster]; }

  sorted(f) { // clusters by size, largest first
    if (!this.sizesAt.has(f)) {
      const from = this.body.cluster_start[f], K = this.body.cluster_start[f + 1] - from;
      const order = Array.from({ length: K }, (_, k) => k);
      order.sort((a, b) => this.body.sizes[from + b] - this.body.sizes[from + a] || a - b);
      this.sizesAt.set(f, order);
    }
    return this.sizesAt.get(f);
  }

  distance(f, i) {
    if (this.body.distances) return (this.body.distances[f * this.body.n + i] / 65535) * this.body.distance_scale[f];
    if (this.body.plain === false) return null;
    const { from, to } = this.centroidsOf(f);
    const cluster = this.label(f, i), x = this.body.points[2 * i], y = this.body.points[2 * i + 1];
    let best = Infinity; // of a chained cluster, the nearest of its centroids
    for (let c = from; c < to; c++) {
      if (this.body.centroid_cluster[c] === cluster) best = Math.min(best, Math.hypot(this.body.centroids[2 * c] - x, this.body.centroids[2 * c + 1] - y));
    }
    return best === Infinity ? null : best * this.body.unit;
  }

  // ---- layout: what depends on size and data but not on the value

  layout() {
    if (!this.body) return;
    this.dpr = Math.min(window.devicePixelRatio || 1, 2);
    for (const name of ["points", "over", "curves", "sizes", "ranges"]) {
      const canvas = this.part[name];
      const width = Math.round(canvas.clientWidth * this.dpr), height = Math.round(canvas.clientHeight * this.dpr);
      if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    }
    if (!this.part.points.width || !this.part.points.height) return;
    this.inset = 16;
    this.fit();
    this.image = null;
    this.curveLayer = this.still(this.part.curves, (context, width, height) => this.drawCurves(context, width, height));
    this.drawRanges();
    this.part.caption.textContent = this.body.caption;
    this.note.textContent = this.body.note;
    const { track } = this.part;
    track.setAttribute("aria-label", this.axis.label);
    track.setAttribute("aria-valuemin", this.body.values[0]);
    track.setAttribute("aria-valuemax", this.body.values[this.body.values.length - 1]);
    track.dataset.frames = this.body.values.length;
    track.dataset.planned = this.body.planned;
    track.dataset.complete = this.body.complete;
    for (const name of ["wider", "finer"]) this.button[name].hidden = !this.body.sweeps;
    for (const name of ["box", "lasso"]) this.button[name].hidden = !this.body.selects;
    this.ask();
  }

  fit() { // equal scales on both axes: a circle of radius θ must be one
    const { points, n } = this.body;
    const width = this.part.points.width / this.dpr, height = this.part.points.height / this.dpr;
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < n; i++) {
      x0 = Math.min(x0, points[2 * i]); x1 = Math.max(x1, points[2 * i]);
      y0 = Math.min(y0, points[2 * i + 1]); y1 = Math.max(y1, points[2 * i + 1]);
    }
    const pad = 22;
    const scale = Math.min((width - 2 * pad) / (x1 - x0 || 1e-300), (height - 2 * pad) / (y1 - y0 || 1e-300));
    this.scale = Number.isFinite(scale) && scale < 1e290 ? scale : 1;
    this.middle = [(x0 + x1) / 2, (y0 + y1) / 2];
    this.centre = [width / 2, height / 2];
    this.extent = { x0, x1, y0, y1 };
    this.px = new Int32Array(n);
    this.py = new Int32Array(n);
    const w = this.part.points.width, h = this.part.points.height, edge = 8;
    for (let i = 0; i < n; i++) {
      this.px[i] = clamp(Math.round(this.toX(points[2 * i]) * this.dpr), edge, w - edge);
      this.py[i] = clamp(Math.round(this.toY(points[2 * i + 1]) * this.dpr), edge, h - edge);
    }
    this.radius = clamp(4.6 - 0.8 * Math.log10(n / 50 + 1), 1.5, 4.2);
  }

  toX(x) { return this.centre[0] + (x - this.middle[0]) * this.scale; }
  toY(y) { return this.centre[1] - (y - this.middle[1]) * this.scale; }
  fromX(x) { return this.middle[0] + (x - this.centre[0]) / this.scale; }
  fromY(y) { return this.middle[1] - (y - this.centre[1]) / this.scale; }

  still(canvas, draw) { // a picture kept, to be copied under what moves
    const layer = document.createElement("canvas");
    layer.width = canvas.width;
    layer.height = canvas.height;
    if (!layer.width || !layer.height) return layer;
    const context = layer.getContext("2d");
    context.scale(this.dpr, this.dpr);
    draw(context, layer.width / this.dpr, layer.height / this.dpr);
    return layer;
  }

  buildReadouts() {
    const ids = this.body.readouts.map((r) => r.id).join();
    if (this.readoutIds === ids) return;
    this.readoutIds = ids;
    this.part.readouts.replaceChildren();
    this.shown = {};
    for (const { id, label, wide } of this.body.readouts) {
      const box = document.createElement("div");
      box.innerHTML = `<span>${escape(label)}</span><b data-testid="readout-${escape(id)}"></b><em></em>`;
      if (this.shown[this.axis.id] === undefined) box.className = "tl-lead";
      if (wide) box.classList.add("tl-wide");
      this.part.readouts.append(box);
      this.shown[id] = box.querySelector("b");
    }
  }

  // ---- painting one value

  paint() {
    if (!this.body || !this.px) return;
    const began = performance.now();
    const f = this.frame;
    this.paintPoints(f);
    this.paintOver(f);
    this.paintCursor(f);
    this.paintSizes(f);
    this.paintHandle(f);
    this.paintReadouts(f);
    this.paints += 1;
    const { track } = this.part;
    track.dataset.paints = this.paints;
    track.dataset.paintMs = (performance.now() - began).toFixed(2);
  }

  paintPoints(f, canvas = this.part.points, dpr = this.dpr) {
    const { width, height } = canvas;
    const context = canvas.getContext("2d");
    if (!this.image || this.image.width !== width || this.image.height !== height) {
      this.image = context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.back = this.rgb(this.theme.back);
      this.grid = this.still(canvas, (c, w, h) => this.drawGrid(c, w, h));
      this.gridPixels = new Uint32Array(this.grid.getContext("2d").getImageData(0, 0, width, height).data.buffer);
      this.stamp(width, this.radius * dpr);
    }
    this.pixels.set(this.gridPixels);
    const lit = this.highlight === null ? -1 : this.label(f, this.highlight);
    const table = this.table(f, lit);
    const { labels, n } = this.body;
    const { pixels, px, py, core, rim, rimAlpha } = this;
    const start = f * n;
    for (let pass = lit < 0 ? 1 : 0; pass < 2; pass++) { // the highlighted cluster last, on top
      for (let i = 0; i < n; i++) {
        const cluster = labels[start + i];
        if (lit >= 0 && (cluster === lit) !== (pass === 1)) continue;
        const colour = table[cluster];
        const at = py[i] * width + px[i];
        for (let j = 0; j < core.length; j++) pixels[at + core[j]] = colour;
        // the rim is darker: light colours keep an edge on white, and points that overlap stay apart
        const r = 0.7 * (colour & 255), g = 0.7 * ((colour >> 8) & 255), b = 0.7 * ((colour >> 16) & 255);
        for (let j = 0; j < rim.length; j++) {
          const p = at + rim[j], under = pixels[p], a = rimAlpha[j], c = 256 - a;
          pixels[p] = 0xff000000
            | (((b * a + ((under >> 16) & 255) * c) >> 8) << 16)
            | (((g * a + ((under >> 8) & 255) * c) >> 8) << 8)
            | ((r * a + (under & 255) * c) >> 8);
        }
      }
    }
    context.putImageData(this.image, 0, 0);
  }

  stamp(width, radius) { // one disc: whole pixels, and a rim of partly covered ones
    const core = [], rim = [], alpha = [];
    const reach = Math.ceil(radius) + 1;
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        const cover = clamp(radius - Math.hypot(x, y) + 0.5, 0, 1);
        if (cover >= 0.99) core.push(y * width + x);
        else if (cover > 0.05) { rim.push(y * width + x); alpha.push(Math.round(cover * 256)); }
      }
    }
    this.core = Int32Array.from(core);
    this.rim = Int32Array.from(rim);
    this.rimAlpha = Int32Array.from(alpha);
  }

  table(f, lit) { // the colour of each cluster as a pixel
    const from = this.body.cluster_start[f], K = this.body.cluster_start[f + 1] - from;
    const table = new Uint32Array(K);
    const mix = (colour) => colour.map((v, i) => Math.round(v * 0.22 + this.back[i] * 0.78));
    const pixel = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    const palette = this.body.palette.map((c) => this.rgb(c));
    const full = palette.map(pixel), pale = palette.map((c) => pixel(mix(c)));
    for (let k = 0; k < K; k++) table[k] = (lit >= 0 && k !== lit ? pale : full)[this.body.colours[from + k] % palette.length];
    return table;
  }

  rgb(colour) {
    this.known ||= new Map();
    if (!this.known.has(colour)) {
      const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      probe.fillStyle = colour;
      probe.fillRect(0, 0, 1, 1);
      this.known.set(colour, [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)]);
    }
    return this.known.get(colour);
  }

  drawGrid(context, width, height) { // background, and where one is
    context.fillStyle = this.theme.back;
    context.fillRect(0, 0, width, height);
    context.font = `11px ${this.font}`;
    context.fillStyle = this.theme.text;
    context.strokeStyle = this.theme.line;
    const faint = () => { context.globalAlpha = 0.55; context.stroke(); context.globalAlpha = 0.7; };
    context.textAlign = "center";
    const { origin, unit } = this.body; // what is stored is centred and scaled; what is read is not
    const real = (v, axis) => origin[axis] + unit * v, stored = (v, axis) => (v - origin[axis]) / unit;
    for (const v of ticks(real(this.fromX(30), 0), real(this.fromX(width - 10), 0), width / 90)) {
      const x = Math.round(this.toX(stored(v, 0))) + 0.5;
      context.beginPath(); context.moveTo(x, 0); context.lineTo(x, height); faint();
      context.fillText(short(v), clamp(x, 16, width - 20), height - 5);
    }
    context.textAlign = "left";
    if (this.extent.y1 > this.extent.y0) {
      for (const v of ticks(real(this.fromY(height - 24), 1), real(this.fromY(12), 1), height / 70)) {
        const y = Math.round(this.toY(stored(v, 1))) + 0.5;
        context.beginPath(); context.moveTo(0, y); context.lineTo(width, y); faint();
        context.fillText(short(v), 5, y - 4);
      }
    }
    context.globalAlpha = 1;
  }

  paintOver(f, context = null) { // centroids, circles, chains, the closest pair, the selection
    const { over } = this.part;
    const own = !context;
    const c = context || over.getContext("2d");
    if (own) { c.setTransform(this.dpr, 0, 0, this.dpr, 0, 0); c.clearRect(0, 0, over.width, over.height); }
    const { from, to } = this.centroidsOf(f);
    const { centroids, centroid_cluster: clusters, palette } = this.body;
    const lit = this.highlight === null ? -1 : this.label(f, this.highlight);
    const many = to - from;
    const byColour = new Map(); // one path a colour: thousands of strokes would not fit into a frame
    for (let k = from; k < to; k++) {
      if (lit >= 0 && clusters[k] !== lit) continue;
      const colour = this.colour(f, clusters[k]) % palette.length;
      if (!byColour.has(colour)) byColour.set(colour, []);
      byColour.get(colour).push([this.toX(centroids[2 * k]), this.toY(centroids[2 * k + 1])]);
    }

    const r = this.circle(f) * this.scale;
    if (r >= 4 && many <= 1500) {
      c.lineWidth = 1.6;
      for (const [colour, places] of byColour) {
        c.beginPath();
        for (const [x, y] of places) { c.moveTo(x + r, y); c.arc(x, y, r, 0, 2 * Math.PI); }
        c.strokeStyle = palette[colour];
        c.globalAlpha = many > 200 ? 0.5 : 0.85;
        c.stroke();
        if (many <= 60) { c.globalAlpha = 0.07; c.fillStyle = palette[colour]; c.fill(); }
      }
      c.globalAlpha = 1;
    }

    if (this.body.segments) this.paintSegments(f, c, from);

    const radius = many > 800 ? 2 : many > 150 ? 3.2 : 5;
    c.lineWidth = radius > 3 ? 2 : 1;
    c.strokeStyle = this.theme.back;
    for (const [colour, places] of byColour) {
      c.beginPath();
      for (const [x, y] of places) { c.moveTo(x + radius, y); c.arc(x, y, radius, 0, 2 * Math.PI); }
      c.fillStyle = palette[colour];
      c.fill();
      c.stroke();
    }
    if (radius > 3) { // a dark ring: a centroid must stand out from points of its own colour
      c.beginPath();
      for (const places of byColour.values()) for (const [x, y] of places) { c.moveTo(x + radius + 1.5, y); c.arc(x, y, radius + 1.5, 0, 2 * Math.PI); }
      c.strokeStyle = this.theme.text;
      c.lineWidth = 1.4;
      c.stroke();
    }

    const pair = this.body.pairs && this.body.pairs[f];
    if (pair) {
      const [x1, y1, x2, y2] = [this.toX(pair[0]), this.toY(pair[1]), this.toX(pair[2]), this.toY(pair[3])];
      c.strokeStyle = this.theme.text;
      c.lineWidth = 2.5;
      c.beginPath(); c.moveTo(x1, y1); c.lineTo(x2, y2); c.stroke();
      c.lineWidth = 2;
      for (const [x, y] of [[x1, y1], [x2, y2]]) { c.beginPath(); c.arc(x, y, 6, 0, 2 * Math.PI); c.stroke(); }
    }
    const polygon = this.drawing || (this.polygon && this.polygon.map(([x, y]) => [this.toX(x), this.toY(y)]));
    if (polygon && own) {
      c.beginPath();
      polygon.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
      c.closePath();
      c.globalAlpha = 0.12; c.fillStyle = this.theme.accent; c.fill();
      c.globalAlpha = 1; c.strokeStyle = this.theme.accent; c.lineWidth = 2; c.setLineDash([6, 4]); c.stroke(); c.setLineDash([]);
    }
  }

  paintSegments(f, c, from) {
    const { segments, segment_start: start, centroids } = this.body;
    c.beginPath();
    for (let s = start[f]; s < start[f + 1]; s++) {
      const a = from + segments[2 * s], b = from + segments[2 * s + 1];
      c.moveTo(this.toX(centroids[2 * a]), this.toY(centroids[2 * a + 1]));
      c.lineTo(this.toX(centroids[2 * b]), this.toY(centroids[2 * b + 1]));
    }
    c.strokeStyle = this.theme.text;
    c.lineWidth = 2;
    c.globalAlpha = 0.75;
    c.stroke();
    c.globalAlpha = 1;
  }

  circle(f) {
    const { circles } = this.body; // "value": the axis' own value; "half": half of it; a number: always that; null: none
    const value = this.body.values[f];
    return ({ value, half: value / 2 }[circles] ?? circles ?? 0) / this.body.unit;
  }

  // -- K and agreement over the parameter

  drawCurves(c, width, height) {
    const { values, curves, axis } = this.body;
    const left = 46, right = width - 10;
    const split = Math.round(height * 0.56);
    this.plot = { left, right, panels: {} };
    const x = (v) => left + this.share(v) * (right - left);
    const panel = (name, top, bottom) => {
      const mine = curves.filter((curve) => curve.panel === name);
      if (!mine.length) return;
      const all = mine.flatMap((curve) => curve.values.concat(curve.low || [], curve.high || [])).filter((v) => v !== null && Number.isFinite(v));
      let [low, high] = name === "unit" ? [0, 1] : [Math.min(...all, Infinity), Math.max(...all, -Infinity)];
      if (name === "unit") low = Math.min(0, Math.floor(Math.min(...all, 0) * 5) / 5);
      if (!Number.isFinite(low)) [low, high] = [1, 2];
      const log = name !== "unit" && low > 0 && high / low > 12;
      if (name !== "unit" && !log) low = Math.min(low, 0);
      if (low === high) high = low + 1;
      const y = log
        ? (v) => bottom - (Math.log(Math.max(v, low) / low) / Math.log(high / low)) * (bottom - top)
        : (v) => bottom - ((v - low) / (high - low)) * (bottom - top);
      this.plot.panels[name] = { top, bottom, y };
      c.font = `11px ${this.font}`;
      c.lineWidth = 1;
      c.textAlign = "right";
      for (const v of log ? logTicks(low, high, 5) : ticks(low, high, (bottom - top) / 34)) {
        c.globalAlpha = 0.6; c.strokeStyle = this.theme.line;
        c.beginPath(); c.moveTo(left, Math.round(y(v)) + 0.5); c.lineTo(right, Math.round(y(v)) + 0.5); c.stroke();
        c.globalAlpha = 0.75; c.fillStyle = this.theme.text;
        c.fillText(mark(v), left - 5, y(v) + 4);
      }
      c.globalAlpha = 1;
      this.drawRangeBands(c, x, top, bottom);
      for (const curve of mine) this.drawCurve(c, curve, values, x, y);
      c.textAlign = "left";
      let at = left + 4;
      c.font = `600 12px ${this.font}`;
      for (const curve of mine) {
        c.fillStyle = curve.colour;
        c.fillRect(at, top - 13, 12, 4);
        c.fillStyle = this.theme.text;
        c.fillText(curve.label, at + 16, top - 7);
        at += 16 + c.measureText(curve.label).width + 14;
      }
    };
    const units = curves.some((curve) => curve.panel === "unit");
    panel("k", 20, units ? split - 6 : height - 20);
    if (units) panel("unit", curves.some((curve) => curve.panel === "k") ? split + 18 : 20, height - 20);
    c.font = `11px ${this.font}`;
    c.fillStyle = this.theme.text;
    c.globalAlpha = 0.75;
    c.textAlign = "center";
    const marks = axis.scale === "log" ? logTicks(axis.low, axis.high, width / 80) : ticks(axis.low, axis.high, width / 80);
    for (const v of marks) c.fillText(mark(v), clamp(x(v), left, right - c.measureText(mark(v)).width / 2), height - 6);
    c.globalAlpha = 1;
  }

  drawRangeBands(c, x, top, bottom) {
    const best = this.body.ranges.find((r) => r.recommended);
    if (!best) return;
    c.globalAlpha = 0.16;
    c.fillStyle = this.body.good;
    c.fillRect(x(best.low), top, Math.max(x(best.high) - x(best.low), 2), bottom - top);
    c.globalAlpha = 1;
  }

  drawCurve(c, curve, values, x, y) {
    if (curve.low && curve.high) {
      c.beginPath();
      values.forEach((v, i) => { if (curve.low[i] !== null) c.lineTo(x(v), y(curve.high[i])); });
      for (let i = values.length - 1; i >= 0; i--) if (curve.low[i] !== null) c.lineTo(x(values[i]), y(curve.low[i]));
      c.globalAlpha = 0.2; c.fillStyle = curve.colour; c.fill(); c.globalAlpha = 1;
    }
    c.beginPath();
    let pen = false;
    curve.values.forEach((v, i) => {
      if (v === null) { pen = false; return; }
      if (pen) c.lineTo(x(values[i]), y(v)); else c.moveTo(x(values[i]), y(v));
      pen = true;
    });
    c.strokeStyle = curve.colour;
    c.lineWidth = 2;
    c.setLineDash(curve.dash || []);
    c.stroke();
    c.setLineDash([]);
  }

  paintCursor(f) {
    const { curves } = this.part;
    if (!curves.width || !this.plot) return;
    const c = curves.getContext("2d");
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, curves.width, curves.height);
    c.drawImage(this.curveLayer, 0, 0);
    c.scale(this.dpr, this.dpr);
    const x = this.plot.left + this.share(this.body.values[f]) * (this.plot.right - this.plot.left);
    c.strokeStyle = this.theme.text;
    c.lineWidth = 1.5;
    c.beginPath(); c.moveTo(x, 16); c.lineTo(x, curves.height / this.dpr - 18); c.stroke();
    for (const curve of this.body.curves) {
      const v = curve.values[f], panel = this.plot.panels[curve.panel];
      if (v === null || !panel) continue;
      c.beginPath(); c.arc(x, panel.y(v), 4.5, 0, 2 * Math.PI);
      c.fillStyle = curve.colour; c.fill();
      c.strokeStyle = this.theme.back; c.lineWidth = 1.5; c.stroke();
    }
  }

  // -- sizes, largest first, and where they drop

  paintSizes(f) {
    const { sizes: canvas } = this.part;
    if (!canvas.width) return;
    const c = canvas.getContext("2d");
    const width = canvas.width / this.dpr, height = canvas.height / this.dpr;
    c.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    c.clearRect(0, 0, width, height);
    const sorted = this.sorted(f), K = sorted.length;
    const left = 46, right = width - 10, top = 22, bottom = height - 8;
    this.sizePlot = { left, right };
    const most = K ? this.size(f, sorted[0]) : 1;
    const y = (v) => bottom - (v / most) * (bottom - top);
    c.font = `11px ${this.font}`;
    c.textAlign = "right";
    for (const v of ticks(0, most, (bottom - top) / 30)) {
      c.globalAlpha = 0.6; c.strokeStyle = this.theme.line; c.lineWidth = 1;
      c.beginPath(); c.moveTo(left, Math.round(y(v)) + 0.5); c.lineTo(right, Math.round(y(v)) + 0.5); c.stroke();
      c.globalAlpha = 0.75; c.fillStyle = this.theme.text;
      c.fillText(mark(v), left - 5, y(v) + 4);
    }
    c.globalAlpha = 1;
    const step = (right - left) / Math.max(K, 1);
    const lit = this.highlight === null ? -1 : this.label(f, this.highlight);
    const shown = Math.min(K, Math.ceil(right - left)); // no more bars than pixels
    for (let s = 0; s < shown; s++) {
      const rank = K > shown ? Math.floor((s * K) / shown) : s;
      const cluster = sorted[rank], v = this.size(f, cluster);
      c.fillStyle = this.body.palette[this.colour(f, cluster) % this.body.palette.length];
      c.globalAlpha = lit >= 0 && cluster !== lit ? 0.25 : 1;
      c.fillRect(left + rank * step, y(v), Math.max(step - (step > 5 ? 2 : 0), 1), bottom - y(v));
    }
    c.globalAlpha = 1;
    c.fillStyle = this.theme.text;
    c.textAlign = "left";
    c.font = `600 12px ${this.font}`;
    c.fillText("Cluster sizes", left, 13);
    const elbow = this.body.elbows[f];
    if (elbow && elbow < K) {
      const x = left + elbow * step;
      c.strokeStyle = this.theme.text; c.lineWidth = 1.5; c.setLineDash([4, 3]);
      c.beginPath(); c.moveTo(x, top - 4); c.lineTo(x, bottom); c.stroke(); c.setLineDash([]);
      c.textAlign = "right";
      c.font = `12px ${this.font}`;
      c.fillText(`largest drop after ${elbow}`, right, 13);
    }
  }

  // -- the track

  drawRanges() {
    const { ranges: canvas } = this.part;
    const c = canvas.getContext("2d");
    const width = canvas.width / this.dpr, height = canvas.height / this.dpr;
    const x = (v) => this.inset + this.share(v) * (width - 2 * this.inset);
    c.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    c.clearRect(0, 0, width, height);
    c.fillStyle = this.theme.soft;
    c.beginPath(); c.roundRect(this.inset - 6, 4, width - 2 * this.inset + 12, 34, 7); c.fill();
    const best = Math.max(...this.body.ranges.map((r) => r.strength), 1e-9);
    for (const range of this.body.ranges) {
      const from = x(range.low), to = Math.max(x(range.high), from + 3);
      c.globalAlpha = range.recommended ? 0.95 : 0.16 + 0.32 * Math.max(range.strength / best, 0);
      c.fillStyle = range.recommended ? this.body.good : this.theme.accent;
      c.beginPath(); c.roundRect(from + 0.5, 4, to - from - 1, 34, 5); c.fill();
      c.globalAlpha = 1;
      c.font = `${range.recommended ? 700 : 500} 12px ${this.font}`;
      c.textAlign = "center";
      const text = [`${this.axis.counts} = ${range.k}`, String(range.k)].find((t) => c.measureText(t).width < to - from - 6);
      if (text) {
        c.fillStyle = range.recommended ? "#fff" : this.theme.text;
        c.fillText(text, (from + to) / 2, 18);
      }
    }
    c.fillStyle = this.theme.text;
    c.globalAlpha = 0.5;
    for (const v of this.body.values) c.fillRect(x(v) - 0.5, 36, 1, 4);
    c.globalAlpha = 0.85;
    c.font = `12px ${this.font}`;
    c.textAlign = "center";
    const { low, high, scale } = this.axis;
    for (const v of scale === "log" ? logTicks(low, high, width / 90) : ticks(low, high, width / 90)) {
      c.fillRect(x(v) - 0.5, 38, 1, 6);
      const text = mark(v), half = c.measureText(text).width / 2;
      c.fillText(text, clamp(x(v), half + 1, width - half - 1), 60);
    }
    c.globalAlpha = 1;
  }

  paintHandle(f) {
    const { track, handle, hint } = this.part;
    const width = track.clientWidth;
    const at = this.dragging?.moved ? this.wanted : this.body.values[f]; // smooth under the finger, exact at rest
    const x = this.inset + this.share(at) * (width - 2 * this.inset);
    handle.style.transform = `translateX(${x}px)`;
    if (!hint.hidden) this.placeHint(hint, at, x, width);
    track.setAttribute("aria-valuenow", this.body.values[f]);
    track.setAttribute("aria-valuetext", this.body.spoken[f]);
  }

  placeHint(hint, at, x, width) {
    const range = this.body.ranges.find((r) => at >= r.low && at <= r.high); // stays readable
    const edge = (value) => this.inset + this.share(value) * (width - 2 * this.inset);
    const before = Math.min(x - 20, range ? edge(range.low) - 6 : x), after = Math.max(x + 20, range ? edge(range.high) + 6 : x);
    const beside = hint.offsetWidth + 24; // with its arrow
    if (before > beside) hint.dataset.side = "left";
    else if (width - after > beside) hint.dataset.side = "right";
    else delete hint.dataset.side;
    const wide = hint.offsetWidth, left = { left: before - wide, right: after }[hint.dataset.side] ?? x - wide / 2;
    hint.style.left = `${clamp(left, 0, Math.max(width - wide, 0))}px`;
  }

  paintReadouts(f) {
    this.body.readouts.forEach(({ id, values }) => {
      const [text, words] = values[f];
      const element = this.shown[id];
      if (element.textContent !== text) element.textContent = text;
      if (element.nextElementSibling.textContent !== words) element.nextElementSibling.textContent = words;
    });
  }

  // ---- the picture to take away

  title() {
    return this.body.spoken[this.frame];
  }

  savePng() {
    const factor = 2; // sharp on paper and on a projector
    const width = this.part.points.width / this.dpr, height = this.part.points.height / this.dpr, head = 34;
    const canvas = document.createElement("canvas");
    canvas.width = width * factor;
    canvas.height = (height + head) * factor;
    const c = canvas.getContext("2d");
    c.scale(factor, factor);
    c.fillStyle = this.theme.back;
    c.fillRect(0, 0, width, height + head);
    c.fillStyle = this.theme.text;
    c.font = `600 15px ${this.font}`;
    c.fillText(this.title(), 10, 22);
    c.translate(0, head);
    this.drawGrid(c, width, height);
    const { n, palette } = this.body;
    const lit = this.highlight === null ? -1 : this.label(this.frame, this.highlight);
    for (let i = 0; i < n; i++) {
      const cluster = this.label(this.frame, i);
      c.globalAlpha = lit >= 0 && cluster !== lit ? 0.22 : 1;
      c.fillStyle = palette[this.colour(this.frame, cluster) % palette.length];
      c.beginPath(); c.arc(this.toX(this.body.points[2 * i]), this.toY(this.body.points[2 * i + 1]), this.radius, 0, 2 * Math.PI); c.fill();
    }
    c.globalAlpha = 1;
    this.paintOver(this.frame, c);
    canvas.toBlob((blob) => this.save(blob, "png"), "image/png");
  }

  saveSvg() {
    const width = this.part.points.width / this.dpr, height = this.part.points.height / this.dpr, head = 34;
    const f = this.frame, { n, palette, points } = this.body;
    const lit = this.highlight === null ? -1 : this.label(f, this.highlight);
    const groups = new Map();
    for (let i = 0; i < n; i++) {
      const cluster = this.label(f, i);
      const key = `${palette[this.colour(f, cluster) % palette.length]}${lit >= 0 && cluster !== lit ? "38" : ""}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(`<circle cx="${this.toX(points[2 * i]).toFixed(2)}" cy="${this.toY(points[2 * i + 1]).toFixed(2)}" r="${this.radius.toFixed(2)}"/>`);
    }
    const out = [];
    for (const [colour, circles] of groups) out.push(`<g fill="${colour}" class="points">${circles.join("")}</g>`);
    const { from, to } = this.centroidsOf(f);
    const r = this.circle(f) * this.scale;
    for (let c = from; c < to; c++) {
      const cluster = this.body.centroid_cluster[c];
      if (lit >= 0 && cluster !== lit) continue;
      const x = this.toX(this.body.centroids[2 * c]).toFixed(2), y = this.toY(this.body.centroids[2 * c + 1]).toFixed(2);
      const colour = palette[this.colour(f, cluster) % palette.length];
      if (r >= 4) out.push(`<circle class="theta" cx="${x}" cy="${y}" r="${r.toFixed(2)}" fill="none" stroke="${colour}" stroke-width="1.6"/>`);
      out.push(`<circle class="centroid" cx="${x}" cy="${y}" r="5" fill="${colour}" stroke="${this.theme.text}" stroke-width="1.5"/>`);
    }
    if (this.body.segments) {
      for (let s = this.body.segment_start[f]; s < this.body.segment_start[f + 1]; s++) {
        const [a, b] = [from + this.body.segments[2 * s], from + this.body.segments[2 * s + 1]];
        const at = (k) => [this.toX(this.body.centroids[2 * k]).toFixed(2), this.toY(this.body.centroids[2 * k + 1]).toFixed(2)];
        const [x1, y1] = at(a), [x2, y2] = at(b);
        out.push(`<line class="chain" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${this.theme.text}" stroke-width="2"/>`);
      }
    }
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + head}" width="${width}" height="${height + head}" font-family="sans-serif">`
      + `<title>${escape(this.title())}</title><rect width="100%" height="100%" fill="${this.theme.back}"/>`
      + `<text x="10" y="22" font-size="15" font-weight="600" fill="${this.theme.text}">${escape(this.title())}</text>`
      + `<g transform="translate(0 ${head})">${out.join("")}</g></svg>`;
    this.save(new Blob([svg], { type: "image/svg+xml" }), "svg");
  }

  save(blob, ending) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${this.body.name}-${this.axis.id}-${this.body.values[this.frame].toPrecision(4)}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
}
