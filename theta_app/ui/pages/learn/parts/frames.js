// One picture and one slider: every value of it is a clustering that Python made. The lesson on failures is told with it.

import { el, say } from "./dom.js";
import { Frame } from "./frame.js";
import { Stage } from "./stage.js";
import { thetaLabel } from "./trace.js";
import { Transport } from "./transport.js";

export const framesView = (host) => {
  const frame = new Frame(host, { testid: "frames", label: "What goes wrong, and when" });
  let data = null;
  const hue = (k) => data.palette[k % data.palette.length];
  const now = () => data.frames[transport.position];

  const stage = new Stage({ testid: "frames-canvas", label: "Points coloured by cluster", tallest: 0.32, paint: () => {
    if (!data) return;
    const { points, labels, centroids, numbers, theta, links } = now();
    if (theta && data.discs) centroids.forEach((c, k) => stage.circle(c, theta, { stroke: hue(numbers[k]), fill: hue(numbers[k]), alpha: 0.5 }));
    points.forEach((p, i) => (labels[i] < 0 ? stage.point(p, { ring: stage.ink, radius: stage.dot * 0.9, width: 2 })
      : stage.point(p, { fill: hue(labels[i]), ring: stage.paper, width: 1, radius: stage.dot * 0.85 })));
    for (const [i, j, cluster] of links ?? []) stage.segment(centroids[i], centroids[j], { width: 3, stroke: hue(cluster) });
    if (!links) centroids.forEach((c, k) => stage.centroid(c, hue(numbers[k]), centroids.length < 20 ? numbers[k] : null));
    if (theta && data.discs && centroids.length) thetaLabel(stage, centroids[0], theta, stage.ink);
  } });
  const reading = el("output", { class: "big", "data-testid": "frames-value" }), count = el("output", { class: "big", "data-testid": "frames-k" });
  const transport = new Transport({ prefix: "frames", noun: "value", frame, step: 350, render: () => {
    if (!data) return;
    const { value, k, words, links } = now();
    reading.textContent = `${data.slider} ${say(value)}`;
    count.textContent = `${links ? "K'" : "K"} = ${k}`;
    frame.sentence.textContent = words;
    transport.scrub.setAttribute("aria-valuetext", `${data.slider} ${say(value)}, ${k} clusters`);
    stage.request();
  } });
  transport.scrub.dataset.testid = "frames-range";
  frame.board.append(stage.box);
  frame.tools(transport, reading, count);
  return {
    root: frame.root, frame, transport,
    share: () => ({ ...data.link, step: transport.position }),
    state: () => {
      const { value, labels, theta, epsilon, ari, points, outliers } = now();
      const kept = new Set(labels.filter((label) => label >= 0));
      return [value, kept.size, theta ?? 0, epsilon ?? 0, ari, points.length, outliers ?? 0, data.made, data.columns ?? 0, ...data.values];
    },
    update: (fresh) => {
      const opening = data?.opening !== fresh.opening;
      data = fresh;
      stage.setWorld(data.world);
      transport.scrub.setAttribute("aria-label", data.slider);
      transport.setLength(data.frames.length - 1, opening ? data.open?.step ?? data.opens ?? 0 : transport.position);
    },
    destroy: () => { transport.destroy(); stage.destroy(); frame.destroy(); },
  };
};
