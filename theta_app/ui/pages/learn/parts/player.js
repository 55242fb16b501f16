// One point at a time: plays a trace, and lets points be dragged, added and removed. Every edit goes to Python, which
// runs TSG again and answers with the new trace; until then the old one is shown dimmed.

import { mount } from "./mount.js";
import { el, range, say } from "./dom.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";
import { drawTrace } from "./trace.js";

const PAUSE_BETWEEN_REQUESTS = 120; // ms; while dragging, one question is under way at most

export default (component) => mount(component, (parent) => {
  const root = el("div", { class: "lesson", "data-testid": "player", tabindex: 0, role: "group", "aria-label": "TSG, one point at a time" });
  const view = { root };
  let data = null, points = [], theta = 1, history = [];
  let question = 0, answered = 0, askedAt = 0, timer = 0, then = null;
  let drag = null, chosen = -1, removing = false;

  const stage = new Stage({ testid: "player-canvas", label: "Points, centroids and the circle of radius θ", focusable: true, paint: () => {
    if (!data) return;
    const stale = question !== answered;
    const trace = { ...data, points, theta };
    drawTrace(stage, trace, transport.position, transport.phase, { dim: stale, chosen });
    if (drag) {
      stage.circle(points[drag.index], theta, { stroke: stage.accent, dash: [7, 5], width: 2 });
      stage.point(points[drag.index], { ring: stage.accent, radius: stage.dot * 1.8, width: 3 });
    }
  } });
  const sentence = el("p", { class: "sentence", "data-testid": "player-sentence" });
  const count = el("output", { "data-testid": "player-k", class: "big" });
  const transport = new Transport({ noun: "point", owner: root, render: (position) => {
    if (data) {
      sentence.textContent = data.sentences[Math.min(position, data.sentences.length - 1)];
      sentence.setAttribute("aria-live", transport.playing ? "off" : "polite");
      count.textContent = `K = ${data.counts[Math.min(position, data.counts.length - 1)]}`;
    }
    stage.request();
  } });

  const thetaWords = el("output", { class: "big", "data-testid": "player-theta" });
  const thetaRange = range("player-theta-range", "θ, the distance", { min: 0, max: 1, step: 0.05 }, (value) => {
    if (!view.thetaSaved) { remember(); view.thetaSaved = true; }
    theta = value;
    thetaWords.textContent = `θ = ${say(theta)}`;
    ask();
    stage.request();
  }, () => { view.thetaSaved = false; });
  const removeButton = el("button", { type: "button", "data-testid": "player-remove", "aria-pressed": false, onclick: () => {
    removing = !removing;
    removeButton.setAttribute("aria-pressed", removing);
    stage.canvas.style.cursor = removing ? "not-allowed" : "crosshair";
  } }, "Remove points");
  const undoButton = el("button", { type: "button", "data-testid": "player-undo", onclick: undo }, "Undo");
  const resetButton = el("button", { type: "button", "data-testid": "player-reset", onclick: () => {
    remember();
    points = data.original.map((p) => [...p]);
    theta = data.originalTheta;
    chosen = -1;
    ask(() => transport.go(data.exercise ? transport.length : 0));
  } }, "Start again");
  const hint = el("p", { class: "hint" }, "Drag a point, click an empty place to add one, double-click a point to remove it.");

  root.append(stage.box, sentence, transport.row,
    el("div", { class: "row" }, el("label", { class: "grow" }, thetaWords, thetaRange), count),
    el("div", { class: "row" }, removeButton, undoButton, resetButton, hint),
    el("details", {}, el("summary", {}, "Keys"),
      el("p", { class: "hint" }, "Space: play or pause. ← →: step. Home, End: jump. With the picture focused, [ and ] choose a point, Shift and arrows move it, A adds one, Delete removes it, Ctrl Z takes it back.")));
  parent.append(root);

  function remember() {
    history.push({ points: points.map((p) => [...p]), theta });
    if (history.length > 100) history.shift();
  }

  function undo() {
    const last = history.pop();
    if (!last) return;
    ({ points, theta } = last);
    chosen = Math.min(chosen, points.length - 1);
    ask();
  }

  /** Send the points to Python; `after` runs when the trace of exactly these points is there. */
  function ask(after = null) {
    question += 1;
    if (after) then = { question, run: after };
    thetaRange.value = theta;
    thetaWords.textContent = `θ = ${say(theta)}`;
    undoButton.disabled = !history.length;
    root.dataset.answered = false;
    schedule();
    stage.request();
  }

  function schedule() {
    if (timer) return;
    // an answer that never comes (a lost connection) must not stop later questions
    const free = answered >= view.underway || performance.now() - askedAt > 2000;
    const wait = Math.max(0, PAUSE_BETWEEN_REQUESTS - (performance.now() - askedAt));
    if (!free) { timer = setTimeout(() => { timer = 0; schedule(); }, 60); return; }
    if (question === view.underway) return;
    timer = setTimeout(() => {
      timer = 0;
      askedAt = performance.now();
      view.underway = question;
      view.send("edit", { story: data.story, question, theta, points });
    }, wait);
  }
  view.underway = 0;

  function hit(event) {
    const box = stage.canvas.getBoundingClientRect();
    const reach = (event.pointerType === "touch" || event.touches) ? 24 : 14;
    const at = event.touches ? event.touches[0] : event;
    let best = -1, closest = reach;
    points.forEach((p, i) => {
      const gap = Math.hypot(stage.x(p[0]) - (at.clientX - box.left), stage.y(p[1]) - (at.clientY - box.top));
      if (gap < closest) { best = i; closest = gap; }
    });
    return best;
  }

  function add(place) {
    if (points.length >= data.most) { sentence.textContent = `${data.most} points are the most this picture takes. Remove one first.`; return; }
    remember();
    const at = transport.position; // it arrives next, so that one sees at once what becomes of it
    points.splice(at, 0, place);
    chosen = -1;
    ask(() => transport.go(at + 1, true));
  }

  function remove(index) {
    if (index < 0) return;
    if (points.length === 1) { sentence.textContent = "The last point stays: there would be nothing to cluster."; return; }
    remember();
    points.splice(index, 1);
    chosen = -1;
    ask(index < transport.position ? () => transport.go(transport.position - 1) : null);
  }

  const canvas = stage.canvas;
  let pressed = null;
  // Only a finger that starts on a point may stop the page from scrolling.
  canvas.addEventListener("touchstart", (event) => { if (hit(event) >= 0) event.preventDefault(); }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !data) return;
    const index = hit(event);
    pressed = { x: event.clientX, y: event.clientY, index, moved: false };
    if (index >= 0 && removing) { remove(index); pressed = null; return; }
    if (index >= 0) { canvas.setPointerCapture(event.pointerId); canvas.focus({ preventScroll: true }); transport.pause(); }
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!pressed) { if (!removing) canvas.style.cursor = hit(event) >= 0 ? "grab" : "crosshair"; return; }
    if (!pressed.moved && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 4) return;
    if (!pressed.moved) {
      pressed.moved = true;
      if (pressed.index >= 0) { remember(); drag = { index: pressed.index }; }
    }
    if (drag) { points[drag.index] = stage.place(event); ask(); }
  });
  const release = (event) => {
    if (!pressed) return;
    if (drag) { drag = null; ask(); }
    else if (!pressed.moved && pressed.index < 0 && !removing && event.type === "pointerup") add(stage.place(event));
    pressed = null;
    stage.request();
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("dblclick", (event) => remove(hit(event)));
  canvas.addEventListener("contextmenu", (event) => {
    const index = hit(event);
    if (index >= 0) { event.preventDefault(); remove(index); }
  });
  canvas.addEventListener("keydown", (event) => {
    const [x0, x1, y0, y1] = stage.world, nudge = (x1 - x0) / 100;
    const moves = { ArrowLeft: [-nudge, 0], ArrowRight: [nudge, 0], ArrowUp: [0, nudge], ArrowDown: [0, -nudge] };
    const clamp = (v, a, b) => Math.max(a, Math.min(b, v));
    if (event.key === "]" || event.key === "[") chosen = (chosen + (event.key === "]" ? 1 : -1) + points.length) % points.length;
    else if (event.shiftKey && moves[event.key] && chosen >= 0) {
      remember();
      const [dx, dy] = moves[event.key], [x, y] = points[chosen];
      points[chosen] = [clamp(x + dx, x0, x1), clamp(y + dy, y0, y1)];
      ask();
    } else if (event.key === "Delete" && chosen >= 0) remove(chosen);
    else if (event.key.toLowerCase() === "a" && !event.ctrlKey && !event.metaKey) add([(x0 + x1) / 2, (y0 + y1) / 2]);
    else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) undo();
    else return;
    event.preventDefault();
    event.stopPropagation();
    stage.request();
  });

  view.update = (fresh) => {
    const newStory = !data || data.story !== fresh.story;
    data = fresh;
    if (newStory) {
      points = data.points.map((p) => [...p]);
      theta = data.theta;
      history = [];
      chosen = -1;
      drag = pressed = then = null;
      question = answered = view.underway = data.question;
      stage.setWorld(data.world);
      thetaRange.max = data.thetaMax;
      transport.pause();
    } else answered = Math.max(answered, data.question);
    if (answered === question) { thetaRange.value = theta; thetaWords.textContent = `θ = ${say(theta)}`; }
    undoButton.disabled = !history.length;
    thetaRange.disabled = data.exercise;
    root.dataset.labels = data.labels.join(" ");
    root.dataset.points = points.length;
    root.dataset.answered = answered === question;
    transport.setLength(data.steps.length, newStory ? (data.exercise ? data.steps.length : 0) : Math.min(transport.position, data.steps.length));
    if (then && answered >= then.question) { const { run } = then; then = null; run(); }
    if (question > answered) schedule();
    stage.request();
  };
  view.destroy = () => { transport.destroy(); stage.destroy(); };
  return view;
});
