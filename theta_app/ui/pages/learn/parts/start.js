// The first lesson: pictures, each with a sentence or two; where there is a θ, it can be dragged.

import { el, range, say } from "./dom.js";
import { Frame } from "./frame.js";
import { Stage } from "./stage.js";
import { thetaLabel } from "./trace.js";
import { Transport } from "./transport.js";

export const startView = (host) => {
  const frame = new Frame(host, { testid: "start", label: "What a cluster is" });
  let data = null, dragged = null; // dragged: which θ of the row, once the person has touched it
  const hue = (k) => data.palette[k % data.palette.length];

  /** What is drawn: the picture's own clusters, or those of the θ that was dragged to. */
  const picture = () => {
    const own = data.pictures[transport.position];
    return own.theta && dragged !== null ? { ...own, ...data.dragged[dragged] } : own;
  };

  const stage = new Stage({ testid: "start-canvas", label: "Points and what is found among them", tallest: 0.3, paint: () => {
    if (!data) return;
    const { labels, centroids, theta } = picture();
    if (theta) centroids.forEach((c, k) => stage.circle(c, theta, { stroke: hue(k), fill: hue(k), alpha: 0.8 }));
    data.points.forEach((p, i) => (labels ? stage.point(p, { fill: hue(labels[i]), ring: stage.paper, width: 1 })
      : stage.point(p, { fill: stage.ink, alpha: 0.85 })));
    centroids.forEach((c, k) => stage.centroid(c, hue(k), k));
    if (theta && centroids.length) thetaLabel(stage, centroids[0], theta);
  } });
  const title = el("h3", { "data-testid": "start-title" });
  const thetaWords = el("output", { class: "big", "data-testid": "start-theta" });
  const count = el("output", { class: "big", "data-testid": "start-k" });
  const thetaRange = range("start-theta-range", "θ, the distance", { min: 0, max: 1, step: 1 }, (value) => { dragged = value; transport.show(); });
  const dragging = el("label", { class: "grow" }, thetaWords, thetaRange);
  const transport = new Transport({ prefix: "start", noun: "picture", frame, step: 6000, render: () => {
    if (!data) return;
    const { title: name, theta, labels } = picture(), number = transport.position + 1;
    title.textContent = `${number}. ${name}`;
    transport.counter.textContent = `picture ${number} of ${data.pictures.length}`;
    const k = new Set(labels ?? []).size;
    for (const each of [dragging, count]) each.style.visibility = theta ? "visible" : "hidden"; // their room stays: nothing moves
    thetaWords.textContent = theta ? `θ = ${say(theta)}` : "";
    count.textContent = `K = ${k}`;
    if (theta && dragged === null) thetaRange.value = nearestIndex(data.dragged.map((one) => one.theta), theta);
    thetaRange.setAttribute("aria-valuetext", `θ ${say(theta ?? 0)}, ${k} clusters`);
    frame.sentence.textContent = !labels ? `${data.points.length} points, nothing known about them.`
      : theta ? `θ = ${say(theta)} gives ${k} ${k === 1 ? "cluster" : "clusters"}. Drag θ and watch K.` : `${k} clusters.`;
    stage.request();
  } });
  let before = 0;
  frame.board.append(el("div", { class: "panel" }, title, stage.box));
  frame.tools(transport, dragging, count);

  return {
    root: frame.root, frame, transport,
    share: () => ({ ...data.link, step: transport.position }),
    state: () => {
      const { labels, theta } = picture();
      const others = transport.position === data.pictures.length - 1 ? data.dragged.flatMap((one) => [one.theta, new Set(one.labels).size]) : [];
      return [data.points.length, ...(labels ? [new Set(labels).size] : []), theta ?? 0, data.k, ...others];
    },
    update: (fresh) => {
      const opening = data?.opening !== fresh.opening;
      data = fresh;
      stage.setWorld(data.world);
      thetaRange.max = data.dragged.length - 1;
      if (opening) dragged = null;
      transport.setLength(data.pictures.length - 1, opening ? data.open?.step ?? 0 : transport.position);
      before = transport.position;
    },
    act: () => { if (transport.position !== before) { before = transport.position; dragged = null; } return null; },
    destroy: () => { transport.destroy(); stage.destroy(); frame.destroy(); },
  };
};

function nearestIndex(values, wanted) {
  return values.reduce((best, value, i) => (Math.abs(value - wanted) < Math.abs(values[best] - wanted) ? i : best), 0);
}
