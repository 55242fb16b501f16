// Slide the clusters together: points, the closest pair across clusters, and order agreement, one frame per spacing.

import { mount } from "./mount.js";
import { el, range, say } from "./dom.js";
import { between, Stage } from "./stage.js";
import { chart } from "./chart.js";

export default (component) => mount(component, (parent) => {
  const root = el("div", { class: "lesson still", "data-testid": "lemma" });
  const view = { root };
  let data = null, at = 0;

  const stage = new Stage({ testid: "lemma-canvas", label: "Three clusters sliding together", tallest: 0.34, paint: () => {
    if (!data) return;
    const frame = data.frames[at];
    frame.points.forEach((p, i) => stage.point(p, { fill: data.palette[frame.labels[i] % data.palette.length], ring: stage.paper, width: 1 }));
    const [a, b] = frame.pair.map((i) => frame.points[i]);
    stage.circle(a, data.theta, { stroke: stage.accent, dash: [7, 5], width: 2 });
    stage.segment(a, b, { width: 3, stroke: stage.ink });
    for (const p of [a, b]) stage.point(p, { ring: stage.ink, radius: stage.dot * 1.6, width: 2.5 });
    stage.words(say(frame.gap), between(a, b), { dy: -stage.text });
    stage.words(`θ = ${say(data.theta)}`, [a[0], a[1] + data.theta], { dy: stage.text * 0.9, fill: stage.accent });
  } });
  const curve = new Stage({ testid: "lemma-curve", label: "Order agreement against the distance of the closest pair", tallest: 0.24, paint: () => {
    if (!data) return;
    const xs = data.frames.map((f) => -f.gap); // to the right: closer together
    chart(curve, { xs, lines: [{ values: data.frames.map((f) => f.agreement), colour: curve.accent }], low: 0.5, high: 1, at: xs[at],
      zone: { from: xs[0], to: -data.theta, name: "θ-sparse" }, title: "Order agreement against the distance of the closest pair",
      ticks: [[xs[0], say(-xs[0])], [-data.theta, `θ = ${say(data.theta)}`], [-data.theta / 2, "θ/2"], [xs[xs.length - 1], say(-xs[xs.length - 1])]] });
  } });
  curve.world = [0, 5, 0, 1];
  const words = el("p", { class: "sentence", "data-testid": "lemma-sentence", "aria-live": "polite" });
  const agreement = el("output", { class: "big", "data-testid": "lemma-agreement" });
  const slider = range("lemma-range", "Slide the clusters together", { min: 0, max: 0, step: 1, value: 0 }, (v) => { at = v; show(); });
  root.append(stage.box, words,
    el("div", { class: "row" }, el("label", { class: "grow" }, el("span", {}, "Apart"), slider, el("span", {}, "Together")), agreement),
    curve.box);
  parent.append(root);

  function show() {
    const frame = data.frames[at];
    words.textContent = frame.words;
    agreement.textContent = `agreement ${frame.agreement.toFixed(2)}`;
    slider.setAttribute("aria-valuetext", frame.words);
    stage.request();
    curve.request();
  }
  view.update = (fresh) => {
    data = fresh;
    slider.max = data.frames.length - 1;
    stage.setWorld(data.world);
    show();
  };
  view.destroy = () => { stage.destroy(); curve.destroy(); };
  return view;
});
