// Order matters: the same points in two orders, played side by side. The question comes first: is the result the same?

import { mount } from "./mount.js";
import { el } from "./dom.js";
import { Score } from "./ask.js";
import { Frame } from "./frame.js";
import { linkButton } from "./link.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";
import { drawTrace } from "./trace.js";

const QUESTION = "The same points, the same θ, another order of arrival. Will the result be the same?";

export default (component) => mount(component, (parent) => {
  const frame = new Frame({ testid: "orders", label: "The same points in two orders", keys: (key) => answers(key) ?? transport.act(key) });
  const { root, sentence } = frame;
  const view = { root };
  let data = null, said = null, verdict = "";

  const panel = (side, title) => {
    const stage = new Stage({ testid: `orders-${side}`, label: title, tallest: 0.42, paint: () => {
      if (!data) return;
      const trace = { ...data[side], palette: data.palette };
      const done = transport.position === transport.length;
      drawTrace(stage, trace, transport.position, { phase: transport.phase, named: stage.width > 380, arrival: !done });
      if (side === "right" && done) for (const i of data.differs) stage.point(trace.points[i], { ring: stage.ink, radius: stage.dot * 1.8, width: 2 });
    } });
    const words = el("h4", { "data-testid": `orders-${side}-words` });
    return { stage, words, box: el("div", { class: "panel" }, words, stage.box) };
  };
  const left = panel("left", "First order"), right = panel("right", "Another order");
  const transport = new Transport({ prefix: "orders", noun: "point", frame, step: 500, render: () => show() });

  const score = new Score("orders", () => {});
  score.on = true;
  const choice = (name, words, same) => el("button", { type: "button", "data-testid": `orders-${name}`, onclick: () => answer(same) }, words);
  const choices = [choice("same", "Yes, the same (Y)", true), choice("another", "No, another (N)", false)];
  const more = (name, words, number) =>
    el("button", { type: "button", "data-testid": name, onclick: () => { transport.pause(); view.trigger("more", number); } }, words);
  const buttons = [more("orders-new", "New order", 1), more("orders-twenty", "Try 20 more", 20)];
  frame.board.classList.add("pair");
  frame.board.append(left.box, right.box);
  frame.controls.append(transport.row, el("div", { class: "row" }, ...choices, score.words, ...buttons));
  frame.extras.append(el("p", { class: "hint" }, "Ringed points ended in another cluster than on the left."),
    el("div", { class: "row" }, ...linkButton("orders", () => ({ ...data.link, tried: data.tried, step: transport.position }))));
  frame.place(parent);

  function answers(key) {
    return said === null ? { y: () => answer(true), n: () => answer(false) }[key] : null;
  }
  function answer(same) {
    said = same;
    transport.go(0);
    transport.play();
  }
  function show() {
    if (!data) return;
    const { position, length } = transport;
    const done = position === length && !transport.playing;
    left.words.textContent = `First order: K = ${data.left.counts[position]}`;
    right.words.textContent = `Order ${data.tried}: K = ${data.right.counts[position]}`;
    for (const button of choices) button.disabled = said !== null || done;
    const ending = data.same ? "This order gave the same clusters." : "This order gave other clusters.";
    if (done && said !== null && !verdict) verdict = score.count(said === data.same, said ? "the same" : "another");
    if (done) sentence.textContent = `${verdict} ${ending} ${data.words}`.trim();
    else if (said === null) sentence.textContent = QUESTION;
    else sentence.textContent = `You said: ${said ? "the same" : "another"}. Watch.`;
    root.dataset.asking = said === null && !done;
    left.stage.request();
    right.stage.request();
  }
  view.update = (fresh) => {
    const old = data;
    data = fresh;
    for (const { stage } of [left, right]) stage.setWorld(data.world);
    Object.assign(root.dataset, { tried: data.tried, changed: data.changed });
    for (const button of buttons) button.disabled = data.all;
    const asked = !old || old.story !== data.story || old.tried !== data.tried;
    if (asked) { said = null; verdict = ""; }
    // one new order is a new question; twenty are counted at once
    const jumped = old && old.story === data.story && data.tried - old.tried > 1;
    const opening = jumped ? data.left.steps.length : old ? 0 : data.open?.step ?? 0;
    transport.setLength(data.left.steps.length, asked ? opening : transport.position);
  };
  view.destroy = () => { transport.destroy(); left.stage.destroy(); right.stage.destroy(); frame.destroy(); };
  return view;
});
