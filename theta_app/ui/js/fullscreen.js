// An element that fills the screen, for a class to see: entered and left with a button or F, left with Esc.

/** `changed(on)` is called after the element has come to fill the screen, or has stopped to. */
export class FillScreen {
  constructor(root, changed = () => {}) {
    this.root = root;
    this.changed = changed;
    this.follow = () => this.show(root.getRootNode().fullscreenElement === root);
    document.addEventListener("fullscreenchange", this.follow);
  }

  get on() { return this.root.classList.contains("on-stage"); }

  stop() { document.removeEventListener("fullscreenchange", this.follow); }

  toggle() {
    if (!this.on) this.enter();
    else if (this.root.getRootNode().fullscreenElement === this.root) document.exitFullscreen();
    else this.show(false);
  }

  /** A browser that gives an element no screen (a phone's) gets it over the page instead. */
  enter() {
    const asked = this.root.requestFullscreen?.();
    if (asked) asked.catch(() => this.show(true));
    else this.show(true);
  }

  show(on) {
    if (on === this.on) return;
    this.root.classList.toggle("on-stage", on);
    this.changed(on);
  }
}

/** Whether a key pressed there is text being typed. */
export function typing(target) {
  const { tagName, type, isContentEditable } = target ?? {};
  return tagName === "TEXTAREA" || Boolean(isContentEditable)
    || (tagName === "INPUT" && !["range", "button", "checkbox", "radio"].includes(type));
}

export const plainKey = (event) => !(event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
