// First exercise: drag θ, watch K, mark where the range starts and ends. Every result on the way came from Python.

import { mount } from "./mount.js";
import { el, say } from "./dom.js";
import { Frame } from "./frame.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";

const OPENS_AT = 6;

export default (component) => mount(component, (parent) => {
  const frame = new Frame({ testid: "finder", label: "Find a range of θ", keys: (key) => transport.act(key) });
  const { root, sentence } = frame;
  const view = { root };
  let data = null, marks = {};

  const stage = new Stage({ testid: "finder-canvas", label: "Points coloured by cluster at this θ", paint: () => {
    if (!data) return;
    const labels = data.labels[transport.position];
    data.points.forEach((p, i) => stage.point(p, { fill: data.palette[labels[i] % data.palette.length], radius: stage.dot * 0.8 }));
  } });
  const kWords = el("output", { class: "big", "data-testid": "finder-k" });
  const thetaWords = el("output", { class: "big", "data-testid": "finder-theta" });
  const transport = new Transport({ prefix: "finder", noun: "θ", frame, step: 350, render: () => data && show() });
  transport.scrub.dataset.testid = "finder-range";
  transport.scrub.setAttribute("aria-label", "θ");
  const marked = el("span", { class: "hint", "data-testid": "finder-marks" });
  const button = (end, words) => el("button", { type: "button", "data-testid": `finder-${end}`, onclick: () => {
    transport.pause();
    marks = { ...marks, [end]: transport.position };
    show();
    view.send("marks", marks);
  } }, words);
  frame.board.append(stage.box);
  frame.controls.append(transport.row,
    el("div", { class: "row" }, thetaWords, kWords, button("low", "The range starts here"), button("high", "The range ends here"), marked));
  frame.place(parent);

  function show() {
    const at = transport.position;
    thetaWords.textContent = `θ = ${say(data.thetas[at])}`;
    kWords.textContent = `K = ${data.k[at]}`;
    transport.scrub.setAttribute("aria-valuetext", `θ ${say(data.thetas[at])}, ${data.k[at]} clusters`);
    const place = (end) => (marks[end] == null ? "?" : say(data.thetas[marks[end]]));
    marked.textContent = `Marked: from ${place("low")} to ${place("high")}`;
    sentence.textContent = data.feedback?.words || "Drag θ until K = 25, then mark where that starts and where it ends.";
    sentence.classList.toggle("solved", Boolean(data.feedback?.solved));
    stage.request();
  }
  view.update = (fresh) => {
    const first = !data;
    data = fresh;
    stage.setWorld(data.world);
    if (first) marks = data.marks ?? {};
    transport.setLength(data.thetas.length - 1, first ? OPENS_AT : transport.position);
  };
  view.destroy = () => { transport.destroy(); stage.destroy(); frame.destroy(); };
  return view;
});
