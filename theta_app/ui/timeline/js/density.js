// Points by the hundred thousand: cells of a few pixels, each in the colours of the clusters in it, the stronger the
// more points it has. Which points are in which cell is found once for a place to look from; the colours once per value.

import { clamp } from "./format.js";

const FAINTEST = 0.45; // of its colour, a cell with one point
const FULL_AT = 0.99; // so many of the cells that have points have fewer than the strongest colour stands for
const LARGEST = 2; // pixels of the page along a cell

export class Density {
  /** Of an image so large; `scale`: pixels of it per pixel of the page. */
  constructor(width, height, scale) {
    Object.assign(this, { width, height, scale });
  }

  /** Put the cells over `pixels`; `colourOfGroup`: numbers as the image has them. */
  paint(mark, colourOfGroup, pixels) {
    this.count(mark);
    const { cells, strength, cell } = this, inks = this.inks(mark, colourOfGroup);
    if (cell === 1) for (let c = 0; c < cells.length; c++) pixels[cells[c]] = over(pixels[cells[c]], inks[c], strength[c]);
    else for (let c = 0; c < cells.length; c++) this.fill(pixels, cells[c], inks[c], strength[c]);
  }

  fill(pixels, corner, ink, part) {
    const { width, height, cell } = this, right = Math.min(cell, width - (corner % width));
    const down = Math.min(cell, height - Math.floor(corner / width)), colour = over(pixels[corner], ink, part);
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < right; x++) pixels[corner + y * width + x] = colour;
    }
  }

  /** The mean colour of the points in each cell; where some are of the group `last`, theirs alone. */
  inks({ groups, last }, colourOfGroup) {
    const { starts, members, cells } = this, inks = new Uint32Array(cells.length);
    for (let c = 0; c < cells.length; c++) {
      const to = starts[c + 1], first = colourOfGroup[groups[members[starts[c]]]];
      let j = starts[c] + 1;
      while (j < to && colourOfGroup[groups[members[j]]] === first) j += 1;
      inks[c] = j === to ? first : meanOf(groups, members, starts[c], to, colourOfGroup);
    }
    if (last >= 0) this.light(groups, last, colourOfGroup[last], inks);
    return inks;
  }

  light(groups, last, colour, inks) {
    const { starts, members } = this;
    for (let c = 0; c < inks.length; c++) {
      for (let j = starts[c]; j < starts[c + 1]; j++) if (groups[members[j]] === last) inks[c] = colour;
    }
  }

  /** Which points are in which cell: `members` from `starts[c]` on; of cells that have any. */
  count({ at, seen }) {
    if (this.at === at) return;
    this.at = at;
    const { width, height, scale } = this, n = seen ? seen.length : at.length / 2;
    this.cell = Math.max(1, Math.round(scale * clamp(Math.sqrt(width * height / n) / scale, 1, LARGEST)));
    const across = Math.ceil(width / this.cell), down = Math.ceil(height / this.cell);
    const cellOf = new Int32Array(n), counts = new Uint32Array(across * down);
    for (let i = 0; i < n; i++) {
      const point = seen ? seen[i] : i;
      const x = Math.floor(at[2 * point] * scale / this.cell), y = Math.floor(at[2 * point + 1] * scale / this.cell);
      const within = x >= 0 && y >= 0 && x < across && y < down;
      cellOf[i] = within ? y * across + x : -1;
      if (within) counts[cellOf[i]] += 1;
    }
    this.sort(cellOf, counts, across, seen);
  }

  sort(cellOf, counts, across, seen) {
    const used = counts.reduce((sum, count) => sum + (count > 0), 0), place = new Uint32Array(counts.length);
    Object.assign(this, { cells: new Uint32Array(used), starts: new Uint32Array(used + 1), strength: new Uint16Array(used) });
    const full = Math.log1p(commonly(counts, used));
    let total = 0, c = 0;
    for (let k = 0; k < counts.length; k++) {
      if (!counts[k]) continue;
      const much = Math.min(Math.log1p(counts[k]) / full, 1);
      this.strength[c] = 256 * (FAINTEST + (1 - FAINTEST) * much);
      this.cells[c] = Math.floor(k / across) * this.cell * this.width + (k % across) * this.cell;
      place[k] = total;
      this.starts[c++] = total;
      total += counts[k];
    }
    this.starts[c] = total;
    this.members = new Uint32Array(total);
    for (let i = 0; i < cellOf.length; i++) if (cellOf[i] >= 0) this.members[place[cellOf[i]]++] = seen ? seen[i] : i;
  }
}

function meanOf(groups, members, from, to, colourOfGroup) {
  let r = 0, g = 0, b = 0;
  for (let j = from; j < to; j++) {
    const colour = colourOfGroup[groups[members[j]]];
    r += colour & 255; g += (colour >> 8) & 255; b += (colour >> 16) & 255;
  }
  const many = to - from;
  return ((b / many) << 16) | ((g / many) << 8) | (r / many);
}

/** A pixel with `part` / 256 of an ink over it. On nothing the colour is the ink's, and the part how much there is. */
function over(under, ink, part) {
  if (under === 0) return ((((part * 255) >> 8) << 24) | (ink & 0xffffff)) >>> 0;
  const rest = 256 - part, mix = (shift) => (((ink >> shift) & 255) * part + ((under >> shift) & 255) * rest) >> 8;
  return (0xff000000 | (mix(16) << 16) | (mix(8) << 8) | mix(0)) >>> 0;
}

/** The count that nearly all cells stay below. */
function commonly(counts, used) {
  const much = new Uint32Array(1024);
  for (let k = 0; k < counts.length; k++) if (counts[k]) much[Math.min(counts[k], 1023)] += 1;
  let below = 0, count = 1;
  while (count < 1023 && (below += much[count]) < FULL_AT * used) count += 1;
  return Math.max(count, 2);
}
