// The stage of a timeline: read-outs, picture and track fill the screen, everything in them larger by one factor.

import { FillScreen, plainKey, typing } from "../../js/fullscreen.js";

const TEXT = 14; // pixels of the timeline's text on the page; on stage it is a thirtieth of the screen's height

/** Enters and leaves with `toggle`, and with F wherever the last click was. */
export class Stage {
  constructor(root, changed) {
    this.fill = new FillScreen(root, (on) => { this.enlarge(on); changed(on); });
    this.root = root;
    this.resized = () => { if (this.fill.on) this.enlarge(true); };
    this.pressed = (event) => {
      if (!root.isConnected || !plainKey(event) || typing(event.composedPath()[0])) return;
      const leaves = event.key === "Escape" && this.fill.on;
      if (event.key.toLowerCase() === "f" || leaves) this.toggle();
    };
    document.addEventListener("keydown", this.pressed);
    window.addEventListener("resize", this.resized);
  }

  toggle() { this.fill.toggle(); }

  enlarge(on) { this.root.style.zoom = on ? innerHeight / 30 / TEXT : ""; }

  stop() {
    this.fill.stop();
    document.removeEventListener("keydown", this.pressed);
    window.removeEventListener("resize", this.resized);
  }
}

/** Where an event is in an element, in the element's own pixels, enlarged or not. */
export function placeIn(element, event) {
  const box = element.getBoundingClientRect(), own = (element.offsetWidth || box.width) / (box.width || 1);
  return [(event.clientX - box.left) * own, (event.clientY - box.top) * own];
}
