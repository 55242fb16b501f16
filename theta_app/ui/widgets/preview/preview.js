// Points in the plane, each in the colour of its class, with a grid, the names of the axes and of the classes.

import { fit } from "../../timeline/js/camera.js";
import { paint, wiped } from "../../timeline/js/canvas.js";
import { groundMarks } from "../../timeline/js/picture.js";
import { discs, lines, words } from "../../timeline/js/scene.js";
import { readTheme } from "../../timeline/js/theme.js";

export default function ({ parentElement, data }) {
  let root = parentElement.querySelector(".preview");
  if (!root) {
    root = document.createElement("div");
    root.className = "preview";
    root.innerHTML = '<canvas role="img" data-testid="preview"></canvas><ul></ul>';
    parentElement.append(root);
  }
  const [canvas, legend] = root.children;
  canvas.setAttribute("aria-label", data.alt);
  legend.replaceChildren(...data.names.map((name, i) => entryOf(name, data.colours[i])));
  const body = { ...data, points: Float32Array.from(data.points), n: data.points.length / 2 };
  const resized = new ResizeObserver(() => draw(root, canvas, body));
  resized.observe(canvas);
  return () => resized.disconnect();
}

function entryOf(name, colour) {
  const entry = document.createElement("li"), key = document.createElement("i");
  key.style.background = colour;
  entry.append(key, name);
  return entry;
}

function draw(root, canvas, body) {
  const size = { width: canvas.clientWidth, height: canvas.clientHeight }, scale = Math.min(devicePixelRatio || 1, 2);
  if (!size.width || !size.height) return;
  Object.assign(canvas, { width: Math.round(size.width * scale), height: Math.round(size.height * scale) });
  const theme = readTheme(root), camera = fit(body, size);
  const marks = [...groundMarks(body, camera, size, theme), ...(body.many > 1 ? curves : dots)(body, camera), ...axisNames(body, size, theme)];
  paint(wiped(canvas, scale), marks, theme.font);
  canvas.dataset.points = body.n / body.many;
}

function dots({ classes, colours }, { places, dot }) {
  const at = colours.map(() => []);
  for (let i = 0; i < places.length; i += 2) at[classes ? classes[i / 2] : 0].push(places[i], places[i + 1]);
  return at.map((mine, code) => discs("point", mine, dot, { fill: colours[code] }));
}

function curves({ classes, colours, many }, { places }) {
  const at = colours.map(() => []);
  for (let i = 0; i + 1 < places.length / 2; i++) {
    if (i % many === many - 1) continue;
    at[classes ? classes[Math.floor(i / many)] : 0].push(...places.subarray(2 * i, 2 * i + 4));
  }
  return at.map((mine, code) => lines("point", mine, { stroke: colours[code], width: 1, alpha: 0.8 }));
}

function axisNames({ axes: [across, up] }, { width, height }, { text }) {
  const style = { size: 12, weight: 600, fill: text };
  return [
    words("across", across, width - 8, height - 22, { ...style, align: "right" }),
    words("up", up, 8, 16, style),
  ];
}
