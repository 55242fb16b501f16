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
    const card = event.target.closest("button");
    if (card) setTriggerValue("pick", card.dataset.key);
  };
}

function groupOf({ heading, cards }) {
  const section = made("section", "group");
  const title = made("h4", "", heading);
  title.id = `gallery-${heading.replace(/\W+/g, "-")}`;
  const row = made("div", "cards");
  row.setAttribute("role", "group");
  row.setAttribute("aria-labelledby", title.id);
  row.append(...cards.map(cardOf));
  section.append(title, row);
  return section;
}

function cardOf({ key, label, help, chosen, image }) {
  const card = made("button", "card");
  card.type = "button";
  card.dataset.key = key;
  card.title = help;
  card.setAttribute("aria-pressed", String(chosen));
  const picture = made(image ? "img" : "i", "picture", image ? "" : "↓");
  if (image) {
    picture.src = image;
    picture.alt = "";
  } else {
    picture.setAttribute("aria-hidden", "true"); // the sentence says that it is downloaded
  }
  card.append(picture, made("span", "", label));
  return card;
}

function made(tag, name, text = "") {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text) node.textContent = text;
  return node;
}
