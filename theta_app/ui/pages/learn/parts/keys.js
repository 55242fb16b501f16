// The keyboard of the lessons: a teacher presses keys wherever the last click was, and they are the lesson's.

import { plainKey, typing } from "../../../js/fullscreen.js";

// not Page up and Page down: a clicker sends them, and it leads whatever was dragged last
const SLIDERS_OWN = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

export class Keys {
  /** `acts` gives a function for a key, or nothing where the lesson does not want it. */
  constructor(host, acts) {
    this.host = host;
    this.acts = acts;
    this.tabbed = false; // the focus was brought by the Tab key: then Space and Enter press what has it
    this.taken = false;
    this.listeners = {
      pointerdown: () => { this.tabbed = false; },
      keydown: (event) => this.down(event),
      keyup: (event) => { if (this.taken && event.key === " ") { this.taken = false; event.preventDefault(); } },
    };
    for (const [name, listener] of Object.entries(this.listeners)) document.addEventListener(name, listener, true);
  }

  stop() {
    for (const [name, listener] of Object.entries(this.listeners)) document.removeEventListener(name, listener, true);
  }

  down(event) {
    if (event.key === "Tab") this.tabbed = true;
    if (!this.host.root.isConnected) { this.stop(); return; }
    if (!plainKey(event) || this.leftTo(event.composedPath()[0], event.key)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = this.acts(key);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    this.taken = key === " ";
    if (key !== "f" && !this.host.question.open) this.host.room.lookAround();
    this.host.reveal();
    act();
  }

  /** Whether a key belongs to what has the focus. */
  leftTo(target, key) {
    if (typing(target)) return true;
    const tag = target?.tagName;
    if (tag === "INPUT" || target?.getAttribute?.("role") === "slider") return SLIDERS_OWN.has(key);
    if (!this.tabbed) return false;
    return tag === "SELECT" || ((key === " " || key === "Enter") && ["BUTTON", "SUMMARY", "A"].includes(tag));
  }
}
