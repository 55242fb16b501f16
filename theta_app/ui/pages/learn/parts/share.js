// Sharing: a link that opens the lesson as it stands, its QR code, and the class's room. Python knows the address that
// others can reach; here it is only asked for.

import { el } from "./dom.js";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Points as the letters that theta_app.datasets.drawn reads: three per coordinate, four decimals. */
export function encodePoints(points) {
  const letters = (value) => [12, 6, 0].map((shift) => DIGITS[(Math.round(value * 10000) >> shift) & 63]).join("");
  return points.map(([x, y]) => letters(x) + letters(y)).join("");
}

export class Sharing {
  constructor(host) {
    this.host = host;
    const button = (name, words, act) => el("button", { type: "button", "data-testid": `learn-${name}`, onclick: act }, words);
    this.button = button("share", "Share", () => this.toggle());
    this.button.title = "Share link, QR code and the class (Q)";
    this.button.setAttribute("aria-expanded", "false");
    this.picture = el("div", { class: "qr", "data-testid": "learn-qr" });
    this.field = el("input", { type: "text", readonly: true, class: "link", "data-testid": "learn-link", "aria-label": "Share link" });
    this.copy = button("copy", "Copy", () => {
      this.field.select();
      navigator.clipboard?.writeText(this.field.value).then(() => { this.copy.textContent = "Copied"; }, () => {});
      setTimeout(() => { this.copy.textContent = "Copy"; }, 2500);
    });
    this.note = el("p", { class: "hint", "data-testid": "learn-note" });
    this.state = el("p", { class: "hint", "data-testid": "room-state" });
    this.open = button("room-open", "Lead a class", () => host.room.say({ room: "open" }));
    this.end = button("room-end", "End the room", () => host.room.say({ room: "end" }));
    this.code = el("input", { type: "text", class: "code-field", maxlength: 8, "data-testid": "room-code", "aria-label": "Room code", placeholder: "Code" });
    const join = () => this.code.value.trim() && host.room.say({ room: "join", code: this.code.value.trim() });
    this.code.addEventListener("keydown", (event) => { if (event.key === "Enter") join(); });
    this.join = button("room-join", "Join", join);
    this.joining = el("span", { class: "row" }, this.code, this.join);
    this.box = el("div", { class: "sharing", role: "dialog", "aria-label": "Share", "data-testid": "learn-sharing", hidden: true },
      el("div", { class: "row" }, el("b", {}, "Share link"), button("share-close", "Close", () => this.toggle(false))),
      this.picture, el("div", { class: "row" }, this.field, this.copy), this.note,
      el("div", { class: "row" }, el("b", {}, "Class"), this.open, this.joining, this.end), this.state);
  }

  toggle(open = this.box.hidden) {
    this.box.hidden = !open;
    this.button.setAttribute("aria-expanded", open);
    if (open) this.ask();
  }

  /** Ask Python for the link to what is shown, or to the room that is led. */
  ask() {
    const { host } = this;
    this.show({ link: "", qr: null, note: "" });
    host.room.shown = "";
    host.room.say({ share: host.room.leads ? { room: host.room.code } : host.view.share() });
  }

  /** `link` as others can open it, `qr` its code as SVG or null, `note` what to know about it. */
  show({ link, qr, note }) {
    this.field.value = link;
    this.note.textContent = note;
    this.picture.innerHTML = qr ?? "";
    this.picture.hidden = !qr;
  }

  /** What the room is. */
  face(room) {
    this.open.hidden = this.joining.hidden = room.on;
    this.end.hidden = !room.on;
    this.end.textContent = room.leads ? "End the room" : "Leave the room";
    this.state.textContent = room.words;
  }
}
