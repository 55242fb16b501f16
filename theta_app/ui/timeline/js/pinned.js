// A second picture beside the one that is dragged: the clustering at a value that was pinned.

import { fit } from "./camera.js";
import { paint, wiped } from "./canvas.js";
import { nearest } from "./axis.js";
import { crossed } from "./frames.js";
import { groundMarks, overMarks, pointMark } from "./picture.js";
import { Stamped } from "./stamp.js";

export class Pinned {
  constructor(view) {
    this.view = view;
    this.value = null;
  }

  /** The button: pin the value that is shown, or let go of the one that is pinned. */
  toggle() {
    this.pin(this.value === null ? this.view.frame.value : null);
    this.view.tell("pinned", this.value);
  }

  pin(value) {
    this.value = value;
    const { root, part, tools } = this.view;
    root.classList.toggle("tl-split", value !== null);
    part.beside.hidden = value === null;
    tools.button.pin.setAttribute("aria-pressed", String(value !== null));
    this.view.layout();
  }

  get frame() {
    const { body } = this.view;
    return this.view.frameAt(nearest(body.axis, body.values, this.value));
  }

  layout() {
    this.stamped = null;
    if (this.value === null) return;
    const { part, screen } = this.view;
    for (const canvas of [part.pinned, part["pinned-over"]]) {
      canvas.width = Math.round(canvas.clientWidth * screen.scale);
      canvas.height = Math.round(canvas.clientHeight * screen.scale);
    }
    this.look();
  }

  /** What depends on room and zoom. */
  look() {
    const { part: { pinned }, body, screen, theme, zoom } = this.view;
    if (this.value === null || !pinned.width || !pinned.height) return;
    const size = { width: pinned.width / screen.scale, height: pinned.height / screen.scale };
    this.camera = fit(body, size, zoom.look);
    if (!this.stamped || !body.space) this.stamped = new Stamped(pinned, screen.scale, groundMarks(body, this.camera, size, theme), theme.font);
    this.painted = null;
  }

  paint() {
    if (!this.stamped) return;
    const { part, body, screen, theme, state, frame: live } = this.view, { frame } = this;
    const lit = state.member === null ? -1 : frame.labels[state.member];
    this.words(frame, live);
    const now = JSON.stringify([frame.value, lit]);
    if (this.painted === now && this.shade === this.view.shade) return; // only the other picture has moved
    this.painted = now;
    this.shade = this.view.shade;
    const shown = { ...this.view.shown, lit, near: [] };
    this.stamped.paint(pointMark(body, frame, this.camera, shown, theme));
    const canvas = part["pinned-over"];
    paint(wiped(canvas, screen.scale), overMarks(body, frame, this.camera, shown, theme), theme.font);
  }

  words(frame, live) {
    const { part, body } = this.view;
    const same = frame.index === live.index ? 1 : adjustedRand(frame, live);
    part["pinned-caption"].textContent = `Pinned: ${body.spoken[frame.index].split(", ")[0]}`;
    part["pinned-note"].textContent = `both agree: ${same.toFixed(3)} (ARI)`;
    part.beside.dataset.value = frame.value;
  }
}

/** How alike two clusterings of the same points are: 1 for the same, about 0 for chance. */
function adjustedRand(one, other) {
  const pairs = (count) => (count * (count - 1)) / 2;
  const sum = (counts) => { let total = 0; for (const count of counts) total += pairs(count); return total; };
  const [a, b, both] = [one.members, other.members, crossed(one, other).map(({ count }) => count)].map(sum);
  const chance = (a * b) / pairs(one.labels.length), most = (a + b) / 2;
  return most === chance ? 1 : (both - chance) / (most - chance);
}
