// Points by the thousand on a canvas: discs stamped pixel by pixel over a ground that is drawn once. An arc per point
// takes several times as long. Of still more points the density.

import { still } from "./canvas.js";
import { Density } from "./density.js";
import { clamp } from "./format.js";
import { rgb } from "./theme.js";

export class Stamped {
  /** `ground`: the marks under the points; `scale`: pixels of the canvas per pixel of the page. */
  constructor(canvas, scale, ground, font) {
    const { width, height } = canvas;
    const under = still(canvas, scale, ground, font).getContext("2d").getImageData(0, 0, width, height);
    this.context = canvas.getContext("2d");
    this.scale = scale;
    this.ground = new Uint32Array(under.data.buffer);
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  paint(mark) {
    this.pixels.set(this.ground);
    const colours = inkOfGroups(mark);
    if (mark.kind === "density") {
      this.density ??= new Density(this.image.width, this.image.height, this.scale);
      this.density.paint(mark, colours, this.pixels);
    } else {
      this.prepare(mark);
      this.stamp(mark, colours, false);
      if (mark.last >= 0) this.stamp(mark, colours, true);
    }
    this.context.putImageData(this.image, 0, 0);
  }

  /** The points of the group `last`, or all the others. */
  stamp({ groups, last, seen }, colourOfGroup, ofLast) {
    const { pixels, offsets, core, rim, cover } = this;
    for (let i = 0; i < offsets.length; i++) {
      const at = offsets[i], group = groups[seen ? seen[i] : i];
      if (at < 0 || (group === last) !== ofLast) continue;
      const colour = colourOfGroup[group];
      for (let j = 0; j < core.length; j++) pixels[at + core[j]] = colour;
      // the rim is darker: light colours keep an edge on white, and points that overlap stay apart
      const r = 0.7 * (colour & 255), g = 0.7 * ((colour >> 8) & 255), b = 0.7 * ((colour >> 16) & 255);
      for (let j = 0; j < rim.length; j++) {
        const p = at + rim[j], under = pixels[p], a = cover[j], c = 256 - a;
        pixels[p] = 0xff000000
          | (((b * a + ((under >> 16) & 255) * c) >> 8) << 16)
          | (((g * a + ((under >> 8) & 255) * c) >> 8) << 8)
          | ((r * a + (under & 255) * c) >> 8);
      }
    }
  }

  /** The stamp, and where it is put for each point: anew only when the points have other places. */
  prepare({ at, radius, seen }) {
    if (this.at === at && this.radius === radius) return;
    Object.assign(this, { at, radius }, stampOf(this.image.width, radius * this.scale));
    const { width, height } = this.image;
    this.offsets = new Int32Array(seen ? seen.length : at.length / 2);
    for (let i = 0; i < this.offsets.length; i++) {
      const point = seen ? seen[i] : i;
      const x = Math.round(at[2 * point] * this.scale), y = Math.round(at[2 * point + 1] * this.scale);
      const within = Math.min(x, y, width - 1 - x, height - 1 - y) >= this.reach;
      this.offsets[i] = within ? y * width + x : -1; // a stamp over the edge would show on the other side
    }
  }
}

/** One disc as steps from its middle: `core` are whole pixels, `rim` those covered by `cover` / 256. */
function stampOf(width, radius) {
  const core = [], rim = [], cover = [];
  const reach = Math.ceil(radius) + 1;
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const covered = clamp(radius - Math.hypot(x, y) + 0.5, 0, 1);
      if (covered >= 0.99) core.push(y * width + x);
      else if (covered > 0.05) { rim.push(y * width + x); cover.push(Math.round(covered * 256)); }
    }
  }
  return { reach, core: Int32Array.from(core), rim: Int32Array.from(rim), cover: Int32Array.from(cover) };
}

/** The points of a mark alone, as an image that a page or a file can hold. */
export function densityImage(mark, sharp) {
  const { width, height } = mark, canvas = document.createElement("canvas");
  Object.assign(canvas, { width: Math.round(width * sharp), height: Math.round(height * sharp) });
  const image = new ImageData(canvas.width, canvas.height);
  new Density(canvas.width, canvas.height, sharp).paint(mark, inkOfGroups(mark), new Uint32Array(image.data.buffer));
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas.toDataURL("image/png");
}

function inkOfGroups({ shades, colours }) {
  const inks = colours.map(pixelOf);
  return Uint32Array.from(shades, (shade) => inks[shade]);
}

function pixelOf(colour) {
  const [r, g, b] = rgb(colour);
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}
