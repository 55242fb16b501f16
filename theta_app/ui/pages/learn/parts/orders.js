// Order matters: the same points in two orders, played side by side; a button asks Python for another order.

import { mount } from "./mount.js";
import { el } from "./dom.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";
import { drawTrace } from "./trace.js";

export default (component) => mount(component, (parent) => {
  const root = el("div", { class: "lesson still", "data-testid": "orders", tabindex: 0, role: "group", "aria-label": "The same points in two orders" });
  const view = { root };
  let data = null;

  const panel = (side, title) => {
    const stage = new Stage({ testid: `orders-${side}`, label: title, tallest: 0.42, paint: () => {
      if (!data) return;
      const trace = { ...data[side], palette: data.palette };
      drawTrace(stage, trace, transport.position, transport.phase, { numbers: stage.width > 420, arrival: transport.position < transport.length });
      if (side === "right" && transport.position === transport.length)
        for (const i of data.differs) stage.point(trace.points[i], { ring: stage.ink, radius: stage.dot * 1.8, width: 2 });
    } });
    const words = el("h4", { "data-testid": `orders-${side}-words` });
    return { stage, words, box: el("div", {}, words, stage.box) };
  };
  const left = panel("left", "First order"), right = panel("right", "Another order");
  const transport = new Transport({ prefix: "orders", noun: "point", owner: root, step: 500, render: (position) => {
    if (!data) return;
    left.words.textContent = `First order: K = ${data.left.counts[position]}`;
    right.words.textContent = `Order ${data.tried}: K = ${data.right.counts[position]}`;
    left.stage.request();
    right.stage.request();
  } });
  const counter = el("p", { class: "sentence", "data-testid": "orders-count", "aria-live": "polite" });
  const button = (name, words, more) =>
    el("button", { type: "button", "data-testid": name, onclick: () => { transport.pause(); view.trigger("more", more); } }, words);
  root.append(el("div", { class: "pair" }, left.box, right.box), counter, transport.row,
    el("div", { class: "row" }, button("orders-new", "New order", 1), button("orders-twenty", "Try 20 more", 20),
      el("p", { class: "hint" }, "Ringed points ended in another cluster than on the left.")));
  parent.append(root);

  view.update = (fresh) => {
    const same = data && data.story === fresh.story && data.tried === fresh.tried;
    data = fresh;
    for (const { stage } of [left, right]) stage.setWorld(data.world);
    const orders = data.tried === 1 ? "order" : "orders";
    counter.textContent = `${data.changed} of ${data.tried} other ${orders} gave another result; K was ${data.counts.join(", ")}.`;
    root.dataset.tried = data.tried;
    root.dataset.changed = data.changed;
    transport.setLength(data.left.steps.length, same ? transport.position : data.left.steps.length);
  };
  view.destroy = () => { transport.destroy(); left.stage.destroy(); right.stage.destroy(); };
  return view;
});
