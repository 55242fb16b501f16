// Play, pause, step, speed and jump, with the mouse, a finger or the keyboard: the controls of everything that runs.

import { calm, el, range, sign } from "./dom.js";

const LONGEST_RUN = 2500; // ms from one moment of a story to the next
const SPEEDS = [0.5, 1, 2, 4, 8, 32];

export class Transport {
  /** `render()` paints where it stands: `position` 0..length, `beat` of the step, `phase` 0..1 how far its movement has come.
   *  `holds()` true after a step makes a running player stop there, and so does a moment of the story that says so. */
  constructor({ prefix, noun, frame, render, step = 900, scrub = true, holds = () => false, skip = () => false }) {
    Object.assign(this, { noun, frame, render, holds, skip, pace: step });
    this.length = this.at = 0;
    this.beats = this.phase = 1;
    this.playing = false;
    this.until = null; // where a run that the story asked for ends
    const button = (name, label, act) =>
      sign(el("button", { type: "button", class: "key", "data-testid": `${prefix}-${name}`, "aria-label": label, title: label, onclick: act }), name);
    this.playButton = button("play", "Play (space)", () => this.toggle());
    this.playButton.classList.add("main");
    this.speed = el("select", { "data-testid": `${prefix}-speed`, "aria-label": "Speed", title: "Speed", onchange: () => this.speed.blur() },
      ...SPEEDS.map((s) => el("option", { value: s, selected: s === 1 }, `${s}×`)));
    this.scrub = range(`${prefix}-scrub`, `Jump to any ${noun}`, { min: 0, max: 0, step: 1, value: 0 }, (v) => { this.pause(); this.go(v); });
    this.counter = el("output", { "data-testid": `${prefix}-step`, class: "counter" });
    this.row = el("div", { class: "transport" },
      el("div", { class: "keys" },
        button("first", "To the start (Home)", () => this.first()),
        button("back", "One step back (left arrow)", () => this.back()),
        this.playButton,
        button("forward", "One step forward (right arrow)", () => this.forward()),
        button("last", "To the end (End)", () => this.last()),
        this.speed),
      ...(scrub ? [this.scrub, this.counter] : []));
  }

  /** What a key does, or nothing. */
  act(key) {
    return { " ": () => this.toggle(), ArrowRight: () => this.forward(), ArrowLeft: () => this.back(), Home: () => this.first(), End: () => this.last() }[key];
  }

  get position() { return Math.ceil(this.at / this.beats); }
  get beat() { return this.at ? (this.at - 1) % this.beats : this.beats - 1; }
  get end() { return this.length * this.beats; }

  destroy() { this.pause(); }

  setLength(length, position = Math.min(this.position, length)) {
    const within = position === this.position ? this.at : position * this.beats; // an answer from Python keeps the beat
    this.length = length;
    this.scrub.max = length;
    this.jump(Math.min(within, this.end));
  }

  /** Into how many beats a step is divided; stands at the end of its step afterwards. */
  setBeats(beats) {
    const { position } = this;
    this.beats = beats;
    this.jump(position * beats);
  }

  first() { this.pause(); this.go(0); }
  last() { this.pause(); this.go(this.length); }
  forward() { this.pause(); if (!this.skip() && this.at < this.end) this.jump(this.at + 1, true); }
  back() { this.pause(); this.jump(this.at - 1); }
  go(position, moving = false) { this.jump(position * this.beats, moving); }

  jumpTo(at) { this.pause(); this.jump(at); }

  /** Run to a place where the story goes on, in a few seconds however far it is. */
  playTo(at) {
    if (calm.matches || at - this.at <= 1) { this.pause(); this.jump(at, true); return; }
    this.until = at;
    this.haste = Math.max(1, ((at - this.at) * this.step) / LONGEST_RUN);
    this.playing = true;
    this.clock = this.step;
    this.face();
    this.run();
  }

  jump(at, moving = false) {
    this.until = null;
    this.at = Math.max(0, Math.min(this.end, at));
    this.phase = moving && !calm.matches ? 0 : 1;
    if (moving) this.holds();
    this.show();
    if (this.phase < 1) this.run();
  }

  toggle() { this.playing ? this.pause() : this.play(); }

  play() {
    if (!this.length || this.holds()) return;
    if (this.at >= this.end) this.go(0);
    this.playing = true;
    this.until = null;
    this.haste = 1;
    this.clock = this.step; // the first step starts at once
    this.face();
    this.run();
  }

  pause() {
    this.playing = false;
    this.until = null;
    this.face();
  }

  /** Milliseconds per beat: a step in beats is slower than one taken whole. */
  get step() { return this.beats > 1 ? this.pace * 0.7 : this.pace; }

  face() {
    sign(this.playButton, this.playing ? "pause" : "play");
    const label = this.playing ? "Pause (space)" : "Play (space)";
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
    this.playButton.setAttribute("aria-pressed", this.playing);
    this.frame.root.dataset.playing = this.playing;
  }

  run() {
    if (this.running) return;
    let last = null; // a frame's time may lie before the moment it was asked for
    const tick = (now) => {
      this.running = 0;
      if (!this.row.isConnected) { this.playing = false; return; }
      const passed = now - (last ?? now);
      last = now;
      if (this.playing) this.advance(passed * (this.until === null ? Number(this.speed.value) : this.haste));
      else this.phase = Math.min(1, this.phase + passed / 450);
      this.show();
      if (this.playing || this.phase < 1) this.running = requestAnimationFrame(tick);
    };
    this.running = requestAnimationFrame(tick);
  }

  advance(passed) {
    this.clock += Math.min(passed, this.step * 4); // after a hidden tab: go on, do not leap
    while (this.clock >= this.step && this.at < this.end) {
      this.clock -= this.step;
      this.at += 1;
      if (this.at === this.until || this.holds() || (this.until === null && this.frame.host.stopsAt(this.at))) {
        this.phase = 1;
        this.pause();
        return;
      }
    }
    this.phase = calm.matches ? 1 : Math.min(1, this.clock / (this.step * 0.55));
    if (this.at >= this.end && this.clock >= this.step * 0.55) {
      this.phase = 1;
      this.pause();
    }
  }

  show() {
    this.scrub.value = this.position;
    this.counter.textContent = `${this.noun} ${this.position} of ${this.length}`;
    this.scrub.setAttribute("aria-valuetext", this.counter.textContent);
    Object.assign(this.frame.root.dataset, { step: this.position, beat: this.beat });
    this.frame.sentence.setAttribute("aria-live", this.playing ? "off" : "polite");
    this.render();
    this.frame.host.moved();
  }
}
