// Blocks of the document tree: headings, lines and lists, laid out by the form of each line.

import { h } from "./dom.js";

const text = (line) => [line.opening, " ", line.spans.map((span) => [span.number, " ", span.text])].flat(2);
const list = (items) => items.length && h("ul", {}, items.map((each) => h("li", {}, text(each), list(each.items)))) || "";
const FORMS = {
  sentence: (line) => [h("p", {}, text(line)), list(line.items)],
  note: (line) => [h("p", { class: "hint" }, text(line)), list(line.items)],
  source: (line) => [h("p", {}, h("cite", {}, text(line)))],
  quote: (line) => [h("blockquote", {}, text(line))],
  entry: (line) => [h("p", {}, text(line)), list(line.items)],
  row: (line) => [h("p", {}, text(line))],
  drawn: (line) => [h("pre", {}, text(line))],
  code: (line) => [h("code", {}, text(line))],
  folded: (line) => [h("details", {}, h("summary", {}, `${line.opening}: ${line.items.length}`), list(line.items))],
};

/** Lay blocks out one below the other. */
export const blocksShown = (blocks) => blocks.map((block) => h("div", { class: "block" },
  h("p", {}, h("strong", {}, block.title), block.tags.map((each) => h("small", {}, ` ${each}`))),
  block.lines.map((line) => FORMS[line.form](line))));
