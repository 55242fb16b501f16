// Ask me first: the student says what will happen, then sees it. The answers are in the trace that Python made.

import { el } from "./dom.js";

/** A switch and the score that belongs to it. */
export class Score {
  constructor(prefix, changed) {
    this.on = false;
    this.right = this.asked = 0;
    this.button = el("button", { type: "button", "data-testid": `${prefix}-ask`, "aria-pressed": false, onclick: () => {
      this.on = !this.on;
      this.button.setAttribute("aria-pressed", this.on);
      this.show();
      changed();
    } }, "Ask me first");
    this.words = el("output", { class: "counter", "data-testid": `${prefix}-score`, hidden: true });
  }

  show() {
    this.words.hidden = !this.on && !this.asked;
    this.words.textContent = this.asked ? `${this.right} of ${this.asked} right` : "";
  }

  /** Count an answer; the word that the verdict starts with. */
  count(right, said) {
    this.asked += 1;
    this.right += right;
    this.show();
    return right ? "Right." : `Not so: you said ${said}.`;
  }
}

/** Which cluster takes the point: asked when it has arrived, answered with a centroid, its digit, or N for a new one. */
export class Guess {
  constructor(prefix, score, answered) {
    this.score = score;
    this.answered = answered;
    this.step = null; // the step that is asked about
    this.told = null; // the step that was answered last, and the verdict
    this.button = el("button", { type: "button", "data-testid": `${prefix}-new-cluster`, hidden: true, onclick: () => this.answer(-1) }, "New cluster (N)");
  }

  /** What was said about a step, to stand before its reason. */
  verdictOn(step) { return this.told?.step === step ? `${this.told.verdict} ` : ""; }

  get waiting() { return this.step !== null; }

  ask(step) {
    if (this.step === step) return;
    this.step = step;
    this.told = null;
    this.show();
  }

  forget() {
    this.step = null;
    this.show();
  }

  /** The button keeps its place between two questions, so that nothing moves. */
  show() {
    this.button.hidden = !this.score.on;
    this.button.disabled = !this.waiting;
  }

  /** `cluster`: a number, or -1 for a new one. */
  answer(cluster) {
    const { step } = this;
    if (!step) return;
    const right = step.created ? cluster === -1 : cluster === step.cluster;
    this.told = { step, verdict: this.score.count(right, cluster === -1 ? "a new cluster" : `cluster ${cluster}`) };
    this.forget();
    this.answered();
  }

  /** What a key answers, or nothing. */
  act(key) {
    if (!this.waiting) return null;
    if (key === "n") return () => this.answer(-1);
    return /^\d$/.test(key) && Number(key) < this.step.distances.length ? () => this.answer(Number(key)) : null;
  }
}

/** How many clusters: the student commits to a K for the θ just set, then sees. */
export class GuessK {
  constructor(prefix, score, committed) {
    this.score = score;
    this.open = false;
    this.verdict = "";
    this.field = el("input", { type: "number", min: 1, max: 300, value: 3, "data-testid": `${prefix}-guess-k`, "aria-label": "Your K" });
    this.row = el("div", { class: "row", hidden: true }, el("label", {}, "Your K", this.field),
      el("button", { type: "button", "data-testid": `${prefix}-see`, onclick: () => committed() }, "Commit and see"));
    this.field.addEventListener("keydown", (event) => { if (event.key === "Enter") committed(); });
  }

  ask(open = true) {
    this.open = open;
    this.row.hidden = !open;
    if (open) this.verdict = "";
  }

  /** Compare what was committed with K. */
  see(k) {
    const said = Number(this.field.value);
    this.ask(false);
    this.verdict = `${this.score.count(said === k, `K = ${said}`)} K = ${k}.`;
  }
}
