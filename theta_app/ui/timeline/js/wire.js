// Reading what Python sends; wire.py has the format.

import { decodeLabels } from "./coding.js";

const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array };

/** `start`: where to stand. `body()`: a promise of all the rest, read only when asked for; `second()`: of what follows it. */
export function unpack(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  const start = JSON.parse(textOf(bytes.subarray(8, 8 + length)));
  const from = 8 + length, to = from + (start.length ?? bytes.length);
  const read = (part) => async () => readBody(await inflated(part));
  return { start, body: read(bytes.subarray(from, to)), second: read(bytes.subarray(to)) };
}

const textOf = (bytes) => new TextDecoder().decode(bytes);

function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

function readBody(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const body = JSON.parse(textOf(new Uint8Array(buffer, 8, length)));
  for (const [name, [type, offset, count]] of Object.entries(body.arrays)) {
    body[name] = new TYPES[type](buffer, 8 + length + offset, count);
  }
  body.labels = decodeLabels(body);
  if (body.points.length === 3 * body.n) Object.assign(body, { space: body.points, points: null }); // turn.js looks at them
  body.rows ??= upTo(body.n, body.first_row);
  for (const name of ["wrong", "right", "gone"]) delete body[name];
  return body;
}

/** 0, 1, 2, ... or from another number on: what is not sent. */
export function upTo(count, first = 0) {
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = first + i;
  return numbers;
}
