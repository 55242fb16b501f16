// A box drawn by keys: arrows move it, Shift and arrows change its size, Enter selects what is in it, Esc leaves it.

import { clamp } from "./format.js";
import { closeSelection } from "./pointer.js";

const BY = 12; // pixels per key
const LEAST_BOX = 12; // pixels of its sides
const HELP = "Arrows move the box, Shift and arrows change its size, Enter selects, Esc leaves";
const TOWARDS = { ArrowLeft: [-BY, 0], ArrowRight: [BY, 0], ArrowUp: [0, -BY], ArrowDown: [0, BY] };

export function boxByKeys(view) {
  const { part: { over, tip }, state, screen } = view;
  if (!screen.camera || state.drawing) return;
  const { width, height } = screen.size("over"), name = over.getAttribute("aria-label");
  let box = { x: 0.35 * width, y: 0.35 * height, w: 0.3 * width, h: 0.3 * height };

  const draw = () => {
    const corners = [[0, 0], [box.w, 0], [box.w, box.h], [0, box.h]];
    state.drawing = corners.map(([dx, dy]) => screen.camera.back([box.x + dx, box.y + dy]));
    view.ask();
  };
  const press = (event) => {
    if (event.key === "Enter" || event.key === " ") leave(true);
    else if (event.key === "Escape") leave(false);
    else if (event.key in TOWARDS) {
      const [dx, dy] = TOWARDS[event.key];
      if (event.shiftKey) box = { ...box, w: clamp(box.w + dx, LEAST_BOX, width), h: clamp(box.h + dy, LEAST_BOX, height) };
      else box = { ...box, x: clamp(box.x + dx, 0, width - LEAST_BOX), y: clamp(box.y + dy, 0, height - LEAST_BOX) };
      draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const left = () => leave(false);
  const leave = (take) => {
    over.removeEventListener("keydown", press);
    over.removeEventListener("blur", left);
    tip.hidden = true;
    over.tabIndex = -1;
    over.setAttribute("role", "img");
    over.setAttribute("aria-label", name);
    if (take) closeSelection(view);
    else { state.drawing = null; view.ask(); }
    if (document.activeElement === over) view.part.track.focus({ preventScroll: true });
  };

  over.tabIndex = 0;
  over.setAttribute("role", "application");
  over.setAttribute("aria-label", HELP);
  over.addEventListener("keydown", press);
  over.focus();
  over.addEventListener("blur", left);
  Object.assign(tip.style, { left: "12px", top: `${over.parentElement.offsetTop + 8}px` });
  tip.textContent = HELP;
  tip.hidden = false;
  draw();
}
