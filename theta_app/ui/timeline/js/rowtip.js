// What the tooltip says about a row beside its cluster: its values, its texts, and its picture where rows are pictures.

import { short } from "./format.js";

const MOST_VALUES = 10;

/** Lines of text for point `i`. */
export function rowLines(body, i) {
  const { features = [], texts = [] } = body;
  const lines = texts.map(({ name, codes, words }) => `${name}: ${words[body[codes][i]] ?? "–"}`);
  if (body.image) return lines;
  const shown = Math.min(features.length, MOST_VALUES);
  for (let j = 0; j < shown; j++) lines.push(`${features[j]}: ${short(valueOf(body, i, j))}`);
  const more = body.feature_count - shown;
  if (more > 0) lines.push(`… and ${more} more`);
  return lines;
}

/** A value of a row; what is not sent is the place where the row is drawn. */
function valueOf({ features, row_values: values, points, space, origin, unit }, i, j) {
  if (values) return values[i * features.length + j];
  return origin[j] + unit * (space ? space[3 * i + j] : points[2 * i + j]);
}

/** The picture of row `i` as a canvas, or null. */
export function rowPicture(body, i) {
  if (!body.image || !body.row_values || i < 0) return null;
  const { height, width, low, high } = body.image, d = height * width;
  const canvas = Object.assign(document.createElement("canvas"), { width, height, className: "tl-thumb" });
  const image = new ImageData(width, height);
  for (let j = 0; j < d; j++) {
    const level = 255 - 255 * ((body.row_values[i * d + j] - low) / (high - low || 1));
    image.data.set([level, level, level, 255], 4 * j);
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
  canvas.style.cssText = `width:${Math.round((64 * width) / Math.max(width, height))}px;height:auto`;
  return canvas;
}
