// A line chart on a stage.

import { say } from "./dom.js";

/** A small line chart: `lines` are {values, colour, dash, dotted}; x runs over `xs`; the cursor stands at `at`; `marks` on
 *  the left are called what `named` calls them; `legend` says what the line and the `dots` are. */
export function chart(stage, { xs, lines, low, high, at, title, ticks, dots = [], legend = null, zone, named = say, marks = [low, (low + high) / 2, high] }) {
  const pen = stage.pen, { width: w, height: h, text } = stage;
  const left = text * 2.6, right = w - text * 0.8, top = text * 1.8, bottom = h - text * 1.9;
  const px = (v) => left + ((v - xs[0]) / (xs[xs.length - 1] - xs[0] || 1)) * (right - left);
  const py = (v) => bottom - ((v - low) / (high - low || 1)) * (bottom - top);
  const label = (words, x, y, align = "center", weight = 400) => {
    pen.font = `${weight} ${text * 0.9}px system-ui, sans-serif`;
    pen.textAlign = align;
    pen.textBaseline = "middle";
    pen.fillStyle = stage.ink;
    const room = align === "left" ? w - x : align === "right" ? x : 2 * Math.min(x, w - x);
    pen.fillText(words, x, y, room - 2); // narrower letters rather than a cut
  };
  if (zone) {
    pen.fillStyle = stage.accent;
    pen.globalAlpha = 0.12;
    pen.fillRect(px(zone.from), top, px(zone.to) - px(zone.from), bottom - top);
    pen.globalAlpha = 1;
    if (zone.name) label(zone.name, (px(zone.from) + px(zone.to)) / 2, top + text * 0.8);
  }
  pen.lineWidth = 1;
  pen.strokeStyle = stage.line;
  for (const value of marks) {
    pen.beginPath(); pen.moveTo(left, py(value)); pen.lineTo(right, py(value)); pen.stroke();
    label(named(value), left - 6, py(value), "right");
  }
  let written = 0; // up to where; what would lie over it is left out
  for (const [value, words] of ticks) {
    const align = px(value) < left + text ? "left" : px(value) > right - text ? "right" : "center";
    const wide = pen.measureText(words).width, from = px(value) - { left: 0, center: wide / 2, right: wide }[align];
    if (from < written) continue;
    label(words, px(value), bottom + text, align);
    written = from + wide + text * 0.3;
  }
  label(title, left - text * 2, text * 0.8, "left", 600);
  if (legend) {
    const [line, dot] = legend, y = text * 0.8;
    label(`• ${dot}`, right, y, "right");
    const before = right - pen.measureText(`• ${dot}`).width - text * 0.7;
    label(line, before, y, "right");
    const end = before - pen.measureText(line).width - text * 0.3;
    pen.beginPath(); pen.moveTo(end - text, y); pen.lineTo(end, y);
    pen.strokeStyle = lines[0].colour; pen.lineWidth = 2.5 * stage.thick; pen.stroke();
  }
  pen.globalAlpha = 0.45;
  for (const [x, y] of dots) { pen.beginPath(); pen.arc(px(x), py(y), 2.5 * stage.thick, 0, 7); pen.fillStyle = stage.ink; pen.fill(); }
  pen.globalAlpha = 1;
  for (const { values, colour, upto = values.length, dash = [], dotted = false } of lines) {
    pen.beginPath();
    let drawn = false;
    for (let i = 0; i < Math.min(upto, xs.length); i++) {
      if (values[i] == null) continue;
      drawn ? pen.lineTo(px(xs[i]), py(values[i])) : pen.moveTo(px(xs[i]), py(values[i]));
      drawn = true;
    }
    pen.strokeStyle = colour;
    pen.lineWidth = 2.5 * stage.thick;
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
    if (dotted) for (let i = 0; i < Math.min(upto, xs.length); i++) { pen.beginPath(); pen.arc(px(xs[i]), py(values[i]), 4 * stage.thick, 0, 7); pen.fillStyle = colour; pen.fill(); }
  }
  if (at != null) {
    pen.beginPath(); pen.moveTo(px(at), top - 4); pen.lineTo(px(at), bottom);
    pen.strokeStyle = stage.ink; pen.lineWidth = 2; pen.stroke();
  }
}
