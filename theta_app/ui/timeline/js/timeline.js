// The timeline: drag a parameter and see the clustering at each of its values, without asking the server.

import { View } from "./view.js";

const views = new WeakMap();

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".tl");
  if (!root) return undefined;
  if (!views.has(root)) views.set(root, new View(root));
  const view = views.get(root);
  view.send = setStateValue;
  view.trigger = setTriggerValue;
  view.load(data);
  // Streamlit also calls this for a superseded update of a component that is still on the page: that one goes on.
  return () => { if (!root.isConnected) view.stop(); };
}
