// What stands around every page in the browser: the steps of its history, undo and redo, and the menu of a phone.

import { typing } from "./fullscreen.js";
import { trail } from "./trail.js";

const NARROW = "(max-width: 768px)"; // where Streamlit's sidebar lies over the page

function pressed(event) {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
  if (!["z", "y"].includes(key) || typing(event.composedPath()[0])) return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) trail().redo();
  else trail().undo();
}

function tapped(event) {
  const link = event.target.closest?.('[data-testid="stSidebar"] a');
  if (!link || !matchMedia(NARROW).matches) return;
  document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}

export default function () {
  trail().arrived();
  if (window.thetaAround) return;
  window.thetaAround = true;
  document.addEventListener("keydown", pressed);
  document.addEventListener("click", tapped);
}
