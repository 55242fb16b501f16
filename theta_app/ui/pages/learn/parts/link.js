// A link that opens the lesson as it stands. Python checks what a link says; here it is only written.

import { el } from "./dom.js";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Points as the letters that theta_app.datasets.drawn reads: three per coordinate, four decimals. */
export function encodePoints(points) {
  const letters = (value) => [12, 6, 0].map((shift) => DIGITS[(Math.round(value * 10000) >> shift) & 63]).join("");
  return points.map(([x, y]) => letters(x) + letters(y)).join("");
}

/** A button that shows the link and copies it; `options()` are what it says besides the page. */
export function linkButton(prefix, options) {
  const field = el("input", { type: "text", readonly: true, class: "link", "data-testid": `${prefix}-link`, "aria-label": "Link to this", hidden: true });
  const button = el("button", { type: "button", "data-testid": `${prefix}-share`, onclick: () => {
    const link = new URL(location.pathname, location.origin);
    for (const [name, value] of Object.entries(options()))
      if (value != null) link.searchParams.set(`o_${name}`, value);
    field.value = link.href;
    field.hidden = false;
    navigator.clipboard?.writeText(link.href).then(() => { button.textContent = "Link copied"; }, () => field.select());
    setTimeout(() => { button.textContent = "Link to this"; }, 2500);
  } }, "Link to this");
  return [button, field];
}
