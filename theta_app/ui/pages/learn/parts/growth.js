// How it grows: distances counted while N, then K, grows; the paper's formulas dotted. A step is the next size.

import { el } from "./dom.js";
import { chart } from "./chart.js";
import { Frame } from "./frame.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";

const METHOD_COLOURS = [2, 0, 3]; // of the palette, for TSG, TDG and K-Means

export const growthView = (host) => {
  const frame = new Frame(host, { testid: "growth", label: "Distances computed as the data grow" });
  let data = null;

  const legend = el("p", { class: "legend" });
  const stages = ["n", "k"].map((name, at) => new Stage({ testid: `growth-${name}`, label: `Distances computed, against ${name === "n" ? "points" : "clusters"}`, tallest: 0.2, free: true, paint: (stage) => {
    if (!data) return;
    const { xs, lines, axis, title } = data.panels[at], shown = transport.position + 1;
    const log = (values) => values.map((v) => Math.log10(v));
    const all = lines.flatMap(({ counted, formula }) => [...counted, ...formula]);
    const low = Math.floor(Math.log10(Math.min(...all))), high = Math.ceil(Math.log10(Math.max(...all)));
    chart(stage, {
      xs: log(xs), low, high, title: `${title}: distances`, at: Math.log10(xs[transport.position]),
      ticks: [[Math.log10(xs[0]), xs[0].toLocaleString("en")], [Math.log10(xs[xs.length - 1]), `${xs[xs.length - 1].toLocaleString("en")} ${axis}`]],
      named: (v) => `10${[...String(Math.round(v))].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]).join("")}`, marks: Array.from({ length: high - low + 1 }, (_, i) => low + i),
      lines: lines.flatMap(({ counted, formula }, i) => [
        { values: log(formula), colour: data.palette[METHOD_COLOURS[i]], dash: [2, 5] },
        { values: log(counted), colour: data.palette[METHOD_COLOURS[i]], upto: shown, dotted: true },
      ]),
    });
  } }));
  for (const stage of stages) stage.world = [0, 1.5, 0, 1];
  const transport = new Transport({ prefix: "growth", noun: "size", frame, step: 1200, render: () => {
    if (!data) return;
    transport.counter.textContent = `size ${transport.position + 1} of ${transport.length + 1}`;
    frame.sentence.textContent = data.panels.map(({ words }) => words[transport.position]).join(" ");
    for (const stage of stages) stage.request();
  } });
  frame.board.classList.add("pair");
  frame.board.append(...stages.map((stage) => stage.box));
  frame.tools(transport, legend);

  const update = (fresh) => {
    const first = data?.opening !== fresh.opening;
    data = fresh;
    legend.replaceChildren(...data.panels[0].lines.map(({ name }, i) => el("span", { style: `--hue: ${data.palette[METHOD_COLOURS[i]]}` }, name)), "dotted: the paper's formula");
    const last = data.panels[0].xs.length - 1;
    transport.setLength(last, first ? data.open?.step ?? 0 : transport.position);
  };
  return {
    root: frame.root, frame, transport, update,
    share: () => ({ ...data.link, step: transport.position }),
    state: () => [...data.given, ...data.panels.flatMap(({ xs, lines }) => [xs[transport.position], ...lines.map(({ counted }) => counted[transport.position])])],
    destroy: () => { transport.destroy(); for (const each of [...stages, frame]) each.destroy(); },
  };
};
