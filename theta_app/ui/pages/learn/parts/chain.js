// Chaining: links shorter than ε appear as ε grows; the chaining list is shown as it is built.

import { mount } from "./mount.js";
import { el, range, say, sign } from "./dom.js";
import { Stage } from "./stage.js";

export default (component) => mount(component, (parent) => {
  const root = el("div", { class: "lesson still", "data-testid": "chain", tabindex: 0, role: "group", "aria-label": "Chaining small clusters" });
  const view = { root };
  let data = null, epsilon = 0, playing = 0;

  // strictly shorter, as TNC chains
  const shorter = (lengths) => lengths.reduce((n, length) => n + (length < epsilon), 0);
  const chain = () => data.chains[shorter(data.tree)];
  const hue = (k) => data.palette[k % data.palette.length];

  const stage = new Stage({ testid: "chain-canvas", label: "Small clusters and the links between them", paint: () => {
    if (!data) return;
    const now = chain(), names = [...new Set(now)];
    const colour = (centroid) => hue(data.lists ? now[centroid] : names.indexOf(now[centroid]));
    data.points.forEach((p, i) => stage.point(p, { fill: colour(data.labels[i]), radius: stage.dot * 0.65, alpha: 0.75 }));
    data.centroids.forEach((c) => stage.circle(c, epsilon / 2, { stroke: stage.accent, alpha: data.lists ? 0.8 : 0.25, dash: [4, 4], width: 1.2 }));
    for (const [i, j, length] of data.links)
      if (length < epsilon) stage.segment(data.centroids[i], data.centroids[j], { width: 3.5, stroke: colour(i) });
    data.centroids.forEach((c, k) => stage.centroid(c, colour(k), k, data.lists ? { size: stage.dot * 2.6 } : {}));
  } });
  const sentence = el("p", { class: "sentence", "data-testid": "chain-sentence", "aria-live": "polite" });
  const list = el("ol", { class: "steps", "data-testid": "chain-list" });
  const kWords = el("output", { class: "big", "data-testid": "chain-k" });
  const epsilonWords = el("output", { class: "big", "data-testid": "chain-epsilon" });
  const slider = range("chain-range", "ε, the length of links", { min: 0, max: 1, step: 0.01, value: 0 }, (v) => { stop(); epsilon = v; show(); }, () => send());
  const playButton = el("button", { type: "button", class: "key main", "data-testid": "chain-play", "aria-label": "Let ε grow (space)", title: "Let ε grow (space)", onclick: () => toggle() });
  sign(playButton, "play");
  const side = el("div", { class: "column" }, list);
  root.append(el("div", { class: "wide" }, stage.box, side), sentence,
    el("div", { class: "row" }, playButton, el("label", { class: "grow" }, epsilonWords, slider), kWords));
  parent.append(root);

  function send() { if (data.asks) view.send("epsilon", epsilon); }
  function stop() { cancelAnimationFrame(playing); playing = 0; sign(playButton, "play"); }
  function toggle() {
    if (playing) { stop(); send(); return; }
    if (epsilon >= data.epsilonMax - 1e-9) epsilon = 0;
    sign(playButton, "pause");
    let last = null; // a frame's time may lie before the moment it was asked for
    const tick = (now) => {
      if (!root.isConnected) return;
      epsilon = Math.min(data.epsilonMax, epsilon + ((now - (last ?? now)) / 9000) * data.epsilonMax);
      last = now;
      show();
      if (epsilon >= data.epsilonMax) { stop(); send(); } else playing = requestAnimationFrame(tick);
    };
    playing = requestAnimationFrame(tick);
  }
  root.addEventListener("keydown", (event) => {
    if (event.composedPath()[0].tagName === "BUTTON" || event.key !== " ") return;
    event.preventDefault();
    toggle();
  });

  const bracket = (rows) => `[${rows.map((row) => `[${row.join(", ")}]`).join(", ")}]`;
  function show() {
    const now = chain(), k = new Set(now).size;
    const links = data.links.filter(([, , length]) => length < epsilon);
    epsilonWords.textContent = `ε = ${epsilon.toFixed(2)}`;
    kWords.textContent = `K' = ${k}`;
    slider.value = epsilon;
    slider.setAttribute("aria-valuetext", `ε ${epsilon.toFixed(2)}, ${k} clusters`);
    root.dataset.links = links.length;
    root.dataset.chain = JSON.stringify(now);
    const last = links[links.length - 1];
    sentence.textContent = !last ? `No two centroids are closer than ε: K' = ${k}.`
      : `${links.length} ${links.length === 1 ? "link is" : "links are"} shorter than ε; the newest joins ${last[0]} and ${last[1]}, ${say(last[2])} apart. K' = ${k}.`;
    if (data.lists) {
      const rows = data.lists[links.length];
      const entry = (small, text) => el("li", {}, el("small", {}, small), el("span", { class: "list" }, text));
      list.replaceChildren(
        entry("One list per centroid, before any link", bracket(now.map((_, i) => [i]))),
        entry("Linked centroids share their lists", bracket(rows)),
        entry("Each keeps its smallest index", `[${now.join(", ")}]`),
        entry("Different ones are the clusters", `K' = ${k}`));
    }
    stage.request();
  }
  view.update = (fresh) => {
    const newStory = !data || data.story !== fresh.story;
    data = fresh;
    side.style.display = data.lists ? "" : "none";
    side.parentElement.classList.toggle("wide", !!data.lists);
    stage.setWorld(data.world);
    slider.max = data.epsilonMax;
    slider.step = data.epsilonMax / 400;
    if (newStory) { stop(); epsilon = data.epsilon ?? 0; }
    show();
  };
  view.destroy = () => { stop(); stage.destroy(); };
  return view;
});
