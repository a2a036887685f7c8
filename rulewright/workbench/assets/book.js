// The room Book: choose a stack; its book is printed beside the page once, and opens.

import { h } from "./dom.js";
import { read, write } from "./api.js";
import { follow } from "./job.js";
import { StackPicker } from "./stacks.js";

export class BookRoom {
  constructor(main) {
    this.main = main;
  }

  async show(here) {
    const [{ printed }, { games: known }] = await Promise.all([read("book_stacks"), read("stacks")]);
    const place = h("div", { "aria-live": "polite" });
    const field = new StackPicker({ id: "book-stack", label: "Rules", known, value: here.what || printed[0] || "panzer_leader" });
    const open = async (stack) => {
      try {
        const { folder, job } = await write("book_print", { stack });
        if (job && !(await follow(place, job))) return;
        location.href = `book/${encodeURIComponent(folder)}/index.html`;
      } catch (problem) {
        place.replaceChildren(h("p", { role: "alert" }, problem.message));
      }
    };
    this.main.replaceChildren(h("section", { class: "list" }, h("h1", {}, "Book"),
      h("p", { class: "lead" }, "The rulebook that the rules print, with search; its examples open on the table."),
      h("form", { onsubmit: (event) => { event.preventDefault(); open(field.value); } },
        field.element, h("p", {}, h("button", { class: "primary" }, "Open the book"))),
      place,
      printed.length ? h("section", {}, h("h2", {}, "Printed before"), h("ul", { class: "runs" }, printed.map((each) => h("li", {},
        h("button", { type: "button", onclick: () => open(each) }, each.replaceAll("+", ", ").replaceAll("_", " ")))))) : ""));
    if (here.what) await open(here.what);
  }
}
