// What to do first, said by the handle until the person has done it once.

import { trackX } from "./track.js";

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
    this.element.style.visibility = "hidden"; // its room stays: nothing moves under the finger
    remember();
  }

  /** Its room goes when the finger has. */
  leave() { if (this.done) this.element.hidden = true; }

  /** On the track beside the handle where there is room between the ranges, so that it covers nothing; else below it. */
  place(body, value, width) {
    const { element } = this;
    if (element.hidden || this.done) return;
    const x = (v) => trackX(body.axis, v, width), here = x(value);
    const taken = [[here - 20, here + 20], ...body.ranges.map(({ low, high }) => [x(low) - 6, x(high) + 6])];
    const room = element.offsetWidth + 24; // with its arrow
    const free = (from, to) => from >= 0 && to <= width && taken.every(([a, b]) => b <= from || a >= to);
    const side = sidesOf(taken, here).find(({ left }) => free(left(room), left(room) + room));
    if (side) element.dataset.side = side.name;
    else delete element.dataset.side;
    element.style.left = side ? `${side.left(element.offsetWidth)}px` : "";
  }
}

/** Left and right of the handle and of all that touches what is beside it; `left`: where something so wide begins. */
function sidesOf(taken, here) {
  let [from, to] = [here, here];
  for (let grown = true; grown;) {
    grown = false;
    for (const [a, b] of taken) {
      if (b < from - 1 || a > to + 1 || (a >= from && b <= to)) continue;
      [from, to, grown] = [Math.min(from, a), Math.max(to, b), true];
    }
  }
  return [{ name: "left", left: (wide) => from - wide }, { name: "right", left: () => to }];
}

const STORED = "theta-hint";

function remembered() {
  try { return localStorage.getItem(STORED) === "seen"; } catch { return false; } // private windows may forbid it
}

function remember() {
  try { localStorage.setItem(STORED, "seen"); } catch { /* then it is shown again next time */ }
}
