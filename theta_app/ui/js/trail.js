// One step of the browser's history per thing the person did.
//
// Streamlit adds an entry for every change of the address, and on Back and Forward runs the page with the address gone
// to. What is too much is put together here: a page that was changed to gets its parameters a moment later, and keys or
// clicks in quick succession are one thing done. Steps are counted, so that undoing never leaves the app.

const QUICK = 500; // ms between changes that are one thing done
const TOP = "theta-top"; // the last step there is, kept over a reload

class Trail {
  constructor() {
    this.push = history.pushState.bind(history);
    this.replace = history.replaceState.bind(history);
    this.pushed = -Infinity; // when a step was added last
    this.last = remembered();
    this.arriving = false; // at a page whose parameters are still to come
    history.pushState = (state, _, url) => this.add(state, url);
    history.replaceState = (state, _, url) => this.put(state, url);
    window.addEventListener("popstate", () => { this.pushed = -Infinity; });
    if (history.state?.step === undefined) this.put(history.state);
  }

  get step() { return history.state?.step ?? 0; }

  /** The last step there is to go forward to. */
  get top() { return Math.max(this.last, this.step); }

  add(state, url) {
    const elsewhere = url !== undefined && new URL(url, location.href).pathname !== location.pathname;
    const now = performance.now(), quick = now - this.pushed < QUICK;
    if (!elsewhere && (this.arriving || quick)) return this.put(state, url);
    const step = this.step + 1;
    this.arriving = elsewhere;
    this.pushed = elsewhere ? -Infinity : now;
    this.last = step;
    remember(step);
    return this.push({ ...state, step }, "", url);
  }

  /** Another address for the same step. */
  put(state, url) { this.replace({ ...state, step: this.step }, "", url); }

  /** The page is there, with its parameters: what changes the address now is the person. */
  arrived() { this.arriving = false; }

  undo() { if (this.step > 0) history.back(); }

  redo() { if (this.step < this.top) history.forward(); }
}

function remembered() {
  try { return Number(sessionStorage.getItem(TOP)) || 0; } catch { return 0; } // private windows may forbid it
}

function remember(step) {
  try { sessionStorage.setItem(TOP, step); } catch { /* then nothing is redone after a reload */ }
}

/** The one of this window; components may be loaded more than once. */
export function trail() {
  window.thetaTrail ??= new Trail();
  return window.thetaTrail;
}
