// Chaining: links shorter than ε appear as ε grows, one step per link; the chaining list stands in the algorithm's lines.

import { el, range, say } from "./dom.js";
import { Code } from "./code.js";
import { Frame } from "./frame.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";

const LINK_BEATS = 4; // a link is found, its ends share lists, each keeps its smallest index, K' is counted
const LIT = [[3], [4], [5], [6]];
const SLIDER_REST = 250; // ms

export const chainView = (host) => {
  const code = new Code("chain-list");
  const frame = new Frame(host, { testid: "chain", label: "Chaining small clusters", code: code.box });
  const { root, sentence } = frame;
  let data = null, epsilon = 0, levels = []; // levels: ε at 0, 1, 2, ... links

  // strictly shorter, as TNC chains
  const shorter = (lengths) => lengths.reduce((n, length) => n + (length < epsilon), 0);
  const chain = () => data.chains[shorter(data.tree)];
  const hue = (k) => data.palette[k % data.palette.length];

  const stage = new Stage({ testid: "chain-canvas", label: "Small clusters and the links between them", tallest: 0.3, paint: () => {
    if (!data) return;
    const now = chain(), names = [...new Set(now)];
    const colour = (centroid) => hue(data.lists ? now[centroid] : names.indexOf(now[centroid]));
    data.points.forEach((p, i) => stage.point(p, { fill: colour(data.labels[i]), radius: stage.dot * 0.65, alpha: 0.75 }));
    data.centroids.forEach((c, k) => stage.circle(c, data.cores?.[k] ?? epsilon / 2, { stroke: stage.accent, alpha: data.lists ? 0.8 : 0.25, dash: [4, 4], width: 1.2 }));
    for (const [i, j, length] of data.links)
      if (length < epsilon) stage.segment(data.centroids[i], data.centroids[j], { width: 3.5, stroke: colour(i) });
    data.centroids.forEach((c, k) => stage.centroid(c, colour(k), data.cores ? null : k, data.lists ? { size: stage.dot * 2.6 } : {}));
  } });
  const kWords = el("output", { class: "big", "data-testid": "chain-k" });
  const epsilonWords = el("output", { class: "big", "data-testid": "chain-epsilon" });
  const slider = range("chain-range", "ε, the length of links", { min: 0, max: 1, step: 0.01, value: 0 }, (v) => { setEpsilon(v); }, () => send());
  let silent = false; // while the transport only follows the slider
  const transport = new Transport({ prefix: "chain", noun: "link", frame, step: 800, scrub: false, render: () => {
    if (!data) return;
    if (!silent) epsilon = reached();
    show();
    if (!silent && !transport.playing && transport.phase === 1) send();
  } });
  const quick = el("button", { type: "button", "data-testid": "chain-quick", "aria-pressed": true, title: "A whole link at a time", onclick: () => {
    const pressed = quick.getAttribute("aria-pressed") !== "true";
    quick.setAttribute("aria-pressed", pressed);
    transport.setBeats(pressed ? 1 : LINK_BEATS);
  } }, "Quick");
  transport.counter.classList.add("unused");
  const feedback = el("p", { class: "feedback", "data-testid": "chain-feedback", "aria-live": "polite", hidden: true });
  frame.board.append(stage.box);
  transport.row.append(el("label", { class: "grow" }, epsilonWords, slider));
  frame.tools(transport, kWords);
  frame.controls.append(feedback);
  frame.extras.append(el("div", { class: "row" }, quick));

  let sent = null, rest = 0;
  /** Tell Python where ε has come to rest: keys come faster than it can answer. */
  function send() {
    clearTimeout(rest);
    if (data.asks) rest = setTimeout(() => { if (sent !== epsilon) host.send("epsilon", (sent = epsilon)); }, SLIDER_REST);
  }
  function setEpsilon(value) {
    transport.pause();
    epsilon = value;
    silent = true;
    transport.go(levels.filter((level) => level <= epsilon).length - 1);
    silent = false;
  }
  /** ε where the transport stands; it grows during the first beat of a link. */
  function reached() {
    const { position, beat, phase } = transport;
    const before = levels[Math.max(0, position - 1)], after = levels[position];
    return beat === 0 ? before + (after - before) * phase : after;
  }

  const bracket = (rows) => `[${rows.map((row) => `[${row.join(", ")}]`).join(", ")}]`;
  function show() {
    const now = chain(), k = new Set(now).size;
    const shown = data.links.filter(([, , length]) => length < epsilon);
    epsilonWords.textContent = `ε = ${epsilon.toFixed(2)}`;
    kWords.textContent = `K' = ${k}`;
    slider.value = epsilon;
    slider.setAttribute("aria-valuetext", `ε ${epsilon.toFixed(2)}, ${k} clusters`);
    root.dataset.links = shown.length;
    root.dataset.chain = JSON.stringify(now);
    const last = shown[shown.length - 1];
    const less = data.cores ? "less deep than" : "shorter than";
    const over = last && (data.cores ? `over a depth of ${say(last[2])}` : `${say(last[2])} apart`);
    sentence.textContent = !last ? `${data.cores ? "No link is less deep than" : "No two centroids are closer than"} ε: K' = ${k}.`
      : `${shown.length} ${shown.length === 1 ? "link is" : "links are"} ${less} ε; the newest joins ${last[0]} and ${last[1]}, ${over}. K' = ${k}.`;
    const beat = transport.beats > 1 ? transport.beat : LINK_BEATS - 1;
    const running = transport.beats > 1 ? LIT[beat] : LIT.flat();
    code.show(last || transport.at ? running : [1], values(now, shown, last, k, beat));
    stage.request();
  }
  function values(now, shown, last, k, beat) {
    const start = [`K = ${now.length}`, data.lists ? bracket(now.map((_, i) => [i])) : "", ""];
    if (!last) return [...start, "none yet", "", "", `K' = ${k}`];
    const found = `${last[0]} and ${last[1]}: ${say(last[2])} < ε = ${epsilon.toFixed(2)}`;
    const later = [data.lists ? bracket(data.lists[shown.length]) : `${shown.length} links`, data.lists ? `[${now.join(", ")}]` : "", `K' = ${k}`];
    return [...start, found, ...later.map((value, i) => (i < beat ? value : ""))];
  }
  function showFeedback() {
    feedback.hidden = !data.asks; // empty, it keeps its room: nothing moves under the finger
    feedback.textContent = data.feedback?.words ?? "";
    feedback.classList.toggle("solved", Boolean(data.feedback?.solved));
  }
  const update = (fresh) => {
    const newStory = data?.opening !== fresh.opening;
    data = fresh;
    stage.setWorld(data.world);
    slider.max = data.epsilonMax;
    slider.step = data.epsilonMax / 400;
    showFeedback();
    if (newStory) {
      code.setLines(data.code);
      levels = levelsOf(data);
      transport.pause();
      transport.length = levels.length - 1;
      transport.setBeats(data.lists ? LINK_BEATS : 1);
      quick.setAttribute("aria-pressed", !data.lists);
      setEpsilon(data.open?.epsilon ?? data.epsilon ?? 0);
      sent = epsilon;
    } else show();
  };
  return {
    root, frame, transport, update,
    share: () => ({ ...data.link, epsilon: Number(epsilon.toFixed(4)) }),
    state: () => {
      const shown = data.links.filter(([, , length]) => length < epsilon), last = shown[shown.length - 1] ?? [];
      return [epsilon, new Set(chain()).size, shown.length, ...last, data.centroids.length, data.points.length, data.made, data.theta, ...data.tree, ...data.facts];
    },
    destroy: () => { transport.destroy(); stage.destroy(); frame.destroy(); },
  };
};

/** ε at 0, 1, 2, ... links: between the length of one link and the next, links of one length together. */
function levelsOf({ links, epsilonMax }) {
  const lengths = [...new Set(links.map(([, , length]) => length))];
  return [0, ...lengths.map((length, i) => (length + (lengths[i + 1] ?? epsilonMax)) / 2)];
}
