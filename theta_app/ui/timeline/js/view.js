// One timeline on the page: its state, and painting it. Each move asks for one animation frame, which paints what is
// stored; Python hears of the value on release only.

import { nearest } from "./axis.js";
import { clamp } from "./format.js";
import { frameAt } from "./frames.js";
import { Hint } from "./hint.js";
import { Player } from "./play.js";
import { listenToPicture, listenToSizes } from "./pointer.js";
import { Readouts } from "./readouts.js";
import { Screen } from "./screen.js";
import { listenToTrack } from "./scrub.js";
import { Stage } from "./stage.js";
import { readTheme } from "./theme.js";
import { Tools } from "./tools.js";
import { trackX } from "./track.js";
import { unpack } from "./wire.js";

const REST = 220; // ms after the last key until Python is told

export class View {
  /** `send` and `trigger` tell Python; they are set with the data. */
  constructor(root) {
    this.root = root;
    this.part = {};
    for (const element of root.querySelectorAll("[data-part]")) this.part[element.dataset.part] = element;
    this.state = {
      wanted: null, // the value asked for: the handle is there while it is dragged
      index: 0, // of the swept value nearest to it, which is shown
      serial: null, // of Python's last wish where to stand
      sent: null, // the value that Python knows
      member: null, // a point whose cluster is highlighted, whatever the value
      polygon: null, // the selection: [x, y] of its corners as points were sent
      drawing: null, // the same while it is drawn
      tool: null, // "box" or "lasso"
      drag: null, // while the parameter is dragged: { x, moved }
    };
    this.paints = 0;
    this.screen = new Screen(this.part, () => this.layout());
    this.stage = new Stage(root, (on) => { this.layout(); if (on) this.part.track.focus(); });
    this.hint = new Hint(this.part.hint);
    this.readouts = new Readouts(this.part.readouts);
    this.tools = new Tools(this, this.part.tools);
    this.player = new Player(this, this.tools.button.play);
    listenToTrack(this);
    listenToPicture(this);
    listenToSizes(this);
  }

  stop() {
    this.screen.stop();
    this.stage.stop();
    this.player.pause();
    clearTimeout(this.later);
    cancelAnimationFrame(this.asked);
  }

  // ---- what Python sends

  load(bytes) {
    const { state } = this;
    const { start, body } = unpack(bytes);
    const fresh = this.body?.id !== start.body;
    if (fresh) this.take(body(), start);
    const themed = this.takeTheme();
    const moved = state.serial !== start.serial && !state.drag;
    if (moved) Object.assign(state, { serial: start.serial, wanted: start.value, sent: start.value });
    state.index = nearest(this.body.axis, this.body.values, state.wanted);
    this.hint.show(this.body.hint);
    if (fresh || themed) this.layout();
    else if (moved) this.ask();
  }

  take(body, { body: id, data }) {
    const other = this.body && this.body.data !== data;
    if (other) Object.assign(this.state, { member: null, polygon: null }); // another data set: its points are others
    this.body = Object.assign(body, { id, data });
    this.frames = [];
    this.readouts.build(body);
  }

  takeTheme() {
    const theme = readTheme(this.root);
    const changed = JSON.stringify(theme) !== JSON.stringify(this.theme);
    this.theme = theme;
    return changed;
  }

  // ---- what is shown

  get frame() { return (this.frames[this.state.index] ??= frameAt(this.body, this.state.index)); }
  get last() { return this.body.values.length - 1; }

  /** The highlighted cluster, or -1. */
  get lit() { return this.state.member === null ? -1 : this.frame.labels[this.state.member]; }

  /** What is shown of a frame beside the frame itself. */
  get shown() { return { lit: this.lit, outline: this.state.drawing ?? this.state.polygon }; }

  go(value, { release = false } = {}) {
    this.state.wanted = value;
    this.state.index = nearest(this.body.axis, this.body.values, value);
    this.ask();
    if (release) this.release();
  }

  show(index) {
    this.state.index = clamp(index, 0, this.last);
    this.state.wanted = this.frame.value;
    this.ask();
  }

  step(by) { this.show(this.state.index + by); }

  release() {
    clearTimeout(this.later);
    this.show(this.state.index); // the handle settles on the swept value
    if (this.state.wanted === this.state.sent) return;
    this.state.sent = this.state.wanted;
    this.send("value", this.state.sent);
  }

  /** After keys: once, when they rest. */
  releaseSoon() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.release(), REST);
  }

  /** Highlight a cluster; none if it is already, or for -1. */
  highlight(cluster, member = this.frame.labels.indexOf(cluster)) {
    this.state.member = cluster === this.lit || member < 0 ? null : member;
    this.ask();
  }

  select(polygon) {
    const { origin, unit } = this.body;
    this.state.polygon = polygon;
    this.send("selection", polygon && polygon.map((at) => at.map((v, axis) => origin[axis] + unit * v)));
    this.ask();
  }

  clear() {
    this.state.member = null;
    if (this.state.polygon) this.select(null);
    this.ask();
  }

  // ---- on the page

  layout() {
    if (!this.body || !this.screen.layout(this.body, this.theme)) return;
    this.describe();
    this.ask();
  }

  describe() {
    const { body } = this, { track, caption } = this.part;
    caption.textContent = body.caption;
    this.tools.show(body);
    track.setAttribute("aria-label", body.axis.label);
    track.setAttribute("aria-valuemin", body.values[0]);
    track.setAttribute("aria-valuemax", body.values[this.last]);
    Object.assign(track.dataset, { frames: body.values.length, planned: body.planned, complete: body.complete });
  }

  /** Ask for a paint: at most one per frame of the display. */
  ask() {
    this.asked ||= requestAnimationFrame(() => { this.asked = 0; this.paint(); });
  }

  paint() {
    if (!this.screen.camera) return;
    const began = performance.now();
    this.screen.paint(this.frame, this.shown);
    this.paintHandle();
    this.readouts.show(this.body, this.state.index);
    this.paints += 1;
    const paintMs = (performance.now() - began).toFixed(2);
    Object.assign(this.part.track.dataset, { paints: this.paints, paintMs });
  }

  paintHandle() {
    const { body, frame, part, state } = this;
    const at = state.drag?.moved ? state.wanted : frame.value; // smooth under the finger, exact at rest
    const width = part.track.clientWidth;
    part.handle.style.transform = `translateX(${trackX(body.axis, at, width)}px)`;
    this.hint.place(body, at, width);
    part.track.setAttribute("aria-valuenow", frame.value);
    part.track.setAttribute("aria-valuetext", body.spoken[frame.index]);
  }
}
