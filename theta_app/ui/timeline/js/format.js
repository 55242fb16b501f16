// Numbers and texts as people read them.

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** A number with so many significant digits, as Python's short writes it: 15,510, 3.602, 4.02e-07. */
export function short(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return scientific(value);
  return value.toLocaleString("en-US", { maximumSignificantDigits: digits });
}

function scientific(value) {
  const [figure, power] = value.toExponential(2).split("e");
  const sign = power[0], exponent = power.slice(1).padStart(2, "0");
  return `${figure.includes(".") ? figure.replace(/\.?0+$/, "") : figure}e${sign}${exponent}`;
}

/** A number on an axis: neighbours may differ in a later digit. */
export const onAxis = (value) => short(value, 6);

/** A count where there is little room: 15,000, but 200K and 1.5M. */
export const briefly = (value) => (value < 1e5 ? onAxis(value) : value.toLocaleString("en-US", { notation: "compact" }));

export const counted = (count, noun) => `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text for HTML and SVG. */
export const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ENTITIES[c]);
