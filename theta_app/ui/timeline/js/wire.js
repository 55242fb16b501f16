// Reading what Python sends; wire.py has the format.

const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array };

/** `start`: where to stand. `body()`: all the rest, read only when asked for. */
export function unpack(bytes) {
  const buffer = bytes.slice().buffer; // own, aligned copy
  const numbers = new DataView(buffer);
  const text = (from, length) => new TextDecoder().decode(new Uint8Array(buffer, from, length));
  const startLength = numbers.getUint32(4, true);
  const start = JSON.parse(text(8, startLength));
  return { start, body: () => readBody(buffer, 8 + startLength, numbers, text) };
}

function readBody(buffer, at, numbers, text) {
  const length = numbers.getUint32(at, true);
  const body = JSON.parse(text(at + 8, length));
  const arrays = at + 8 + length;
  for (const [name, [type, offset, count]] of Object.entries(body.arrays)) {
    body[name] = new TYPES[type](buffer, arrays + offset, count);
  }
  return body;
}
