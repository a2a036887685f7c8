// The attack sheet: what a choice leads to before dice are thrown, and the chance of each result.

import { h } from "./dom.js";

/** Show the sheet of a preview; `open`: with the rules behind its figures. */
export function sheetShown(sheet, open = false) {
  const about = sheet.sampled ? "about " : "";
  return h("div", { class: "sheet" }, sheet.parts.map((part) => h("section", {},
    h("p", { class: "said" }, part.text),
    part.chances.length ? h("ul", { class: "chances" }, part.chances.map((each) => h("li", {},
      h("meter", { min: 0, max: 1, value: each.share, "aria-label": each.result }),
      h("b", {}, `${about}${each.chance}`), h("span", {}, each.result)))) : "",
    part.reasons.length ? h("details", { open }, h("summary", {}, "Calculation"),
      part.reasons.map((each) => h("div", {}, h("h4", {}, each.figure), h("ul", {}, each.rules.map((rule) => h("li", {}, rule)))))) : "",
  )), sheet.parts.length ? "" : h("p", {}, "Dice are thrown. These rules do not state the odds in advance."), sheet.stopped ? h("p", { class: "hint" }, sheet.stopped) : "",
  sheet.sampled ? h("p", { class: "hint" }, `There are too many results to compute all: the chances are estimated from ${sheet.sampled} trials.`) : "");
}
