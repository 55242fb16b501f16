// First exercise: drag θ, watch K, mark where the range starts and ends. Every result on the way came from Python.

import { el, say } from "./dom.js";
import { Frame } from "./frame.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";

export const finderView = (host) => {
  const frame = new Frame(host, { testid: "finder", label: "Find a range of θ" });
  const { root, sentence } = frame;
  let data = null, marks = {};

  const stage = new Stage({ testid: "finder-canvas", label: "Points coloured by cluster at this θ", tallest: 0.34, paint: () => {
    if (!data) return;
    const labels = data.labels[transport.position];
    data.points.forEach((p, i) => stage.point(p, { fill: data.palette[labels[i] % data.palette.length], radius: stage.dot * 0.8 }));
  } });
  const kWords = el("output", { class: "big", "data-testid": "finder-k" });
  const thetaWords = el("output", { class: "big", "data-testid": "finder-theta" });
  const transport = new Transport({ prefix: "finder", noun: "θ", frame, step: 350, render: () => data && show() });
  transport.scrub.dataset.testid = "finder-range";
  transport.scrub.setAttribute("aria-label", "θ");
  const button = (end, words) => el("button", { type: "button", "data-testid": `finder-${end}`, onclick: () => {
    transport.pause();
    marks = { ...marks, [end]: transport.position };
    show();
    host.send("marks", marks);
  } }, words);
  frame.board.append(stage.box);
  frame.tools(transport, thetaWords, kWords, button("low", "Starts here"), button("high", "Ends here"));

  function show() {
    const at = transport.position;
    thetaWords.textContent = `θ = ${say(data.thetas[at])}`;
    kWords.textContent = `K = ${data.k[at]}`;
    transport.scrub.setAttribute("aria-valuetext", `θ ${say(data.thetas[at])}, ${data.k[at]} clusters`);
    sentence.textContent = data.feedback?.words || "Drag θ until K = 25, then mark where that starts and where it ends.";
    sentence.classList.toggle("solved", Boolean(data.feedback?.solved));
    stage.request();
  }
  const update = (fresh) => {
    const first = data?.opening !== fresh.opening;
    data = fresh;
    stage.setWorld(data.world);
    if (first) marks = data.marks ?? {};
    transport.setLength(data.thetas.length - 1, first ? data.open?.step ?? 0 : transport.position);
  };
  return {
    root, frame, transport, update,
    share: () => ({ ...data.link, step: transport.position }),
    state: () => [data.thetas[transport.position], new Set(data.labels[transport.position]).size, data.target, data.points.length],
    destroy: () => { transport.destroy(); stage.destroy(); frame.destroy(); },
  };
};
