// Marks on a canvas. Points by the thousand have a way of their own: stamp.js.

import { ballAround, ballCorners } from "../../js/ball.js";
import { fontOf } from "./theme.js";

const TRACE = {
  discs(context, { at, radius, norm = 2 }) {
    const ball = ballCorners(norm);
    for (let i = 0; i < at.length; i += 2) {
      if (ball) {
        trace(context, ballAround(ball, at[i], at[i + 1], radius));
        continue;
      }
      context.moveTo(at[i] + radius, at[i + 1]);
      context.arc(at[i], at[i + 1], radius, 0, 2 * Math.PI);
    }
  },
  lines(context, { at }) {
    for (let i = 0; i < at.length; i += 4) {
      context.moveTo(at[i], at[i + 1]);
      context.lineTo(at[i + 2], at[i + 3]);
    }
  },
  path(context, { at, closed }) {
    for (let i = 0; i < at.length; i += 2) context.lineTo(at[i], at[i + 1]);
    if (closed) context.closePath();
  },
  rects(context, { at, round = 0 }) {
    for (let i = 0; i < at.length; i += 4) {
      if (round) context.roundRect(at[i], at[i + 1], at[i + 2], at[i + 3], round);
      else context.rect(at[i], at[i + 1], at[i + 2], at[i + 3]);
    }
  },
};

function trace(context, at) {
  context.moveTo(at[0], at[1]);
  for (let i = 2; i < at.length; i += 2) context.lineTo(at[i], at[i + 1]);
  context.closePath();
}

/** Draw marks, all but dots, in pixels of the page. */
export function paint(context, marks, font) {
  for (const mark of marks) {
    context.globalAlpha = mark.alpha ?? 1;
    if (mark.kind === "words") write(context, mark, font);
    else {
      context.beginPath();
      TRACE[mark.kind](context, mark);
      finish(context, mark);
    }
  }
  context.globalAlpha = 1;
}

function finish(context, { fill, stroke, width = 1, dash = [] }) {
  if (fill) {
    context.fillStyle = fill;
    context.fill();
  }
  if (stroke) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.stroke();
  }
}

function write(context, mark, font) {
  context.font = fontOf(mark, font);
  context.textAlign = mark.align ?? "left";
  context.fillStyle = mark.fill;
  context.fillText(mark.text, mark.x, mark.y);
}

/** A canvas wiped clean, ready to draw in pixels of the page. */
export function wiped(canvas, scale) {
  const context = canvas.getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  return context;
}

/** Marks drawn once, to be copied under what moves. */
export function still(canvas, scale, marks, font) {
  const layer = document.createElement("canvas");
  layer.width = canvas.width;
  layer.height = canvas.height;
  if (layer.width && layer.height) paint(wiped(layer, scale), marks, font);
  return layer;
}
