// The shuffle slider: TDG's result for the first shuffles at the θ one stands on, shown by the timeline of the page as
// long as the slider is not at its end. It asks the server nothing.

import { frameAt } from "./frames.js";
import { LOOK, MOVED } from "./look.js";
import { unpack } from "./wire.js";

const sliders = new WeakMap();

class ShuffleSlider {
  constructor(root) {
    this.root = root;
    this.input = root.querySelector("input");
    this.text = root.querySelector("output");
    this.input.addEventListener("input", () => this.look());
    this.input.addEventListener("change", () => this.send("used", true)); // it stays on the page from now on
    this.follow = ({ detail }) => this.stand(detail.value);
    document.addEventListener(MOVED, this.follow);
  }

  stop() { document.removeEventListener(MOVED, this.follow); }

  load(bytes) {
    const { start, body } = unpack(bytes);
    if (this.id === start.body) return;
    this.id = start.body;
    body().then((read) => { if (this.id === start.body) this.take(read, start.value); });
  }

  take(body, theta) {
    Object.assign(this, { body, theta });
    Object.assign(this.input, { min: 0, max: this.last, value: this.last });
    const track = document.querySelector("[data-axis=theta]");
    this.stand(Number(track?.getAttribute("aria-valuenow") ?? this.theta));
  }

  get last() { return this.body.values.length - 1; }

  /** The timeline stands at a value: only at the θ of these shuffles they say something. */
  stand(value) {
    if (!this.body) return;
    this.input.disabled = value !== this.theta;
    this.input.value = this.last;
    this.tell();
  }

  look() {
    const index = Number(this.input.value);
    const frame = { ...frameAt(this.body, index), value: this.theta };
    const detail = index === this.last ? null : { body: this.body, at: index, frame, theta: this.theta };
    document.dispatchEvent(new CustomEvent(LOOK, { detail }));
    this.tell();
  }

  tell() {
    const { body, input } = this, index = Number(input.value);
    const most = body.values[this.last], used = body.values[index];
    this.text.textContent = used === most ? `all ${most}` : `the first ${used}`;
    input.setAttribute("aria-valuetext", body.spoken[index]);
    Object.assign(input.dataset, { shuffles: used, theta: this.theta });
  }
}

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".tl-shuffles");
  if (!root) return undefined;
  if (!sliders.has(root)) sliders.set(root, new ShuffleSlider(root));
  const slider = sliders.get(root);
  slider.send = setStateValue;
  slider.load(data);
  return () => { if (!root.isConnected) slider.stop(); };
}
