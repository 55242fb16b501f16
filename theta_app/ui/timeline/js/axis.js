// The parameter's axis, and round numbers along any axis.

import { clamp } from "./format.js";

const LABEL_GAP = 8; // pixels between two labels

/** Where on the axis a value stands, 0 to 1. */
export function share({ low, high, scale }, value) {
  if (!(high > low)) return 0.5;
  if (scale === "log") return clamp(Math.log(Math.max(value, low) / low) / Math.log(high / low), 0, 1);
  return clamp((value - low) / (high - low), 0, 1);
}

export function valueAt({ low, high, scale }, part) {
  return scale === "log" ? low * (high / low) ** part : low + (high - low) * part;
}

/** The index of the swept value nearest to `value`. */
export function nearest({ scale }, values, value) {
  const log = (v) => Math.log(v || 1e-300); // ε may be 0
  const gap = scale === "log" ? (v) => Math.abs(log(v) - log(value)) : (v) => Math.abs(v - value);
  let best = 0, least = Infinity;
  for (let i = 0; i < values.length; i++) {
    const distance = values[i] === value ? -1 : gap(values[i]); // exactly that one, whatever rounding says
    if (distance < least) { least = distance; best = i; }
  }
  return best;
}

/** Round numbers along an axis, about `most` of them. */
export function ticksOf({ low, high, scale }, most) {
  return scale === "log" ? logTicks(low, high, most) : ticks(low, high, most);
}

/** Of values in ascending order those whose labels do not touch; `place`: [from, to] of a label in pixels. */
export function apart(values, place) {
  let end = -Infinity;
  return values.filter((v) => {
    const [from, to] = place(v);
    if (from < end + LABEL_GAP) return false;
    end = to;
    return true;
  });
}

export function ticks(low, high, most) {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const out = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) {
    out.push(Math.abs(v) < step / 1e6 ? 0 : v);
  }
  return out;
}

function logTicks(low, high, most) {
  const decades = Math.log10(high / low);
  const digits = decades > most ? [1] : decades > most / 3 ? [1, 3] : decades > 0.6 ? [1, 2, 5] : null;
  if (!digits) return ticks(low, high, most);
  const every = Math.ceil(decades / most);
  const out = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e += 1) {
    if (decades > most && e % every) continue;
    out.push(...digits.map((digit) => Number(`${digit}e${e}`)).filter((v) => v >= low && v <= high));
  }
  return out;
}
