// A question before something is shown: the student says what will happen, then sees it. With a class, the answers of its
// phones are counted beside the choices, and the one who leads plays on.

import { el } from "./dom.js";

const touch = matchMedia("(pointer: coarse)");

/** A choice as it is shown: no talk of keys where there are none. */
const named = (words) => (touch.matches ? plain(words) : words);
const plain = (words) => words.replace(/ \(.\)$/, "");
const wrong = (asked, answer) => `Not quite: you said “${called(asked, answer)}”.`;
const called = ({ choices }, answer) => (choices?.[answer] ? plain(choices[answer].words) : `K = ${answer}`);

export class Question {
  constructor(host) {
    this.host = host;
    this.asked = null; // { id, words, choices: [{ words, key }] or null for a number, right, done, before }
    this.said = null;
    this.told = null; // the last one that was settled: { id, verdict }
    this.right = this.count = 0;
    this.words = el("span", { class: "asks", "data-testid": "question-words" });
    this.row = el("span", { class: "choices" });
    this.field = el("input", { type: "number", min: 1, max: 300, value: 3, "data-testid": "question-number", "aria-label": "Your K" });
    this.field.addEventListener("keydown", (event) => { if (event.key === "Enter") this.answer(Number(this.field.value)); });
    this.commit = el("button", { type: "button", class: "answer", "data-testid": "question-commit", onclick: () => this.answer(Number(this.field.value)) }, "Commit and see");
    this.heard = el("output", { class: "counter", "data-testid": "question-heard" });
    this.score = el("output", { class: "counter", "data-testid": "question-score" });
    this.box = el("div", { class: "question", "data-testid": "question", hidden: true }, this.words, this.row, this.heard, this.score);
  }

  get open() { return this.asked !== null; }

  /** The word that stands before the reason, for a question that was answered. */
  verdictOn(id) { return this.told?.id === id && this.told.verdict ? `${this.told.verdict} ` : ""; }

  /** Keep the room that the largest of these needs, asked or answered, whether it is open or not. */
  reserve(asks) {
    const height = (words, choices, score) => {
      const buttons = choices.map((choice) => el("button", { type: "button", class: "answer" }, named(choice.words)));
      const probe = el("div", { class: "question" }, el("span", { class: "asks" }, words), el("span", { class: "choices" }, ...buttons), el("output", { class: "counter" }, score));
      this.box.after(probe);
      const { offsetHeight } = probe;
      probe.remove();
      return offsetHeight;
    };
    const most = asks.flatMap((ask) => [height(ask.words, ask.choices, ""), ...ask.choices.map((_, i) => height(wrong(ask, i), ask.choices, "0 of 1 right"))]);
    this.box.classList.toggle("kept", asks.length > 0);
    this.box.style.minHeight = asks.length ? `${Math.max(...most)}px` : "";
  }

  ask(question) {
    if (this.asked?.id === question.id) { Object.assign(this.asked, question); return; }
    this.asked = question;
    this.said = null;
    this.told = null;
    this.box.hidden = false;
    this.words.textContent = question.words;
    this.buttons = (question.choices ?? []).map(({ words }, i) => {
      const tally = el("span", { class: "tally" });
      const button = el("button", { type: "button", class: "answer", "data-testid": `answer-${i}`, onclick: () => this.answer(i) }, named(words), tally);
      return { button, tally };
    });
    this.row.replaceChildren(...(question.choices ? this.buttons.map(({ button }) => button) : [el("label", {}, "Your K ", this.field), this.commit]));
    this.show();
    this.host.face?.();
    this.host.view?.frame.size();
  }

  forget() {
    if (!this.asked && this.box.hidden) return;
    this.asked = null;
    this.box.hidden = true;
    this.host.view?.frame.size();
  }

  answer(value) {
    if (!this.asked || this.said !== null) return;
    this.said = value;
    if (this.host.room.answers(this.asked.id, value)) { this.show(); return; } // a phone waits for its class
    this.settle(value);
  }

  /** The question is over: `value` is what was said here, or null. */
  settle(value) {
    const { asked } = this;
    if (!asked) return;
    const over = () => {
      if (this.asked !== asked) return;
      const right = typeof asked.right === "function" ? asked.right() : asked.right;
      this.asked = null;
      this.tell(asked, value, right);
      this.host.room.settled(asked, right);
      asked.done?.(value);
    };
    if (asked.before) asked.before(over);
    else over();
  }

  /** Say whether it was right; the choices stay in sight, the right one marked, until something else is asked. */
  tell(asked, value, right) {
    let verdict = "";
    if (value !== null && value !== undefined) {
      this.count += 1;
      this.right += value === right;
      verdict = value === right ? "Right." : wrong(asked, value);
    }
    this.told = { id: asked.id, verdict };
    const seen = value === right || (verdict && asked.choices); // the right choice is marked
    this.words.textContent = seen ? verdict : `${verdict} Answer: ${called(asked, right)}.`.trim();
    this.buttons.forEach(({ button }, i) => { button.disabled = true; button.classList.toggle("right", i === right); });
    if (!asked.choices) this.row.replaceChildren();
    this.box.hidden = !asked.choices && !this.host.room.on;
    this.show();
  }

  show() {
    this.score.textContent = this.count ? `${this.right} of ${this.count} right` : "";
    if (this.said !== null && this.asked) {
      this.words.textContent = `You said “${called(this.asked, this.said)}”. Wait for the class.`;
      for (const { button } of this.buttons) button.disabled = true;
      this.commit.disabled = true;
    } else this.commit.disabled = false;
  }

  /** What the class has said: counts by answer, of so many phones. */
  tally(counts, phones) {
    const said = Object.values(counts).reduce((sum, n) => sum + n, 0);
    this.heard.textContent = phones || said ? `${said} of ${Math.max(phones, said)} phones` : "";
    this.heard.title = Object.entries(counts).map(([value, n]) => `${value}: ${n}`).join(", ");
    this.buttons?.forEach(({ tally, button }, i) => {
      tally.textContent = said ? ` ${counts[i] ?? 0}` : "";
      button.style.setProperty("--share", said ? (counts[i] ?? 0) / said : 0);
    });
    if (this.buttons && !this.buttons.length && said) this.heard.textContent += `: ${Object.entries(counts).map(([value, n]) => `K = ${value} ${n}×`).join(", ")}`;
  }

  /** What a key answers, or nothing. */
  act(key) {
    if (!this.asked || this.said !== null) return null;
    const at = (this.asked.choices ?? []).findIndex((choice, i) => (choice.key ?? String(i + 1)) === key);
    return at >= 0 ? () => this.answer(at) : null;
  }
}
