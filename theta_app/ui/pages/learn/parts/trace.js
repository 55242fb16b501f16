// A TSG trace on a stage, beat by beat: used where one run is played, and where two run side by side.

import { say } from "./dom.js";
import { along, beside, mix } from "./stage.js";

export const ARRIVE = 0;
export const MOVE = 3;
const MEASURE = 1, DECIDE = 2;

/** Labels and centroids after `count` steps. */
function standing(steps, count) {
  const labels = new Map(), centroids = [];
  for (const step of steps.slice(0, count)) {
    labels.set(step.point, step.cluster);
    centroids[step.cluster] = step.after;
  }
  return { labels, centroids };
}

/** The centroids as they stand in a beat of a step: what a click may mean. */
export function centroidsAt(steps, position, beat) {
  return standing(steps, beat < MOVE ? position - 1 : position).centroids;
}

/** θ named at its circle: outside, inside, or near its middle. */
export function thetaLabel(stage, [x, y], theta, fill = stage.accent) {
  const gap = stage.text * 0.3, at = ([ux, uy]) => [x + ux * theta, y - uy * theta];
  const rim = [[0, -1], [0, 1], [1, 0], [-1, 0]];
  const spots = [1, -1].flatMap((out) => rim.map(([ux, uy]) => ({ at: at([ux, uy]), ux: ux * out, uy: uy * out, gap })));
  stage.label(`θ = ${say(theta)}`, [...spots, ...beside([x, y], stage.text)], { rank: 1, fill, size: stage.text * 0.9 });
}

/** The circle that a point has around it while it is decided about. */
function thetaCircle(stage, here, theta, named = true) {
  stage.circle(here, theta, { stroke: stage.accent, fill: stage.accent, dash: [7, 5], width: 2 });
  if (named) thetaLabel(stage, here, theta);
}

/** `names`: what to write beside points, by their index. */
export function drawTrace(stage, { points, steps, theta, palette, numbers }, position, { beat = MOVE, phase = 1, dim = false, chosen = -1, named = true, arrival = true, discs = false, names = {} } = {}) {
  const step = position > 0 ? steps[position - 1] : null;
  const moved = beat === MOVE;
  const { labels, centroids } = standing(steps, step && !moved ? position - 1 : position);
  const number = (cluster) => (numbers ? numbers[cluster] : cluster);
  const hue = (cluster) => palette[number(cluster) % palette.length];
  points.forEach((place, i) => {
    if (labels.has(i)) stage.point(place, { fill: hue(labels.get(i)), ring: stage.paper, width: 1, alpha: dim ? 0.45 : 1 });
    else stage.point(place, { ring: stage.ink, alpha: 0.85, radius: stage.dot * 0.85, width: 2 });
  });
  const settled = centroids.map((c, k) => (step && moved && k === step.cluster ? mix(step.before, step.after, phase) : c));
  if (discs) settled.forEach((c, k) => stage.circle(c, theta, { stroke: hue(k), fill: hue(k), alpha: 0.7 }));
  if (discs && settled.length) thetaLabel(stage, settled[0], theta, stage.ink);
  if (!step && steps.length && arrival && !discs && !dim) thetaCircle(stage, points[steps[0].point], theta, named); // how far θ reaches
  if (step && arrival && !dim && points[step.point]) drawArrival(stage, { points, step, theta, hue, named }, beat, standing(steps, position - 1).centroids, settled);
  settled.forEach((centroid, k) => stage.centroid(centroid, hue(k), named ? number(k) : null, { alpha: dim ? 0.6 : 1 }));
  for (const [i, name] of Object.entries(names))
    stage.label(name, beside(points[i], stage.dot * 1.6), { rank: 3, optional: stage.width < 300, size: Math.max(11, stage.text * 0.72), weight: 500 });
  if (chosen >= 0 && points[chosen]) stage.point(points[chosen], { ring: stage.accent, radius: stage.dot * 2, width: 3 });
}

function drawArrival(stage, { points, step, theta, hue, named }, beat, found, settled) {
  const here = points[step.point];
  thetaCircle(stage, here, theta, named);
  stage.keepClear(here, stage.dot);
  if (beat >= MEASURE) drawDistances(stage, here, step, theta, beat, found, named);
  if (beat === MOVE && !step.created) stage.segment(step.before, settled[step.cluster], { width: 3, stroke: hue(step.cluster) });
  if (beat < DECIDE) stage.point(here, { fill: stage.paper, ring: stage.accent, radius: stage.dot * 1.35, width: 3 });
  else stage.point(here, { fill: hue(step.cluster), ring: stage.ink, radius: stage.dot * 1.35, width: 2.5 });
}

function drawDistances(stage, here, step, theta, beat, found, named) {
  const chosen = beat >= DECIDE ? step.nearest : -1;
  found.forEach((centroid, k) => {
    const near = step.distances[k] <= theta, nearest = k === chosen;
    stage.segment(here, centroid, { width: nearest ? 3 : 1.5, dash: near ? [] : [4, 5], alpha: nearest ? 1 : 0.5, stroke: nearest ? stage.accent : stage.ink });
  });
  found.forEach((centroid, k) => {
    const quiet = k !== chosen;
    const reach = Math.hypot(here[0] - centroid[0], here[1] - centroid[1]);
    if (!named || stage.length(reach) <= stage.dot * 3 || (quiet && found.length > 7)) return; // closer, the number would hide both
    const spots = [...along(here, centroid, stage.text * 0.2), ...beside(here, stage.dot * 2)];
    stage.label(say(step.distances[k]), spots, quiet ? { rank: 4, optional: true, size: stage.text * 0.85, weight: 400 } : { rank: 0, size: stage.text * 1.05, weight: 700 });
  });
}

/** Where two orders part: the point that is decided about, θ around it, and its nearest centroid as it stood then. */
export function drawDecision(stage, points, { point, centroid, distance, joins }, theta) {
  const here = points[point];
  thetaCircle(stage, here, theta);
  if (centroid) {
    stage.segment(here, centroid, { width: 3, stroke: stage.accent, dash: joins ? [] : [4, 5] });
    stage.label(say(distance), [...along(here, centroid, stage.text * 0.3), ...beside(here, stage.dot * 2)], { rank: 0, weight: 700 });
  }
  stage.keepClear(here, stage.dot * 1.8);
  stage.point(here, { ring: stage.ink, radius: stage.dot * 1.8, width: 3 });
}
