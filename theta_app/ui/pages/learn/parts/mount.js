// Mounting a lesson's picture: built once for its place in the page.

const views = new WeakMap();

/** Build the view once for its place in the page; every later call only brings new data. */
export function mount(component, build) {
  const parent = component.parentElement;
  let view = views.get(parent);
  if (!view || !view.root.isConnected) {
    view = build(parent);
    views.set(parent, view);
  }
  view.send = component.setStateValue;
  view.trigger = component.setTriggerValue;
  view.update(component.data);
  return () => setTimeout(() => view.root.isConnected || view.destroy?.());
}
