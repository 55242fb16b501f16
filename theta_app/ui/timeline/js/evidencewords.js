// What Evidence says in tables and boxes, as HTML: the numbers at θ, the ranges, scores of what is kept, a map's frame.

import { escaped, short } from "./format.js";

const NUMBERS_SHOWN = {
  theta: "θ", k: "Clusters K", range: "Range", agreement: "Order agreement", silhouette: "Silhouette", nmi: "NMI", sizes: "Size elbow",
};
const COLUMN_HELP = {
  factor: "Its end divided by its start, whatever the unit",
  gaps: "Whether points are sparse at every boundary between the clusters",
};

export const decimals = (v) => (v === null || v === undefined ? "–" : v.toFixed(3));
export const whole = (v) => v.toLocaleString("en-US");
export const between = ({ low, high }) => `${short(low)} – ${short(high)}`;

const cellText = (v) => (typeof v !== "number" ? String(v ?? "–") : Number.isInteger(v) ? whole(v) : v.toFixed(3));
const headOf = (names) => `<thead><tr>${names.map((name) => `<th scope="col" title="${COLUMN_HELP[name] ?? ""}">${escaped(name)}</th>`).join("")}</tr></thead>`;

/** The boxes of numbers, empty. */
export function numberBoxes(known) {
  const kind = { theta: "ev-lead", range: "ev-broad" };
  return Object.entries(NUMBERS_SHOWN).filter(([id]) => id !== "nmi" || known).map(([id, title]) =>
    `<div class="${kind[id] ?? ""}"><span>${title}</span><b data-testid="evidence-${id}"></b><em></em></div>`).join("");
}

/** The ranges, best first, each with the button that goes to its middle. */
export function rangeTable(ranges) {
  const scored = ranges.some(({ agreement }) => agreement !== undefined);
  const columns = ["θ", "K", "factor", ...(scored ? ["order agreement", "silhouette", "gaps"] : [])];
  const row = (range) => {
    const scores = scored ? [decimals(range.agreement), decimals(range.silhouette), range.separate ? "yes" : "no"] : [];
    const cells = [whole(range.k), Math.exp(range.width).toFixed(2), ...scores].map((text) => `<td>${text}</td>`);
    return `<tr><td>${goButton(range, between(range))}${range.recommended ? " ★" : ""}</td>${cells.join("")}</tr>`;
  };
  return `${headOf(columns)}<tbody>${ranges.map(row).join("")}</tbody>`;
}

const goButton = ({ middle }, text) => `<button type="button" data-go="${middle}">${text}</button>`;

/** Where the elbow stays at the same number of clusters, widest first. */
export function steadyButtons(steady) {
  const buttons = steady.slice(0, 3).map((range) => goButton(range, `${whole(range.k)} for θ ${between(range)}`));
  return buttons.length ? `The elbow is steady: ${buttons.join(" ")}` : "";
}

export function scoreTable({ columns, rows }) {
  const body = rows.map((row) => `<tr>${row.map((v) => `<td>${escaped(cellText(v))}</td>`).join("")}</tr>`);
  return `${headOf(columns)}<tbody>${body.join("")}</tbody>`;
}

/** A map's heading, sentence, canvas and key. */
export function mapSection({ id, heading, title, row_label }) {
  const section = document.createElement("section");
  section.className = "ev-map";
  section.dataset.map = id;
  section.innerHTML = `<header><h3>${escaped(heading)}</h3><button type="button" data-save="${id}">SVG</button></header><p></p><canvas role="img"></canvas><div></div>`;
  section.querySelector("canvas").setAttribute("aria-label", `${title} over θ and ${row_label}`);
  return section;
}

/** What its colours mean: a scale with two ends, or names. */
export function mapKey({ names, colours, ends }) {
  if (!names) return `<span>${escaped(ends[0])}</span><i style="background: linear-gradient(90deg, ${colours.join(",")})"></i><span>${escaped(ends[1])}</span>`;
  return names.map((name, i) => `<span><i style="background: ${colours[i]}"></i>${escaped(name)}</span>`).join("");
}
