// The parameter runs slowly upward by itself; one value per press where the person's system asks for less motion.

const STEP = 450; // ms per value: slow enough to look

export class Player {
  /** `button` shows what a press would do. */
  constructor(view, button) {
    this.view = view;
    this.button = button;
    this.playing = false;
    this.timer = 0;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.still.addEventListener("change", () => { this.pause(); this.face(false); });
    this.face(false);
  }

  toggle() {
    if (this.still.matches) return this.next(this.following);
    if (this.playing) this.pause({ release: true });
    else this.play();
    return undefined;
  }

  play() {
    this.view.hint.seen();
    this.face(true);
    this.next(this.following);
  }

  get following() { return this.view.state.index === this.view.last ? 0 : this.view.state.index + 1; }

  next(index) {
    this.view.show(index);
    if (this.still.matches) this.view.releaseSoon();
    else if (index >= this.view.last) this.pause({ release: true });
    else this.timer = setTimeout(() => this.next(this.view.state.index + 1), this.view.body.pace ?? STEP);
  }

  pause({ release = false } = {}) {
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.face(false);
    if (release) this.view.release();
  }

  face(playing) {
    this.playing = playing;
    this.button.setAttribute("aria-pressed", String(playing));
    this.button.textContent = playing ? "❚❚ Pause" : this.still.matches ? "▶ Step" : "▶ Play";
  }
}
