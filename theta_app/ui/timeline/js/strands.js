// Lines in 3-D: points that are curves, from far to near in layers of pieces. Every piece has an edge in the colour of the
// ground, so that one sees which line passes before which.

import { layerStyle } from "./deep.js";
import { mixed } from "./theme.js";

const THIN = 1.0, THICK = 2.2; // pixels, the farthest and the nearest layer
const EDGE = 0.9; // on either side
const TOGETHER = 3; // layers that are painted as one: more edges would cut lines in pieces

/** How wide a layer's pieces are, and how much of their colour they have. */
export function strandStyle(layer, many) {
  const { strength } = layerStyle(layer, 1), near = 2 * strength - 1; // 0 to 1
  const width = (THIN + (THICK - THIN) * near) * (many > 1000 ? 0.75 : 1);
  return { width, strength };
}

/** The pieces of a mark, from far to near: `each(layer, shade, pieces)`, places where pieces begin; of the group `last` or all others. */
function byLayer({ layers: { order, starts }, groups, shades, places, last }, ofLast, each) {
  for (let layer = 0; layer + 1 < starts.length; layer += TOGETHER) {
    const found = new Map(), end = starts[Math.min(layer + TOGETHER, starts.length - 1)];
    for (let j = starts[layer]; j < end; j++) {
      const at = order[j], group = groups[Math.floor(at / places)];
      if (at % places === places - 1 || (group === last) !== ofLast) continue;
      const shade = shades[group];
      if (!found.has(shade)) found.set(shade, []);
      found.get(shade).push(at);
    }
    each(layer, found);
  }
}

/** Draw the lines on a canvas, in pixels of the page. */
export function paintStrands(context, mark) {
  const { at, back, colours, groups } = mark;
  const trace = (pieces) => {
    context.beginPath();
    for (const i of pieces) {
      context.moveTo(at[2 * i], at[2 * i + 1]);
      context.lineTo(at[2 * i + 2], at[2 * i + 3]);
    }
  };
  for (const ofLast of mark.last >= 0 ? [false, true] : [false]) {
    byLayer(mark, ofLast, (layer, found) => {
      const { width, strength } = strandStyle(layer, groups.length);
      for (const pieces of found.values()) {
        trace(pieces);
        Object.assign(context, { lineCap: "butt", lineWidth: width + 2 * EDGE, strokeStyle: back });
        context.stroke();
      }
      for (const [shade, pieces] of found) {
        trace(pieces);
        Object.assign(context, { lineCap: "round", lineWidth: width, strokeStyle: mixed(colours[shade], back, strength) });
        context.stroke();
      }
    });
  }
}

/** The line, or -1, that passes nearest to a place of the picture, within `reach` pixels; `at`: x, y of its `places` each. */
export function nearestStrand(at, places, [x, y], reach) {
  let best = -1, least = reach ** 2;
  for (let i = 0; i + 3 < at.length; i += 2) {
    if ((i / 2) % places === places - 1) continue;
    const dx = at[i + 2] - at[i], dy = at[i + 3] - at[i + 1], long = dx * dx + dy * dy || 1;
    const part = Math.min(1, Math.max(0, ((x - at[i]) * dx + (y - at[i + 1]) * dy) / long));
    const squared = (at[i] + part * dx - x) ** 2 + (at[i + 1] + part * dy - y) ** 2;
    if (squared < least) { least = squared; best = Math.floor(i / 2 / places); }
  }
  return best;
}
