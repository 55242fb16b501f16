// A class in one room: whoever leads tells where the lesson stands, phones follow, and answers are counted. The channel to
// Python (channel.js) is a component of its own, so that fifty phones ask for a few numbers and not for a lesson.

import { el } from "./dom.js";

const HEARD = "theta-class", SAID = "theta-say";
const REST = 150; // ms: what is said in one breath is sent together

export class Classroom {
  constructor(host) {
    this.host = host;
    this.seen = null; // what Python said last: { code, leads, phones, version, place, question, settled, tally, trouble }
    this.around = false; // a phone that looks around by itself
    this.saying = null;
    this.words = "";
    this.asked = ""; // the place that was asked for last
    this.answered = null;
    this.told = el("span", { "data-testid": "room-words" });
    this.button = el("button", { type: "button", "data-testid": "room-back", onclick: () => { this.around = false; this.follow(); } }, "Back to the class");
    this.bar = el("div", { class: "roombar", "data-testid": "room-bar", hidden: true }, this.told, this.button);
    host.root.append(this.bar);
    this.heard = ({ detail }) => this.take(detail);
    document.addEventListener(HEARD, this.heard);
    // whoever touches something looks around; answering is no looking around
    this.touched = (event) => {
      const path = event.composedPath(), names = path.map((node) => node.className ?? "").join(" ");
      const mine = path.includes(host.root) ? !/\b(question|roombar|sharing|key)\b/.test(names) : path.some((node) => node.dataset?.testid === "stButtonGroup");
      if (mine) this.lookAround();
    };
    document.addEventListener("pointerdown", this.touched, true);
  }

  get on() { return Boolean(this.seen?.code); }
  get leads() { return Boolean(this.seen?.leads); }
  get code() { return this.seen?.code; }
  get follows() { return this.on && !this.leads && !this.around; }

  stop() {
    document.removeEventListener(HEARD, this.heard);
    document.removeEventListener("pointerdown", this.touched, true);
  }

  lookAround() {
    if (!this.follows || this.host.question.asked?.ofClass) return;
    this.around = true;
    this.face();
  }

  /** Tell Python, together with what else is said in the same breath. */
  say(what) {
    const waiting = this.saying !== null;
    this.saying = { ...this.saying, ...what };
    if (!waiting) setTimeout(() => {
      const detail = { ...this.saying, now: Date.now() };
      this.saying = null;
      document.dispatchEvent(new CustomEvent(SAID, { detail }));
    }, what.place ? REST : 0);
  }

  take(seen) {
    const joined = !this.on && seen.code;
    this.seen = seen;
    if (seen.shared && JSON.stringify(seen.shared) !== this.shown) {
      this.shown = JSON.stringify(seen.shared);
      this.host.sharing.show(seen.shared);
    }
    if (!this.on) this.around = false;
    if (joined && seen.leads) { this.moved(); this.host.sharing.ask(); }
    if (this.leads) this.host.question.tally(seen.tally ?? {}, seen.phones);
    this.face();
    this.follow();
  }

  face() {
    const { seen } = this;
    const phones = `${seen?.phones ?? 0} ${seen?.phones === 1 ? "phone" : "phones"}`;
    this.words = seen?.trouble ?? (!this.on ? "Others follow on their phones: no names are kept, and a room ends after two hours."
      : this.leads ? `Room ${this.code}: ${phones}. They see the lesson, story and step you see.` : `You follow room ${this.code}.`);
    this.host.sharing.face(this);
    this.bar.hidden = !this.on;
    this.told.textContent = this.leads ? `Room ${this.code} · ${phones}` : this.around ? "You are looking around." : `Room ${this.code}: you follow the class.`;
    this.button.hidden = this.leads || !this.around;
    Object.assign(this.host.root.dataset, { room: this.code ?? "", phones: seen?.phones ?? 0, follows: this.follows });
    this.host.view?.frame.size();
  }

  // ---- whoever leads

  /** What is shown has moved: the phones are told once it rests. */
  moved() {
    const { host } = this;
    if (!this.leads || !host.view) return;
    const { transport } = host.view;
    if (transport.playing && transport.until == null) return this.later(); // phones need not run along: they get where it rests
    this.say({ place: { options: host.view.share(), at: transport.until ?? transport.at, beats: transport.beats, pointer: host.pointer }, question: this.posed() });
  }

  later() {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.moved(), 400);
  }

  posed() {
    const { asked } = this.host.question;
    if (!asked) return null;
    return { id: asked.id, words: asked.words, choices: asked.choices?.map(({ words }) => words) ?? null };
  }

  /** A question was settled here: the phones learn what was right. */
  settled(asked, right) {
    if (this.leads) this.say({ settled: { id: asked.id, right } });
  }

  // ---- a phone

  /** True if the answer goes to the class, and its result will come from there. */
  answers(id, value) {
    if (!this.follows || this.seen.question?.id !== id) return false;
    this.answered = { id, value };
    this.say({ answer: { id, value } });
    return true;
  }

  updated() {
    if (this.seen === null) document.dispatchEvent(new CustomEvent("theta-hear")); // what was said before this lesson was there
    if (this.follows) this.follow();
  }

  follow() {
    const { host, seen } = this;
    this.face();
    if (!this.follows || !seen.place || !host.view) return;
    const wanted = JSON.stringify(placeOf(seen.place.options)), here = JSON.stringify(placeOf(host.view.share()));
    if (wanted !== here) {
      if (this.asked === wanted && performance.now() - this.since < 4000) return;
      this.asked = wanted;
      this.since = performance.now();
      host.trigger("go", { options: seen.place.options, now: Date.now() });
      return;
    }
    this.asked = "";
    const { transport } = host.view;
    const at = seen.place.beats === transport.beats ? seen.place.at : Math.round((seen.place.at / seen.place.beats) * transport.beats);
    if (transport.at !== at || host.pointer !== seen.place.pointer) {
      host.pointer = seen.place.pointer;
      transport.pause();
      if (at > transport.at) transport.playTo(at);
      else transport.jump(at);
    }
    this.hearQuestion();
  }

  hearQuestion() {
    const { host, seen } = this, { question } = host;
    if (seen.question && question.asked?.id !== seen.question.id && this.answered?.id !== seen.question.id) {
      question.ask({ id: seen.question.id, words: seen.question.words, choices: seen.question.choices?.map((words) => ({ words })) ?? null, ofClass: true });
    }
    const over = seen.settled;
    if (over && question.asked?.id === over.id) {
      const { asked } = question;
      question.asked = null;
      host.revealed.add(host.pointer);
      question.tell(asked, this.answered?.id === over.id ? this.answered.value : null, over.right);
      question.tally(seen.tally ?? {}, seen.phones);
    } else if (!seen.question && question.asked?.ofClass) question.forget();
  }
}

/** Where a lesson stands, but for what its player's step says: numbers as a link writes them. */
function placeOf(options) {
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => !["step", "epsilon"].includes(name) && value != null)
    .map(([name, value]) => [name, String(value)]).sort(([a], [b]) => (a < b ? -1 : 1)));
}
