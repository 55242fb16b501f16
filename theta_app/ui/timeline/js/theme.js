// What only the browser knows: the page's colours and font, a colour as numbers, the width of words.

export function readTheme(root) {
  const style = getComputedStyle(root);
  const read = (name) => style.getPropertyValue(`--tl-${name}`).trim();
  const names = ["text", "back", "line", "accent", "soft"];
  return { ...Object.fromEntries(names.map((name) => [name, read(name)])), font: style.fontFamily };
}

const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const known = new Map();

/** Red, green and blue, 0 to 255, of any colour that CSS can name. */
export function rgb(colour) {
  if (!known.has(colour)) {
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    known.set(colour, [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)]);
  }
  return known.get(colour);
}

/** The same as a number, as images have it. */
export function pixelOf(colour) {
  const [r, g, b] = rgb(colour);
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** `part` of a colour, the rest of another. */
export function mixed(colour, other, part) {
  const under = rgb(other);
  return `rgb(${rgb(colour).map((v, i) => Math.round(v * part + under[i] * (1 - part))).join(", ")})`;
}

export const fontOf = ({ size, weight = 400 }, family) => `${weight} ${size}px ${family}`;

export function textWidth(text, style, family) {
  probe.font = fontOf(style, family);
  return probe.measureText(text).width;
}
