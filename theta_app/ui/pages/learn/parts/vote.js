// TDG's vote: shuffles accumulate, the second TSG groups their centroids, the points are reassigned.

import { el } from "./dom.js";
import { chart } from "./chart.js";
import { Code } from "./code.js";
import { Frame } from "./frame.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";

const LAYERS = [["marks", "1. Collect"], ["groups", "2. Group"], ["points", "3. Reassign"]];

export const voteView = (host) => {
  const code = new Code("vote-code");
  const frame = new Frame(host, { testid: "vote", label: "TDG's vote", code: code.box });
  const { root, sentence } = frame;
  let data = null, picked = null; // a layer that the person picked: it stays until the vote is played or started again
  const hue = (k) => data.palette[k % data.palette.length];

  const shuffles = () => Math.min(transport.position, data.ends.length);
  // the two closing stages are the last two steps
  const layer = () => picked ?? LAYERS[Math.max(0, transport.position - data.ends.length)][0];

  /** The second TSG's centroids after the first `count` marks. */
  const second = (count) => {
    const centroids = [];
    for (let m = 0; m < count; m++) centroids[data.groups[m]] = data.after[m];
    return centroids;
  };

  const stage = new Stage({ testid: "vote-canvas", label: "Centroids of every shuffle over the points", tallest: 0.26, paint: () => {
    if (!data) return;
    const s = shuffles(), shown = layer(), end = s ? data.ends[s - 1] : 0, begin = s > 1 ? data.ends[s - 2] : 0;
    const coloured = shown === "points" && s > 0;
    data.points.forEach((p, i) => {
      if (coloured) stage.point(p, { fill: hue(data.labels[s - 1][i]), radius: stage.dot * 0.8, ring: stage.paper, width: 1 });
      else stage.point(p, { fill: stage.ink, radius: stage.dot * 0.5, alpha: stage.onStage ? 0.5 : 0.35 });
    });
    const centroids = second(end);
    if (shown === "groups" && data.theta)
      centroids.forEach((c, k) => stage.circle(c, data.theta, { stroke: hue(k), alpha: 0.6, dash: [5, 5] }));
    if (!coloured)
      for (let m = 0; m < end; m++) {
        const fill = shown === "groups" ? hue(data.groups[m]) : stage.accent;
        stage.point(data.marks[m], { fill, radius: stage.dot * 0.75, alpha: m >= begin && shown === "marks" ? 0.95 : 0.28 });
        if (m >= begin && shown === "marks") stage.point(data.marks[m], { ring: stage.ink, radius: stage.dot * (1 + 1.6 * (1 - transport.phase)), width: 2 });
      }
    if (shown !== "marks") centroids.forEach((c, k) => stage.centroid(c, hue(k), k));
  } });
  const charts = {
    k: new Stage({ testid: "vote-k-chart", label: "K against the number of shuffles", tallest: 0.12, free: true, paint: () => data && line(charts.k, data.k, data.run_k, "K", [0, Math.max(...data.run_k, ...data.k) + 1]) }),
    nmi: new Stage({ testid: "vote-nmi-chart", label: "NMI against the number of shuffles", tallest: 0.12, free: true, paint: () => data && line(charts.nmi, data.nmi, data.run_nmi, "NMI", [Math.floor(10 * Math.min(...data.nmi, ...data.run_nmi)) / 10, 1]) }),
  };
  function line(where, values, single, title, [low, high]) {
    const xs = values.map((_, i) => i + 1), s = shuffles();
    chart(where, { xs, low, high, title, at: Math.max(1, s), legend: ["TDG", "one run"], ticks: [[1, "1"], [xs.length, `${xs.length} shuffles`]],
      dots: single.slice(0, s).map((v, i) => [i + 1, v]), lines: [{ values, colour: where.accent, upto: s }] });
  }
  for (const each of Object.values(charts)) each.world = [0, 2, 0, 1];

  const transport = new Transport({ prefix: "vote", noun: "step", frame, step: 450, render: () => {
    if (!data) return;
    if (transport.playing || transport.position === 0) picked = null;
    show();
  } });
  const buttons = LAYERS.map(([name, label]) => el("button", { type: "button", role: "radio", "data-testid": `vote-${name}`, onclick: () => { transport.pause(); picked = name; show(); } }, label));
  const layers = el("span", { class: "row", role: "radiogroup", "aria-label": "What to show" }, ...buttons);
  frame.board.classList.add("with-charts");
  frame.board.append(stage.box, el("div", { class: "column" }, charts.k.box, charts.nmi.box));
  frame.tools(transport, layers);

  function show() {
    const s = shuffles(), now = layer(), collected = s ? data.ends[s - 1] : 0;
    buttons.forEach((b, i) => b.setAttribute("aria-checked", LAYERS[i][0] === now));
    Object.assign(root.dataset, { layer: now, shuffles: s, marks: collected });
    const groups = second(collected).length;
    if (!s) sentence.textContent = "No shuffle yet: each is one TSG run in a new order.";
    else if (now === "marks") sentence.textContent = `Shuffle ${s} found ${data.run_k[s - 1]} centroids; ${collected} are collected so far.`;
    else if (now === "groups") sentence.textContent = `A second TSG, same θ, over the ${collected} collected centroids: ${groups} groups.`;
    else sentence.textContent = `Every point goes to the closest group: K = ${data.k[s - 1]} of ${data.true_k}, NMI ${data.nmi[s - 1].toFixed(3)}.`;
    const seen = s ? LAYERS.findIndex(([name]) => name === now) : -1;
    code.show(s ? data.lit[now] : data.lit.start, [
      "", s ? `shuffle ${s} of ${data.ends.length}` : "", s ? `${data.run_k[s - 1]} centroids` : "", s ? `Z has ${collected}` : "",
      seen >= 1 ? `${groups} groups` : "", seen >= 2 ? `${data.points.length} points` : "", seen >= 2 ? `K = ${data.k[s - 1]}` : "",
    ]);
    for (const each of [stage, charts.k, charts.nmi]) each.request();
  }

  const update = (fresh) => {
    const newStory = data?.opening !== fresh.opening;
    data = fresh;
    stage.setWorld(data.world);
    const length = data.ends.length + LAYERS.length - 1;
    if (newStory) {
      picked = null;
      code.setLines(data.code);
      transport.pause();
      transport.setLength(length, data.open?.step ?? 0);
    } else transport.setLength(length);
  };
  return {
    root, frame, transport, update,
    share: () => ({ ...data.link, step: transport.position }),
    state: () => {
      const s = shuffles(), end = s ? data.ends[s - 1] : 0;
      const at = s ? [data.run_k[s - 1], end, second(end).length, data.k[s - 1], data.nmi[s - 1]] : [];
      return [s, ...at, data.ends.length, data.true_k, data.given.theta, data.given.spacing, data.given.columns, ...data.told];
    },
    destroy: () => { transport.destroy(); for (const each of [stage, charts.k, charts.nmi, frame]) each.destroy(); },
  };
};
