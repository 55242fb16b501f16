// Numbers and texts as people read them.

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

export function short(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return value.toExponential(2);
  return value.toLocaleString("en-US", { maximumSignificantDigits: size >= 1000 ? 6 : 4 });
}

/** A number on an axis: 100K takes less room than 100,000. */
export function compact(value) {
  if (Math.abs(value) < 1e4) return short(value);
  return value.toLocaleString("en-US", { notation: "compact", maximumSignificantDigits: 4 });
}

export const counted = (count, noun) => `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text for HTML and SVG. */
export const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ENTITIES[c]);
