// One point at a time: plays a trace beat by beat, asks first if wanted, and lets points be drawn. Every edit goes to
// Python, which runs TSG again and answers with the new trace; until then the old one is shown dimmed.

import { mount } from "./mount.js";
import { el, range, say } from "./dom.js";
import { Guess, GuessK, Score } from "./ask.js";
import { Code } from "./code.js";
import { Editor, nearestTo } from "./edit.js";
import { Frame } from "./frame.js";
import { encodePoints, linkButton } from "./link.js";
import { Stage } from "./stage.js";
import { Transport } from "./transport.js";
import { ARRIVE, centroidsAt, drawTrace, MOVE } from "./trace.js";

const PAUSE_BETWEEN_REQUESTS = 120; // ms; while dragging, one question is under way at most
const BEATS = 4;

export default (component) => mount(component, (parent) => {
  const code = new Code("player-code");
  const frame = new Frame({ testid: "player", label: "TSG, one point at a time", code: code.box, keys: (key) => guess.act(key) ?? transport.act(key) });
  const { root, sentence } = frame;
  const view = { root, underway: 0 };
  let data = null, question = 0, answered = 0, askedAt = 0, timer = 0, then = null, other = false;

  const trace = () => (other ? { ...data, ...data.other.right } : data);
  const beat = () => (transport.beats > 1 ? transport.beat : MOVE);
  const stage = new Stage({ testid: "player-canvas", label: "Points, centroids and the circle of radius θ", focusable: true, paint: () => {
    if (!data) return;
    const { points, theta, drag, chosen } = editor;
    drawTrace(stage, { ...trace(), points, theta, palette: data.palette }, transport.position, {
      beat: beat(), phase: transport.phase, dim: question !== answered, chosen, arrival: !(data.exercise && transport.position === transport.length),
    });
    if (other) for (const i of data.other.differs) stage.point(points[i], { ring: stage.ink, radius: stage.dot * 1.8, width: 2 });
    if (!drag) return;
    stage.circle(points[drag.index], theta, { stroke: stage.accent, dash: [7, 5], width: 2 });
    stage.point(points[drag.index], { ring: stage.accent, radius: stage.dot * 1.8, width: 3 });
  } });
  const count = el("output", { "data-testid": "player-k", class: "big" });
  const transport = new Transport({ prefix: "player", noun: "point", frame, render: () => show(), holds: () => asks(), skip: () => skips() });

  // Ask me first
  const score = new Score("player", () => { guess.forget(); guessK.ask(false); setBeats(); });
  const guess = new Guess("player", score, () => transport.jump(transport.position * transport.beats, true));
  const guessK = new GuessK("player", score, () => {
    if (question !== answered) { then = { question, run: () => revealK() }; return; }
    revealK();
  });
  function asks() {
    const step = data?.steps[transport.position - 1];
    const open = score.on && step && beat() === ARRIVE && step.nearest >= 0;
    if (open) guess.ask(step); else guess.forget();
    return open || guessK.open;
  }
  function skips() {
    if (!guess.waiting) return guessK.open;
    guess.forget();
    transport.jump(transport.position * transport.beats, true);
    return true;
  }
  function revealK() {
    guessK.see(data.counts[data.counts.length - 1]);
    transport.go(transport.length);
    ask(); // now the page may say it too
  }

  // Quick play: a step at once instead of four beats
  const quick = el("button", { type: "button", "data-testid": "player-quick", "aria-pressed": false, title: "A whole step at a time", onclick: () => {
    quick.setAttribute("aria-pressed", quick.getAttribute("aria-pressed") !== "true");
    setBeats();
  } }, "Quick");
  function setBeats() {
    quick.disabled = score.on;
    transport.setBeats(quick.getAttribute("aria-pressed") === "true" && !score.on ? 1 : BEATS);
  }

  const thetaWords = el("output", { class: "big", "data-testid": "player-theta" });
  let thetaSaved = false;
  const thetaRange = range("player-theta-range", "θ, the distance", { min: 0, max: 1, step: 0.05 }, (value) => {
    if (!thetaSaved) { editor.remember(); thetaSaved = true; }
    if (score.on) { guess.forget(); guessK.ask(); transport.pause(); transport.go(0); }
    editor.setTheta(value);
  }, () => { thetaSaved = false; });
  const editor = new Editor(stage, { changed: (after) => ask(after), say: (notice) => { sentence.textContent = notice; }, transport, most: () => data.most, clicked: (event) => {
    if (!data || !guess.waiting) return !data;
    const box = stage.canvas.getBoundingClientRect();
    const cluster = nearestTo(stage, centroidsAt(data.steps, transport.position, beat()), event.clientX - box.left, event.clientY - box.top, Math.max(28, stage.dot * 3));
    if (cluster >= 0) guess.answer(cluster);
    return true; // while a question is open, a click is an answer or nothing
  } });
  const resetButton = el("button", { type: "button", "data-testid": "player-reset", onclick: () => {
    editor.replace(data.original.map((p) => [...p]), data.originalTheta);
    if (data.exercise) then = { question, run: () => transport.go(transport.length) };
  } }, "Start again");
  const exploreButton = el("button", { type: "button", "data-testid": "player-explore", title: "These points become the current data set", onclick: () =>
    view.trigger("explore", { points: editor.points, theta: editor.theta }) }, "Open in Explore θ");
  const otherButton = el("button", { type: "button", "data-testid": "player-other", "aria-pressed": false, hidden: true, onclick: () => {
    other = !other;
    showOther();
    transport.go(transport.length);
  } }, "Show an order that differs");
  const feedback = el("p", { class: "feedback", "data-testid": "player-feedback", "aria-live": "polite", hidden: true });
  const link = linkButton("player", () => ({ ...data.link, drawn: encodePoints(editor.points), theta: editor.theta, step: transport.position }));

  frame.board.append(stage.box);
  frame.controls.append(transport.row,
    el("div", { class: "row" }, el("label", { class: "grow" }, thetaWords, thetaRange), count, quick, score.button, guess.button, score.words),
    guessK.row, el("div", { class: "row feedback-row" }, otherButton, feedback));
  frame.extras.append(
    el("div", { class: "row" }, ...editor.buttons, resetButton, exploreButton, ...link),
    el("p", { class: "hint" }, "Drag a point, click an empty place to add one, double-click a point to remove it, or spray with the brush."),
    el("details", {}, el("summary", {}, "Keys"),
      el("p", { class: "hint" }, "Space: play or pause. ← →: step. Home, End: jump. F: fill the screen. Asked first: a digit or N. With the picture focused, [ and ] choose a point, Shift and arrows move it, A adds one, Delete removes it, Ctrl Z takes it back.")));
  frame.place(parent);

  function show() {
    if (!data) return;
    const { position } = transport, { steps, counts, start } = trace();
    const step = position ? steps[Math.min(position, steps.length) - 1] : null;
    const now = beat();
    if (guess.waiting && (guess.step !== step || now !== ARRIVE)) guess.forget(); // gone elsewhere without an answer
    sentence.textContent = words(step, now, start);
    count.textContent = guessK.open ? "K = ?" : `K = ${counts[Math.min(now === MOVE ? position : position - 1, counts.length - 1)] ?? 0}`;
    const reached = step ? step.lit.slice(0, now + 1).flat() : [];
    const quiet = guess.waiting ? [0] : reached;
    code.show(step ? step.lit[now] : [], step ? step.values.map((value, i) => (quiet.includes(i) || (now === MOVE && value) ? value : "")) : []);
    root.dataset.asking = guess.waiting;
    stage.request();
  }
  function words(step, now, start) {
    if (guessK.open) return `θ = ${say(editor.theta)}: how many clusters will TSG find? Commit to a K, then see.`;
    if (guessK.verdict && transport.position === transport.length) return guessK.verdict;
    if (guess.waiting) return `${step.beats[ARRIVE]} Which cluster takes it? Click a centroid or press its digit; N if it opens a new one.`;
    if (!step) return start ?? data.start;
    return now === MOVE ? guess.verdictOn(step) + step.beats[MOVE] : step.beats[now];
  }

  /** Send the points to Python; `after` runs when the trace of exactly these points is there. */
  function ask(after = null) {
    question += 1;
    if (after) then = { question, run: after };
    other = false;
    guess.forget();
    showTheta();
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
      view.send("edit", { story: data.story, question, theta: editor.theta, points: editor.points, asking: guessK.open });
    }, wait);
  }
  function showTheta() {
    thetaRange.value = editor.theta;
    thetaWords.textContent = `θ = ${say(editor.theta)}`;
    editor.undoButton.disabled = !editor.history.length;
  }
  function showOther() {
    otherButton.hidden = !data.other;
    otherButton.setAttribute("aria-pressed", other);
    root.dataset.labels = trace().labels.join(" ");
  }
  function showFeedback() {
    feedback.hidden = !data.feedback;
    feedback.parentElement.hidden = !data.feedback;
    feedback.textContent = data.feedback?.words ?? "";
    feedback.classList.toggle("solved", Boolean(data.feedback?.solved));
  }

  view.update = (fresh) => {
    const newStory = !data || data.story !== fresh.story;
    data = fresh;
    if (newStory) {
      editor.load(data.points, data.theta);
      then = null;
      question = answered = view.underway = data.question;
      stage.setWorld(data.world);
      thetaRange.max = data.thetaMax;
      code.setLines(data.code);
      frame.plain = data.exercise;
      frame.size();
      transport.pause();
      quick.setAttribute("aria-pressed", data.quick);
      setBeats();
    } else answered = Math.max(answered, data.question);
    if (!data.other) other = false;
    if (answered === question) showTheta();
    thetaRange.disabled = data.exercise;
    for (const button of [exploreButton, ...link, score.button]) button.classList.toggle("unused", data.exercise);
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
  view.destroy = () => { transport.destroy(); stage.destroy(); frame.destroy(); };
  return view;
});
