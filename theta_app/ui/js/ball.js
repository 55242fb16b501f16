// What is a circle where distances are measured in another way: all places as far from a centre in the norm p.
// p = 1 is a diamond, 2 a circle, infinity (null, as JSON has none) a square.

const CORNERS = 96;

/** The norm of a slider from 0 (diamond) over 1/2 (circle) to 1 (square); null is infinity. */
export const normAt = (shape) => (shape >= 1 ? null : 1 / (1 - shape));

/** The corners of a ball of radius 1 around 0, x, y of each, or null for a circle. */
export function ballCorners(norm) {
  if (norm === 2 || norm === undefined) return null;
  if (norm === 1) return [1, 0, 0, 1, -1, 0, 0, -1];
  if (norm === null || norm > 64) return [1, 1, -1, 1, -1, -1, 1, -1];
  const at = [];
  for (let i = 0; i < CORNERS; i++) {
    const x = Math.cos((2 * Math.PI * i) / CORNERS), y = Math.sin((2 * Math.PI * i) / CORNERS);
    const length = (Math.abs(x) ** norm + Math.abs(y) ** norm) ** (1 / norm);
    at.push(x / length, y / length);
  }
  return at;
}

/** The same around (x, y) with a radius, as a list of corners; `ball` is what `ballCorners` gave. */
export function ballAround(ball, x, y, radius) {
  const at = new Array(ball.length);
  for (let i = 0; i < ball.length; i += 2) {
    at[i] = x + radius * ball[i];
    at[i + 1] = y + radius * ball[i + 1];
  }
  return at;
}
