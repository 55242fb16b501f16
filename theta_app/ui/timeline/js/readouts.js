// The boxes above the picture: a figure each, and what it means in words.

import { escaped } from "./format.js";

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
