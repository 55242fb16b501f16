// The tooltip: a text, and a picture if there is one.

import { clamp } from "./format.js";
import { placeIn } from "./stage.js";

export function showTip({ part: { tip }, root }, text, event, picture = null) {
  tip.replaceChildren(...(picture ? [picture] : []), text);
  tip.hidden = false;
  const { clientWidth: width, clientHeight: height } = root;
  const [x, y] = placeIn(root, event);
  tip.style.left = `${clamp(x + 14, 0, Math.max(width - tip.offsetWidth, 0))}px`;
  const below = y + 16 + tip.offsetHeight <= height;
  tip.style.top = `${below ? y + 16 : Math.max(y - tip.offsetHeight - 10, 0)}px`;
}

export function hideTip(view) {
  view.part.tip.hidden = true;
}
