// Points by the thousand on a canvas: discs stamped pixel by pixel over a ground that is drawn once. An arc per point
// takes several times as long. Of still more points the density.

import { paint, still } from "./canvas.js";
import { Deep } from "./deep.js";
import { Density } from "./density.js";
import { pressDisc, stampOf } from "./disc.js";
import { lines } from "./scene.js";
import { paintStrands } from "./strands.js";
import { pixelOf } from "./theme.js";

const cageLines = ({ cage, line }) => lines("cage", cage, { stroke: line });

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
    if (mark.kind === "strands") { this.drawStrands(mark); return; }
    const colours = inkOfGroups(mark);
    if (mark.kind === "density") {
      this.density ??= new Density(this.image.width, this.image.height, this.scale);
      this.density.paint(mark, colours, this.pixels);
    } else if (mark.kind === "deep") {
      this.deep ??= new Deep(this.image.width, this.image.height, this.scale);
      this.deep.paint(mark, this.pixels);
    } else {
      this.prepare(mark);
      this.stamp(mark, colours, false);
      if (mark.last >= 0) this.stamp(mark, colours, true);
    }
    this.context.putImageData(this.image, 0, 0);
  }

  /** Lines are drawn, not stamped. */
  drawStrands(mark) {
    const { context, scale } = this;
    context.putImageData(this.image, 0, 0);
    context.save();
    context.setTransform(scale, 0, 0, scale, 0, 0);
    paint(context, [cageLines(mark)]);
    paintStrands(context, mark);
    context.restore();
  }

  /** The points of the group `last`, or all the others. */
  stamp({ groups, last, seen }, colourOfGroup, ofLast) {
    const { pixels, offsets, disc } = this;
    for (let i = 0; i < offsets.length; i++) {
      const at = offsets[i], group = groups[seen ? seen[i] : i];
      if (at < 0 || (group === last) !== ofLast) continue;
      pressDisc(pixels, at, colourOfGroup[group], disc);
    }
  }

  /** The stamp, and where it is put for each point: anew only when the points have other places. */
  prepare({ at, radius, seen }) {
    if (this.at === at && this.radius === radius) return;
    Object.assign(this, { at, radius, disc: stampOf(this.image.width, radius * this.scale) });
    const { width, height } = this.image;
    this.offsets = new Int32Array(seen ? seen.length : at.length / 2);
    for (let i = 0; i < this.offsets.length; i++) {
      const point = seen ? seen[i] : i;
      const x = Math.round(at[2 * point] * this.scale), y = Math.round(at[2 * point + 1] * this.scale);
      const within = Math.min(x, y, width - 1 - x, height - 1 - y) >= this.disc.reach;
      this.offsets[i] = within ? y * width + x : -1; // a stamp over the edge would show on the other side
    }
  }
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
