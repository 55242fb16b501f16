// What to do first, said by the handle until the person has done it once.

import { clamp } from "./format.js";
import { rangeAt, trackX } from "./track.js";

export class Hint {
  constructor(element) {
    this.element = element;
    this.done = null; // not known before the first words
  }

  show(words) {
    if (this.done !== null || !words) return;
    this.done = remembered();
    this.element.textContent = words;
    this.element.hidden = this.done;
  }

  seen() {
    if (this.done !== false) return;
    this.done = true;
    this.element.hidden = true;
    remember();
  }

  /** Beside the handle and the range under it where there is room, so that it covers nothing; else above. */
  place(body, value, width) {
    const { element } = this;
    if (element.hidden) return;
    const x = trackX(body.axis, value, width), range = rangeAt(body, value);
    const before = Math.min(x - 20, range ? trackX(body.axis, range.low, width) - 6 : x);
    const after = Math.max(x + 20, range ? trackX(body.axis, range.high, width) + 6 : x);
    const room = element.offsetWidth + 24; // with its arrow
    if (before > room) element.dataset.side = "left";
    else if (width - after > room) element.dataset.side = "right";
    else delete element.dataset.side;
    const wide = element.offsetWidth;
    const left = { left: before - wide, right: after }[element.dataset.side] ?? x - wide / 2;
    element.style.left = `${clamp(left, 0, Math.max(width - wide, 0))}px`;
  }
}

const STORED = "theta-hint";

function remembered() {
  try { return localStorage.getItem(STORED) === "seen"; } catch { return false; } // private windows may forbid it
}

function remember() {
  try { localStorage.setItem(STORED, "seen"); } catch { /* then it is shown again next time */ }
}
