// The buttons under the track: the few that are always there, a menu of the others, and the drawers.

import { boxByKeys } from "./boxkeys.js";
import { savePng, saveSvg } from "./export.js";

const SELECTING = ["box", "lasso"], SWEEPING = ["wider", "finer"], DRAWERS = ["numbers", "settings"];
const FULL = "⤢<span> Full screen</span>"; // on a phone the sign alone

/** The page's button for it (widgets/arriving), which is out of sight. */
const arriving = () => document.querySelector(".st-key-arrive button");
const arrive = () => arriving()?.click();

export class Tools {
  constructor(view, place, menu) {
    Object.assign(this, { view, menu, button: {}, drawers: [] });
    const finer = () => view.trigger("finer", view.frame.value), select = (event) => {
      if (event.detail === 0) boxByKeys(view); // pressed by a key
      else this.choose("box");
    };
    place.append(
      this.add("play", "▶ Play", "Let θ grow slowly; press again to pause (Space)", () => view.player.toggle()),
      this.add("box", "▭ Select", "Select points in a rectangle (B: by keys)", select),
      this.add("clear", "✕ Clear", "Clear the selection and the highlighted cluster", () => view.clear()),
      this.add("zoom-in", "+", "Zoom in (or turn the wheel, or pinch)", () => view.zoom.closer(1)),
      this.add("zoom-out", "−", "Zoom out", () => view.zoom.closer(-1)),
      this.add("reset", "⟲", "Show all points again", () => view.zoom.reset()),
      this.add("turn", "↻ Turn", "Let it turn; press again to stop (or drag, or use the arrow keys on the picture)", () => view.turn.toggle()),
      this.add("stage", "", "Fill the screen (F)", () => view.stage.toggle()),
      this.add("more", "⋯", "More tools", () => this.open(this.menu.hidden)),
      this.add("numbers", "Numbers", "All numbers, K over θ, and the sizes of the clusters", () => this.drawer("numbers")),
      this.add("settings", "Settings", "Algorithm, exact θ, shuffles, distance, drawing", () => this.drawer("settings")),
    );
    menu.append(
      this.add("lasso", "◌ Lasso", "Select points inside a line you draw", () => this.choose("lasso")),
      this.add("pin", "◫ Pin", "Keep this picture beside the one you drag", () => view.pinned.toggle()),
      this.add("flow", "⇉ Flow", "How clusters split along the track; click to go there", () => view.flow.toggle()),
      this.add("wider", "↔ Wider", "Sweep a wider range", () => view.trigger("wider", Date.now())),
      this.add("finer", "⌕ Finer here", "Sweep more values around the cursor", finer),
      this.add("arrive", "⇣ Let them arrive", "Watch clusters appear as the rows come in, one by one", arrive),
      this.add("png", "PNG", "Save the picture as PNG", () => savePng(view)),
      this.add("svg", "SVG", "Save the picture as SVG", () => saveSvg(view)),
    );
    for (const id of ["play", "pin", "flow", ...SELECTING]) this.button[id].setAttribute("aria-pressed", "false");
    for (const id of ["turn", "zoom-out", "reset", "clear", "settings"]) this.button[id].hidden = true;
    this.button.stage.innerHTML = FULL;
    this.listen(place);
    this.show({ sweeps: false, selects: false });
  }

  add(id, text, title, press) {
    const element = document.createElement("button");
    Object.assign(element, { type: "button", textContent: text, title, tabIndex: id === "play" ? 0 : -1 });
    if (text.length < 2) element.setAttribute("aria-label", title);
    element.dataset.testid = `timeline-${id}`;
    element.addEventListener("click", (event) => { if (this.view.body) press(event); });
    return (this.button[id] = element);
  }

  /** One stop for Tab, arrows from button to button; the menu closes with Esc and with a press anywhere else. */
  listen(place) {
    place.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const shown = [...place.children].filter((button) => !button.hidden), at = shown.indexOf(document.activeElement);
      shown[(at + by + shown.length) % shown.length].focus();
    });
    place.addEventListener("focusin", ({ target }) => {
      for (const button of place.children) button.tabIndex = button === target ? 0 : -1;
    });
    this.menu.addEventListener("click", () => this.open(false));
    this.menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { this.open(false); this.button.more.focus(); } });
    this.pressed = (event) => {
      if (!event.composedPath().some((one) => one === this.menu || one === this.button.more)) this.open(false);
    };
    this.saved = ({ target }) => { // the buttons of the panel Export
      const kind = target.closest?.(".st-key-picture-png, .st-key-picture-svg")?.className.match(/picture-(\w+)/)[1];
      if (kind) this.button[kind].click();
    };
    document.addEventListener("pointerdown", this.pressed);
    document.addEventListener("click", this.saved);
  }

  stop() {
    document.removeEventListener("pointerdown", this.pressed);
    document.removeEventListener("click", this.saved);
  }

  open(on) {
    this.button.arrive.hidden = !arriving() || Boolean(this.view.root.closest("[role=dialog]"));
    this.menu.hidden = !on;
    this.button.more.setAttribute("aria-expanded", String(on));
    for (const button of this.menu.children) button.tabIndex = on ? 0 : -1;
    if (on) this.menu.querySelector("button:not([hidden])").focus();
  }

  /** Open or close a drawer, and tell Python, which remembers it and draws the settings. */
  drawer(name) {
    const { drawers } = this;
    this.drawn(drawers.includes(name) ? drawers.filter((one) => one !== name) : [...drawers, name]);
    this.view.tell("drawers", this.drawers);
  }

  /** Those that are open; null where Python has no settings to show. */
  drawn(open) {
    const drawers = (this.drawers = open ?? []);
    this.button.settings.hidden = !open;
    for (const name of DRAWERS) {
      this.button[name].setAttribute("aria-expanded", String(drawers.includes(name)));
    }
    this.view.part.more.hidden = !drawers.includes("numbers");
    this.view.root.classList.toggle("tl-open", drawers.includes("numbers"));
    this.view.layout();
  }

  /** Take up box or lasso; none when it is taken up already. */
  choose(tool) {
    const { state, part } = this.view;
    state.tool = state.tool === tool ? null : tool;
    for (const id of SELECTING) this.button[id].setAttribute("aria-pressed", String(state.tool === id));
    part.over.classList.toggle("tl-choosing", Boolean(state.tool));
  }

  /** The stage's button says what it does next. */
  staged(on) {
    Object.assign(this.button.stage, { innerHTML: on ? "✕<span> Leave full screen</span>" : FULL, title: on ? "Back to the page (F or Esc)" : "Fill the screen (F)" });
  }

  show({ sweeps, selects }) {
    for (const id of SWEEPING) this.button[id].hidden = !sweeps;
    for (const id of SELECTING) this.button[id].hidden = !selects;
  }

  /** What can be undone has a button only then. */
  undoable({ clear, zoomed }) {
    this.button.clear.hidden = !clear;
    for (const id of ["zoom-out", "reset"]) this.button[id].hidden = !zoomed;
  }
}
