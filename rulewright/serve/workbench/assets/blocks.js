// Blocks of the document tree: headings, lines and lists, laid out by the form of each line.

import { h } from "./dom.js";

/** A part of a line; a saved position leads to the Table. */
function spanShown(span) {
  const kept = span.key?.[0] === "position" && /witnesses\/.*\.yaml$/.exec(span.text);
  return kept ? h("a", { href: `#/table/${encodeURIComponent(`position.${kept[0]}`)}` }, "Open on the Table") : span.text;
}
const text = (line) => [line.opening, " ", line.spans.map((span) => [span.number, " ", spanShown(span)])].flat(2);
const list = (items) => items.length && h("ul", {}, items.map((each) => h("li", {}, text(each), list(each.items)))) || "";
// A row of the book has an item for each cell, one of a reply a part of its line.
const cells = (line) => (line.items.length ? line.items.map(text) : line.spans.map(spanShown));
const FORMS = {
  sentence: (line) => h("p", {}, text(line)),
  note: (line) => h("p", { class: "hint" }, text(line)),
  source: (line) => h("p", {}, h("cite", {}, text(line))),
  quote: (line) => h("blockquote", {}, text(line)),
  drawn: (line) => h("pre", {}, text(line)),
  code: (line) => h("code", {}, text(line)),
};
const row = (line) => h("tr", {}, cells(line).map((cell) => h(line.role === "headings" ? "th" : "td", {}, cell)));
const folded = (line) => h("details", {}, h("summary", {}, line.opening + (line.items.length ? `: ${line.items.length}` : "")),
  line.spans.map(spanShown), list(line.items));

/** Lay lines out, rows that follow each other as one table. */
function linesShown(lines) {
  const parts = [];
  for (const line of lines) {
    if (line.form === "folded") parts.push(folded(line));
    else if (line.form !== "row") parts.push((FORMS[line.form] ?? FORMS.sentence)(line), list(line.items));
    else if (parts.at(-1)?.tagName === "TABLE") parts.at(-1).append(row(line));
    else parts.push(h("table", {}, row(line)));
  }
  return parts;
}

/** Lay blocks out one below the other. */
export const blocksShown = (blocks) => blocks.map((block) => h("div", { class: "block" },
  block.title && h("p", {}, h("strong", {}, block.title), block.tags.map((each) => h("small", {}, ` ${each}`))),
  linesShown(block.lines), blocksShown(block.blocks)));
