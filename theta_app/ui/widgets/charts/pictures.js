// PNG and SVG of a Plotly chart on this page. Plotly draws a chart as several <svg> layers on top of each other with all
// styles on the elements themselves, so one <svg> that holds copies of the layers is the picture.

import { save } from "../../js/save.js";

const SVG = "http://www.w3.org/2000/svg";
const PNG_WIDTH = 1800; // pixels at least, so that a chart taken from a phone can be printed

export default function ({ parentElement, data }) {
  let root = parentElement.querySelector(".row");
  if (!root) {
    root = document.createElement("div");
    root.className = "row";
    root.innerHTML =
      '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3v12m-5-5 5 5 5-5M4 20h16"/></svg>' +
      '<button type="button" data-format="png">PNG</button>' +
      '<button type="button" data-format="svg">SVG</button><span role="status"></span>';
    parentElement.append(root);
  }
  root.onclick = async (event) => {
    const format = event.target.dataset.format;
    if (!format) return;
    const words = root.querySelector("span");
    words.textContent = "";
    try {
      const picture = pictureOf(data.chart);
      save(format === "svg" ? svgBlob(picture) : await pngBlob(picture), `${data.name}.${format}`);
    } catch (error) {
      words.textContent = error.message;
    }
  };
}

/** The chart with this key as one <svg>. */
function pictureOf(key) {
  const chart = document.querySelector(`.st-key-${key} .js-plotly-plot`);
  const layers = chart ? [...chart.querySelectorAll(".svg-container > svg.main-svg")] : [];
  if (!layers.length) throw new Error("The picture is not drawn yet; try again in a moment.");
  const { width, height } = layers[0].getBoundingClientRect();
  const picture = document.createElementNS(SVG, "svg");
  const size = { width: Math.round(width), height: Math.round(height) };
  set(picture, { xmlns: SVG, "xmlns:xlink": "http://www.w3.org/1999/xlink", ...size, viewBox: `0 0 ${size.width} ${size.height}` });
  const paper = document.createElementNS(SVG, "rect");
  set(paper, { ...size, fill: background(chart) });
  picture.append(paper);
  for (const layer of layers) {
    const copy = layer.cloneNode(true);
    copy.querySelectorAll(".hoverlayer, .zoomlayer, .select-outline").forEach((node) => node.remove());
    copy.style.background = "";
    // On the screen lines keep their width when zoomed; in a picture that would make them thin as it grows.
    copy.querySelectorAll('[style*="vector-effect"]').forEach((node) => node.style.removeProperty("vector-effect"));
    picture.append(copy);
  }
  return picture;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/** What one sees behind a transparent chart. */
function background(node) {
  for (let at = node; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour && colour !== "transparent" && !/, 0\)$/.test(colour)) return colour;
  }
  return "white";
}

function svgText(picture) {
  // References must not lead back to this page's address.
  return new XMLSerializer().serializeToString(picture).replace(/url\((&quot;|['"]?)[^)#]*#/g, "url($1#");
}

function svgBlob(picture) {
  return new Blob([svgText(picture)], { type: "image/svg+xml" });
}

async function pngBlob(picture) {
  const width = Number(picture.getAttribute("width")), height = Number(picture.getAttribute("height"));
  const scale = Math.max(2, PNG_WIDTH / width);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture))}`;
  await image.decode().catch(() => { throw new Error("This browser could not turn the picture into a PNG; SVG works."); });
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("This browser could not turn the picture into a PNG; SVG works.");
  return blob;
}
