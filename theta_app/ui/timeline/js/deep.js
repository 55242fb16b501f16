// Points in 3-D: from far to near in layers, those of a layer in one size and faded alike, so that near ones cover far
// ones. Sorting into layers takes one pass; sorting by depth would take many times as long and look the same.

import { pressDisc, stampOf } from "./disc.js";
import { mixed, pixelOf } from "./theme.js";

const LAYERS = 48;
const SIZES = 6; // of discs, from far to near
const FAINTEST_LAYER = 0.5; // of its colour, the farthest layer

/** Points by depth, from -reach (far) to reach: `order` from far to near, those of a layer from `starts[layer]` on. */
export function layersOf(depths, reach) {
  const n = depths.length, layerOf = new Uint8Array(n), starts = new Uint32Array(LAYERS + 1), order = new Uint32Array(n);
  const per = LAYERS / (2 * reach || 1);
  for (let i = 0; i < n; i++) {
    const layer = Math.min(LAYERS - 1, Math.max(0, Math.floor((depths[i] + reach) * per)));
    layerOf[i] = layer;
    starts[layer + 1] += 1;
  }
  for (let layer = 0; layer < LAYERS; layer++) starts[layer + 1] += starts[layer];
  const next = starts.slice();
  for (let i = 0; i < n; i++) order[next[layerOf[i]]++] = i;
  return { order, starts };
}

/** How near a layer is, 0 to 1, how large its points are and how much of their colour they have. */
export function layerStyle(layer, radius) {
  const near = layer / (LAYERS - 1), size = Math.floor(near * (SIZES - 0.01));
  return { size, radius: radius * (0.75 + (0.5 * size) / (SIZES - 1)), strength: FAINTEST_LAYER + (1 - FAINTEST_LAYER) * near };
}

export class Deep {
  /** Of an image so large; `scale`: pixels of it per pixel of the page. */
  constructor(width, height, scale) {
    Object.assign(this, { width, height, scale });
  }

  paint(mark, pixels) {
    this.prepareInks(mark);
    if (this.radius !== mark.radius) Object.assign(this, { radius: mark.radius, discs: [] });
    if (mark.cage) this.drawCage(mark, pixels);
    this.press(mark, pixels, false);
    if (mark.last >= 0) this.press(mark, pixels, true);
  }

  /** The points of the group `last`, or all the others. */
  press({ at, radius, layers: { order, starts }, groups, shades, last }, pixels, ofLast) {
    const { width, height, scale, inks, many } = this;
    for (let layer = 0; layer < LAYERS; layer++) {
      if (starts[layer] === starts[layer + 1]) continue;
      const style = layerStyle(layer, radius), first = layer * many;
      const disc = (this.discs[style.size] ??= stampOf(width, style.radius * scale)), { reach } = disc;
      for (let j = starts[layer]; j < starts[layer + 1]; j++) {
        const i = order[j], group = groups[i];
        if ((group === last) !== ofLast) continue;
        const x = Math.round(at[2 * i] * scale), y = Math.round(at[2 * i + 1] * scale);
        if (x < reach || y < reach || x >= width - reach || y >= height - reach) continue;
        pressDisc(pixels, y * width + x, inks[first + shades[group]], disc);
      }
    }
  }

  /** The colours in every layer: anew only when they are others. */
  prepareInks({ colours, back }) {
    const key = `${colours} ${back}`;
    if (this.key === key) return;
    const inks = new Uint32Array(LAYERS * colours.length);
    for (let layer = 0; layer < LAYERS; layer++) {
      const { strength } = layerStyle(layer, 1);
      colours.forEach((colour, k) => { inks[layer * colours.length + k] = pixelOf(mixed(colour, back, strength)); });
    }
    Object.assign(this, { key, inks, many: colours.length });
  }

  /** The edges behind the points, pixel by pixel. */
  drawCage({ cage, line }, pixels) {
    const { width, height, scale } = this, ink = pixelOf(line);
    for (let e = 0; e < cage.length; e += 4) {
      const [x0, y0, x1, y1] = cage.slice(e, e + 4).map((v) => v * scale);
      const steps = Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1));
      for (let step = 0; step <= steps; step++) {
        const x = Math.round(x0 + ((x1 - x0) * step) / steps), y = Math.round(y0 + ((y1 - y0) * step) / steps);
        if (x >= 0 && y >= 0 && x < width && y < height) pixels[y * width + x] = ink;
      }
    }
  }
}
