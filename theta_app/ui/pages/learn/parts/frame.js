// What every lesson stands in: the caption, a board with the pictures, the sentence, the controls, and what is less often
// needed below. On the page the board takes the height that is left; on stage the whole fills the screen.

import { el } from "./dom.js";

const phone = matchMedia("(max-width: 640px)"); // there the page scrolls, and pictures take its width
const CODE_BESIDE = 660; // px of width that picture and code need side by side
const ROOMY = 800; // px of width that all buttons need in one row
const LEAST_BOARD = 190;
const TALLEST = 0.8; // of the width: a screen held upright needs no taller picture

export class Frame {
  /** `prefix` starts the test ids. */
  constructor(host, { testid, prefix = testid, label, code = null }) {
    Object.assign(this, { host, code });
    this.plain = false; // whether the picture has the board for itself
    this.board = el("div", { class: "board" });
    this.sentence = el("p", { class: "sentence", "data-testid": `${prefix}-sentence`, "aria-live": "polite" });
    this.controls = el("div", { class: "controls" });
    this.fit = el("div", { class: "fit" }, host.caption, this.board, this.sentence, host.question.box, this.controls);
    this.extras = el("div", { class: "extras" });
    this.root = el("div", { class: "lesson", "data-testid": testid, role: "group", "aria-label": label }, this.fit, this.extras);
    this.sized = () => this.size();
    this.observer = new ResizeObserver(this.sized);
    this.observer.observe(this.root);
    window.addEventListener("resize", this.sized);
  }

  destroy() {
    this.observer.disconnect();
    window.removeEventListener("resize", this.sized);
  }

  /** Under the picture: the player, then a row with the lesson's own controls and where the story goes on. */
  tools(transport, ...own) {
    this.controls.append(transport.row, el("div", { class: "row tools" }, el("div", { class: "row own" }, ...own), this.host.nav));
  }

  /** It is on the page: follow what stands above it. */
  place() {
    const above = document.querySelector('[data-testid="stMainBlockContainer"]');
    if (above) this.observer.observe(above);
    this.size();
  }

  size() {
    const { root, fit, code, host } = this;
    const width = root.clientWidth, staged = host.fill.on;
    if (!width) return;
    const fitted = staged || !phone.matches;
    root.classList.toggle("fitted", fitted);
    root.classList.toggle("roomy", width >= ROOMY);
    if (code) this.placeCode(code, !this.plain && (staged ? innerWidth >= CODE_BESIDE : width >= CODE_BESIDE));
    if (width !== this.width) {
      this.width = width;
      host.reserve();
    }
    const height = staged ? innerHeight - (host.room.bar.hidden ? 0 : host.room.bar.offsetHeight) : fitted ? this.room() : null;
    fit.style.height = height ? `${height}px` : "";
    root.style.setProperty("--screen", `${Math.min(innerHeight, innerWidth * 0.7)}px`);
    host.root.style.setProperty("--screen", `${Math.min(innerHeight, innerWidth * 0.7)}px`);
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
    const rest = [...this.fit.children].reduce((sum, part) => sum + (part === this.board ? 0 : part.offsetHeight + 6), 14);
    const left = innerHeight - top - 10 - (this.host.room.bar.hidden ? 0 : this.host.room.bar.offsetHeight);
    const height = left - rest >= LEAST_BOARD ? left : Math.max(innerHeight - 16, rest + LEAST_BOARD / 2);
    return Math.round(Math.min(height, Math.max(this.root.clientWidth * TALLEST, innerHeight / 2)));
  }

  /** Bring picture, sentence and controls into sight. */
  reveal() {
    if (this.host.fill.on) return;
    const { top, bottom } = this.fit.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) this.fit.scrollIntoView({ block: "nearest" });
  }
}
