// A TSG trace on a stage: used where one run is played, and where two orders run side by side.

import { say } from "./dom.js";
import { between, mix } from "./stage.js";

/** Labels and centroids after `position` steps, and the centroids as the last point found them. */
function standing(steps, position) {
  const labels = new Map(), centroids = [], found = [];
  for (let s = 0; s < position; s++) {
    const step = steps[s];
    if (s === position - 1) found.push(...centroids);
    labels.set(step.point, step.cluster);
    centroids[step.cluster] = step.after;
  }
  return { labels, centroids, found };
}

export function drawTrace(stage, { points, steps, theta, palette, colours }, position, phase, { dim = false, chosen = -1, numbers = true, arrival = true } = {}) {
  const { labels, centroids, found } = standing(steps, position);
  const hue = (cluster) => palette[(colours ? colours[cluster] : cluster) % palette.length];
  const step = position > 0 ? steps[position - 1] : null;
  const fade = dim ? 0.45 : 1;
  points.forEach((place, i) => {
    if (labels.has(i)) stage.point(place, { fill: hue(labels.get(i)), ring: stage.paper, width: 1, alpha: fade });
    else stage.point(place, { ring: stage.ink, alpha: 0.45, radius: stage.dot * 0.85 });
  });
  const settled = centroids.map((c, k) => (step && k === step.cluster ? mix(step.before, step.after, phase) : c));
  if (step && arrival && !dim && points[step.point]) {
    const here = points[step.point];
    stage.circle(here, theta, { stroke: stage.accent, fill: stage.accent, dash: [7, 5], width: 2 });
    found.forEach((centroid, k) => {
      const near = step.distances[k] <= theta, nearest = k === step.nearest;
      stage.segment(here, centroid, { width: nearest ? 3 : 1.5, dash: near ? [] : [4, 5], alpha: nearest ? 1 : 0.5, stroke: nearest ? stage.accent : stage.ink });
    });
    found.forEach((centroid, k) => {
      const quiet = k !== step.nearest;
      const reach = Math.hypot(here[0] - centroid[0], here[1] - centroid[1]);
      if (numbers && stage.length(reach) > stage.dot * 3 && (!quiet || found.length <= 7)) { // closer, the number would hide both
        // the nearest one's number stands behind the point, clear of the centroid's own
        const push = quiet ? 0 : stage.text * 1.8;
        const dx = (push * (here[0] - centroid[0])) / reach, dy = (-push * (here[1] - centroid[1])) / reach;
        stage.words(say(step.distances[k]), quiet ? between(here, centroid) : here, { dx, dy, size: stage.text * (quiet ? 0.85 : 1.05), weight: quiet ? 400 : 700 });
      }
    });
    if (!step.created) stage.segment(step.before, settled[step.cluster], { width: 3, stroke: hue(step.cluster) });
    stage.point(here, { fill: hue(step.cluster), ring: stage.ink, radius: stage.dot * 1.35, width: 2.5 });
  }
  settled.forEach((centroid, k) => stage.centroid(centroid, hue(k), numbers ? k : null, { alpha: dim ? 0.6 : 1 }));
  if (chosen >= 0 && points[chosen]) stage.point(points[chosen], { ring: stage.accent, radius: stage.dot * 2, width: 3 });
}
