// The channel of a class: what Python says is told to the page, what the page says goes to Python. See room.js.

const channels = new WeakMap();

export default ({ data, parentElement, setTriggerValue }) => {
  document.removeEventListener("theta-say", channels.get(parentElement));
  const said = ({ detail }) => setTriggerValue("say", detail);
  channels.set(parentElement, said);
  document.addEventListener("theta-say", said);
  setTimeout(() => document.dispatchEvent(new CustomEvent("theta-class", { detail: data })));
  return () => setTimeout(() => { if (!parentElement.isConnected) document.removeEventListener("theta-say", said); });
};
