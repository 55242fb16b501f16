// Slide the clusters together: points, the closest pair across clusters, and order agreement, one frame per spacing.

import { el, say } from "./dom.js";
import { chart } from "./chart.js";
import { Frame } from "./frame.js";
import { along, Stage } from "./stage.js";
import { thetaLabel } from "./trace.js";
import { Transport } from "./transport.js";

export const lemmaView = (host) => {
  const frame = new Frame(host, { testid: "lemma", label: "Three clusters sliding together" });
  let data = null;
  const now = () => data.frames[transport.position];

  const stage = new Stage({ testid: "lemma-canvas", label: "Three clusters sliding together", tallest: 0.24, paint: () => {
    if (!data) return;
    const { points, labels, pair, gap } = now();
    points.forEach((p, i) => stage.point(p, { fill: data.palette[labels[i] % data.palette.length], ring: stage.paper, width: 1 }));
    const [a, b] = pair.map((i) => points[i]);
    stage.circle(a, data.theta, { stroke: stage.accent, dash: [7, 5], width: 2 });
    stage.segment(a, b, { width: 3, stroke: stage.ink });
    for (const p of [a, b]) stage.point(p, { ring: stage.ink, radius: stage.dot * 1.6, width: 2.5 });
    stage.label(say(gap), along(a, b, stage.text * 0.4), { rank: 0 });
    thetaLabel(stage, a, data.theta);
  } });
  const curve = new Stage({ testid: "lemma-curve", label: "Order agreement against the distance of the closest pair", tallest: 0.2, free: true, paint: () => {
    if (!data) return;
    const xs = data.frames.map((one) => -one.gap); // to the right: closer together
    chart(curve, { xs, lines: [{ values: data.frames.map((one) => one.agreement), colour: curve.accent }], low: 0.5, high: 1, at: xs[transport.position],
      zone: { from: xs[0], to: -data.theta, name: "θ-sparse" }, title: "Order agreement against the distance of the closest pair",
      ticks: [[xs[0], say(-xs[0])], [-data.theta, `θ = ${say(data.theta)}`], [-data.theta / 2, "θ/2"], [xs[xs.length - 1], say(-xs[xs.length - 1])]] });
  } });
  curve.world = [0, 5, 0, 1];
  const agreement = el("output", { class: "big", "data-testid": "lemma-agreement" });
  const transport = new Transport({ prefix: "lemma", noun: "spacing", frame, step: 200, render: () => {
    if (!data) return;
    frame.sentence.textContent = now().words;
    agreement.textContent = `agreement ${now().agreement.toFixed(2)}`;
    transport.scrub.setAttribute("aria-valuetext", now().words);
    for (const each of [stage, curve]) each.request();
  } });
  transport.scrub.dataset.testid = "lemma-range";
  transport.scrub.setAttribute("aria-label", "Slide the clusters together");
  frame.board.classList.add("stacked");
  frame.board.append(stage.box, curve.box);
  frame.tools(transport, agreement);
  return {
    root: frame.root, frame, transport,
    share: () => ({ ...data.link, step: transport.position }),
    state: () => [data.theta, now().gap, now().agreement, data.shuffles, ...now().k, data.frames[0].points.length, new Set(data.frames[0].labels).size],
    update: (fresh) => {
      const opening = data?.opening !== fresh.opening;
      data = fresh;
      stage.setWorld(data.world);
      transport.setLength(data.frames.length - 1, opening ? data.open?.step ?? 0 : transport.position);
    },
    destroy: () => { transport.destroy(); for (const each of [stage, curve, frame]) each.destroy(); },
  };
};
