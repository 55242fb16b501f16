// The track of ε under that of θ: the chains at the θ one stands on. Another θ takes an ε of its own along, and its
// chains follow when it is let go.

import { nearest } from "./axis.js";
import { dressed } from "./called.js";
import { wiped, paint } from "./canvas.js";
import { cursorMarks, curveMarks, curvePlot } from "./curves.js";
import { clamp, short } from "./format.js";
import { frameAt } from "./frames.js";
import { CHAINED } from "./look.js";
import { listenToCurves, listenToTrack } from "./scrub.js";
import { trackMarks, trackX } from "./track.js";

const RESTS = 220; // ms after the last key until Python is told

export class Chains {
  constructor(view) {
    Object.assign(this, { view, body: null, frames: [], state: { drag: null, wanted: null, sent: null, serial: null } });
    this.track = view.part["chain-track"];
    this.curves = view.part["chain-curves"];
    listenToTrack(this, this.track);
    listenToCurves(this, this.curves, () => this.plot);
  }

  get player() { return this.view.player; }
  get hint() { return this.view.hint; }

  stop() { clearTimeout(this.later); }

  /** `start`: whose chains, and where Python stands; null: there are none. `read`: a promise of the body. */
  load(start, read) {
    const { view } = this;
    if (!start || this.body?.id === start.body) this.stand(start);
    else if (this.reading !== start.body) {
      this.reading = start.body;
      read().then((body) => {
        if (this.reading !== start.body || !view.root.isConnected) return;
        this.reading = null;
        Object.assign(this, { body: Object.assign(body, { id: start.body }), frames: [] });
        this.stand(view.start.chains ?? start);
        view.layout();
      });
    }
  }

  stand(start) {
    const { state, view } = this, { body } = this;
    if (!start) Object.assign(this, { body: null, reading: null });
    else {
      this.theta = start.theta;
      if (state.serial !== start.serial && !state.drag) Object.assign(state, { serial: start.serial, wanted: start.value, sent: start.value });
    }
    if (Boolean(body) !== Boolean(this.body) || view.part.chains.hidden !== !this.body) view.layout();
    view.ask();
  }

  // ---- where one stands

  /** Whether the chains are those of the θ that is shown. */
  get here() { return Boolean(this.body) && this.view.body && this.view.own.value === this.theta; }

  get index() { return nearest(this.body.axis, this.body.values, this.state.wanted); }

  /** ε, as far as chains are shown. */
  get value() { return this.here ? this.body.values[this.index] : undefined; }

  /** Whether ε is another than Python knows: then the read-outs are of the chains. */
  get moving() { return this.here && this.value !== this.state.sent; }

  /** The chains at ε, as the timeline shows a clustering that is looked at; null elsewhere. */
  get look() {
    if (!this.here) return null;
    const at = this.index, { view, body, theta } = this;
    const circle = body.circles ? body.values[at] / 2 : undefined; // a depth is no length: the circles stay those of θ
    this.frames[at] ??= dressed(view.body, { ...frameAt(body, at), value: theta, circle, elbow: null }, view.marks);
    const frame = Object.assign(this.frames[at], { index: view.state.index });
    return { body, at, frame, theta };
  }

  go(value, { release = false } = {}) {
    this.state.wanted = value;
    this.view.look = null;
    this.view.root.classList.add("tl-on-epsilon");
    this.view.ask();
    if (release) this.release();
  }

  step(by) { this.go(this.body.values[clamp(this.index + by, 0, this.body.values.length - 1)]); }

  release() {
    const { state } = this;
    clearTimeout(this.later);
    this.hint.leave();
    if (!this.here) return;
    state.wanted = this.value;
    this.view.ask();
    if (state.wanted === state.sent) return;
    state.sent = state.wanted;
    this.view.send("epsilon", state.sent);
  }

  releaseSoon() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.release(), RESTS);
  }

  // ---- on the page

  layout() {
    const { body, track, view: { part, screen, theme } } = this, canvas = part["chain-ranges"];
    part.chains.hidden = part["chain-title"].hidden = this.curves.hidden = !body;
    if (!body || !screen.scale || !canvas.clientWidth) return;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    Object.assign(canvas, { width: Math.round(width * screen.scale), height: Math.round(height * screen.scale) });
    paint(wiped(canvas, screen.scale), trackMarks(body, { width, height }, theme), theme.font);
    this.plot = null;
    track.setAttribute("aria-label", body.axis.label);
    track.setAttribute("aria-valuemin", body.values[0]);
    track.setAttribute("aria-valuemax", body.values[body.values.length - 1]);
  }

  paint() {
    const { body, track, state, view } = this;
    if (!body) return;
    const at = this.here ? (state.drag?.moved ? state.wanted : this.value) : taken(view);
    view.part["chain-handle"].style.transform = `translateX(${trackX(body.axis, at, track.clientWidth)}px)`;
    view.part.chains.classList.toggle("tl-elsewhere", !this.here);
    this.paintCurves(at);
    this.tell();
    track.setAttribute("aria-valuenow", this.value ?? at);
    track.setAttribute("aria-valuetext", view.spoken);
  }

  /** What else is on the page follows. */
  tell() {
    const told = this.moving ? this.value : null;
    if (this.told === told) return;
    this.told = told;
    document.dispatchEvent(new CustomEvent(CHAINED, { detail: told === null ? null : this.look }));
  }

  /** What ε does at this θ, in the drawer of numbers while that is open. */
  paintCurves(at) {
    const { body, curves, view: { part, screen, theme } } = this, width = curves.clientWidth, height = curves.clientHeight;
    if (!width || !height) return;
    if (!this.plot) {
      Object.assign(curves, { width: Math.round(width * screen.scale), height: Math.round(height * screen.scale) });
      this.plot = curvePlot(body, { width, height });
      this.still = curveMarks(body, this.plot, theme);
      part["chain-title"].textContent = `Over ${body.axis.label}, at θ = ${short(this.theta)}`;
      curves.setAttribute("aria-label", `${body.curves.map(({ label }) => label).join(", ")} over ${body.axis.label}`);
    }
    const index = nearest(body.axis, body.values, at), cursor = cursorMarks({ value: at, index }, this.plot, theme);
    paint(wiped(curves, screen.scale), [...this.still, ...cursor], theme.font);
    curves.classList.toggle("tl-elsewhere", !this.here);
    curves.dataset.epsilon = body.values[index];
  }
}

/** The ε that the θ under the pointer takes along. */
function taken({ body, state: { index } }) {
  const [text] = body.readouts.find(({ id }) => id === "epsilon")?.values[index] ?? ["0"];
  return Number(text.replaceAll(",", ""));
}
