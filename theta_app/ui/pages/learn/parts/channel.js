// The channel of a class: what Python says is told to the page, what the page says goes to Python. See room.js.

const channels = new WeakMap();

export default ({ data, parentElement, setTriggerValue }) => {
  channels.get(parentElement)?.close();
  const said = ({ detail }) => setTriggerValue("say", detail);
  const tell = () => document.dispatchEvent(new CustomEvent("theta-class", { detail: data }));
  const close = () => {
    document.removeEventListener("theta-say", said);
    document.removeEventListener("theta-hear", tell);
  };
  channels.set(parentElement, { close });
  document.addEventListener("theta-say", said);
  document.addEventListener("theta-hear", tell); // a lesson that comes after its channel asks
  setTimeout(tell);
  return () => setTimeout(() => { if (!parentElement.isConnected) close(); });
};
