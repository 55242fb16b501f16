// The canvases of a timeline: their sizes, what is drawn once for a size, and painting one value on them.

import { fit } from "./camera.js";
import { paint, still, wiped } from "./canvas.js";
import { cursorMarks, curveMarks, curvePlot } from "./curves.js";
import { groundMarks, overMarks, pointMark } from "./picture.js";
import { census } from "./scene.js";
import { sizeMarks } from "./sizes.js";
import { Stamped } from "./stamp.js";
import { trackMarks } from "./track.js";

const CANVASES = ["points", "over", "curves", "sizes", "ranges"];

export class Screen {
  /** `part`: the canvases by name; `resized` is called when there is another room for them. */
  constructor(part, resized) {
    this.part = part;
    this.observer = new ResizeObserver(resized);
    for (const name of CANVASES) this.observer.observe(part[name].parentElement);
  }

  stop() {
    this.observer.disconnect();
  }

  /** What depends on room, data and theme, but not on the value. False while nothing is in sight. */
  layout(body, theme, look) {
    this.camera = null;
    const { points } = this.part, enlarged = points.getBoundingClientRect().width / (points.offsetWidth || 1) || 1;
    this.scale = Math.min(devicePixelRatio || 1, 2) * enlarged;
    for (const name of CANVASES) fitCanvas(this.part[name], this.scale);
    if (!this.part.points.width || !this.part.points.height) return false;
    Object.assign(this, { body, theme });
    this.camera = fit(body, this.size("points"), look);
    this.plot = curvePlot(body, this.size("curves"));
    this.drawn = null;
    return true;
  }

  /** The picture from closer or farther; everything else stays. */
  look(look) {
    if (!this.camera) return;
    this.camera = fit(this.body, this.size("points"), look);
    if (this.drawn && !this.body.space) this.drawn = { ...this.drawn, ...this.drawGround() }; // in 3-D it is one colour
  }

  /** Of a canvas, in pixels of the page. */
  size(name) {
    const { width, height } = this.part[name];
    return { width: width / this.scale, height: height / this.scale };
  }

  /** The picture as a scene: what lies under the points, the points, what lies over them. */
  scene(frame, shown) {
    const { body, camera, theme } = this;
    return {
      ground: this.layers.ground,
      points: pointMark(body, frame, camera, shown, theme),
      over: overMarks(body, frame, camera, shown, theme),
    };
  }

  paint(frame, shown) {
    const { body, theme, part } = this;
    const { ground, points, over } = this.scene(frame, shown);
    this.layers.points.paint(points);
    this.put("over", over);
    part.over.dataset.points = points.kind;
    part.over.dataset.drawn = JSON.stringify(census([...ground, points, ...over]));
    this.put("curves", cursorMarks(frame, this.plot, theme), this.layers.curves);
    this.put("sizes", sizeMarks(body, frame, shown.lit, this.size("sizes"), theme));
  }

  /** Marks on a canvas, over a layer if there is one. */
  put(name, marks, layer = null) {
    const { width, height } = this.size(name);
    if (!width || !height) return;
    const context = wiped(this.part[name], this.scale);
    if (layer) context.drawImage(layer, 0, 0, width, height);
    paint(context, marks, this.theme.font);
  }

  /** What stays while the value moves: drawn once, when first needed. */
  get layers() {
    this.drawn ??= this.drawLayers();
    return this.drawn;
  }

  drawLayers() {
    const { body, part, scale, theme } = this;
    this.put("ranges", trackMarks(body, this.size("ranges"), theme));
    return {
      ...this.drawGround(),
      curves: still(part.curves, scale, curveMarks(body, this.plot, theme), theme.font),
    };
  }

  drawGround() {
    const ground = groundMarks(this.body, this.camera, this.size("points"), this.theme);
    return { ground, points: new Stamped(this.part.points, this.scale, ground, this.theme.font) };
  }
}

function fitCanvas(canvas, scale) {
  const width = Math.round(canvas.clientWidth * scale), height = Math.round(canvas.clientHeight * scale);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}
