// The boxes above the picture: a figure each, and what it means in words.

import { escaped } from "./format.js";

const RANKS = 3; // so many of the longest texts are tried: where they break decides how many lines they take

const PADDING = 11; // pixels above and below

/** The texts of one part of all values, longest first. */
const longest = (values, part) => [...new Set(values.map((value) => value[part]))].sort((a, b) => b.length - a.length);

/** What the figures say, in a sentence for a class: the value, what it gives, and whether the order matters. */
export function sentenceOf({ readouts, axis }, index, look = null) {
  const at = (id) => {
    const own = readouts.find((one) => one.id === id), other = look?.body.readouts.find((one) => one.id === id);
    return other ? other.values[look.at] : own?.values[index];
  };
  const [k, about] = at("k") ?? [], [, order] = at("agreement") ?? [];
  if (k === undefined) return "";
  const clusters = `${k} ${k === "1" ? "cluster" : "clusters"}`, outliers = /^plus [^;]*|^and [^;]*/.exec(about ?? "")?.[0];
  return `${axis.id === "epsilon" ? "ε" : "θ"} = ${at(axis.id)?.[0]} gives ${clusters}${outliers ? ` ${outliers}` : ""}${order ? `; ${order}` : ""}.`;
}

export class Readouts {
  constructor(place) {
    this.place = place;
  }

  /** Boxes for the read-outs of this body; those that are there already stay. */
  build({ readouts, axis }) {
    const asked = JSON.stringify(readouts.map(({ id, label, wide }) => [id, label, wide]));
    if (this.built === asked) return;
    this.built = asked;
    this.boxes = readouts.map(({ id, label, wide }) => {
      const box = document.createElement("div");
      box.innerHTML = `<span>${escaped(label)}</span><b data-testid="readout-${escaped(id)}"></b><em></em>`;
      box.classList.toggle("tl-lead", id === axis.id);
      box.classList.toggle("tl-wide", wide);
      return box;
    });
    this.place.replaceChildren(...this.boxes);
  }

  /** Room for the longest texts: nothing is cut off, and what is below does not move while dragging. */
  reserve({ readouts }) {
    const heights = readouts.map(() => 0);
    for (let rank = 0; rank < RANKS; rank++) {
      readouts.forEach(({ values }, i) => {
        for (const part of [0, 1]) this.boxes[i].children[1 + part].textContent = longest(values, part)[rank] ?? "";
      });
      this.boxes.forEach((box, i) => {
        const height = [...box.children].reduce((sum, line) => sum + line.offsetHeight, PADDING);
        heights[i] = Math.max(heights[i], height);
      });
    }
    this.boxes.forEach((box, i) => { box.style.minHeight = `${heights[i]}px`; });
  }

  /** Those at an index; `look`: another clustering's, as far as it has them. */
  show({ readouts }, index, look = null) {
    readouts.forEach(({ id, values }, i) => {
      const [, figure, meaning] = this.boxes[i].children;
      const other = look?.body.readouts.find((one) => one.id === id);
      const [text, about] = other ? other.values[look.at] : values[index];
      if (figure.textContent !== text) figure.textContent = text;
      if (meaning.textContent !== about) meaning.textContent = about;
    });
  }
}
