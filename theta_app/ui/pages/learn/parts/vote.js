// TDG's vote: shuffles accumulate, the second TSG groups their centroids, the points are reassigned.

import { mount } from "./mount.js";
import { el } from "./dom.js";
import { Stage } from "./stage.js";
import { chart } from "./chart.js";
import { Transport } from "./transport.js";

const LAYERS = [["marks", "1. Collect centroids"], ["groups", "2. Group them"], ["points", "3. Reassign points"]];

export default (component) => mount(component, (parent) => {
  const root = el("div", { class: "lesson still", "data-testid": "vote", tabindex: 0, role: "group", "aria-label": "TDG's vote" });
  const view = { root };
  let data = null, layer = "marks", followed = true;
  const hue = (k) => data.palette[k % data.palette.length];

  /** The second TSG's centroids after the first `count` marks. */
  const second = (count) => {
    const centroids = [];
    for (let m = 0; m < count; m++) centroids[data.groups[m]] = data.after[m];
    return centroids;
  };

  const stage = new Stage({ testid: "vote-canvas", label: "Centroids of every shuffle over the points", tallest: 0.42, paint: () => {
    if (!data) return;
    const s = transport.position, end = s ? data.ends[s - 1] : 0, begin = s > 1 ? data.ends[s - 2] : 0;
    const coloured = layer === "points" && s > 0;
    data.points.forEach((p, i) => {
      if (coloured) stage.point(p, { fill: hue(data.labels[s - 1][i]), radius: stage.dot * 0.8, ring: stage.paper, width: 1 });
      else stage.point(p, { fill: stage.ink, radius: stage.dot * 0.5, alpha: 0.22 });
    });
    const centroids = second(end);
    if (layer === "groups" && data.theta)
      centroids.forEach((c, k) => stage.circle(c, data.theta, { stroke: hue(k), alpha: 0.6, dash: [5, 5] }));
    if (layer !== "points" || !s)
      for (let m = 0; m < end; m++) {
        const fill = layer === "groups" ? hue(data.groups[m]) : stage.accent;
        stage.point(data.marks[m], { fill, radius: stage.dot * 0.75, alpha: m >= begin && layer === "marks" ? 0.95 : 0.28 });
        if (m >= begin && layer === "marks") stage.point(data.marks[m], { ring: stage.ink, radius: stage.dot * (1 + 1.6 * (1 - transport.phase)), width: 2 });
      }
    if (layer !== "marks") centroids.forEach((c, k) => stage.centroid(c, hue(k), k));
  } });
  const charts = {
    k: new Stage({ testid: "vote-k-chart", label: "K against the number of shuffles", tallest: 0.23, paint: () => data && line(charts.k, data.k, data.run_k, "K of TDG; dots: K of each single run", [0, Math.max(...data.run_k, ...data.k) + 1]) }),
    nmi: new Stage({ testid: "vote-nmi-chart", label: "NMI against the number of shuffles", tallest: 0.23, paint: () => data && line(charts.nmi, data.nmi, data.run_nmi, "NMI of TDG; dots: each single run", [Math.floor(10 * Math.min(...data.nmi, ...data.run_nmi)) / 10, 1]) }),
  };
  function line(where, values, single, title, [low, high]) {
    const xs = values.map((_, i) => i + 1), s = transport.position;
    chart(where, { xs, low, high, title, at: Math.max(1, s), ticks: [[1, "1"], [xs.length, `${xs.length} shuffles`]],
      dots: single.slice(0, s).map((v, i) => [i + 1, v]), lines: [{ values, colour: where.accent, upto: s }] });
  }
  for (const each of Object.values(charts)) each.world = [0, 2, 0, 1];

  const sentence = el("p", { class: "sentence", "data-testid": "vote-sentence" });
  const transport = new Transport({ prefix: "vote", noun: "shuffle", owner: root, step: 450, render: (s) => {
    if (!data) return;
    // at the end the two closing stages follow by themselves; whoever picks a stage keeps it
    if (followed && transport.wasPlaying && !transport.playing && s === transport.length) closing();
    transport.wasPlaying = transport.playing;
    words();
    stage.request();
    charts.k.request();
    charts.nmi.request();
  } });
  const buttons = LAYERS.map(([name, label]) => el("button", { type: "button", role: "radio", "data-testid": `vote-${name}`, onclick: () => { followed = false; pick(name); } }, label));
  const layers = el("div", { class: "row", role: "radiogroup", "aria-label": "What to show" }, ...buttons);
  root.append(el("div", { class: "wide" }, el("div", { class: "column" }, layers, stage.box), el("div", { class: "column" }, charts.k.box, charts.nmi.box)), sentence, transport.row);
  parent.append(root);

  function pick(name) {
    layer = name;
    buttons.forEach((b, i) => b.setAttribute("aria-checked", LAYERS[i][0] === name));
    root.dataset.layer = name;
    words();
    stage.request();
  }
  function closing() {
    followed = false;
    setTimeout(() => pick("groups"), 900);
    setTimeout(() => pick("points"), 2600);
  }
  function words() {
    if (!data) return;
    const s = transport.position;
    root.dataset.shuffles = s;
    root.dataset.marks = s ? data.ends[s - 1] : 0;
    sentence.setAttribute("aria-live", transport.playing ? "off" : "polite");
    if (!s) sentence.textContent = "No shuffle yet. Press play: each shuffle is one TSG run in a new order.";
    else if (layer === "marks") sentence.textContent = `Shuffle ${s} found ${data.run_k[s - 1]} centroids; ${data.ends[s - 1]} are collected so far.`;
    else if (layer === "groups") sentence.textContent = `A second TSG, same θ, over the ${data.ends[s - 1]} collected centroids: ${second(data.ends[s - 1]).length} groups.`;
    else sentence.textContent = `Every point goes to the closest group: K = ${data.k[s - 1]} of ${data.true_k}, NMI ${data.nmi[s - 1].toFixed(3)}.`;
  }

  view.update = (fresh) => {
    const newStory = !data || data.story !== fresh.story;
    data = fresh;
    stage.setWorld(data.world);
    if (newStory) { followed = true; pick("marks"); transport.pause(); transport.setLength(data.ends.length, 0); }
    else transport.setLength(data.ends.length);
  };
  view.destroy = () => { transport.destroy(); stage.destroy(); charts.k.destroy(); charts.nmi.destroy(); };
  return view;
});
