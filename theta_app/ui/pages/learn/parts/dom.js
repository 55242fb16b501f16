// Elements of the lessons' pictures: buttons, ranges, and how a number is said.

export const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

// Drawn, not typed: few fonts have all the signs of a player.
const SHAPES = {
  play: "M5 3l15 9-15 9z", pause: "M5 3h5v18H5zM14 3h5v18h-5z", back: "M15 4L6 12l9 8z", forward: "M9 4l9 8-9 8z",
  stage: "M3 3h7v3H6v4H3zM14 3h7v7h-3V6h-4zM3 14h3v4h4v3H3zM18 14h3v7h-7v-3h4z",
  first: "M4 4h3v16H4zM20 4l-11 8 11 8z", last: "M17 4h3v16h-3zM4 4l11 8-11 8z",
};

/** Show one of the SHAPES in a button. */
export function sign(button, name) {
  button.innerHTML = `<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path fill="currentColor" d="${SHAPES[name]}"/></svg>`;
  return button;
}

/** A distance as people say it: three figures are enough. */
export function say(value) {
  return Number(value).toPrecision(3).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

export function range(testid, label, options, oninput, onchange) {
  const input = el("input", { type: "range", "data-testid": testid, "aria-label": label, ...options });
  if (oninput) input.addEventListener("input", () => oninput(Number(input.value)));
  if (onchange) input.addEventListener("change", () => onchange(Number(input.value)));
  return input;
}
