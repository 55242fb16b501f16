// Play, pause, step, speed and jump, with the mouse, a finger or the keyboard: the controls of everything that runs.

import { calm, el, range, sign } from "./dom.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 32];

export class Transport {
  /** `render(position, phase)`: position 0..length, phase 0..1 how far the last step's movement has come. */
  constructor({ prefix = "player", noun, render, step = 900, owner }) {
    this.render = render;
    this.step = step;
    this.noun = noun;
    this.owner = owner;
    this.position = this.length = 0;
    this.phase = 1;
    this.playing = false;
    const button = (name, label, act) =>
      sign(el("button", { type: "button", class: "key", "data-testid": `${prefix}-${name}`, "aria-label": label, title: label, onclick: act }), name);
    this.playButton = button("play", "Play (space)", () => this.toggle());
    this.playButton.classList.add("main");
    this.speed = el("select", { "data-testid": `${prefix}-speed`, "aria-label": "Speed", title: "Speed" },
      ...SPEEDS.map((s) => el("option", { value: s, selected: s === 1 }, `${s}×`)));
    this.scrub = range(`${prefix}-scrub`, `Jump to any ${noun}`, { min: 0, max: 0, step: 1, value: 0 }, (v) => { this.pause(); this.go(v); });
    this.counter = el("output", { "data-testid": `${prefix}-step`, class: "counter" });
    this.row = el("div", { class: "transport" },
      el("div", { class: "keys" },
        button("first", "To the start (Home)", () => { this.pause(); this.go(0); }),
        button("back", "One step back (left arrow)", () => this.back()),
        this.playButton,
        button("forward", "One step forward (right arrow)", () => this.forward()),
        button("last", "To the end (End)", () => { this.pause(); this.go(this.length); }),
        this.speed),
      this.scrub, this.counter);
    this.onkey = (event) => this.key(event);
    this.onpagekey = (event) => {
      // Keys pressed while nothing has the focus are meant for the player if it can be seen: a teacher at the projector.
      if (document.activeElement && document.activeElement !== document.body) return;
      const box = this.row.getBoundingClientRect();
      if (this.row.isConnected && box.bottom > 0 && box.top < innerHeight) this.key(event);
    };
    owner.addEventListener("keydown", this.onkey);
    document.addEventListener("keydown", this.onpagekey);
  }

  destroy() {
    this.pause();
    document.removeEventListener("keydown", this.onpagekey);
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = event.composedPath()[0];
    const tag = target?.tagName;
    if (tag === "SELECT" || (tag === "INPUT" && (target !== this.scrub && event.key !== " "))) return;
    if (tag === "BUTTON" && (event.key === " " || event.key === "Enter")) return; // the button's own press
    const acts = {
      " ": () => this.toggle(), ArrowRight: () => this.forward(), ArrowLeft: () => this.back(),
      Home: () => { this.pause(); this.go(0); }, End: () => { this.pause(); this.go(this.length); },
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  setLength(length, position = Math.min(this.position, length)) {
    this.length = length;
    this.scrub.max = length;
    this.go(position);
  }

  forward() { this.pause(); if (this.position < this.length) this.go(this.position + 1, true); }
  back() { this.pause(); this.go(this.position - 1); }

  go(position, moving = false) {
    this.position = Math.max(0, Math.min(this.length, position));
    this.phase = moving && !calm.matches ? 0 : 1;
    this.show();
    if (this.phase < 1) this.run();
  }

  toggle() { this.playing ? this.pause() : this.play(); }

  play() {
    if (!this.length) return;
    if (this.position >= this.length) this.go(0);
    this.playing = true;
    this.clock = this.step; // the first step starts at once
    this.face();
    this.run();
  }

  pause() {
    this.playing = false;
    this.face();
  }

  face() {
    sign(this.playButton, this.playing ? "pause" : "play");
    const label = this.playing ? "Pause (space)" : "Play (space)";
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
    this.playButton.setAttribute("aria-pressed", this.playing);
    this.owner.dataset.playing = this.playing;
  }

  run() {
    if (this.frame) return;
    let last = null; // a frame's time may lie before the moment it was asked for
    const tick = (now) => {
      this.frame = 0;
      if (!this.row.isConnected) { this.playing = false; return; }
      const passed = now - (last ?? now);
      last = now;
      if (this.playing) this.advance(passed * Number(this.speed.value));
      else this.phase = Math.min(1, this.phase + passed / 450);
      this.show();
      if (this.playing || this.phase < 1) this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  advance(passed) {
    this.clock += Math.min(passed, this.step * 4); // after a hidden tab: go on, do not leap
    while (this.clock >= this.step && this.position < this.length) {
      this.clock -= this.step;
      this.position += 1;
    }
    this.phase = calm.matches ? 1 : Math.min(1, this.clock / (this.step * 0.55));
    if (this.position >= this.length && this.clock >= this.step * 0.55) {
      this.phase = 1;
      this.pause();
    }
  }

  show() {
    this.scrub.value = this.position;
    this.counter.textContent = `${this.noun} ${this.position} of ${this.length}`;
    this.scrub.setAttribute("aria-valuetext", this.counter.textContent);
    this.render(this.position, this.phase);
  }
}
