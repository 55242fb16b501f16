// The clustering at one value, as Python's Frame has it: views into the arrays that were sent, and what follows from them.

import { upTo } from "./wire.js";

export function frameAt(body, index) {
  const slice = (name, starts, width = 1) =>
    body[name]?.subarray(width * body[starts][index], width * body[starts][index + 1]);
  const labels = body.labels[index], count = body.cluster_start[index + 1] - body.cluster_start[index];
  const { n, space } = body, members = countsOf(labels, count), width = space ? 3 : 2;
  const places = slice("centroids", "centroid_start", width) ?? meansOf(space ?? body.points, width, labels, members);
  return {
    index,
    value: body.values[index],
    labels,
    members,
    distances: body.distances ? body.distances.subarray(index * n, (index + 1) * n) : null,
    sizes: slice("sizes", "cluster_start") ?? members,
    clusters: count - body.outliers[index], // the groups after them are outliers
    waiting: body.waiting && body.outliers[index] ? count - 1 : -1, // the group of points that have not come yet
    colours: slice("colours", "cluster_start"),
    ...(space ? { middles: places, ends: body.pairs[index] } : { centroids: places, pair: body.pairs[index] }), // see turn.js
    owners: slice("centroid_cluster", "centroid_start") ?? upTo(count),
    segments: body.segments ? slice("segments", "segment_start", 2) : null,
    lines: body.strands ? linesOf(body, slice("strand_of", "strand_start")) : null, // of centroids that are curves; see turn.js
    elbow: body.elbows[index],
  };
}

/** x, y, z of each place of the given lines of centroids, one line after the other. */
function linesOf({ centroid_strands: lines, many }, of) {
  const long = 3 * many, found = new Float32Array(long * of.length);
  of.forEach((line, c) => found.set(lines.subarray(long * line, long * (line + 1)), long * c));
  return found;
}

/** How many drawn points each cluster has. */
function countsOf(labels, count) {
  const counts = new Uint32Array(count);
  for (let i = 0; i < labels.length; i++) counts[labels[i]] += 1;
  return counts;
}

/** The middles of clusters, `width` numbers each. */
function meansOf(points, width, labels, members) {
  const sums = new Float64Array(width * members.length);
  for (let i = 0; i < labels.length; i++) {
    for (let axis = 0; axis < width; axis++) sums[width * labels[i] + axis] += points[width * i + axis];
  }
  return sums.map((sum, at) => sum / members[Math.floor(at / width)]);
}

const MOST_CELLS = 4e6; // of a table of counts

/** How many points two clusterings put into each pair of clusters: [{ a, b, count }]. */
export function crossed(one, other) {
  const width = other.members.length, [a, b] = [one.labels, other.labels], found = [];
  const add = (key, count) => found.push({ a: Math.floor(key / width), b: key % width, count });
  if (one.members.length * width <= MOST_CELLS) {
    const table = new Uint32Array(one.members.length * width);
    for (let i = 0; i < a.length; i++) table[a[i] * width + b[i]] += 1;
    table.forEach((count, key) => { if (count) add(key, count); });
  } else {
    const counts = new Map();
    for (let i = 0; i < a.length; i++) {
      const key = a[i] * width + b[i];
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    counts.forEach((count, key) => add(key, count));
  }
  return found;
}

/** Clusters by size, largest first. */
export function bySize(frame) {
  if (!frame.order) {
    const there = Array.from(frame.sizes.keys()).filter((k) => k !== frame.waiting);
    frame.order = there.sort((a, b) => frame.sizes[b] - frame.sizes[a] || a - b);
  }
  return frame.order;
}

/** The colour of a cluster, a place in the palette. */
export const colourOf = (body, frame, cluster) => frame.colours[cluster] % body.palette.length;

/** The radius of circles around centroids, in the coordinates that were sent; 0: none. */
export function circleRadius(body, frame) {
  const { circles, unit } = body; // "value": the axis' own value, unless the frame has a length for them; a number: always that
  return circles ? (frame.circle ?? { value: frame.value }[circles] ?? circles) / unit : 0;
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
