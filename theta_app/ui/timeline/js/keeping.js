// Keeping the largest clusters: what is not kept turns grey, or goes to the nearest that is.

import { bySize } from "./frames.js";

/** The frame with its `kept` largest clusters alone; `give`: whether the other points go to the nearest of them. */
export function withKept(body, frame, kept, give) {
  if (kept >= frame.sizes.length) return frame;
  const stays = new Uint8Array(frame.sizes.length);
  for (const cluster of bySize(frame).slice(0, kept)) stays[cluster] = 1;
  const centroids = [], owners = [];
  frame.owners.forEach((cluster, c) => {
    if (!stays[cluster]) return;
    centroids.push(frame.centroids[2 * c], frame.centroids[2 * c + 1]);
    owners.push(cluster);
  });
  const own = { ...frame, centroids, owners };
  if (give) return { ...own, labels: givenAway(body.points, frame.labels, stays, own) };
  const grey = body.usual.length - 1; // the palette's last
  return { ...own, colours: Array.from(frame.colours, (colour, cluster) => (stays[cluster] ? colour : grey)) };
}

function givenAway(points, labels, stays, { centroids, owners }) {
  const given = Int32Array.from(labels);
  for (let i = 0; i < given.length; i++) {
    if (stays[given[i]]) continue;
    let least = Infinity;
    for (let c = 0; c < owners.length; c++) {
      const distance = Math.hypot(centroids[2 * c] - points[2 * i], centroids[2 * c + 1] - points[2 * i + 1]);
      if (distance < least) { least = distance; given[i] = owners[c]; }
    }
  }
  return given;
}

/** The share of the points that the `kept` largest clusters hold. */
export function keptShare(sizes, kept) {
  const descending = [...sizes].sort((a, b) => b - a), sum = (list) => list.reduce((total, size) => total + size, 0);
  return sum(descending.slice(0, kept)) / sum(descending);
}
