// One point at a time: plays a trace beat by beat, asks first if wanted, and lets points be drawn. Every edit goes to
// Python, which runs TSG again and answers with the new trace; until then the old one is shown dimmed.

import { normAt } from "../../../js/ball.js";
import { el, range, say } from "./dom.js";
import { Code } from "./code.js";
import { Editor, nearestTo } from "./edit.js";
import { Frame } from "./frame.js";
import { encodePoints } from "./share.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";
import { ARRIVE, centroidsAt, drawTrace, MOVE } from "./trace.js";

const PAUSE_BETWEEN_REQUESTS = 120; // ms; while dragging, one question is under way at most
const BEATS = 4;

/** What the θ-circles are, and the p that makes them so. */
function shapeName(shape) {
  if (shape <= 0) return "◇ p = 1";
  if (shape >= 1) return "□ p = ∞";
  return `${shape === 0.5 ? "○ " : ""}p = ${say(normAt(shape))}`;
}

export const playerView = (host) => {
  const code = new Code("player-code");
  const frame = new Frame(host, { testid: "player", label: "TSG, one point at a time", code: code.box });
  const { root, sentence } = frame;
  let data = null, question = 0, answered = 0, underway = 0, askedAt = 0, timer = 0, then = null, other = false, asking = false, verdictK = "";

  const trace = () => (other ? { ...data, ...data.other.right } : data);
  const beat = () => (transport.beats > 1 ? transport.beat : MOVE);
  const stage = new Stage({ testid: "player-canvas", label: "Points, centroids and the circle of radius θ", focusable: true, tallest: 0.3, paint: () => {
    if (!data) return;
    const { points, theta, drag, chosen } = editor;
    stage.norm = normAt(editor.shape);
    drawTrace(stage, { ...trace(), points, theta, palette: data.palette }, transport.position, {
      beat: beat(), phase: transport.phase, dim: question !== answered, chosen, arrival: !(data.exercise && transport.position === transport.length),
    });
    if (other) for (const i of data.other.differs) stage.point(points[i], { ring: stage.ink, radius: stage.dot * 1.8, width: 2 });
    if (!drag) return;
    stage.circle(points[drag.index], theta, { stroke: stage.accent, dash: [7, 5], width: 2 });
    stage.point(points[drag.index], { ring: stage.accent, radius: stage.dot * 1.8, width: 3 });
  } });
  const count = el("output", { "data-testid": "player-k", class: "big" });
  const transport = new Transport({ prefix: "player", noun: "point", frame, render: () => show(), holds: () => asks(), skip: () => host.question.open });

  // Ask me first
  const askButton = el("button", { type: "button", "data-testid": "player-ask", "aria-pressed": false, onclick: () => {
    asking = !asking;
    askButton.setAttribute("aria-pressed", asking);
    if (!asking) host.question.forget();
    setBeats();
  } }, "Ask me first");
  const guessing = (step) => `which/${data.lesson}/${data.story}/${data.steps.indexOf(step) + 1}`;
  const guessingK = () => host.question.asked?.id.startsWith("K/");

  /** Which cluster takes the point: asked when it has arrived, answered with a centroid, its digit, or N for a new one. */
  function asks() {
    const step = data?.steps[transport.position - 1];
    const open = asking && step && beat() === ARRIVE && step.nearest >= 0;
    if (open) host.question.ask({ id: guessing(step), words: `Which cluster takes point ${transport.position}?`,
      choices: [...step.distances.map((_, k) => ({ words: `Cluster ${k}`, key: String(k) })), { words: "New cluster (N)", key: "n" }],
      right: step.created ? step.distances.length : step.cluster, done: () => transport.jump(transport.position * transport.beats, true) });
    else if (host.question.asked?.id.startsWith("which/")) host.question.forget();
    return open || guessingK();
  }

  /** How many clusters: the student commits to a K for the θ just set, then sees. */
  function askK() {
    verdictK = "";
    host.question.ask({ id: `K/${say(editor.theta)}`, words: `θ = ${say(editor.theta)}: how many clusters will TSG find?`, choices: null,
      before: (go) => { if (question === answered) go(); else then = { question, run: go }; },
      right: () => data.counts[data.counts.length - 1],
      done: () => {
        const k = data.counts[data.counts.length - 1];
        verdictK = `${host.question.told.verdict} K = ${k}.`.trim();
        transport.go(transport.length);
        ask(); // now the page may say it too
      } });
  }

  // Quick play: a step at once instead of four beats
  const quick = el("button", { type: "button", "data-testid": "player-quick", "aria-pressed": false, title: "A whole step at a time", onclick: () => {
    quick.setAttribute("aria-pressed", quick.getAttribute("aria-pressed") !== "true");
    setBeats();
  } }, "Quick");
  function setBeats() {
    quick.disabled = asking;
    transport.setBeats(quick.getAttribute("aria-pressed") === "true" && !asking ? 1 : BEATS);
  }

  const thetaWords = el("output", { class: "big", "data-testid": "player-theta" });
  let thetaSaved = false;
  const thetaRange = range("player-theta-range", "θ, the distance", { min: 0, max: 1, step: 0.05 }, (value) => {
    if (!thetaSaved) { editor.remember(); thetaSaved = true; }
    editor.setTheta(value);
    if (asking) { transport.pause(); transport.go(0); host.question.forget(); askK(); }
  }, () => { thetaSaved = false; });
  const shapeWords = el("output", { "data-testid": "player-shape" });
  let shapeSaved = false;
  const shapeRange = range("player-shape-range", "How distance is measured: city blocks, the straight line, up to the largest difference", { min: 0, max: 1, step: 0.05 }, (value) => {
    if (!shapeSaved) { editor.remember(); shapeSaved = true; }
    editor.setShape(value);
  }, () => { shapeSaved = false; });
  const editor = new Editor(stage, { changed: (after) => ask(after), say: (notice) => { sentence.textContent = notice; }, transport, most: () => data.most, clicked: (event) => {
    if (!data || !host.question.asked?.id.startsWith("which/")) return !data;
    const box = stage.canvas.getBoundingClientRect();
    const cluster = nearestTo(stage, centroidsAt(data.steps, transport.position, beat()), event.clientX - box.left, event.clientY - box.top, Math.max(28, stage.dot * 3));
    if (cluster >= 0) host.question.answer(cluster);
    return true; // while a question is open, a click is an answer or nothing
  } });
  const resetButton = el("button", { type: "button", "data-testid": "player-reset", onclick: () => {
    editor.replace(data.original.map((p) => [...p]), data.originalTheta, 0.5);
    if (data.exercise) then = { question, run: () => transport.go(transport.length) };
  } }, "Start again");
  const exploreButton = el("button", { type: "button", "data-testid": "player-explore", title: "These points become the current data set", onclick: () =>
    host.trigger("explore", { points: editor.points, theta: editor.theta, shape: editor.shape }) }, "Open in Explore");
  const otherButton = el("button", { type: "button", "data-testid": "player-other", "aria-pressed": false, hidden: true, onclick: () => {
    other = !other;
    showOther();
    transport.go(transport.length);
  } }, "Show an order that differs");
  const feedback = el("p", { class: "feedback", "data-testid": "player-feedback", "aria-live": "polite", hidden: true });
  const shapeLabel = el("label", { class: "shape", title: "Which places are as far from a centroid as θ? It depends on how distance is measured." }, shapeWords, shapeRange);

  frame.board.append(stage.box);
  frame.tools(transport, el("label", { class: "grow" }, thetaWords, thetaRange), count, askButton);
  frame.controls.append(el("div", { class: "row feedback-row" }, otherButton, feedback));
  frame.extras.append(
    el("div", { class: "row" }, ...editor.buttons, resetButton, exploreButton, quick, shapeLabel),
    el("p", { class: "hint" }, "Drag a point, click an empty place to add one, double-click a point to remove it, or spray with the brush."),
    el("details", { class: "keyboard" }, el("summary", {}, "Keys"),
      el("p", { class: "hint" }, "Page down, Page up: lead through the story, as a clicker does. Space: play or pause. ← →: step. Home, End: jump. F: fill the screen. Q: share. When asked: a digit or N. With the picture focused, [ and ] choose a point, Shift and arrows move it, A adds one, Delete removes it, Ctrl Z takes it back.")));

  function show() {
    if (!data) return;
    const { position } = transport, { steps, counts, start } = trace();
    const step = position ? steps[Math.min(position, steps.length) - 1] : null;
    const now = beat();
    const { asked } = host.question, waiting = Boolean(step) && asked?.id === guessing(step) && now === ARRIVE;
    if (asked?.id.startsWith("which/") && !waiting) host.question.forget(); // gone elsewhere without an answer
    sentence.textContent = words(step, now, start, waiting);
    count.textContent = guessingK() ? "K = ?" : `K = ${counts[Math.min(now === MOVE ? position : position - 1, counts.length - 1)] ?? 0}`;
    const reached = step ? step.lit.slice(0, now + 1).flat() : [];
    const quiet = waiting ? [0] : reached;
    code.show(step ? step.lit[now] : [], step ? step.values.map((value, i) => (quiet.includes(i) || (now === MOVE && value) ? value : "")) : []);
    root.dataset.asking = waiting;
    stage.request();
  }
  function words(step, now, start, waiting) {
    if (guessingK()) return "Commit to a K, then see.";
    if (verdictK && transport.position === transport.length) return verdictK;
    if (waiting) return `${step.beats[ARRIVE]} Which cluster takes it? Choose a centroid, or a new cluster.`;
    if (data.exercise && transport.position === transport.length) return `${other ? "Another order" : "This order"} gives K = ${trace().counts[transport.length]}.`;
    if (!step) return start ?? data.start;
    return now === MOVE ? host.question.verdictOn(guessing(step)) + step.beats[MOVE] : step.beats[now];
  }

  /** Send the points to Python; `after` runs when the trace of exactly these points is there. */
  function ask(after = null) {
    question += 1;
    if (after) then = { question, run: after };
    other = false;
    if (host.question.asked?.id.startsWith("which/")) host.question.forget();
    showTheta();
    root.dataset.answered = false;
    schedule();
    stage.request();
  }
  function schedule() {
    if (timer) return;
    // an answer that never comes (a lost connection) must not stop later questions
    const free = answered >= underway || performance.now() - askedAt > 2000;
    const wait = Math.max(0, PAUSE_BETWEEN_REQUESTS - (performance.now() - askedAt));
    if (!free) { timer = setTimeout(() => { timer = 0; schedule(); }, 60); return; }
    if (question === underway) return;
    timer = setTimeout(() => {
      timer = 0;
      askedAt = performance.now();
      underway = question;
      host.send("edit", { story: data.edits, question, theta: editor.theta, shape: editor.shape, points: editor.points, asking: Boolean(guessingK()) });
    }, wait);
  }
  function showTheta() {
    thetaRange.value = editor.theta;
    thetaWords.textContent = `θ = ${say(editor.theta)}`;
    shapeRange.value = editor.shape;
    shapeWords.textContent = shapeName(editor.shape);
    editor.undoButton.disabled = !editor.history.length;
  }
  function showOther() {
    otherButton.hidden = !data.other;
    otherButton.setAttribute("aria-pressed", other);
    root.dataset.labels = trace().labels.join(" ");
  }
  function showFeedback() {
    feedback.parentElement.hidden = !data.exercise; // in an exercise its room stays: nothing moves under the finger
    feedback.hidden = !data.exercise;
    feedback.textContent = data.feedback?.words ?? "";
    feedback.classList.toggle("solved", Boolean(data.feedback?.solved));
  }

  const update = (fresh) => {
    const newStory = data?.opening !== fresh.opening;
    data = fresh;
    if (newStory) {
      editor.load(data.points, data.theta, data.shape);
      then = null;
      question = answered = underway = data.question;
      stage.setWorld(data.world);
      thetaRange.max = data.thetaMax;
      code.setLines(data.code);
      frame.plain = data.exercise;
      frame.size();
      transport.pause();
      verdictK = "";
      quick.setAttribute("aria-pressed", data.quick);
      setBeats();
    } else answered = Math.max(answered, data.question);
    if (!data.other) other = false;
    if (answered === question) showTheta();
    thetaRange.disabled = data.exercise;
    shapeLabel.hidden = data.exercise;
    for (const button of [exploreButton, askButton]) button.classList.toggle("unused", data.exercise);
    exploreButton.disabled = !editor.points.length;
    root.dataset.points = editor.points.length;
    root.dataset.answered = answered === question;
    showOther();
    showFeedback();
    const opening = data.exercise ? data.steps.length : data.open?.step ?? 0;
    transport.setLength(data.steps.length, newStory ? Math.min(opening, data.steps.length) : Math.min(transport.position, data.steps.length));
    if (then && answered >= then.question) { const { run } = then; then = null; run(); }
    if (question > answered) schedule();
    stage.request();
  };
  const changed = () => JSON.stringify(editor.points) !== JSON.stringify(data.original);
  return {
    root, frame, transport, update,
    share: () => ({
      ...data.link, drawn: changed() ? encodePoints(editor.points) : null, theta: editor.theta === data.originalTheta ? null : editor.theta,
      shape: editor.shape === 0.5 ? null : editor.shape, step: transport.position,
    }),
    state: () => {
      const { position } = transport, { counts, steps } = trace(), step = steps[position - 1];
      const decided = step && step.nearest >= 0 ? [...step.distances, step.nearest] : [], { labels } = trace();
      const sizes = [...new Set(labels)].map((k) => labels.filter((label) => label === k).length);
      return [editor.theta, editor.points.length, new Set(labels).size, ...sizes, counts[Math.min(position, counts.length - 1)], position, ...(step ? [step.cluster, ...decided] : []), ...data.told];
    },
    destroy: () => { clearTimeout(timer); transport.destroy(); stage.destroy(); frame.destroy(); },
  };
};
