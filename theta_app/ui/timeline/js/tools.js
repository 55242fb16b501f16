// The buttons under the track.

import { boxByKeys } from "./boxkeys.js";
import { savePng, saveSvg } from "./export.js";

const SELECTING = ["box", "lasso"], SWEEPING = ["wider", "finer"];

export class Tools {
  constructor(view, place) {
    this.view = view;
    this.button = {};
    const add = (id, text, title, press) => {
      const element = document.createElement("button");
      Object.assign(element, { type: "button", textContent: text, title });
      element.dataset.testid = `timeline-${id}`;
      element.addEventListener("click", (event) => { if (view.body) press(event); });
      this.button[id] = element;
    };
    add("play", "▶ Play", "Run slowly upward; again to pause (Space)", () => view.player.toggle());
    add("wider", "↔ Wider", "Sweep a wider range", () => view.trigger("wider", Date.now()));
    const finer = () => view.trigger("finer", view.frame.value);
    add("finer", "⌕ Finer here", "Sweep more values around the cursor", finer);
    add("box", "▭ Box", "Select points in a rectangle (B: by keys)", (event) => {
      if (event.detail === 0) boxByKeys(view); // pressed by a key
      else this.choose("box");
    });
    add("lasso", "◌ Lasso", "Select points inside a line you draw", () => this.choose("lasso"));
    add("clear", "✕ Clear", "Forget the selection and the highlighted cluster", () => view.clear());
    add("pin", "◫ Pin", "Keep this picture beside the one you drag", () => view.pinned.toggle());
    add("flow", "⇉ Flow", "Which cluster splits into which along the track; a click goes there", () => view.flow.toggle());
    add("png", "PNG", "Save the picture as PNG", () => savePng(view));
    add("svg", "SVG", "Save the picture as SVG", () => saveSvg(view));
    add("stage", "Stage", "Fill the screen (F)", () => view.stage.toggle());
    for (const id of ["play", "pin", "flow", ...SELECTING]) this.button[id].setAttribute("aria-pressed", "false");
    this.note = document.createElement("span");
    this.note.dataset.testid = "timeline-note";
    place.append(...Object.values(this.button), this.note);
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
    Object.assign(this.button.stage, { textContent: on ? "Leave the stage" : "Stage", title: on ? "Back to the page (F or Esc)" : "Fill the screen (F)" });
  }

  show({ note, sweeps, selects }) {
    this.note.textContent = note;
    for (const id of SWEEPING) this.button[id].hidden = !sweeps;
    for (const id of SELECTING) this.button[id].hidden = !selects;
  }
}
