// Circles on a globe, as a map of longitudes across and latitudes up shows them.

const OUTLINE = 72;
const DEGREE = Math.PI / 180;

/** From -180 to 180, wherever the map is cut. */
export const asLongitude = (degrees) => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees);

/**
 * All places at an angle from (longitude, latitude), x, y of each in degrees, as a closed area. Around a pole that is
 * everything from there down to a line across the whole map.
 */
export function globeCircle(longitude, latitude, angle, corners = OUTLINE) {
  const up = latitude * DEGREE, far = Math.min(angle, 180) * DEGREE;
  const at = [];
  for (let i = 0; i <= corners; i++) {
    const way = (2 * Math.PI * i) / corners - Math.PI; // from south over east, north and west to south
    const height = Math.sin(up) * Math.cos(far) + Math.cos(up) * Math.sin(far) * Math.cos(way);
    const east = Math.sin(way) * Math.sin(far) * Math.cos(up), north = Math.cos(far) - Math.sin(up) * height;
    at.push(longitude + Math.atan2(east, north) / DEGREE, Math.asin(Math.max(-1, Math.min(1, height))) / DEGREE);
  }
  const poles = [90, -90].filter((pole) => Math.abs(pole - latitude) < angle);
  return poles.length ? aroundPole(at, longitude, poles) : at;
}

function aroundPole(at, longitude, poles) {
  const [left, right] = [longitude - 180, longitude + 180];
  if (poles.length > 1) return [left, 90, right, 90, right, -90, left, -90]; // nearly everything
  const places = [];
  for (let i = 0; i < at.length; i += 2) places.push([at[i], at[i + 1]]);
  places.sort((a, b) => a[0] - b[0]);
  return [left, poles[0], left, places[0][1], ...places.flat(), right, places.at(-1)[1], right, poles[0]];
}
