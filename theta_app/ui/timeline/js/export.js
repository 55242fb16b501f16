// The picture to take away: the scene of the screen under its title, as PNG or SVG.

import { save } from "../../js/save.js";
import { paint, wiped } from "./canvas.js";
import { escaped } from "./format.js";
import { rects, words } from "./scene.js";
import { Stamped } from "./stamp.js";
import { SHARP, svgOf } from "./svg.js";

const HEAD = 34; // pixels over the picture, for the title

export function savePng(view) {
  const { ground, points, over } = view.screen.scene(view.frame, view.shown), { font } = view.theme;
  const { width, height } = view.screen.size("points");
  const picture = canvasOf(width, height), whole = canvasOf(width, height + HEAD);
  new Stamped(picture, SHARP, ground, font).paint(points);
  const onTop = picture.getContext("2d");
  onTop.scale(SHARP, SHARP);
  paint(onTop, over, font);
  const context = wiped(whole, SHARP);
  paint(context, heading(view, width), font);
  context.drawImage(picture, 0, HEAD, width, height);
  whole.toBlob((blob) => save(blob, fileName(view, "png")), "image/png");
}

export function saveSvg(view) {
  const { ground, points, over } = view.screen.scene(view.frame, view.shown);
  const { width, height } = view.screen.size("points");
  const box = (w, h) => `viewBox="0 0 ${w} ${h}" width="${w}" height="${h}"`;
  // the inner svg ends where the picture does: a circle must not reach into the title
  const text = [
    `<svg xmlns="http://www.w3.org/2000/svg" ${box(width, height + HEAD)} font-family="${escaped(view.theme.font)}">`,
    `<title>${escaped(titleOf(view))}</title>`,
    svgOf(heading(view, width)),
    `<svg y="${HEAD}" ${box(width, height)}>${svgOf([...ground, points, ...over])}</svg>`,
    "</svg>",
  ].join("");
  save(new Blob([text], { type: "image/svg+xml" }), fileName(view, "svg"));
}

function heading(view, width) {
  const { back, text } = view.theme;
  return [
    rects("head", [0, 0, width, HEAD], { fill: back }),
    words("title", titleOf(view), 10, 22, { size: 15, weight: 600, fill: text }),
  ];
}

function canvasOf(width, height) {
  const canvas = document.createElement("canvas");
  return Object.assign(canvas, { width: width * SHARP, height: height * SHARP });
}

const titleOf = (view) => view.spoken;

const fileName = ({ body, frame }, ending) => `${body.name}-${body.axis.id}-${frame.value.toPrecision(4)}.${ending}`;
