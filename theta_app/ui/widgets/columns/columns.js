// The columns of a file as rows of a table. Python is told what the person changes about one of them.

const HEADINGS = ["use", "column", "holds", "values", "missing", "suspicious", "how it is read", "scaled", "weight", "share"];

export default function ({ parentElement, data, setTriggerValue }) {
  let root = parentElement.querySelector(".columns");
  if (!root) {
    root = made("div", "columns");
    root.tabIndex = 0; // wider than a phone: scrolled by keys too
    root.setAttribute("role", "region");
    root.setAttribute("aria-label", "Columns of the file");
    parentElement.append(root);
  }
  const held = root.getRootNode().activeElement?.dataset?.held;
  root.replaceChildren(tableOf(data.rows));
  if (held) [...root.querySelectorAll("[data-held]")].find((node) => node.dataset.held === held)?.focus();
  root.onchange = ({ target }) => {
    const { column, what } = target.dataset;
    if (!column) return;
    const value = what === "use" ? target.checked : what === "weight" ? Number(target.value) : target.value;
    setTriggerValue("change", { column, what, value });
  };
}

function tableOf(rows) {
  const table = made("table", ""), head = made("tr", ""), body = made("tbody", "");
  table.setAttribute("role", "table"); // the roles stay where a narrow page shows rows as cards
  head.setAttribute("role", "row");
  for (const heading of HEADINGS) {
    const cell = made("th", "", heading);
    cell.setAttribute("role", "columnheader");
    cell.scope = "col";
    if (heading === "share") cell.title = "of the squared distances between all pairs of points, as they are clustered now";
    head.append(cell);
  }
  const top = made("thead", "");
  top.append(head);
  body.append(...rows.map(rowOf));
  table.append(top, body);
  return table;
}

function rowOf(row) {
  const line = made("tr", row.used ? "used" : row.label ? "label" : "");
  line.setAttribute("role", "row");
  const name = made("th", "name", row.name);
  name.setAttribute("role", "rowheader");
  name.scope = "row";
  name.title = row.name;
  const why = row.label ? "label" : row.why;
  const cells = [
    [useOf(row)], [], [made("span", "holds", row.holds), why && made("span", "why", why)], [histogram(row.bars)],
    [row.missing], [row.odd && made("span", "odd", row.odd)], [readOf(row)],
    [row.scaled && made("span", "scaled", row.scaled)], [weightOf(row)], [shareOf(row)],
  ];
  line.append(...cells.map((content, j) => (HEADINGS[j] === "column" ? name : cellOf(HEADINGS[j], content.filter(Boolean)))));
  return line;
}

function useOf(row) {
  if (row.label || !row.ways.length) return "";
  const box = made("input", "switch");
  box.type = "checkbox";
  box.setAttribute("role", "switch");
  box.checked = row.used;
  return tied(box, row, "use", `use ${row.name}`);
}

function waysOf(row) {
  if (row.label || !row.offered || !row.ways.length) return "";
  if (row.ways.length === 1) return made("span", "why", row.ways[0].label);
  const list = made("select", "");
  for (const { key, label } of row.ways) {
    const option = made("option", "", label);
    option.value = key;
    option.selected = key === row.way;
    list.append(option);
  }
  return tied(list, row, "way", `how ${row.name} is used`);
}

function readOf(row) {
  const ways = waysOf(row);
  if (!row.example && !ways) return "";
  const both = made("div", "read");
  const example = row.example && made("span", "example", row.example);
  if (example) example.title = row.example;
  both.append(...[example, ways].filter(Boolean));
  return both;
}

function weightOf(row) {
  if (!row.used) return "";
  const box = made("input", "weight");
  Object.assign(box, { type: "number", min: "0.01", max: "100", step: "any", value: String(row.weight) });
  return tied(box, row, "weight", `weight of ${row.name}`);
}

function shareOf(row) {
  if (row.share == null) return "";
  const bar = made("span", "share", row.percent);
  bar.style.setProperty("--share", `${100 * row.share}%`);
  return bar;
}

function tied(node, row, what, label) {
  node.dataset.column = row.name;
  node.dataset.what = what;
  node.dataset.held = `${what} ${row.name}`;
  node.setAttribute("aria-label", label);
  return node;
}

function histogram(bars) {
  if (!bars.length) return "";
  const picture = made("span", "bars");
  picture.setAttribute("aria-hidden", "true");
  picture.append(...bars.map((height) => {
    const bar = made("i", "");
    bar.style.height = `${Math.max(100 * height, height > 0 ? 6 : 0)}%`;
    return bar;
  }));
  return picture;
}

function cellOf(heading, content) {
  const cell = made("td", heading.split(" ")[0]);
  cell.setAttribute("role", "cell");
  cell.dataset.heading = heading;
  cell.append(...content);
  return cell;
}

function made(tag, name, text = "") {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text) node.textContent = text;
  return node;
}
