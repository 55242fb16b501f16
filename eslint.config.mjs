// ESLint's recommended rules for the scripts of the page. There is no package.json: `npx eslint@9` brings them along.

import { realpathSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(realpathSync(process.argv[1])); // from where ESLint itself is installed
const js = require("@eslint/js");

const BROWSER = [
  "Blob", "DecompressionStream", "Response", "cancelAnimationFrame", "clearTimeout", "CustomEvent", "devicePixelRatio", "document", "getComputedStyle",
  "history", "Image", "ImageData", "innerHeight", "innerWidth", "localStorage", "location", "matchMedia", "navigator", "performance", "requestAnimationFrame",
  "ResizeObserver", "sessionStorage", "setTimeout", "TextDecoder", "URL", "window", "XMLSerializer",
];

export default [
  { ignores: [".venv/"] },
  {
    files: ["**/*.js"],
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "module",
      globals: Object.fromEntries(BROWSER.map((name) => [name, "readonly"])),
    },
    rules: {
      ...js.configs.recommended.rules,
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-shadow": "error",
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
];
