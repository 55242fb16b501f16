// The lessons as one component: the host stays, so that a class on stage is led from the first lesson to the last.

import { besideView } from "./beside.js";
import { chainView } from "./chain.js";
import { finderView } from "./finder.js";
import { framesView } from "./frames.js";
import { growthView } from "./growth.js";
import { Host } from "./host.js";
import { lemmaView } from "./lemma.js";
import { ordersView } from "./orders.js";
import { playerView } from "./player.js";
import { startView } from "./start.js";
import { voteView } from "./vote.js";

const VIEWS = {
  start: startView, player: playerView, orders: ordersView, lemma: lemmaView, vote: voteView, chain: chainView,
  beside: besideView, growth: growthView, finder: finderView, frames: framesView,
};
const hosts = new WeakMap();

/** Built once for its place in the page; every later call only brings new data. */
export default ({ data, parentElement, setStateValue, setTriggerValue }) => {
  let host = hosts.get(parentElement);
  if (!host || !host.root.isConnected) {
    host = new Host(VIEWS);
    hosts.set(parentElement, host);
    parentElement.append(host.root);
  }
  host.send = setStateValue;
  host.trigger = setTriggerValue;
  host.update(data);
  return () => setTimeout(() => host.root.isConnected || host.destroy());
};
