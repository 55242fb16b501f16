// TSG beside K-Means: the same points, one transport that runs by distances computed, NMI and the count below each.

import { el } from "./dom.js";
import { Frame } from "./frame.js";
import { mix, Stage } from "./stage.js";
import { Transport } from "./transport.js";
import { drawTrace } from "./trace.js";

export const besideView = (host) => {
  const frame = new Frame(host, { testid: "beside", label: "TSG beside K-Means" });
  const { root, sentence } = frame;
  let data = null;
  const hue = (k) => data.palette[k % data.palette.length];

  /** Where both stand: `points` of TSG; of K-Means the round, how many points it has assigned there, whether its centres have moved. */
  const moment = () => {
    const [points, number, assigned, moved] = data.moments_of_both[Math.min(transport.position, data.moments_of_both.length - 1)];
    return { points, number, assigned, moved, round: data.rounds[number], earlier: data.rounds[number - 1] };
  };

  const left = new Stage({ testid: "beside-left", label: "TSG with discs of radius θ", tallest: 0.145, paint: () => {
    if (!data) return;
    const { points } = moment(), done = points === data.left.steps.length;
    drawTrace(left, { ...data.left, palette: data.palette }, points, { phase: transport.phase, named: left.width > 380, arrival: !done, discs: true });
  } });
  const right = new Stage({ testid: "beside-right", label: "K-Means: the places nearest to each centre", tallest: 0.145, paint: () => {
    if (!data) return;
    const { round, earlier, assigned, moved } = moment();
    round.cells.forEach((cell, k) => cell.length && right.area(cell, hue(k), 0.16));
    data.left.points.forEach((p, i) => {
      const label = i < assigned ? round.labels[i] : earlier?.labels[i];
      if (label == null) right.point(p, { ring: right.ink, alpha: 0.85, radius: right.dot * 0.85, width: 2 });
      else right.point(p, { fill: hue(label), ring: right.paper, width: 1, alpha: i < assigned ? 1 : 0.5 });
    });
    round.before.forEach((centre, k) => {
      const at = moved ? mix(centre, round.after[k], transport.phase) : centre;
      if (moved) right.segment(centre, at, { width: 3, stroke: hue(k) });
      right.centroid(at, hue(k), right.width > 380 ? k : null);
    });
  } });
  const panel = (side, stage) => {
    const title = el("h4"), below = el("p", { class: "below", "data-testid": `beside-${side}-words` });
    return { title, below, box: el("div", { class: "panel" }, title, stage.box, below) };
  };
  const panels = { left: panel("left", left), right: panel("right", right) };
  const transport = new Transport({ prefix: "beside", noun: "step", frame, step: 300, render: () => data && show() });
  frame.board.classList.add("pair");
  frame.board.append(panels.left.box, panels.right.box);
  frame.tools(transport, el("button", { type: "button", "data-testid": "beside-another", title: "Other first centres for K-Means, another order for TSG",
    onclick: () => { transport.pause(); host.trigger("another", Date.now()); } }, "Another start"));

  function show() {
    const now = moment(), { points, number, assigned, moved, round, earlier } = now, all = data.left.steps.length;
    const distances = (number * all + assigned) * round.before.length;
    panels.left.title.textContent = `TSG: K = ${data.left.counts[points]}, point ${points} of ${all}`;
    panels.left.below.textContent = told(data.leftDistances[points], points ? data.leftNmi[points] : null, points === all);
    panels.right.title.textContent = `K-Means: ${deed(now, all)}`;
    panels.right.below.textContent = told(distances, (assigned === all ? round : earlier)?.nmi ?? null, transport.position === transport.length);
    Object.assign(root.dataset, { leftDistances: data.leftDistances[points], rightDistances: distances, moved });
    sentence.textContent = words(now, all);
    left.request();
    right.request();
  }
  const deed = ({ number, assigned, moved }, all) => (!number && !assigned ? `${data.rounds[0].before.length} random centres`
    : `round ${number + 1}, ${moved ? "centres move" : `point ${assigned} of ${all}`}`);
  const told = (distances, nmi, done) => `${distances.toLocaleString("en")} distances${nmi === null ? "" : `, NMI ${nmi.toFixed(3)}`}${done ? ", finished" : ""}`;
  function words(now, all) {
    if (!transport.position) return "At every step both have computed about as many distances.";
    if (transport.position === transport.length) return "Both have finished.";
    if (now.points < all) return data.left.steps[now.points - 1].beats[3];
    return now.moved ? "TSG has finished. K-Means moves each centre to the mean of its points." : "TSG has finished. K-Means assigns every point to the nearest centre.";
  }
  const update = (fresh) => {
    const old = data;
    data = fresh;
    for (const stage of [left, right]) stage.setWorld(data.world);
    root.dataset.start = data.start;
    const opening = old?.opening !== data.opening, same = !opening && old.start === data.start;
    transport.setLength(data.moments_of_both.length - 1, same ? transport.position : opening ? data.open?.step ?? 0 : 0);
  };
  return {
    root, frame, transport, update,
    share: () => ({ ...data.link, start: data.start, step: transport.position }),
    state: () => {
      const { points, number, assigned, round, earlier } = moment(), all = data.left.steps.length;
      return [data.left.theta, all, data.leftDistances[points], (number * all + assigned) * round.before.length, data.left.counts[points], data.leftNmi[points], round.before.length,
        (assigned === all ? round : earlier)?.nmi ?? 0, number + 1, points, assigned, data.rounds.length, data.starts, data.start + 1, ...data.counted];
    },
    destroy: () => { transport.destroy(); for (const each of [left, right, frame]) each.destroy(); },
  };
};
