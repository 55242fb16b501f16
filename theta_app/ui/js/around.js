// What stands around every page in the browser: the steps of its history, undo and redo, the menu of a phone, and
// buttons that lead to a part of the page.

import { typing } from "./fullscreen.js";
import { trail } from "./trail.js";

const NARROW = "(max-width: 768px)"; // where Streamlit's sidebar lies over the page
const GROWING = 2000; // ms

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

/** A button with the key "go-NAME" leads to the part of the page with the key NAME, which may still be growing. */
function led(event) {
  const name = event.target.closest?.('[class*="st-key-go-"]')?.className.match(/st-key-go-([\w-]+)/)[1];
  const part = name && document.querySelector(`.st-key-${name}`);
  if (!part) return;
  const show = () => part.scrollIntoView({ block: "start" }), grown = new ResizeObserver(show);
  grown.observe(part);
  setTimeout(() => grown.disconnect(), GROWING);
  part.querySelector("summary, button")?.focus({ preventScroll: true });
}

/** Streamlit makes the whole page a stop for Tab, where no key does anything; the link that skips the menu still goes there. */
function noStop() { document.querySelector('[data-testid="stMain"]')?.setAttribute("tabindex", "-1"); }

export default function () {
  trail().arrived();
  noStop();
  if (window.thetaAround) return;
  window.thetaAround = true;
  document.addEventListener("keydown", pressed);
  document.addEventListener("click", tapped);
  document.addEventListener("click", led);
}
