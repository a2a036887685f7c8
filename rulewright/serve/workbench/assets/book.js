// The view Book: choose a stack; its book is printed beside the page once, and opens.

import { h, unusableFolder } from "./dom.js";
import { read, write } from "./api.js";
import { follow } from "./job.js";
import { StackPicker } from "./stacks.js";

export class BookView {
  constructor(main) {
    this.main = main;
  }

  async show(here) {
    const [{ printed, unusable }, { games: known }] = await Promise.all([read("book_stacks"), read("stacks")]);
    const place = h("div", { "aria-live": "polite" });
    const [wanted, beside = ""] = here.what.split("@");
    const field = new StackPicker({ id: "book-stack", label: "Rules", known, value: wanted || printed[0]?.stack || "panzer_leader" });
    const other = new StackPicker({ id: "book-against", label: "Compared with", known, value: beside || field.value });
    const held = h("details", { class: "held", open: Boolean(beside) }, h("summary", {}, "Compare with other rules"), other.element);
    const against = () => (held.open && other.value !== field.value ? other.value : "");
    const open = async (stack, than = "") => {
      try {
        const { folder, job } = await write("book_print", { stack, against: than });
        if (job && !(await follow(place, job))) return;
        location.href = `book/${encodeURIComponent(folder)}/${than ? "changes" : "index"}.html`;
      } catch (problem) {
        place.replaceChildren(h("p", { role: "alert" }, problem.message));
      }
    };
    this.main.replaceChildren(h("section", { class: "list" }, h("h1", {}, "Book"),
      h("p", { class: "lead" }, "The rulebook that is generated from the rules, with search. Its examples open on the Table."),
      unusableFolder(unusable),
      h("form", { onsubmit: (event) => { event.preventDefault(); open(field.value, against()); } },
        field.element, held, h("p", {}, h("button", { class: "primary" }, "Open the book"))),
      place,
      printed.length ? h("section", {}, h("h2", {}, "Printed books"), h("ul", { class: "runs" }, printed.map((each) => h("li", {},
        h("button", { type: "button", onclick: () => open(each.stack, each.against) }, each.title, each.against ? ` compared with ${each.against_title}` : ""))))) : ""));
    if (wanted) await open(wanted, beside);
  }
}
