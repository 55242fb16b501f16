// The timeline in a notebook: what Streamlit gives to timeline.js, anywidget gives to `render` as a model and a place.

import { View } from "./view.js";

export default {
  render({ model, el }) {
    el.innerHTML = model.get("_markup");
    const view = new View(el.querySelector(".tl"));
    const load = () => {
      const sent = model.get("_content");
      view.load(new Uint8Array(sent.buffer, sent.byteOffset, sent.byteLength));
    };
    view.send = view.trigger = (name, value) => {
      model.set("_told", { name, value, at: Date.now() }); // the time, as the same value may be told twice
      model.save_changes();
    };
    load();
    model.on("change:_content", load);
    return () => {
      model.off("change:_content", load);
      view.stop();
    };
  },
};
