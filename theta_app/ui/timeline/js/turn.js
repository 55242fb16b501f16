// Turning a picture in 3-D. The points are seen from so far away that all lines of sight are parallel: what is seen is
// flat, spheres are circles, and zoom, tooltips and everything over the points work as they do on a flat picture.

import { clamp } from "./format.js";
import { centroidsNear } from "./solid.js";

const FIRST = { yaw: 30, pitch: 20 }; // degrees
const PER_PIXEL = 0.4, KEY = 15, STEEPEST = 90;
const EASE = 180; // ms that a turn by key takes
const ROUND = 14000; // ms of a whole turn by itself
const KEYS_TURN = { ArrowLeft: [-KEY, 0], ArrowRight: [KEY, 0], ArrowUp: [0, KEY], ArrowDown: [0, -KEY] };

export class Turn {
  constructor(view, button) {
    Object.assign(this, { view, button, ...FIRST, data: null, running: 0, still: matchMedia("(prefers-reduced-motion: reduce)") });
    const { over } = view.part;
    over.addEventListener("keydown", (event) => this.key(event));
    over.addEventListener("pointermove", (event) => this.point(event));
    over.addEventListener("pointerleave", () => this.near([]));
    this.face(false);
  }

  /** Whether what is shown can be turned. */
  get on() { return Boolean(this.view.body?.space); }

  /** What has arrived, as it is seen from where one stood; other data from where one begins. */
  take(body) {
    const { over } = this.view.part;
    over.classList.toggle("tl-turns", Boolean(body.space));
    this.button.hidden = !body.space;
    if (!body.space) { this.stop(); over.removeAttribute("tabindex"); return; }
    over.tabIndex = 0;
    if (this.data !== null && this.data !== body.data) Object.assign(this, FIRST);
    this.data = body.data;
    Object.assign(body, extentOf(body.strands ?? body.space), { points: new Float32Array(2 * body.n), depths: new Float32Array(body.n) });
    if (body.strands) body.seen = { at: new Float32Array((2 * body.strands.length) / 3), depths: new Float32Array(body.strands.length / 3) };
    this.apply(body);
  }

  apply(body) {
    const { yaw, pitch } = this, { over } = this.view.part;
    body.turn = turnOf(yaw, pitch);
    seenFrom(body.turn, body.space, body.points, body.depths);
    if (body.strands) seenFrom(body.turn, body.strands, body.seen.at, body.seen.depths);
    Object.assign(over.dataset, { yaw: yaw.toFixed(1), pitch: pitch.toFixed(1) });
  }

  to(yaw, pitch) {
    const { view } = this;
    Object.assign(this, { yaw: ((yaw % 360) + 360) % 360, pitch: clamp(pitch, -STEEPEST, STEEPEST) });
    this.apply(view.body);
    view.screen.look(view.zoom.look);
    view.pinned.look();
    view.ask();
  }

  /** By a drag, in pixels. */
  drag(dx, dy) {
    this.stop();
    this.to(this.yaw - dx * PER_PIXEL, this.pitch + dy * PER_PIXEL);
  }

  // ---- keys, and by itself

  key(event) {
    if (!this.on || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = KEYS_TURN[event.key];
    if (!step && event.key !== "Home") return;
    event.preventDefault();
    this.stop();
    if (step) this.ease(this.yaw + step[0], this.pitch + step[1]);
    else this.to(FIRST.yaw, FIRST.pitch);
  }

  /** Turn there in a moment; at once where the person's system asks for less motion. A key held down goes on from there. */
  ease(yaw, pitch) {
    if (this.still.matches) { this.to(yaw, pitch); return; }
    const from = { yaw: this.yaw, pitch: this.pitch }, began = performance.now();
    this.run((now) => {
      const part = clamp((now - began) / EASE, 0, 1), smooth = part * (2 - part);
      this.to(from.yaw + (yaw - from.yaw) * smooth, from.pitch + (pitch - from.pitch) * smooth);
      return part < 1;
    }, () => this.to(yaw, pitch));
  }

  /** The button: turn until it is pressed again; a step per press where less motion is asked for. */
  toggle() {
    if (this.still.matches) { this.to(this.yaw + KEY, this.pitch); return; }
    if (this.running) { this.stop(); return; }
    let before = performance.now();
    this.run((now) => {
      this.to(this.yaw + ((now - before) * 360) / ROUND, this.pitch);
      before = now;
      return true;
    });
    this.face(true);
  }

  /** `step` at every frame of the display while it says so; `end` is what remains to be done when it is stopped. */
  run(step, end = () => {}) {
    const next = (now) => {
      if (!this.on || !this.view.root.isConnected) this.running = 0;
      else this.running = step(now) ? requestAnimationFrame(next) : 0;
    };
    this.end = end;
    this.running = requestAnimationFrame(next);
  }

  stop() {
    if (!this.running) return;
    cancelAnimationFrame(this.running);
    this.running = 0;
    this.face(false);
    if (this.on) this.end();
  }

  face(turning) {
    this.button.setAttribute("aria-pressed", String(turning));
    this.button.textContent = turning ? "❚❚ Turn" : "↻ Turn";
  }

  // ---- spheres near the pointer

  point(event) {
    const { screen: { camera }, frame, zoom } = this.view;
    if (!this.on || !camera || zoom.fingers.size) return;
    const box = this.view.part.over.getBoundingClientRect(), own = camera.width / (box.width || 1);
    this.near(centroidsNear(frame, camera, [(event.clientX - box.left) * own, (event.clientY - box.top) * own]));
  }

  near(centroids) {
    if (!this.on || String(this.view.state.near) === String(centroids)) return;
    this.view.state.near = centroids;
    this.view.ask();
  }
}

/** Three rows: across, up and towards the person. The third axis is up; yaw turns around it, pitch looks from above. */
export function turnOf(yaw, pitch) {
  const [a, p] = [yaw, pitch].map((degrees) => (degrees * Math.PI) / 180);
  const away = [-Math.sin(a), Math.cos(a)];
  return [
    [Math.cos(a), Math.sin(a), 0],
    [away[0] * Math.sin(p), away[1] * Math.sin(p), Math.cos(p)],
    [-away[0] * Math.cos(p), -away[1] * Math.cos(p), Math.sin(p)],
  ];
}

/** x, y, z, ... as they are seen: x, y of each into `at`, how near they are into `depths`. */
function seenFrom([across, up, towards], places, at, depths) {
  for (let i = 0, j = 0; j < places.length; i++, j += 3) {
    const x = places[j], y = places[j + 1], z = places[j + 2];
    at[2 * i] = across[0] * x + across[1] * y + across[2] * z;
    at[2 * i + 1] = up[0] * x + up[1] * y + up[2] * z;
    if (depths) depths[i] = towards[0] * x + towards[1] * y + towards[2] * z;
  }
  return at;
}

/** Centroids and the closest pair of a frame as they are seen now. */
export function facing({ space, turn }, frame) {
  if (!space || frame.turn === turn) return frame;
  const { middles, ends, lines } = frame, seen = (places) => seenFrom(turn, places, new Float64Array((places.length / 3) * 2));
  return Object.assign(frame, { turn, centroids: seen(middles), pair: ends && Array.from(seen(ends)), strands: lines && seen(lines) });
}

/** Half the sides of the cage, how far the farthest point is, and a room in which everything stays while it turns. */
function extentOf(space) {
  const half = [0, 0, 0];
  let reach = 0;
  for (let j = 0; j < space.length; j += 3) {
    for (let axis = 0; axis < 3; axis++) half[axis] = Math.max(half[axis], Math.abs(space[j + axis]));
    reach = Math.max(reach, Math.hypot(space[j], space[j + 1], space[j + 2]));
  }
  const across = Math.hypot(half[0], half[1]), up = Math.max(reach, 0.9 * half[2] + 0.43 * across); // of the cage, from a little above
  return { half, reach, box: { x0: -across, x1: across, y0: -up, y1: up } };
}
