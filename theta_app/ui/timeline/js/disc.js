// A disc of a few pixels, pressed onto an image many thousand times.

import { clamp } from "./format.js";

/** One disc as steps from its middle: `core` are whole pixels, `rim` those covered by `cover` / 256. */
export function stampOf(width, radius) {
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

/** Put it at a place of the image; a disc over the edge would show on the other side. */
export function pressDisc(pixels, at, colour, { core, rim, cover }) {
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
