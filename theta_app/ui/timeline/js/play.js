// The parameter runs slowly upward by itself.

const STEP = 450; // ms per value: slow enough to look

export class Player {
  /** `button` shows what a press would do. */
  constructor(view, button) {
    this.view = view;
    this.button = button;
    this.playing = false;
    this.timer = 0;
  }

  toggle() {
    if (this.playing) this.pause({ release: true });
    else this.play();
  }

  play() {
    const { state, last, hint } = this.view;
    hint.seen();
    this.face(true);
    this.next(state.index === last ? 0 : state.index + 1);
  }

  next(index) {
    this.view.show(index);
    if (index >= this.view.last) this.pause({ release: true });
    else this.timer = setTimeout(() => this.next(this.view.state.index + 1), STEP);
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
    this.button.textContent = playing ? "❚❚ Pause" : "▶ Play";
  }
}
