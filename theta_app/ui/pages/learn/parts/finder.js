// First exercise: drag θ, watch K, mark where the range starts and ends. Every result on the way came from Python.

import { mount } from "./mount.js";
import { el, range, say } from "./dom.js";
import { Stage } from "./stage.js";

export default (component) => mount(component, (parent) => {
  const root = el("div", { class: "lesson still", "data-testid": "finder" });
  const view = { root };
  let data = null, at = 0, marks = {};

  const stage = new Stage({ testid: "finder-canvas", label: "Points coloured by cluster at this θ", paint: () => {
    if (!data) return;
    data.points.forEach((p, i) => stage.point(p, { fill: data.palette[data.labels[at][i] % data.palette.length], radius: stage.dot * 0.8 }));
  } });
  const kWords = el("output", { class: "big", "data-testid": "finder-k" });
  const thetaWords = el("output", { class: "big", "data-testid": "finder-theta" });
  const slider = range("finder-range", "θ", { min: 0, max: 0, step: 1, value: 0 }, (v) => { at = v; show(); });
  const marked = el("p", { class: "hint", "data-testid": "finder-marks" });
  const button = (end, words) => el("button", { type: "button", "data-testid": `finder-${end}`, onclick: () => {
    marks = { ...marks, [end]: at };
    show();
    view.send("marks", marks);
  } }, words);
  root.append(stage.box,
    el("div", { class: "row" }, el("label", { class: "grow" }, thetaWords, slider), kWords),
    el("div", { class: "row" }, button("low", "The range starts here"), button("high", "The range ends here"), marked));
  parent.append(root);

  function show() {
    thetaWords.textContent = `θ = ${say(data.thetas[at])}`;
    kWords.textContent = `K = ${data.k[at]}`;
    slider.setAttribute("aria-valuetext", `θ ${say(data.thetas[at])}, ${data.k[at]} clusters`);
    const place = (end) => (marks[end] == null ? "?" : say(data.thetas[marks[end]]));
    marked.textContent = `Marked: from ${place("low")} to ${place("high")}`;
    stage.request();
  }
  view.update = (fresh) => {
    const first = !data;
    data = fresh;
    slider.max = data.thetas.length - 1;
    stage.setWorld(data.world);
    if (first) { marks = data.marks ?? {}; at = 6; slider.value = at; }
    show();
  };
  view.destroy = () => stage.destroy();
  return view;
});
