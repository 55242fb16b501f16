// Data sets under headings, each a button with a small picture. Python is told the key of the one that is clicked.

export default function ({ parentElement, data, setTriggerValue }) {
  let root = parentElement.querySelector(".gallery");
  if (!root) {
    root = document.createElement("div");
    root.className = "gallery";
    parentElement.append(root);
  }
  root.replaceChildren(...data.groups.map(groupOf));
  root.onclick = (event) => {
    const picked = event.target.closest("button");
    if (picked) setTriggerValue("pick", picked.dataset.key);
  };
}

function groupOf({ heading, cards }) {
  const section = made("section", "group");
  section.setAttribute("role", "group");
  section.setAttribute("aria-label", heading);
  const row = made("div", "cards");
  row.append(...cards.filter((card) => card.image).map(cardOf));
  section.append(made("h3", "", heading), row);
  const elsewhere = cards.filter((card) => !card.image);
  if (elsewhere.length) {
    const chips = made("div", "chips", "to download: ");
    chips.append(...elsewhere.map((card) => buttonOf(card, "chip")));
    section.append(chips);
  }
  return section;
}

function cardOf(card) {
  const button = buttonOf(card, "card");
  const picture = made("img", "");
  picture.src = card.image;
  picture.alt = ""; // the name says what it is
  button.prepend(picture);
  return button;
}

function buttonOf({ key, label, help, chosen }, name) {
  const button = made("button", name);
  button.type = "button";
  button.dataset.key = key;
  button.title = help;
  button.setAttribute("aria-pressed", String(chosen));
  button.append(made("span", "", label));
  return button;
}

function made(tag, name, text = "") {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text) node.textContent = text;
  return node;
}
