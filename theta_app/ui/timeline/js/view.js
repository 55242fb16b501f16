// One timeline on the page: its state, and painting it. Each move asks for one animation frame, which paints what is
// stored; Python hears of the value on release only.

import { tellAnswer } from "./answer.js";
import { nearest } from "./axis.js";
import { dressed, paletteWith } from "./called.js";
import { Chains } from "./chains.js";
import { Flow } from "./flow.js";
import { clamp } from "./format.js";
import { frameAt } from "./frames.js";
import { Hint } from "./hint.js";
import { Keys } from "./keys.js";
import { GO, LOOK, MOVED, WHERE } from "./look.js";
import { Pinned } from "./pinned.js";
import { Player } from "./play.js";
import { listenToPicture, listenToSizes } from "./pointer.js";
import { hereOf, Readouts, sentenceOf } from "./readouts.js";
import { Screen } from "./screen.js";
import { listenToCurves, listenToTrack } from "./scrub.js";
import { shadeOf } from "./shade.js";
import { Stage } from "./stage.js";
import { readTheme } from "./theme.js";
import { Tools } from "./tools.js";
import { trackX } from "./track.js";
import { facing, Turn } from "./turn.js";
import { unpack } from "./wire.js";
import { Zoom } from "./zoom.js";

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
      found: [], // points that were searched for
      near: [], // in 3-D the centroids near the pointer
    };
    this.wishes = {}; // Python's last beside the value, as texts
    this.paints = 0;
    this.screen = new Screen(this.part, () => this.layout());
    this.stage = new Stage(root, (on) => { this.tools.staged(on); this.layout(); if (on) this.part.track.focus(); });
    this.hint = new Hint(this.part.hint);
    this.readouts = new Readouts(this.part);
    this.tools = new Tools(this, this.part.tools, this.part.menu);
    this.player = new Player(this, this.tools.button.play);
    this.pinned = new Pinned(this);
    this.flow = new Flow(this);
    this.zoom = new Zoom(this);
    this.turn = new Turn(this, this.tools.button.turn);
    this.chains = new Chains(this);
    listenToTrack(this, this.part.track);
    listenToCurves(this, this.part.curves, () => this.screen.plot);
    listenToPicture(this);
    listenToSizes(this);
    this.keys = new Keys(this);
    this.looked = ({ detail }) => this.lookAt(detail);
    document.addEventListener(LOOK, this.looked);
    this.gone = ({ detail }) => { if (this.body?.axis.id === "theta") this.go(detail.value, detail); };
    document.addEventListener(GO, this.gone);
    this.whereAsked = () => { this.stood = null; this.ask(); };
    document.addEventListener(WHERE, this.whereAsked);
  }

  stop() {
    document.removeEventListener(LOOK, this.looked);
    document.removeEventListener(GO, this.gone);
    document.removeEventListener(WHERE, this.whereAsked);
    this.keys.stop();
    this.screen.stop();
    this.stage.stop();
    this.player.pause();
    this.zoom.stop();
    this.turn.stop();
    this.chains.stop();
    this.tools.stop();
    clearTimeout(this.later);
    cancelAnimationFrame(this.asked);
  }

  // ---- what Python sends

  /** What is new to the browser is read in a moment of its own; what arrives meanwhile goes before it. */
  load(bytes) {
    const { start, body, second } = unpack(bytes);
    this.start = start;
    this.chains.load(start.chains, second);
    if (this.body?.id === start.body) this.stand(start, false);
    else if (this.reading !== start.body) {
      this.reading = start.body;
      body().then((read) => this.arrive(read, start.body));
    }
  }

  arrive(body, id) {
    if (this.reading === id) this.reading = null;
    if (this.start.body !== id || !this.root.isConnected) return; // something else was sent meanwhile
    this.take(body, this.start);
    this.stand(this.start, true);
  }

  stand(start, fresh) {
    const { state } = this;
    const themed = this.takeTheme();
    const other = this.takeBeside(start.beside ?? {}, fresh);
    const moved = state.serial !== start.serial && !state.drag;
    if (moved) {
      const polygon = start.selection && !this.body.space && this.sentPlaces(start.selection);
      Object.assign(state, { serial: start.serial, wanted: start.value, sent: start.value, polygon });
    }
    state.index = nearest(this.body.axis, this.body.values, state.wanted);
    this.hint.show(this.body.hint);
    if (fresh || themed || other) this.layout();
    else if (moved) this.ask();
  }

  take(body, { body: id, data }) {
    const other = this.body && this.body.data !== data;
    if (other) Object.assign(this.state, { member: null, polygon: null, found: [], near: [] }); // its points are others
    if (other || this.body?.caption !== body.caption) Object.assign(this.zoom, { factor: 1, middle: null });
    this.body = Object.assign(body, { id, data, usual: body.palette });
    this.turn.take(body);
    this.frames = [];
    this.stood = null;
    this.part.track.dataset.axis = body.axis.id;
    this.readouts.build(body);
  }

  /** What Python says beside the value: names and colours, what points are coloured by, rows that were found, ... */
  takeBeside({ marks, shade, found, chosen, pinned, drawers }, fresh) {
    const said = { marks, shade, found, chosen, pinned, drawers }, news = {};
    for (const [name, wish] of Object.entries(said)) {
      const text = JSON.stringify(wish ?? null);
      news[name] = this.wishes[name] !== text;
      this.wishes[name] = text;
    }
    if (news.marks || fresh) {
      this.marks = marks;
      this.chains.frames = [];
      this.body.palette = paletteWith(this.body, marks);
      this.frames = [];
    }
    if (news.shade) this.shade = shadeOf(shade);
    if (news.chosen && chosen) this.state.member = chosen.i < 0 ? null : chosen.i;
    if (news.found) this.state.found = found ?? [];
    if (news.pinned && (pinned ?? null) !== this.pinned.value) this.pinned.pin(pinned ?? null);
    if (news.drawers) this.tools.drawn(drawers);
    if (news.found && this.screen.camera && found?.length) this.zoom.to(this.body.points.subarray(2 * found[0], 2 * found[0] + 2));
    return Object.values(news).some(Boolean);
  }

  takeTheme() {
    const theme = readTheme(this.root);
    const changed = JSON.stringify(theme) !== JSON.stringify(this.theme);
    this.theme = theme;
    return changed;
  }

  // ---- what is shown

  /** What is drawn: the clustering at the value, or another one at the same value that is looked at. */
  get frame() { return facing(this.body, (this.look ?? this.chains.look)?.frame ?? this.own); }

  /** The clustering whose read-outs are shown, where these are not the timeline's own. */
  get told() { return this.look ?? (this.chains.moving ? this.chains.look : null); }

  get own() { return this.frameAt(this.state.index); }

  frameAt(index) { return facing(this.body, (this.frames[index] ??= dressed(this.body, frameAt(this.body, index), this.marks))); }

  get last() { return this.body.values.length - 1; }

  /** The value and its clusters as a screen reader says it and a saved picture is headed. */
  get spoken() { return this.told ? this.told.body.spoken[this.told.at] : this.body.spoken[this.state.index]; }

  /** Show a clustering by fewer shuffles, or with null the timeline's own again. */
  lookAt(look) {
    if (this.body?.axis.id !== "theta" || (look && look.theta !== this.own.value)) return;
    this.look = look && { ...look, frame: dressed(this.body, { ...look.frame, index: this.state.index }, this.marks) };
    this.ask();
  }

  /** The highlighted cluster, or -1. */
  get lit() { return this.state.member === null ? -1 : this.frame.labels[this.state.member]; }

  /** What is shown of a frame beside the frame itself. */
  get shown() {
    const { drawing, polygon, found, near } = this.state;
    return { lit: this.lit, outline: drawing ?? polygon, shade: this.shade, found, near };
  }

  go(value, { release = false } = {}) {
    this.state.wanted = value;
    this.state.index = nearest(this.body.axis, this.body.values, value);
    this.ask();
    if (release) this.release();
  }

  show(index) {
    this.state.index = clamp(index, 0, this.last);
    this.state.wanted = this.own.value;
    this.ask();
  }

  step(by) { this.show(this.state.index + by); }

  release() {
    clearTimeout(this.later);
    this.hint.leave();
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
    this.choose(cluster === this.lit || member < 0 ? null : member);
  }

  /** Take up the cluster of a point, wherever it was chosen; null for none. */
  choose(member) {
    this.state.member = member;
    this.tell("cluster", member);
    this.ask();
  }

  /** Tell Python what it has asked to be told. */
  tell(name, value) {
    if (this.body.tells.includes(name)) this.send(name, value);
  }

  select(polygon) {
    const { origin, unit } = this.body;
    this.state.polygon = polygon;
    this.send("selection", polygon && polygon.map((at) => at.map((v, axis) => origin[axis] + unit * v)));
    this.ask();
  }

  /** Places in the data's own coordinates as points were sent. */
  sentPlaces(places) {
    const { origin, unit } = this.body;
    return places.map((at) => at.map((v, axis) => (v - origin[axis]) / unit));
  }

  clear() {
    if (this.state.polygon) this.select(null);
    if (this.state.member !== null) this.choose(null);
    this.state.found = [];
    this.ask();
  }

  // ---- on the page

  layout() {
    if (!this.body || !this.screen.layout(this.body, this.theme, this.zoom.look)) return;
    this.pinned.layout();
    this.flow.layout();
    this.describe();
    this.chains.layout();
    this.readouts.show(this.body, this.state.index, this.told);
    this.ask();
  }

  describe() {
    const { body } = this, { track, caption, note, over, curves, sizes } = this.part;
    over.setAttribute("aria-label", `Points coloured by cluster${body.space ? " in 3-D; the arrow keys turn them" : ""}${body.caption ? `: ${body.caption}` : ""}`);
    curves.setAttribute("aria-label", `${body.curves.map(({ label }) => label).join(", ")} over ${body.axis.label}`);
    sizes.setAttribute("aria-label", "Cluster sizes, largest first");
    caption.textContent = body.caption;
    caption.hidden = !body.caption;
    note.textContent = body.note;
    this.tools.show(body);
    track.setAttribute("aria-label", body.axis.label);
    track.setAttribute("aria-valuemin", body.values[0]);
    track.setAttribute("aria-valuemax", body.values[this.last]);
    Object.assign(track.dataset, { frames: body.values.length, planned: body.planned, complete: body.complete });
  }

  /** Ask for a paint: at most one per frame of the display. */
  ask() {
    if (!this.body) return;
    this.tellMoved();
    this.asked ||= requestAnimationFrame(() => { this.asked = 0; this.paint(); });
  }

  /** A clustering that is looked at belongs to its value; the slider of shuffles follows. */
  tellMoved() {
    const { value } = this.own;
    if (this.stood === value) return;
    this.stood = value;
    this.look = null;
    this.root.classList.remove("tl-on-epsilon");
    const detail = { value, frame: this.own, body: this.body, marks: this.marks };
    if (this.body.axis.id === "theta") document.dispatchEvent(new CustomEvent(MOVED, { detail }));
  }

  paint() {
    if (!this.screen.camera) return;
    const began = performance.now();
    this.screen.paint(this.frame, this.shown);
    this.pinned.paint();
    this.flow.paint();
    this.paintHandle();
    this.tools.undoable({ clear: this.state.polygon || this.state.member !== null, zoomed: this.zoom.factor > 1 });
    this.chains.paint();
    const { body, told, state: { index } } = this;
    this.readouts.show(body, index, told);
    this.part.said.textContent = sentenceOf(body, index, told);
    tellAnswer({ theta: this.own.value, epsilon: this.chains.value, words: hereOf(body, index, told) });
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
    part.track.setAttribute("aria-valuetext", this.spoken);
  }
}
