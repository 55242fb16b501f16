// The first lesson: six pictures, each with a sentence or two.

import { mount } from "./mount.js";
import { el } from "./dom.js";
import { Frame } from "./frame.js";
import { linkButton } from "./link.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";

export default (component) => mount(component, (parent) => {
  const frame = new Frame({ testid: "start", label: "What a cluster is", keys: (key) => transport.act(key) });
  const view = { root: frame.root };
  let data = null;
  const picture = () => data.pictures[transport.position];
  const hue = (k) => data.palette[k % data.palette.length];

  const stage = new Stage({ testid: "start-canvas", label: "Points and what is found among them", paint: () => {
    if (!data) return;
    const { labels, centroids, theta } = picture();
    if (theta) centroids.forEach((c, k) => stage.circle(c, theta, { stroke: hue(k), fill: hue(k), alpha: 0.8 }));
    data.points.forEach((p, i) => (labels ? stage.point(p, { fill: hue(labels[i]), ring: stage.paper, width: 1 })
      : stage.point(p, { fill: stage.ink, alpha: 0.85 })));
    centroids.forEach((c, k) => stage.centroid(c, hue(k), k));
  } });
  const title = el("h4", { "data-testid": "start-title" });
  const transport = new Transport({ prefix: "start", noun: "picture", frame, step: 6000, render: () => {
    if (!data) return;
    const { title: name, words } = picture(), number = transport.position + 1;
    title.textContent = `${number}. ${name}`;
    transport.counter.textContent = `picture ${number} of ${data.pictures.length}`;
    frame.sentence.textContent = words;
    stage.request();
  } });
  frame.board.append(el("div", { class: "panel" }, title, stage.box));
  frame.controls.append(transport.row);
  frame.extras.append(el("div", { class: "row" }, ...linkButton("start", () => ({ ...data.link, step: transport.position }))));
  frame.place(parent);

  view.update = (fresh) => {
    const first = !data;
    data = fresh;
    stage.setWorld(data.world);
    transport.setLength(data.pictures.length - 1, first ? data.open?.step ?? 0 : transport.position);
  };
  view.destroy = () => { transport.destroy(); stage.destroy(); frame.destroy(); };
  return view;
});
