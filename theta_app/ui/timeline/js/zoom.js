// Looking closer at the picture: wheel and pinch zoom, dragging pans (in 3-D it turns, with Shift it pans), and buttons for keys and for one finger.

import { clamp } from "./format.js";
import { placeIn } from "./stage.js";

const CLOSER = 1.5, MOST_ZOOM = 400;
const GESTURE = 350; // ms: wheel turns closer together than this belong to one movement

export class Zoom {
  constructor(view) {
    this.view = view;
    this.factor = 1;
    this.middle = null; // in the coordinates that were sent; null: all points are in sight
    this.fingers = new Map(); // places by pointer
    this.listen(view.part.over);
  }

  get look() { return { factor: this.factor, middle: this.middle }; }

  /** A step closer, or with -1 back, around the middle of the picture. */
  closer(direction) {
    const { width, height } = this.view.screen.size("points");
    this.by(CLOSER ** direction, [width / 2, height / 2]);
  }

  reset() { this.set(1, null); }

  /** Zoom by a factor; what is at `here`, in pixels of the picture, stays there. */
  by(ratio, here) {
    const { camera } = this.view.screen;
    if (!camera) return;
    const factor = clamp(this.factor * ratio, 1, MOST_ZOOM), grown = factor / this.factor;
    const { width, height } = this.view.screen.size("points"), [x, y] = camera.back(here);
    const middle = [x - (here[0] - width / 2) / (camera.sx * grown), y + (here[1] - height / 2) / (camera.sy * grown)];
    this.set(factor, middle);
  }

  pan(dx, dy) {
    const { camera } = this.view.screen;
    this.set(this.factor, [camera.middle[0] - dx / camera.sx, camera.middle[1] + dy / camera.sy]);
  }

  /** Bring a point into sight. */
  to([x, y]) {
    const { camera } = this.view.screen, { width, height } = this.view.screen.size("points");
    const [px, py] = [camera.x(x), camera.y(y)];
    if (px < 0 || py < 0 || px > width || py > height) this.set(this.factor, [x, y]);
  }

  set(factor, middle) {
    const { screen, part } = this.view;
    this.factor = factor < 1.001 ? 1 : factor;
    this.middle = this.factor === 1 ? null : kept(screen.camera.box, middle);
    part.over.classList.toggle("tl-zoomed", this.factor > 1);
    part.over.dataset.zoom = this.factor.toFixed(3);
    screen.look(this.look);
    this.view.pinned.look();
    this.view.ask();
  }

  // ---- wheel and fingers

  listen(over) {
    let scrolling = -Infinity; // when the page was last scrolled by the wheel
    this.outside = (event) => { if (event.target !== over) scrolling = event.timeStamp; };
    window.addEventListener("wheel", this.outside, { passive: true, capture: true });
    over.addEventListener("wheel", (event) => {
      const going = event.timeStamp - scrolling < GESTURE; // the pointer came over the picture while scrolling
      const away = this.factor === 1 && event.deltaY > 0;
      if (!event.ctrlKey && (going || away)) { scrolling = event.timeStamp; return; }
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1, pace = event.ctrlKey ? 0.01 : 0.0022; // a pinch on a pad has ctrl
      this.by(Math.exp(-clamp(event.deltaY * lines, -240, 240) * pace), placeIn(over, event));
    }, { passive: false });
    for (const kind of ["touchstart", "touchmove"]) {
      over.addEventListener(kind, (event) => { if (event.touches.length > 1) event.preventDefault(); }, { passive: false });
    }
    over.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.view.state.tool) return;
      this.fingers.set(event.pointerId, placeIn(over, event));
      if (this.fingers.size > 1) over.setPointerCapture(event.pointerId);
    });
    over.addEventListener("pointermove", (event) => this.moved(event, placeIn(over, event)));
    for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
      over.addEventListener(kind, (event) => this.fingers.delete(event.pointerId));
    }
    over.addEventListener("dblclick", () => this.reset());
  }

  moved(event, here) {
    const before = this.fingers.get(event.pointerId);
    if (!before || !this.view.screen.camera) return;
    this.fingers.set(event.pointerId, here);
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (others.length) {
      const [other] = others, span = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]);
      this.by(span(here) / Math.max(span(before), 1), [(here[0] + other[0]) / 2, (here[1] + other[1]) / 2]);
      if (this.factor > 1) this.pan((here[0] - before[0]) / 2, (here[1] - before[1]) / 2);
    } else if (this.view.turn.on && !event.shiftKey) {
      if (!this.view.part.over.hasPointerCapture(event.pointerId)) this.view.part.over.setPointerCapture(event.pointerId);
      this.view.turn.drag(here[0] - before[0], here[1] - before[1]);
    } else if (this.factor > 1) this.pan(here[0] - before[0], here[1] - before[1]);
  }

  stop() { window.removeEventListener("wheel", this.outside, { capture: true }); }
}

const kept = ({ x0, x1, y0, y1 }, [x, y]) => [clamp(x, x0, x1), clamp(y, y0, y1)];
