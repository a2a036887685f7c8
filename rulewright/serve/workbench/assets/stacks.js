// Choose rules by clicks: a game from a list, and its options by their boxes; what is chosen can also be written.

import { h } from "./dom.js";

/**
 * Make a field for a stack. `known` are games with their options, as the server lists them; with `fixed` the game is
 * that of the value and cannot be chosen. `change(value)` hears of each change.
 */
export class StackPicker {
  constructor({ id, label, known, value, fixed = false, change = () => {} }) {
    this.known = known;
    this.fixed = fixed;
    this.change = change;
    this.game = h("select", { id: `${id}-game`, onchange: () => this.set(this.game.value, true) });
    this.boxes = h("ul", { class: "boxes" });
    this.told = h("summary");
    this.field = h("input", { id, value, size: 34, spellcheck: "false", maxlength: 400, onchange: () => this.set(this.field.value.trim(), true) });
    this.options = h("details", { class: "options" }, this.told, this.boxes,
      h("p", { class: "hint" }, h("label", { for: id }, "Name for commands: "), this.field));
    this.element = h("div", { class: "stack-picker", role: "group", "aria-label": label },
      fixed ? h("p", {}, label) : h("p", {}, h("label", { for: `${id}-game` }, `${label} `), this.game), this.options);
    this.set(value);
  }

  get value() {
    return this.field.value;
  }

  /** Show a stack; `told`: whoever listens hears of it. */
  set(value, told = false) {
    this.field.value = value;
    const [game, ...added] = value.split("+");
    const found = this.known.find((each) => each.name === game);
    const games = found ? this.known : [{ name: game, title: game.replaceAll("_", " ") }, ...this.known];
    this.game.replaceChildren(...games.map((each) => h("option", { value: each.name, selected: each.name === game }, each.title)));
    const offered = found?.options ?? [];
    this.boxes.replaceChildren(...offered.map((each) => {
      const box = h("input", { type: "checkbox", value: each.name, checked: added.includes(each.name), onchange: () => {
        const rest = added.filter((one) => one !== each.name);
        this.set([game, ...(box.checked ? [...rest, each.name].sort() : rest)].join("+"), true);
      } });
      return h("li", {}, h("label", {}, box, ` ${each.title}`));
    }));
    const titles = added.map((name) => offered.find((each) => each.name === name)?.title ?? name);
    this.told.textContent = titles.length ? `Options: ${titles.join(", ")}` : offered.length ? `No options selected (${offered.length} available)` : "This game has no options";
    if (told) this.change(value);
  }
}
