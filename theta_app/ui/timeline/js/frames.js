// The clustering at one value, as Python's Frame has it: views into the arrays that were sent, no copies.

export function frameAt(body, index) {
  const { n } = body;
  const slice = (name, starts, width = 1) =>
    body[name].subarray(width * body[starts][index], width * body[starts][index + 1]);
  const perPoint = (name) => body[name].subarray(index * n, (index + 1) * n);
  return {
    index,
    value: body.values[index],
    labels: perPoint("labels"),
    distances: body.distances ? perPoint("distances") : null,
    sizes: slice("sizes", "cluster_start"),
    names: slice("names", "cluster_start"),
    colours: slice("colours", "cluster_start"),
    centroids: slice("centroids", "centroid_start", 2),
    owners: slice("centroid_cluster", "centroid_start"),
    segments: body.segments ? slice("segments", "segment_start", 2) : null,
    pair: body.pairs[index],
    elbow: body.elbows[index],
  };
}

/** Clusters by size, largest first. */
export function bySize(frame) {
  frame.order ??= Array.from(frame.sizes.keys()).sort((a, b) => frame.sizes[b] - frame.sizes[a] || a - b);
  return frame.order;
}

/** The colour of a cluster, a place in the palette. */
export const colourOf = (body, frame, cluster) => frame.colours[cluster] % body.palette.length;

/** The radius of circles around centroids, in the coordinates that were sent; 0: none. */
export function circleRadius(body, frame) {
  const { circles, unit } = body; // "value": the axis' own value; "half": half of it; a number: always that
  return ({ value: frame.value, half: frame.value / 2 }[circles] ?? circles ?? 0) / unit;
}

/** How far a point is from its centroid, in the data's units; null where the picture cannot tell. */
export function distanceOf(body, frame, i) {
  if (frame.distances) return (frame.distances[i] / 65535) * body.distance_scale[frame.index];
  if (!body.plain) return null;
  const { centroids, owners, labels } = frame;
  const x = body.points[2 * i], y = body.points[2 * i + 1];
  let best = Infinity; // of a chained cluster, the nearest of its centroids
  for (let c = 0; c < owners.length; c++) {
    if (owners[c] === labels[i]) best = Math.min(best, Math.hypot(centroids[2 * c] - x, centroids[2 * c + 1] - y));
  }
  return best === Infinity ? null : best * body.unit;
}
