// What stays while lessons change: the element that fills the screen, the caption, Back and Next, the keys, the question
// that is open, and the panel for sharing. A lesson's picture is a view, built by its kind; see lesson.js.

import { el, sign } from "./dom.js";
import { FillScreen } from "../../../js/fullscreen.js";
import { Question } from "./ask.js";
import { Keys } from "./keys.js";
import { Classroom } from "./room.js";
import { Sharing } from "./share.js";

export class Host {
  /** `views`: a function per kind that builds the view for a host. */
  constructor(views) {
    Object.assign(this, { views, view: null, data: null, pointer: 0 });
    this.root = el("div", { class: "learn", "data-testid": "learn" });
    this.heading = el("b", { class: "heading", "data-testid": "learn-heading" });
    this.words = el("span", { "data-testid": "learn-caption" });
    this.caption = el("p", { class: "caption", "aria-live": "polite" }, this.heading, this.words);
    const button = (name, act) => el("button", { type: "button", "data-testid": `learn-${name}`, onclick: act });
    this.backButton = button("back", () => this.back());
    this.backButton.setAttribute("aria-label", "Back (Page up)");
    this.backButton.title = "Back (Page up)";
    this.backButton.textContent = "Back";
    this.nextButton = button("next", () => this.next());
    this.nextButton.classList.add("next");
    this.nextButton.title = "Next (Page down)";
    this.stageButton = sign(button("stage", () => this.fill.toggle()), "stage");
    this.stageButton.classList.add("key");
    this.question = new Question(this);
    this.room = new Classroom(this);
    this.sharing = new Sharing(this);
    this.nav = el("div", { class: "nav" }, this.stageButton, this.sharing.button, this.backButton, this.nextButton);
    this.root.append(this.sharing.box);
    this.fill = new FillScreen(this.root, (on) => { this.staged(on); this.view?.frame.size(); this.reserve(); });
    this.staged(false);
    this.keys = new Keys(this, (key) => this.act(key));
  }

  destroy() {
    this.view?.destroy();
    this.keys.stop();
    this.fill.stop();
    this.room.stop();
  }

  staged(on) {
    const label = on ? "Leave the stage (F or Esc)" : "Fill the screen (F)";
    this.stageButton.title = label;
    this.stageButton.setAttribute("aria-label", label);
  }

  // ---- what Python sends

  update(data) {
    const old = this.data;
    this.data = data;
    const opening = old?.opening !== data.opening;
    if (opening) {
      this.question.forget();
      this.revealed = new Set();
      this.pointer = 0;
    }
    if (!this.view || old.kind !== data.kind) {
      this.view?.destroy();
      this.view?.root.remove();
      this.view = this.views[data.kind](this);
      this.root.prepend(this.view.root);
      this.view.frame.place();
    }
    Object.assign(this.root.dataset, { lesson: data.lesson, story: data.story, kind: data.kind });
    this.heading.textContent = data.heading;
    this.view.update(data);
    if (opening && data.open?.last) {
      this.pointer = this.moments.length - 1;
      this.view.transport.jumpTo(this.at(this.moments[this.pointer]));
    }
    if (opening) setTimeout(revealChosen, 200); // when the choosers have their widths
    if (opening || JSON.stringify(old.moments) !== JSON.stringify(data.moments)) this.reserve();
    this.moved();
    this.room.updated();
  }

  // ---- moments: what a story says, step by step

  get moments() { return this.data?.moments ?? []; }

  /** Where a moment is on the transport. */
  at({ step, beat }) {
    const { beats } = this.view.transport;
    return beat == null || beats === 1 ? step * beats : (step - 1) * beats + beat + 1;
  }

  /** The transport has moved, or what is shown has changed. */
  moved() {
    if (!this.view?.transport || !this.data || !this.moments.length) return;
    const { transport } = this.view, { moments } = this;
    if (!moments[this.pointer] || this.at(moments[this.pointer]) !== transport.at) {
      const last = moments.findLastIndex((moment) => this.at(moment) <= transport.at);
      const first = moments.findIndex((moment) => this.at(moment) === transport.at); // several may stand on one step
      this.pointer = Math.max(0, first >= 0 ? first : last);
    }
    const moment = moments[this.pointer];
    if (this.words.textContent !== moment.words) this.words.textContent = moment.words;
    Object.assign(this.root.dataset, { moment: this.pointer, state: JSON.stringify(this.view.state?.() ?? []) });
    this.ask(moment, transport);
    this.face();
    this.room.moved();
  }

  /** A moment may ask: the question is open until it is answered, or gone past. */
  ask({ ask }, transport) {
    const { data, pointer } = this, id = `${data.lesson}/${data.story}/${data.variant ?? ""}/${pointer}`;
    const here = ask && !this.revealed.has(pointer) && this.at(this.moments[pointer]) === transport.at && !transport.playing;
    if (here) this.question.ask({ id, ...ask, done: () => { this.revealed.add(pointer); this.next(); } });
    else if (this.question.asked?.id === id) this.question.forget();
  }

  face() {
    const { next, previous } = this.data, following = this.following(), label = following || this.question.open ? "Next" : next ? `Next: ${next.words}` : "Next";
    if (this.nextButton.textContent !== label) this.nextButton.textContent = label;
    this.nextButton.disabled = !following && !next && !this.question.open;
    this.backButton.disabled = !previous && this.pointer === 0 && this.view.transport.at === 0;
  }

  following() { return this.moments.find((moment, i) => i > this.pointer && this.at(moment) >= this.view.transport.at); }

  /** Whether a run that plays by itself stops there. */
  stopsAt(at) {
    return this.moments.some((moment) => moment.stop && this.at(moment) === at);
  }

  /** To the next thing that is said: the answer of an open question, a moment, a story, a lesson. */
  next() {
    const { transport } = this.view;
    if (this.question.open) return this.question.settle(null);
    if (transport.until != null) return transport.jump(transport.until);
    const following = this.following();
    if (!following) return this.go(1);
    const target = this.at(following);
    this.pointer = this.moments.indexOf(following);
    if (target === transport.at) transport.jump(target);
    else transport.playTo(target);
  }

  back() {
    const { transport } = this.view, here = this.moments[this.pointer];
    this.question.forget();
    if (transport.at > this.at(here)) return transport.jumpTo(this.at(here));
    if (!this.pointer) return this.go(-1);
    this.pointer -= 1;
    this.revealed.delete(this.pointer);
    return transport.jumpTo(this.at(this.moments[this.pointer]));
  }

  /** To another story or lesson; Python has its data. */
  go(by) {
    const place = by > 0 ? this.data.next : this.data.previous;
    if (!place) return;
    this.view.transport.pause();
    this.trigger("go", { lesson: place.lesson, story: place.story, last: by < 0, now: Date.now() });
  }

  /** Room for the longest caption and question: nothing moves while a story is told. */
  reserve() {
    this.caption.style.minHeight = "";
    let most = 0;
    for (const { words } of this.moments) {
      this.words.textContent = words;
      most = Math.max(most, this.caption.offsetHeight);
    }
    this.caption.style.minHeight = `${most}px`;
    this.question.reserve(this.moments.map(({ ask }) => ask).filter(Boolean));
    this.words.textContent = this.moments[this.pointer]?.words ?? "";
    this.view?.frame.size();
  }

  // ---- keys

  act(key) {
    const { view } = this;
    if (key === "f" || (key === "Escape" && this.fill.on)) return () => this.fill.toggle();
    if (!view) return null;
    if (key === "PageDown") return () => this.next();
    if (key === "PageUp") return () => this.back();
    if (key === "q") return () => this.sharing.toggle();
    const { transport } = view, own = this.question.act(key) ?? view.act?.(key);
    if (own) return own;
    if (key === "ArrowRight" && this.question.open) return () => this.question.settle(null);
    if (key === "ArrowRight" && transport.at >= transport.end) return () => this.next();
    if (key === "ArrowLeft" && transport.at === 0) return () => this.back();
    if (key === " " && this.question.open) return () => this.question.settle(null);
    return transport.act(key);
  }

  reveal() { this.view?.frame.reveal(); }
}

/** On a phone the choosers are wider than the screen: the lesson and story that are shown are brought into sight. */
function revealChosen() {
  for (const chosen of document.querySelectorAll('.st-key-learn-choice [aria-checked="true"]')) {
    const row = chosen.parentElement, { left, right } = chosen.getBoundingClientRect(), around = row.getBoundingClientRect();
    row.scrollLeft += (left + right - around.left - around.right) / 2;
  }
}
