// Rules and tables in colors: text in spans by what each word is, made of text alone.

import { h } from "./dom.js";

/** The words of the language that begin or join what is said; all others are names. */
export const KEYWORDS = new Set(`account act action adds after all allowed and answers any as ask asks at because before by
capped carried case cell choose clarifies clarification condition correction addition define default denied dice dispute do
domain draw draws each else end enum event every example exception excludes expecting extend fails feature for forbidden from
given has holds if in includes insert is joins kind legal let mark max measure merge min minor major move no none not of offer
offers on or order otherwise out path phase piece place player precondition previews reading reads record reduce refused relate
relation remove replaces resolution restore results roll row rule ruling scale sequence set side sides some spaces status step
stop strike sum suppresses task tell tells term then to track trait under unmark unrelate until value verdict when where with
withdraws wording wraps write yes`.split(/\s+/));

const PARTS = /(#[^\n]*)|("(?:[^"\n])*"?)|('[^'\n]*')|(\[[A-Z][^\]\n]*\]|\[house\])|(\b\d+(?:\/\d+)?\b)|([A-Za-z_][\w]*(?:-[A-Za-z0-9]+)*)/g;
const CLASSES = ["remark", "string", "name", "source", "number"];

/** Split a text into words with their class, in the order of the text; "" for what has none. */
export function words(text) {
  const found = [];
  let at = 0;
  for (const match of text.matchAll(PARTS)) {
    if (match.index > at) found.push(["", text.slice(at, match.index)]);
    const which = match.slice(1, 7).findIndex((part) => part !== undefined);
    found.push([which === 5 ? (KEYWORDS.has(match[0]) ? "keyword" : "") : CLASSES[which], match[0]]);
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push(["", text.slice(at)]);
  return found;
}

/** Show a text in colors. */
export const colored = (text) =>
  words(text).map(([sort, part]) => (sort ? h("span", { class: `code-${sort}` }, part) : document.createTextNode(part)));

/** Show a file; the colors are those of the language of rules. */
export const file = (name, text) =>
  h("section", { class: "file" }, h("h3", {}, name), h("pre", { class: "code", tabindex: "0", "aria-label": name }, name.endsWith(".rules") ? colored(text) : text));
