// Words about the position that a view shows, and the questions of the rules that they may mean, with their answers.

import { h } from "./dom.js";
import { read } from "./api.js";
import { blocksShown } from "./blocks.js";

/** A form for a question about what it names, or else about the selected counter of the view. */
export function questionForm(view) {
  const told = h("div", { "aria-live": "polite" });
  const words = h("input", { id: "question", type: "text", maxlength: 400, placeholder: "may it fire at .., what does it cost to .." });
  const listed = (row) => h("li", {}, h("p", {}, row.heading), blocksShown(row.blocks), row.calls.slice(0, 1).map((call) => h("code", {}, call)));
  const ask = async (event) => {
    event.preventDefault();
    if (!words.value.trim()) return;
    try {
      const { rows, places, note } = await read("asked", { ...view.asked, words: words.value, piece: view.chosen?.piece ?? "" });
      const book = places.length ? [h("h4", {}, "In the book"), h("ul", {}, places.map((each) => h("li", {}, `${each.number} ${each.title}: ${each.text}`)))] : [];
      told.replaceChildren(note ? h("p", { class: "hint" }, note) : "", h("ol", {}, rows.map(listed)), ...book);
    } catch (problem) {
      told.replaceChildren(h("p", { role: "alert" }, problem.message));
    }
  };
  return h("form", { class: "question", onsubmit: ask }, h("p", { class: "row" }, h("label", { for: "question" }, "Ask in words "), words, h("button", {}, "Ask")), told);
}
