// An algorithm as lines of pseudo-code: the lines that run are lit, and live values stand in them.

import { el } from "./dom.js";

export class Code {
  constructor(testid) {
    this.box = el("ol", { class: "code", "data-testid": testid, "aria-label": "The algorithm" });
    this.rows = [];
  }

  /** `lines`: [indent, words] from Python. */
  setLines(lines) {
    this.rows = lines.map(([indent, words]) => {
      const value = el("span", { class: "value" });
      return { value, line: el("li", { style: `--indent: ${indent}` }, el("span", {}, words), " ", value) };
    });
    this.box.replaceChildren(...this.rows.map(({ line }) => line));
  }

  /** `lit`: numbers of the lines that run; `values`: the words beside each line, empty where it has not been reached. */
  show(lit, values) {
    this.rows.forEach(({ line, value }, i) => {
      line.classList.toggle("lit", lit.includes(i));
      value.textContent = values[i] ?? "";
    });
  }
}
