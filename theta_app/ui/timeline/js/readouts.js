// The read-outs: the value by its track, K and order agreement beside the picture, the others in a drawer.

import { escaped } from "./format.js";

const LEAD = ["k", "agreement"];

/** The texts of a read-out: those of a clustering that is looked at, else the timeline's own. */
function textsOf({ readouts }, id, index, look) {
  const own = readouts.find((one) => one.id === id), other = look?.body.readouts.find((one) => one.id === id);
  return (other ? other.values[look.at] : own?.values[index]) ?? [];
}

const clustersOf = (k) => `${k} ${k === "1" ? "cluster" : "clusters"}`;

/** What the figures say, in a sentence for a class: the value, what it gives, and whether the order matters. */
export function sentenceOf(body, index, look = null) {
  const [k, about] = textsOf(body, "k", index, look), [, order] = textsOf(body, "agreement", index, look);
  if (k === undefined) return "";
  const outliers = /^plus [^;]*/.exec(about ?? "")?.[0];
  const [value] = textsOf(body, body.axis.id, index, look), [epsilon] = textsOf(body, "epsilon", index, look);
  const lead = body.axis.id === "rows" ? `${value} rows give` : `θ = ${value}${epsilon ? `, ε = ${epsilon}` : ""} gives`;
  return `${lead} ${clustersOf(k)}${outliers ? ` ${outliers}` : ""}${order ? `; ${order}` : ""}.`;
}

/** Where one stands, as the answer above the picture says it (widgets/verdict.Here). */
export function hereOf(body, index, look = null) {
  const [value] = textsOf(body, body.axis.id, index, look), [epsilon] = textsOf(body, "epsilon", index, look);
  const [k] = textsOf(body, "k", index, look);
  return `You are at θ = ${value}${epsilon ? `, ε = ${epsilon}` : ""}: ${clustersOf(k)}`;
}

export class Readouts {
  /** `part`: where they go. */
  constructor({ value, lead, rest, "chain-value": chained }) {
    this.places = { value, lead, rest, chained };
  }

  /** Boxes for the read-outs of this body; those that are there already stay. */
  build({ readouts, axis }) {
    const asked = JSON.stringify(readouts.map(({ id, label, wide }) => [id, label, wide]));
    if (this.built === asked) return;
    this.built = asked;
    this.boxes = readouts.map(({ id, label, wide }) => {
      const box = document.createElement("div");
      box.innerHTML = `<span>${escaped(label)}</span><b data-testid="readout-${escaped(id)}"></b><em></em>`;
      box.classList.toggle("tl-wide", wide);
      return box;
    });
    const placeOf = ({ id }) => (id === axis.id ? "value" : id === "epsilon" ? "chained" : LEAD.includes(id) ? "lead" : "rest");
    for (const [name, place] of Object.entries(this.places)) {
      place.replaceChildren(...this.boxes.filter((_, i) => placeOf(readouts[i]) === name));
    }
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
