// A question in plain words about the position that a view shows, and its answer.

import { h } from "./dom.js";
import { read } from "./api.js";

/** A form for a question about what it names, or else about the selected counter of the view. */
export function questionForm(view) {
  const told = h("div", { "aria-live": "polite" });
  const words = h("input", { id: "question", type: "text", maxlength: 400, placeholder: "may it fire at .., what does it cost to .." });
  const answered = (each) => h("li", {}, h("code", {}, each.call), each.text ? h("p", {}, each.text, " ", (each.because ?? []).map((rule) => h("cite", {}, ` ${rule.rule} [${rule.cites.join(", ")}]`))) : "",
    (each.missed ?? []).map((line) => h("p", {}, line)),
    each.unanswered ? h("p", {}, `Not known: ${each.unanswered}.`) : "", each.whatever.length ? h("p", { class: "hint" }, `The same whatever the ${each.whatever.join(" and the ")}.`)
      : each.same_with.length ? h("p", { class: "hint" }, `The same with ${each.same_with.join("; ")}.`) : "");
  const ask = async (event) => {
    event.preventDefault();
    if (!words.value.trim()) return;
    try {
      const { moment, lines, questions, note, lines_first: first } = await read("asked", { ...view.asked, words: words.value, piece: view.chosen?.piece ?? "" });
      const heads = lines.filter((line) => !line.startsWith(" "));
      const play = lines.length ? [h("h4", {}, moment), ...heads.map((line) => h("p", {}, line)), heads.length === lines.length ? "" :
        h("details", { open: heads.length < 4 }, h("summary", {}, "Full explanation"), h("pre", {}, lines.join("\n")))] : [];
      const rules = questions.length ? [h("h4", {}, "Questions of the rules with these words"), h("ul", {}, questions.map(answered))] : [];
      told.replaceChildren(note ? h("p", { class: "hint" }, note) : "", ...(first ? [...play, ...rules] : [...rules, ...play]));
    } catch (problem) {
      told.replaceChildren(h("p", { role: "alert" }, problem.message));
    }
  };
  return h("form", { class: "question", onsubmit: ask }, h("p", { class: "row" }, h("label", { for: "question" }, "Ask in words "), words, h("button", {}, "Ask")), told);
}
