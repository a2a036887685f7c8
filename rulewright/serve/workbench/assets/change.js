// Change: another number, an exception, a status, a card; beside it the text that is written, and what it alters.

import { faults, h, notice, redraw } from "./dom.js";
import { read, write } from "./api.js";
import { file } from "./code.js";
import { follow } from "./job.js";
import { differences } from "./differences.js";
import { StackPicker } from "./stacks.js";


/** Call a choice by what it means; its name in the rules stands behind, as it is what is written. */
const named = ({ value, title }) => (title && title !== value ? `${title} (${value})` : value);

/** Read a change of the address. */
function decoded(text) {
  try {
    const { kind, given } = JSON.parse(text);
    return { kind, given: Object.fromEntries(Object.entries(given)) };
  } catch {
    throw new Error("The address of this page contains a damaged change.");
  }
}

export class ChangeView {
  constructor(main) {
    this.main = main;
    this.given = {};
    this.kind = "";
  }

  /** The address holds the stack, the name of the layer, and the changes; what is being filled in is kept here. */
  async show(here) {
    this.stack = here.what || "two_clans";
    [this.layer = "", this.layerKind = "variant"] = here.chosen.split(":");
    this.changes = here.changes.map(decoded);
    this.known ??= await read("changeable");
    this.games ??= (await read("stacks")).games;
    this.form = h("section", { class: "fill", "aria-label": "The change" });
    this.text = h("section", { class: "written", "aria-label": "Generated files", "aria-live": "polite" });
    this.main.replaceChildren(h("div", { class: "halves" },
      h("div", { class: "half" }, h("h1", {}, "Change a game"), faults(this.known.left_out), this.where(), this.list(), this.choose(), this.form),
      h("div", { class: "half" }, this.text)));
    await Promise.all([this.drawForm(), this.drawText()]);
  }

  /** Return the address of the same view with something else in it. */
  address({ stack = this.stack, layer = this.layer, layerKind = this.layerKind, changes = this.changes }) {
    const query = new URLSearchParams(changes.map((each) => ["c", JSON.stringify(each)]));
    query.append("s", `${layer}:${layerKind}`);
    return `#/change/${encodeURIComponent(stack)}?${query}`;
  }

  /** Go to the same view with something else in its address. */
  go(other) {
    const next = this.address(other);
    if (location.hash === next) this.drawText();
    else location.hash = next;
  }

  where() {
    const stack = new StackPicker({ id: "stack", label: "Rules", known: this.games, value: this.stack, change: (value) => this.go({ stack: value, changes: [] }) });
    const layer = h("input", { id: "layer", value: this.layer, placeholder: "deep_snow", maxlength: 60, pattern: "[a-z][a-z0-9_]*", title: "small letters, digits and _, beginning with a letter", onchange: (event) => this.go({ layer: event.target.value.trim() }) });
    const kind = h("select", { id: "layer-kind", onchange: (event) => this.go({ layerKind: event.target.value }) },
      [["variant", "a variant"], ["optional", "an option"]].map(([value, title]) => h("option", { value, selected: value === this.layerKind }, title)));
    return h("div", { class: "where" },
      stack.element,
      h("p", {}, h("label", { for: "layer" }, "Name of your layer "), layer, h("label", { for: "layer-kind" }, " Kind "), kind),
      h("p", { class: "hint" }, `The layer is saved in ${this.known.home}. The rules that come with Rulewright are never changed.`));
  }

  list() {
    if (!this.changes.length) return "";
    const title = (kind) => this.known.kinds.find((each) => each.name === kind)?.title ?? kind;
    const said = (given) => Object.entries(given).filter(([name]) => name !== "why").map(([, values]) => values.join(", ")).filter(Boolean).join(" · ");
    return h("section", { class: "pending" }, h("h2", {}, "Changes so far"), h("ol", { class: "changes" }, this.changes.map((each, at) =>
      h("li", {}, h("strong", {}, title(each.kind)), ` ${said(each.given)} `,
        h("button", { type: "button", "aria-label": `Remove change ${at + 1}`, onclick: () => this.go({ changes: this.changes.filter((_, other) => other !== at) }) }, "Remove")))));
  }

  choose() {
    return h("p", {}, h("label", { for: "kind" }, "Kind of change "),
      h("select", { id: "kind", onchange: (event) => { this.kind = event.target.value; this.given = {}; this.drawForm(); } },
        h("option", { value: "" }, "choose …"), this.known.kinds.map((each) => h("option", { value: each.name, selected: each.name === this.kind }, each.title))));
  }

  get asked() {
    return { stack: this.stack, layer: this.layer };
  }

  async drawForm() {
    if (!this.kind) {
      this.form.replaceChildren(h("p", { class: "hint" }, "Choose a kind of change: a cell of a chart, a number in a rule, something to forbid or allow, a situation card …"));
      return;
    }
    const kind = this.kind;
    try {
      const { fields } = await read("form", { ...this.asked, kind, given: JSON.stringify(this.given) });
      const grid = await this.grid(kind);
      if (kind !== this.kind) return;
      const hidden = grid ? this.gridded : [];
      const shown = fields.filter((each) => !hidden.includes(each.name.split(".")[0]));
      const first = kind === "cell" ? 1 : 0;
      redraw(this.form, h("form", { onsubmit: (event) => this.add(event) },
        shown.slice(0, first).map((each) => this.field(each)), grid ?? "", shown.slice(first).map((each) => this.field(each)),
        h("p", {}, h("button", { class: "primary" }, "Add this change"))));
    } catch (problem) {
      this.form.replaceChildren(h("p", { class: "why" }, problem.message));
    }
  }

  /** A chart or the counters as a grid in which a cell is clicked. */
  async grid(kind) {
    this.gridded = { cell: ["keys"], printed: ["counter", "column"], trait: ["counter", "trait"] }[kind] ?? [];
    if (kind === "cell" && this.given.chart?.[0]) return this.chart(await read("chart", { ...this.asked, chart: this.given.chart[0] }));
    if (kind === "printed" || kind === "trait") return this.counters(await read("counters", this.asked), kind);
    return null;
  }

  chart({ title, keys, lines }) {
    const chosen = (line) => this.given.keys?.length > 0 && this.given.keys.every((each, at) => each === line.keys[at] || line.parts[at].includes(each));
    const cell = (line) => h("button", { type: "button", "aria-pressed": String(chosen(line)),
      "aria-label": `${line.keys.join(", ")}: ${line.value}`, onclick: () => this.pick({ keys: line.keys }, line.value) }, line.value);
    const rows = [...new Set(lines.map((each) => each.keys[0]))];
    const columns = [...new Set(lines.map((each) => each.keys[1]))];
    const at = (row, column) => lines.find((each) => each.keys[0] === row && each.keys[1] === column);
    const table = keys.length === 2
      ? h("table", {}, h("caption", {}, title), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, keys.join(" \\ ")), columns.map((each) => h("th", { scope: "col" }, each)))),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row), columns.map((column) => h("td", {}, at(row, column) ? cell(at(row, column)) : ""))))))
      : h("table", {}, h("caption", {}, title), h("thead", {}, h("tr", {}, [...keys, "value"].map((each) => h("th", { scope: "col" }, each)))),
        h("tbody", {}, lines.map((line) => h("tr", {}, line.keys.map((each) => h("td", {}, each)), h("td", {}, cell(line))))));
    return h("div", {}, h("div", { class: "grid", tabindex: "0", role: "region", "aria-label": title }, table), this.apart(keys, lines.find(chosen)));
  }

  /** A line for several values: one of them may be changed alone. */
  apart(keys, line) {
    if (!line) return "";
    return line.parts.map((parts, at) => parts.length ? h("p", {}, h("label", { for: `apart-${at}` }, `${keys[at]}: applies to `),
      h("select", { id: `apart-${at}`, onchange: (event) => { this.given.keys = this.given.keys.map((each, place) => (place === at ? event.target.value : each)); } },
        h("option", { value: line.keys[at], selected: this.given.keys[at] === line.keys[at] }, `all of ${line.keys[at].replaceAll("|", ", ")}`),
        parts.map((each) => h("option", { value: each, selected: this.given.keys[at] === each }, `${each} only`)))) : "");
  }

  counters({ kinds }, sort) {
    return h("div", { class: "grid", tabindex: "0", role: "region", "aria-label": "Counters" }, kinds.map(({ kind, columns, traits, rows }) => {
      const heads = sort === "printed" ? columns : traits;
      const cell = (row, head) => {
        const value = sort === "printed" ? row.printed[head] : row.traits.includes(head) ? "yes" : "no";
        if (value === undefined) return "";
        const chosen = this.given.counter?.[0] === row.id && this.given[sort === "printed" ? "column" : "trait"]?.[0] === head;
        return h("button", { type: "button", "aria-pressed": String(chosen), "aria-label": `${row.title}, ${head}: ${value}`,
          onclick: () => this.pick({ counter: [row.id], [sort === "printed" ? "column" : "trait"]: [head] }, sort === "printed" ? value : value === "yes" ? "no" : "yes") }, value);
      };
      return h("table", {}, h("caption", {}, kind), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "counter"), heads.map((each) => h("th", { scope: "col" }, each)))),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.title), heads.map((each) => h("td", {}, cell(row, each)))))));
    }));
  }

  async pick(given, value) {
    Object.assign(this.given, given, { now: [value] });
    await this.drawForm();
    const now = this.form.querySelector("[name=now]");
    now?.focus();
    now?.select?.();
  }

  field({ name, title, choices, free, many, optional }) {
    const [key, at] = name.split(".");
    const values = this.given[key] ?? [];
    const value = at === undefined ? values[0] ?? "" : values[Number(at)] ?? "";
    const id = `field-${name.replace(".", "-")}`;
    const label = h("label", { for: id }, title, optional ? " (optional)" : "");
    const set = (text) => {
      if (at !== undefined) this.given[key] = [...values.slice(0, Number(at)), text];
      else this.given[key] = text ? [text] : [];
    };
    if (many) return this.several(id, key, title, choices);
    if (key === "why" || key === "asks" || key === "answers") {
      return h("p", {}, label, h("textarea", { id, name: key, rows: 2, required: !optional, maxlength: 2000, oninput: (event) => set(event.target.value) }, value));
    }
    if (choices.length && !free) {
      return h("p", {}, label, h("select", { id, name: key, required: !optional, onchange: (event) => { set(event.target.value); this.drawForm(); } },
        h("option", { value: "" }, optional ? "none" : "choose …"),
        choices.map((each) => h("option", { value: each.value, selected: each.value === value }, named(each)))));
    }
    return h("p", {}, label, h("input", { id, name: key, value, required: !optional, maxlength: 200, list: choices.length ? `${id}-list` : null, oninput: (event) => set(event.target.value) }),
      choices.length ? h("datalist", { id: `${id}-list` }, choices.map((each) => h("option", { value: each.value }))) : "");
  }

  /** Conditions, and rules that are lifted: chosen one by one, each may be turned round. */
  several(id, key, title, choices) {
    const chosen = this.given[key] ?? [];
    const now = () => this.given[key] ?? []; // A click may come before the form is drawn again.
    const turned = (text) => text.includes(" is not ") ? text.replace(" is not ", " is ") : text.includes(" is ") ? text.replace(" is ", " is not ")
      : text.includes(" != ") ? text.replace(" != ", " = ") : text.includes(" = ") ? text.replace(" = ", " != ") : text.startsWith("not ") ? text.slice(4) : `not ${text}`;
    const change = (values) => { this.given[key] = values; this.drawForm(); };
    return h("div", { class: "several" }, h("p", {}, h("label", { for: id }, title, " "),
      h("select", { id, name: key, onchange: (event) => event.target.value && change([...now(), event.target.value]) },
        h("option", { value: "" }, choices.length ? (chosen.length ? "and …" : "choose …") : "fill in the fields above first"),
        choices.map((each) => h("option", { value: each.value }, named(each))))),
      chosen.length ? h("ul", {}, chosen.map((each, at) => h("li", {}, h("code", {}, each), " ",
        key === "when" ? h("button", { type: "button", onclick: () => change(now().map((one, other) => other === at ? turned(one) : one)) }, "Negate") : "", " ",
        h("button", { type: "button", "aria-label": `Remove: ${each}`, onclick: () => change(now().filter((_, other) => other !== at)) }, "Remove")))) : "");
  }

  add(event) {
    event.preventDefault();
    if (!this.layer) {
      notice("First enter a name for your layer, such as deep_snow.");
      document.getElementById("layer").focus();
      return;
    }
    if (!document.getElementById("layer").reportValidity()) return;
    const made = { kind: this.kind, given: this.given };
    this.given = {};
    this.kind = "";
    this.go({ changes: [...this.changes, made] });
  }

  async drawText() {
    if (!this.changes.length) {
      this.text.replaceChildren(h("p", { class: "hint" }, "The files that your changes produce appear here, with an example of each change. Nothing is saved until you press “Save as a layer”."));
      return;
    }
    const asked = { ...this.asked, kind: this.layerKind, changes: this.changes };
    const writing = h("div", {}, h("p", { class: "hint", role: "status" }, "Writing and testing the draft …"));
    this.text.replaceChildren(writing);
    try {
      const { job: draft } = await write("draft", asked);
      const made = await follow(writing, draft);
      if (!made) return;
      const job = h("div", {});
      const found = h("div", { class: "differences", "aria-live": "polite" });
      this.saved = h("div", {});
      this.text.replaceChildren(h("div", {}, h("h2", {}, made.errors ? "The draft has errors" : "Generated files"),
        made.findings.length ? h("ul", { class: "findings" }, made.findings.map((each) => h("li", {}, each))) : "",
        made.failed.map((each) => h("p", { class: "why" }, `The example “${each}” fails.`)),
        h("div", { class: "row" },
          h("button", { type: "button", id: "compare", disabled: made.errors, onclick: () => this.compare({ stack: this.stack, draft }, job, found) }, "Compare with the unchanged rules"),
          h("button", { type: "button", id: "save", class: "primary", disabled: made.errors, onclick: () => this.save({ ...asked, draft }, job) }, "Save as a layer")),
        this.saved, job, found, [...made.files].sort((one) => (one.name.endsWith(".rules") ? -1 : 1)).map((each) => file(each.name, each.text))));
    } catch (problem) {
      this.text.replaceChildren(h("p", { class: "why" }, problem.message));
    }
  }

  async compare(asked, place, found) {
    try {
      const begun = await write("difference", asked);
      const data = await follow(place, begun.job);
      if (data) found.replaceChildren(...differences(data));
    } catch (problem) {
      place.replaceChildren(h("p", { class: "why" }, problem.message));
    }
  }

  async save(asked, place) {
    try {
      const begun = await write("save", asked);
      const made = await follow(place, begun.job);
      if (!made) return;
      this.known = await read("changeable");
      // What is saved is no longer to be added: neither a reload nor a further change writes it again.
      this.changes = [];
      history.replaceState(null, "", this.address({}));
      this.main.querySelector(".pending")?.remove();
      this.text.querySelectorAll("#save, #compare").forEach((each) => { each.disabled = true; });
      this.saved.replaceChildren(h("div", { class: "answer" },
        h("p", {}, `Saved in ${made.folder}: ${made.written.join(", ")}. Its proofs have not run yet: rulewright check ${made.stack} runs them.`),
        made.cards.length ? h("p", {}, h("a", { href: `#/lab?s=${encodeURIComponent([made.cards[0].name, asked.stack, made.stack].join(","))}` }, "Compare in the Lab")) : "",
        made.cards.length ? h("p", {}, "Situations with this layer:") : "", h("ul", {}, made.cards.map((each) => this.situation(each, made.stack)))));
    } catch (problem) {
      notice(problem.message);
      this.drawText(); // Another window may have saved the layer meanwhile.
    }
  }

  situation(card, stack) {
    return h("li", {}, `${card.title} `, h("button", { type: "button", onclick: () => this.play(card, stack).catch((problem) => notice(problem.message)) }, "Play"), " ",
      h("a", { href: `#/table/${encodeURIComponent(`card.${card.name}@${stack}`)}` }, "Open on the Table"));
  }

  /** Begin a game under the changed rules: the first side is played here, the others by the computer. */
  async play(card, stack) {
    notice("Setting up …");
    const players = card.sides.map((side, at) => `${side}=${at ? "greedy" : "human"}`).join(",");
    const seed = String(crypto.getRandomValues(new Uint32Array(1))[0]);
    const { game } = await write("begin", { card: card.name, rules: stack, players, seed });
    location.hash = `#/play/${encodeURIComponent(`game.${game}`)}`;
  }
}
