// What every picture of the Learn page shares: mounting, a canvas in the units of the data, and the marks drawn on it.
// Nothing here clusters: positions, labels, distances and sentences all arrive from Python.

const views = new WeakMap();

/** Build the view once for its place in the page; every later call only brings new data. */
function mount(component, build) {
  const parent = component.parentElement;
  let view = views.get(parent);
  if (!view || !view.root.isConnected) {
    view = build(parent);
    views.set(parent, view);
  }
  view.send = component.setStateValue;
  view.trigger = component.setTriggerValue;
  view.update(component.data);
  return () => setTimeout(() => view.root.isConnected || view.destroy?.());
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

// Drawn, not typed: few fonts have all the signs of a player.
const SHAPES = {
  play: "M5 3l15 9-15 9z", pause: "M5 3h5v18H5zM14 3h5v18h-5z", back: "M15 4L6 12l9 8z", forward: "M9 4l9 8-9 8z",
  first: "M4 4h3v16H4zM20 4l-11 8 11 8z", last: "M17 4h3v16h-3zM4 4l11 8-11 8z",
};

/** Show one of the SHAPES in a button. */
function sign(button, name) {
  button.innerHTML = `<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path fill="currentColor" d="${SHAPES[name]}"/></svg>`;
  return button;
}

/** A distance as people say it: three figures are enough. */
function say(value) {
  return Number(value).toPrecision(3).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

function range(testid, label, options, oninput, onchange) {
  const input = el("input", { type: "range", "data-testid": testid, "aria-label": label, ...options });
  if (oninput) input.addEventListener("input", () => oninput(Number(input.value)));
  if (onchange) input.addEventListener("change", () => onchange(Number(input.value)));
  return input;
}

/** A canvas whose coordinates are the data's; `paint(stage)` is called, at most once a frame, when something changed. */
class Stage {
  constructor({ testid, label, paint, tallest = 0.46, focusable = false }) {
    this.canvas = el("canvas", { "data-testid": testid, role: "img", "aria-label": label });
    if (focusable) this.canvas.tabIndex = 0;
    this.box = el("div", { class: "stage" }, this.canvas);
    this.paint = paint;
    this.tallest = tallest;
    this.world = [0, 16, 0, 9];
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
    const room = this.box.clientWidth;
    if (!room) return;
    const aspect = (x1 - x0) / (y1 - y0);
    this.width = Math.floor(Math.min(room, this.tallest * Math.max(innerHeight, 480) * aspect));
    this.height = Math.round(this.width / aspect);
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
    const began = performance.now();
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
    this.dot = Math.max(3.5, Math.min(7, this.width / 120));
    this.text = Math.max(12, Math.min(18, this.width / 50));
    this.paint(this);
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
    return [x0 + across * (x1 - x0), y0 + up * (y1 - y0)];
  }

  point([x, y], { fill, ring, radius = this.dot, alpha = 1, width = 1.5 } = {}) {
    const pen = this.pen;
    pen.globalAlpha = alpha;
    pen.beginPath();
    pen.arc(this.x(x), this.y(y), radius, 0, 2 * Math.PI);
    if (fill) { pen.fillStyle = fill; pen.fill(); }
    if (ring) { pen.strokeStyle = ring; pen.lineWidth = width; pen.stroke(); }
    pen.globalAlpha = 1;
  }

  circle([x, y], radius, { stroke = this.ink, fill, alpha = 1, dash = [], width = 1.5 } = {}) {
    const pen = this.pen;
    pen.beginPath();
    pen.arc(this.x(x), this.y(y), this.length(radius), 0, 2 * Math.PI);
    if (fill) { pen.globalAlpha = alpha * 0.12; pen.fillStyle = fill; pen.fill(); }
    pen.globalAlpha = alpha;
    pen.strokeStyle = stroke;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  segment(a, b, { stroke = this.ink, width = 1.5, dash = [], alpha = 1 } = {}) {
    const pen = this.pen;
    pen.globalAlpha = alpha;
    pen.strokeStyle = stroke;
    pen.lineWidth = width;
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
    pen.lineWidth = 4;
    pen.strokeStyle = this.paper; // a halo, so that words stay readable over points and lines
    pen.strokeText(text, this.x(x) + dx, this.y(y) + dy);
    pen.fillStyle = fill;
    pen.fillText(text, this.x(x) + dx, this.y(y) + dy);
  }

  /** A centroid: a diamond with its cluster's number, so that colour is never the only sign. */
  centroid([x, y], fill, number, { size = this.dot * 1.9, alpha = 1 } = {}) {
    const pen = this.pen, cx = this.x(x), cy = this.y(y);
    pen.globalAlpha = alpha;
    pen.beginPath();
    pen.moveTo(cx, cy - size); pen.lineTo(cx + size, cy); pen.lineTo(cx, cy + size); pen.lineTo(cx - size, cy);
    pen.closePath();
    pen.fillStyle = fill;
    pen.fill();
    pen.lineWidth = 2.5;
    pen.strokeStyle = this.paper;
    pen.stroke();
    pen.lineWidth = 1.2;
    pen.strokeStyle = this.ink;
    pen.stroke();
    pen.globalAlpha = 1;
    if (number != null && alpha > 0.5) this.words(number, [x, y], { dx: size + this.text * 0.45, dy: -size * 0.7, size: this.text * 0.9 });
  }
}

const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
const between = (a, b) => mix(a, b, 0.5);

/** A small line chart: `lines` are {values, colour, dash, name}; x runs over `xs`; the cursor stands at `at`. */
function chart(stage, { xs, lines, low, high, at, title, ticks, dots = [], zone }) {
  const pen = stage.pen, { width: w, height: h, text } = stage;
  const left = text * 2.6, right = w - text * 0.8, top = text * 1.8, bottom = h - text * 1.9;
  const px = (v) => left + ((v - xs[0]) / (xs[xs.length - 1] - xs[0] || 1)) * (right - left);
  const py = (v) => bottom - ((v - low) / (high - low || 1)) * (bottom - top);
  const label = (words, x, y, align = "center", colour = stage.ink, weight = 400) => {
    pen.font = `${weight} ${text * 0.9}px system-ui, sans-serif`;
    pen.textAlign = align;
    pen.textBaseline = "middle";
    pen.fillStyle = colour;
    pen.fillText(words, x, y);
  };
  if (zone) {
    pen.fillStyle = stage.accent;
    pen.globalAlpha = 0.12;
    pen.fillRect(px(zone.from), top, px(zone.to) - px(zone.from), bottom - top);
    pen.globalAlpha = 1;
    if (zone.name) label(zone.name, (px(zone.from) + px(zone.to)) / 2, top + text * 0.8);
  }
  pen.lineWidth = 1;
  pen.strokeStyle = stage.line;
  for (const value of [low, (low + high) / 2, high]) {
    pen.beginPath(); pen.moveTo(left, py(value)); pen.lineTo(right, py(value)); pen.stroke();
    label(say(value), left - 6, py(value), "right");
  }
  for (const [value, words] of ticks) {
    const align = px(value) < left + text ? "left" : px(value) > right - text ? "right" : "center";
    label(words, px(value), bottom + text, align);
  }
  label(title, left - text * 2, text * 0.8, "left", stage.ink, 600);
  pen.globalAlpha = 0.45;
  for (const [x, y] of dots) { pen.beginPath(); pen.arc(px(x), py(y), 2.5, 0, 7); pen.fillStyle = stage.ink; pen.fill(); }
  pen.globalAlpha = 1;
  for (const { values, colour, upto = values.length, dash = [] } of lines) {
    pen.beginPath();
    let drawn = false;
    for (let i = 0; i < Math.min(upto, xs.length); i++) {
      if (values[i] == null) continue;
      drawn ? pen.lineTo(px(xs[i]), py(values[i])) : pen.moveTo(px(xs[i]), py(values[i]));
      drawn = true;
    }
    pen.strokeStyle = colour;
    pen.lineWidth = 2.5;
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
  }
  if (at != null) {
    pen.beginPath(); pen.moveTo(px(at), top - 4); pen.lineTo(px(at), bottom);
    pen.strokeStyle = stage.ink; pen.lineWidth = 2; pen.stroke();
  }
}
