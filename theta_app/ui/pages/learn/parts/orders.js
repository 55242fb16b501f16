// Order matters: the same points in two orders, played in step. The question comes first, and the play stops where they part.

import { el } from "./dom.js";
import { Frame } from "./frame.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";
import { drawDecision, drawTrace } from "./trace.js";

const FEW = 16; // so many points are all named
const AHEAD = 5; // arrivals of the order shown on either side of the present one

export const ordersView = (host) => {
  const frame = new Frame(host, { testid: "orders", label: "The same points in two orders" });
  const { root, sentence } = frame;
  let data = null;
  const letter = { left: "A", right: "B" };

  const parted = () => data.parting && transport.position === data.parting.step;
  /** Points are called by when they arrive in order A, in both pictures. */
  const names = () => (data.left.points.length <= FEW ? data.names
    : Object.fromEntries((parted() ? data.parting.points : []).map((i) => [i, data.names[i]])));

  const panel = (side) => {
    const stage = new Stage({ testid: `orders-${side}`, label: `Order ${letter[side]}`, tallest: 0.145, paint: () => {
      if (!data) return;
      const trace = { ...data[side], palette: data.palette };
      const done = transport.position === transport.length, apart = parted();
      drawTrace(stage, trace, transport.position, { phase: transport.phase, named: stage.width > 300, arrival: !done && !apart, names: names() });
      if (apart) drawDecision(stage, trace.points, data.parting[side], trace.theta);
      if (side === "right" && done && !apart) for (const i of data.differs) stage.point(trace.points[i], { ring: stage.ink, radius: stage.dot * 1.8, width: 2 });
    } });
    const words = el("h4", { "data-testid": `orders-${side}-words` }), order = el("p", { class: "sequence", "data-testid": `orders-${side}-order` });
    return { stage, words, order, box: el("div", { class: "panel" }, words, order, stage.box) };
  };
  const panels = { left: panel("left"), right: panel("right") };
  const transport = new Transport({ prefix: "orders", noun: "point", frame, step: 500, render: () => show() });

  const more = (name, words, number) =>
    el("button", { type: "button", "data-testid": name, onclick: () => { transport.pause(); host.trigger("more", number); } }, words);
  const buttons = [more("orders-new", "New order B", 1), more("orders-twenty", "Try 20 more", 20)];
  frame.board.classList.add("pair");
  frame.board.append(panels.left.box, panels.right.box);
  frame.tools(transport, ...buttons, el("span", { class: "hint" }, "Ringed points differ from A."));

  /** The arrivals around the present one, by name; it is marked, or, where the orders part, the one that is decided about. */
  function sequence(side) {
    const { steps } = data[side], at = parted() ? steps.findIndex(({ point }) => point === data.parting[side].point) + 1 : transport.position;
    const from = Math.max(0, Math.min(at - AHEAD, steps.length - 2 * AHEAD)), to = Math.min(steps.length, from + 2 * AHEAD);
    const parts = [from ? "… " : ""];
    for (let i = from; i < to; i++) {
      const name = data.names[steps[i].point];
      parts.push(i === at - 1 ? el("b", {}, name) : name, i < steps.length - 1 ? ", " : "");
    }
    return [...parts, to < steps.length ? "…" : ""];
  }
  function show() {
    if (!data) return;
    const { position, length } = transport;
    for (const side of ["left", "right"]) {
      panels[side].words.textContent = `Order ${letter[side]}: K = ${data[side].counts[position]}`;
      panels[side].order.replaceChildren(...sequence(side));
      panels[side].stage.request();
    }
    const verdict = host.question.told?.verdict ?? "";
    if (parted() && host.pointer < data.moments.length - 1) sentence.textContent = data.parting.apart;
    else if (position === length) sentence.textContent = `${verdict} ${data.words}`.trim();
    else if (!position) sentence.textContent = data.left.start;
    else sentence.textContent = `Point ${data.names[data.left.steps[position - 1].point]} arrives in A, point ${data.names[data.right.steps[position - 1].point]} in B.`;
    root.dataset.parted = parted();
  }
  return {
    root, frame, transport,
    share: () => ({ ...data.link, tried: data.tried, step: transport.position }),
    state: () => {
      const { position } = transport, distances = data.parting ? [data.parting.left, data.parting.right].map(({ distance }) => distance) : [];
      return [data.left.theta, data.left.points.length, data.left.counts[position], data.right.counts[position], data.tried, data.changed, ...data.seen, ...distances,
        ...(data.parting?.points ?? []).map((i) => data.names[i]), data.parting?.step ?? 0];
    },
    update: (fresh) => {
      const old = data;
      data = fresh;
      for (const { stage } of Object.values(panels)) stage.setWorld(data.world);
      Object.assign(root.dataset, { tried: data.tried, changed: data.changed });
      for (const button of buttons) button.disabled = data.all;
      const opening = old?.opening !== data.opening, other = opening || old.tried !== data.tried;
      if (other) { host.revealed.clear(); host.pointer = 0; host.question.forget(); host.question.told = null; }
      // one new order is a new question; twenty are counted at once
      const jumped = !opening && data.tried - old.tried > 1;
      transport.setLength(data.left.steps.length, !other ? transport.position : jumped ? data.left.steps.length : opening ? data.open?.step ?? 0 : 0);
    },
    destroy: () => { transport.destroy(); for (const { stage } of Object.values(panels)) stage.destroy(); frame.destroy(); },
  };
};
