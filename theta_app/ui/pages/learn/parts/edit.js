// Drawing on the player's picture: drag, add, remove, spray, undo; with the mouse, a finger or the keyboard.

import { el } from "./dom.js";

const SPRAY = 0.45; // units, the spread of the brush
const DROPS = 30; // ms between two points of a spray

export class Editor {
  /** `changed(after)` is told of every change; `after` runs when the new trace is there. */
  constructor(stage, { changed, say, transport, most, clicked }) {
    Object.assign(this, { stage, changed, say, transport, most, clicked });
    this.points = [];
    this.theta = 1;
    this.history = [];
    this.drag = this.pressed = null;
    this.chosen = -1;
    this.tool = null;
    const button = (name, words, act, options = {}) => el("button", { type: "button", "data-testid": `player-${name}`, onclick: act, ...options }, words);
    this.tools = {
      brush: button("brush", "Brush", () => this.take("brush"), { "aria-pressed": false, title: "Spray points where you drag" }),
      remove: button("remove", "Remove points", () => this.take("remove"), { "aria-pressed": false }),
    };
    this.undoButton = button("undo", "Undo", () => this.undo());
    this.buttons = [
      this.tools.brush, this.tools.remove, this.undoButton,
      button("clear", "Clear", () => this.replace([])),
      button("shuffle", "Shuffle the order", () => this.replace(shuffled(this.points))),
    ];
    this.listen();
  }

  /** Other points, without a history. */
  load(points, theta) {
    Object.assign(this, { points: points.map((p) => [...p]), theta, history: [], chosen: -1, drag: null, pressed: null });
  }

  take(tool) {
    this.tool = this.tool === tool ? null : tool;
    for (const [name, button] of Object.entries(this.tools)) button.setAttribute("aria-pressed", this.tool === name);
    this.stage.canvas.style.cursor = this.tool === "remove" ? "not-allowed" : "crosshair";
  }

  remember() {
    this.history.push({ points: this.points.map((p) => [...p]), theta: this.theta });
    if (this.history.length > 100) this.history.shift();
  }

  undo() {
    const last = this.history.pop();
    if (!last) return;
    Object.assign(this, last);
    this.chosen = -1;
    this.changed();
  }

  replace(points, theta = this.theta) {
    this.remember();
    Object.assign(this, { points, theta, chosen: -1 });
    this.changed(() => this.transport.go(0));
  }

  setTheta(theta) {
    this.theta = theta;
    this.changed();
  }

  get full() {
    if (this.points.length < this.most()) return false;
    this.say(`${this.most()} points are the most this picture takes. Remove one first.`);
    return true;
  }

  add(place) {
    if (this.full) return;
    this.remember();
    const at = this.transport.position; // it arrives next, so that one sees at once what becomes of it
    this.points.splice(at, 0, place);
    this.chosen = -1;
    this.changed(() => this.transport.go(at + 1, true));
  }

  remove(index) {
    if (index < 0) return;
    this.remember();
    this.points.splice(index, 1);
    this.chosen = -1;
    this.changed(index < this.transport.position ? () => this.transport.go(this.transport.position - 1) : null);
  }

  spray(event) {
    const now = performance.now();
    if (now - (this.dropped ?? 0) < DROPS || this.full) return;
    this.dropped = now;
    const [x, y] = this.stage.place(event), [x0, x1, y0, y1] = this.stage.world;
    const near = (v, low, high) => Math.round(10000 * Math.max(low, Math.min(high, v + SPRAY * normal()))) / 10000;
    this.points.push([near(x, x0, x1), near(y, y0, y1)]);
    this.changed();
  }

  /** Index of the point under a pointer, or -1. */
  hit(event) {
    const box = this.stage.canvas.getBoundingClientRect();
    const at = event.touches ? event.touches[0] : event;
    const reach = Math.max(event.pointerType === "touch" || event.touches ? 24 : 14, this.stage.dot);
    return nearestTo(this.stage, this.points, at.clientX - box.left, at.clientY - box.top, reach);
  }

  listen() {
    const { canvas } = this.stage;
    // Only a finger that starts on a point, or sprays, may stop the page from scrolling.
    canvas.addEventListener("touchstart", (event) => { if (this.tool === "brush" || this.hit(event) >= 0) event.preventDefault(); }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", (event) => this.release(event));
    canvas.addEventListener("dblclick", (event) => { if (this.tool !== "brush") this.remove(this.hit(event)); });
    canvas.addEventListener("contextmenu", (event) => {
      const index = this.hit(event);
      if (index >= 0) { event.preventDefault(); this.remove(index); }
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  down(event) {
    if (event.button !== 0 || this.clicked(event)) return;
    const index = this.tool === "brush" ? -1 : this.hit(event);
    if (index >= 0 && this.tool === "remove") { this.remove(index); return; }
    this.pressed = { x: event.clientX, y: event.clientY, index, moved: false };
    if (this.tool === "brush") { this.remember(); this.spray(event); }
    if (index >= 0 || this.tool === "brush") {
      this.stage.canvas.setPointerCapture(event.pointerId);
      this.stage.canvas.focus({ preventScroll: true });
      this.transport.pause();
    }
  }

  move(event) {
    const { pressed, stage } = this;
    if (!pressed) { if (!this.tool) stage.canvas.style.cursor = this.hit(event) >= 0 ? "grab" : "crosshair"; return; }
    if (this.tool === "brush") { this.spray(event); return; }
    if (!pressed.moved && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 4) return;
    if (!pressed.moved) {
      pressed.moved = true;
      if (pressed.index >= 0) { this.remember(); this.drag = { index: pressed.index }; }
    }
    if (this.drag) { this.points[this.drag.index] = stage.place(event); this.changed(); }
  }

  release(event) {
    const { pressed } = this;
    if (!pressed) return;
    if (this.tool === "brush") this.changed(() => this.transport.go(this.transport.length));
    else if (this.drag) { this.drag = null; this.changed(); }
    else if (!pressed.moved && pressed.index < 0 && !this.tool && event.type === "pointerup") this.add(this.stage.place(event));
    this.pressed = null;
    this.stage.request();
  }

  key(event) {
    const [x0, x1, y0, y1] = this.stage.world, nudge = (x1 - x0) / 100, { points, chosen } = this;
    const moves = { ArrowLeft: [-nudge, 0], ArrowRight: [nudge, 0], ArrowUp: [0, nudge], ArrowDown: [0, -nudge] };
    const kept = (v, a, b) => Math.round(10000 * Math.max(a, Math.min(b, v))) / 10000;
    const plain = !event.ctrlKey && !event.metaKey;
    if ((event.key === "]" || event.key === "[") && points.length) this.chosen = (chosen + (event.key === "]" ? 1 : -1) + points.length) % points.length;
    else if (event.shiftKey && moves[event.key] && chosen >= 0) {
      this.remember();
      const [dx, dy] = moves[event.key], [x, y] = points[chosen];
      points[chosen] = [kept(x + dx, x0, x1), kept(y + dy, y0, y1)];
      this.changed();
    } else if (event.key === "Delete" && chosen >= 0) this.remove(chosen);
    else if (event.key.toLowerCase() === "a" && plain) this.add([(x0 + x1) / 2, (y0 + y1) / 2]);
    else if (event.key.toLowerCase() === "z" && !plain) this.undo();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.stage.request();
  }
}

/** Index of the place nearest to a position on the canvas, at most `reach` pixels away, or -1. */
export function nearestTo(stage, places, x, y, reach) {
  let best = -1, closest = reach;
  places.forEach((p, i) => {
    const gap = Math.hypot(stage.x(p[0]) - x, stage.y(p[1]) - y);
    if (gap < closest) { best = i; closest = gap; }
  });
  return best;
}

const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());

function shuffled(list) {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}
