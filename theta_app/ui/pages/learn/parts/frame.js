// What every lesson stands in: a board with the pictures, the sentence, the controls, and what is less often needed below.
// On the page the board takes the height that is left; on stage the whole fills the screen.

import { el, sign } from "./dom.js";
import { FillScreen } from "../../../js/fullscreen.js";
import { Keys } from "./keys.js";

const phone = matchMedia("(max-width: 640px)"); // there the page scrolls, and pictures take its width
const CODE_BESIDE = 660; // px of width that picture and code need side by side
const LEAST_BOARD = 190;
const TALLEST = 0.8; // of the width: a screen held upright needs no taller picture

export class Frame {
  /** `prefix` starts the test ids; `keys` gives the lesson's own keys. */
  constructor({ testid, prefix = testid, label, keys = () => null, code = null }) {
    this.code = code;
    this.plain = false; // whether the picture has the board for itself
    this.board = el("div", { class: "board" });
    this.sentence = el("p", { class: "sentence", "data-testid": `${prefix}-sentence`, "aria-live": "polite" });
    this.controls = el("div", { class: "controls" });
    this.fit = el("div", { class: "fit" }, this.board, this.sentence, this.controls);
    this.extras = el("div", { class: "extras" });
    this.root = el("div", { class: "lesson", "data-testid": testid, role: "group", "aria-label": label }, this.fit, this.extras);
    this.stageButton = sign(el("button", {
      type: "button", class: "key", "data-testid": `${prefix}-stage`, "aria-label": "Fill the screen (F)", title: "Fill the screen (F)",
      onclick: () => this.fill.toggle(),
    }), "stage");
    this.fill = new FillScreen(this.root, () => this.size());
    this.keys = new Keys(this, (key) => this.act(key, keys));
    this.sized = () => this.size();
    this.observer = new ResizeObserver(this.sized);
    this.observer.observe(this.root);
    window.addEventListener("resize", this.sized);
  }

  act(key, lesson) {
    if (key === "f") return () => this.fill.toggle();
    if (key === "Escape" && this.fill.on) return () => this.fill.toggle();
    return lesson(key);
  }

  destroy() {
    this.keys.stop();
    this.fill.stop();
    this.observer.disconnect();
    window.removeEventListener("resize", this.sized);
  }

  /** Put it on the page, and follow what stands above it. */
  place(parent) {
    parent.append(this.root);
    const above = document.querySelector('[data-testid="stMainBlockContainer"]');
    if (above) this.observer.observe(above);
    this.size();
  }

  size() {
    const { root, fit, code, fill } = this;
    const width = root.clientWidth;
    if (!width) return;
    const fitted = fill.on || !phone.matches;
    root.classList.toggle("fitted", fitted);
    if (code) this.placeCode(code, !this.plain && (fill.on || width >= CODE_BESIDE));
    const height = fill.on ? innerHeight : fitted ? this.room() : null;
    fit.style.height = height ? `${height}px` : "";
    root.style.setProperty("--screen", `${innerHeight}px`);
  }

  placeCode(code, beside) {
    const parent = beside ? this.board : this.extras;
    if (code.parentElement === parent) return;
    if (beside) parent.append(code);
    else parent.prepend(code);
    this.board.classList.toggle("with-code", beside);
  }

  /** The height left below where the lesson starts; where that is too little, a whole screen, to be scrolled to. */
  room() {
    const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0;
    const top = this.fit.getBoundingClientRect().top + scrolled;
    const rest = this.sentence.offsetHeight + this.controls.offsetHeight + 20;
    const left = innerHeight - top - 10;
    const height = left - rest >= LEAST_BOARD ? left : Math.max(innerHeight - 16, rest + LEAST_BOARD / 2);
    return Math.round(Math.min(height, Math.max(this.root.clientWidth * TALLEST, innerHeight / 2)));
  }

  /** Bring picture, sentence and controls into sight. */
  reveal() {
    if (this.fill.on) return;
    const { top, bottom } = this.fit.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) this.fit.scrollIntoView({ block: "nearest" });
  }
}
