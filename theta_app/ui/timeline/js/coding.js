// Labels as they are sent: changes from the value before, along a curve that fills the picture; coding.py writes them.

const PLACES = 65535;

function spaced(number) {
  let bits = number;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

/** The order of points of `width` numbers each along Morton's curve, equal places as they come. */
export function alongCurve(points, width = 2) {
  const n = points.length / width, codes = new Uint32Array(n), step = (v) => Math.floor((v + 1) * (PLACES / 2));
  for (let i = 0; i < n; i++) {
    const x = step(points[width * i]), y = step(points[width * i + 1]);
    codes[i] = (spaced(x) | (spaced(y) << 1)) >>> 0;
  }
  let order = new Uint32Array(n), other = new Uint32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  for (const shift of [0, 16]) { // the lower half first: each pass keeps the order of equals
    const starts = new Uint32Array(65537);
    for (let i = 0; i < n; i++) starts[((codes[i] >>> shift) & 65535) + 1] += 1;
    for (let b = 0; b < 65536; b++) starts[b + 1] += starts[b];
    for (let i = 0; i < n; i++) other[starts[(codes[order[i]] >>> shift) & 65535]++] = order[i];
    [order, other] = [other, order];
  }
  return order;
}

/** The labels at every value, an array each. */
export function decodeLabels({ n, points, cluster_start: starts, wrong, right, gone }) {
  const order = alongCurve(points, points.length / n), bytes = Math.ceil(n / 8);
  let before = new Uint32Array(n), now = new Uint32Array(n), many = 1, takes = 0, goes = 0;
  const labels = [];
  for (let f = 0; f < starts.length - 1; f++) {
    const count = starts[f + 1] - starts[f], of = new (narrowest(count))(n);
    let last = -1, value = 0;
    for (let j = 0; j < n; j++) {
      const was = before[j];
      if (was !== last) { value = gone[goes + was]; last = was; }
      if (wrong[f * bytes + (j >> 3)] & (1 << (j & 7))) value = right[takes++];
      now[j] = value;
      of[order[j]] = value;
    }
    labels.push(of);
    goes += many;
    many = count;
    [before, now] = [now, before];
  }
  return labels;
}

const narrowest = (count) => (count <= 256 ? Uint8Array : count <= 65536 ? Uint16Array : Uint32Array);
