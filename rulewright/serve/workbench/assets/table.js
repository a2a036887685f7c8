// The Table: look at a position, change it by hand, and ask what can be done in it. Nothing here changes a game.

import { capital, h, notice, redraw } from "./dom.js";
import { read, write } from "./api.js";
import { blocksShown } from "./blocks.js";
import { BoardView } from "./board_view.js";
import { questionForm } from "./question.js";
import { StackPicker } from "./stacks.js";

export class TableView extends BoardView {
  constructor(main) {
    super(main);
    this.map.draggable = true;
    this.painting = "";
  }

  drawActions() {
    const game = this.view.game;
    redraw(this.actions, 
      game ? h("a", { class: "button", href: `#/play/${encodeURIComponent(`game.${game}`)}` }, "Return to the game") :
        // A game begins under the rules of its card: not from a card that is shown under others.
        /^card\.[^@]*$/.test(this.here.what) ? h("a", { class: "button", href: `#/situations/${encodeURIComponent(this.here.what.slice("card.".length))}` }, "Play this situation") : "",
      this.here.changes.length ? h("button", { type: "button", onclick: () => this.change(this.here.changes.slice(0, -1)) }, "Undo") : "",
      this.here.changes.length ? h("button", { type: "button", onclick: () => this.change([]) }, "Undo all changes") : "",
    );
  }

  promptText() {
    const now = this.view.phases.find((each) => each.now)?.title ?? "";
    const where = [now, this.view.side_title].filter(Boolean).join(", ");
    const { pieces, spaces } = this.view.lit;
    const waiting = pieces.length > 0 && pieces.every((name) => !this.pieces.get(name)?.at);
    const what = [pieces.length ? (waiting ? "a counter in the panel" : "a highlighted counter") : "", spaces.length ? "a highlighted place" : ""].filter(Boolean).join(" or ");
    const others = this.view.buttons.filter((each) => each.kind !== "end").map((each) => each.label);
    const open = what ? `click ${what} to see its actions` :
      others.length ? `this side has a choice that is not made on the map: ${others.join(" · ")}` : "this side has no action now";
    const asked = this.view.question ? `${this.view.question} ${capital(open)}` : open; // In the middle of an action.
    return `${where}: ${asked}. Click any counter and then anything else to read why not.`;
  }

  /** The clock can be put on another phase, side or turn: then all that is offered in that phase is asked about. */
  drawPanel() {
    super.drawPanel();
    const to = (change) => this.change([...this.here.changes, change]);
    redraw(this.bar, ...this.view.phases.map((each) => h("li", { class: each.now ? "now" : "", "aria-current": each.now ? "step" : null },
      each.offers ? h("button", { type: "button", title: "Show this phase", onclick: () => to(`phase,${each.name}`) }, each.title) : each.title)));
    const turn = h("input", { id: "turn", type: "number", min: 1, max: Math.max(this.view.turns, this.view.turn), value: this.view.turn,
      onchange: (event) => {
        if (event.target.reportValidity() && event.target.value) to(`turn,${event.target.value}`);
        else event.target.value = this.view.turn;
      } });
    redraw(this.clock, h("label", { for: "turn" }, "Turn "), turn, this.view.turns ? ` of ${this.view.turns} ` : " ",
      ...this.view.sides.map((each) => h("button", { type: "button", "aria-pressed": String(each.now), title: "Show this side's turn",
        onclick: () => to(`side,${each.name}`) }, each.title)), h("span", { class: "rules" }, this.view.rules));
  }

  /** Go to the position with these changes made by hand; of each setting of the clock the last one stays. */
  change(given) {
    const clock = /^(phase|side|turn),/;
    const changes = given.filter((each, at) => !clock.test(each) || !given.slice(at + 1).some((later) => later.split(",")[0] === each.split(",")[0]));
    const query = new URLSearchParams(changes.map((each) => ["c", each]));
    const tail = query.toString();
    location.hash = `#/table/${encodeURIComponent(this.here.what)}${tail ? `?${tail}` : ""}`;
  }

  dropped(piece, space) {
    if (this.pieces.get(piece)?.at === space) return this.light();
    return this.change([...this.here.changes, `move,${piece},${space}`]);
  }

  /** A counter of a side that is not on move, and that nothing is open to, is asked about as in its own side's turn. */
  async choose(what) {
    this.asked = { ...this.asked, change: this.here.changes };
    await super.choose(what);
    const side = this.view.sides.find((each) => each.title === this.pieces.get(what.piece)?.side);
    if (this.chosen !== what || this.found.length || !side || side.now || this.view.over) return;
    this.asked = { ...this.asked, change: [...this.here.changes, `side,${side.name}`] };
    await super.choose(what);
    if (this.chosen === what) this.selection.querySelector(".facts").after(h("p", { class: "hint" }, `Actions as in the turn of this side: ${side.title}.`));
  }

  unchoose() {
    this.asked = { ...this.asked, change: this.here.changes };
    super.unchoose();
  }

  async clicked(what) {
    if (this.painting.startsWith("edge ") && what.space) return this.paintEdge(what.space);
    if (this.painting && what.space) return this.change([...this.here.changes, `paint,${what.space},${this.painting}`]);
    return super.clicked(what);
  }

  /** A side is painted by a click on each of the two places that it lies between. */
  paintEdge(space) {
    const first = this.edgeOf;
    if (!first || first === space) {
      this.edgeOf = first === space ? "" : space;
      this.map.light({ spaces: this.edgeOf ? { [space]: "chosen" } : {} });
      this.prompt.textContent = this.edgeOf ? "Now click the place across the hexside." : "Click two adjacent places to paint the hexside between them.";
      return undefined;
    }
    this.edgeOf = "";
    return this.change([...this.here.changes, `edge,${first},${space},${this.painting.slice(5)}`]);
  }

  /** At the table a target shows the odds, and a place the way there; nothing is done. */
  async go(ways, clicked = {}) {
    const begun = performance.now();
    const way = ways[0];
    const words = [this.chosen?.piece, way.piece || clicked.piece || way.space].filter(Boolean).join(" ");
    const { sheet, blocks } = await read("sheet", { ...this.asked, options: JSON.stringify(way.options), why: "yes" });
    this.asked_last = { at: location.hash, options: way.options };
    const end = this.pieces.get(way.piece)?.title ?? this.spaces.get(way.space)?.title ?? way.choice;
    this.selection.querySelector(".answer")?.remove();
    this.selection.append(h("div", { class: "answer" },
      h("h3", {}, `${way.doing || "Choose"}: ${end}`),
      sheet ? blocksShown(sheet.blocks) : h("p", {}, way.note ? `Allowed: ${way.note}.` : "Allowed."),
      blocksShown(blocks)));
    performance.measure("why", { start: begun });
    this.prompt.textContent = `Allowed: ${(way.doing || "choose").toLowerCase()}, ${end}.`;
    if (this.chosen?.piece && clicked.piece && clicked.piece !== way.piece && this.isOther(clicked.piece)) await this.beside(clicked.piece);
  }

  /** Where only the place of a counter, or another one there, can be chosen, say what is refused against the counter. */
  async beside(other) {
    const chosen = this.chosen;
    const told = await read("why", { ...this.asked, words: `${chosen.piece} ${other}`, closed: "yes" });
    if (this.chosen === chosen && told.blocks.length) this.selection.append(this.reason("Not allowed against this counter", told));
  }

  parts() {
    return [questionForm(this), this.tray(true), this.notes(), this.paints(), this.second(), this.aims(), this.links()];
  }

  aims() {
    return this.view.aims.length ? h("details", {}, h("summary", {}, "Victory conditions"),
      h("ul", {}, this.view.aims.map((each) => h("li", {}, each)))) : "";
  }

  /** Terrain to paint with. */
  paints() {
    const choice = h("select", { id: "paint", onchange: (event) => {
      this.painting = event.target.value;
      this.edgeOf = "";
      if (this.painting.startsWith("edge ")) this.prompt.textContent = "Click two adjacent places to paint the hexside between them.";
      else if (this.painting) this.prompt.textContent = "Click a place to paint it; click it again to remove the paint.";
    } }, h("option", { value: "" }, "nothing (clicks select)"),
      this.view.terrains.map((each) => h("option", { value: each.name, selected: each.name === this.painting }, each.title)),
      this.view.edges.map((each) => h("option", { value: `edge ${each.name}`, selected: `edge ${each.name}` === this.painting }, `${each.title} (hexside)`)));
    return this.view.terrains.length || this.view.edges.length ? h("p", { class: "paint" }, h("label", { for: "paint" }, "Paint terrain "), choice) : "";
  }

  described(what, told) {
    const parts = super.described(what, told);
    const piece = this.pieces.get(what.piece);
    if (!piece) return parts;
    const place = h("select", { id: "put", onchange: (event) => this.change([...this.here.changes, `move,${piece.name},${event.target.value}`]) },
      h("option", { value: "", selected: !piece.at }, "off the map"),
      this.view.spaces.map((each) => h("option", { value: each.name, selected: each.name === piece.at }, each.title)));
    parts.push(h("details", { class: "byhand" }, h("summary", {}, "Edit this counter"),
      h("p", {}, h("label", { for: "put" }, "Place "), place),
      h("p", { class: "marks" }, piece.statuses.map((each) => h("button", { type: "button", "aria-pressed": String(each.on),
        onclick: () => this.change([...this.here.changes, `mark,${piece.name},${each.name}`]) }, each.title))),
      h("p", {}, h("button", { type: "button", onclick: () => this.change([...this.here.changes, `remove,${piece.name}`]) }, "Remove from the game"))));
    return parts;
  }

  /** A second set of rules: where the two disagree about the counter that is chosen. */
  second() {
    if (this.view.game) return "";
    const told = h("div", { "aria-live": "polite" });
    const place = h("div", {});
    let field = null;
    const open = async () => {
      if (field) return;
      const { games } = await read("stacks");
      field = new StackPicker({ id: "second", label: "Other rules", known: games, value: this.other ?? this.view.rules_name, fixed: true });
      field.options.open = true;
      place.replaceChildren(field.element);
    };
    const list = (title, lines) => lines.length ? [h("h4", {}, title), h("ul", {}, lines.slice(0, 40).map((each) => h("li", {}, each)))] : [];
    const held = (piece) => read("differences", { ...this.asked, piece, rules: this.other });
    const told_of = (found) => [found.apart ? h("p", {}, found.apart) : "", ...list("Only under these rules", found.only_here), ...list("Only under the other rules", found.only_there)].filter(Boolean);
    const ask = async (event) => {
      event.preventDefault();
      this.other = field?.value ?? this.view.rules_name;
      if (!this.chosen?.piece) return all();
      told.replaceChildren(h("p", { class: "hint" }, "Comparing …"));
      try {
        const parts = told_of(await held(this.chosen.piece));
        told.replaceChildren(...(parts.length ? parts : [h("p", {}, "This counter has the same actions here under both sets of rules.")]));
      } catch (problem) {
        told.replaceChildren(h("p", {}, problem.message));
      }
      return undefined;
    };
    /** Where the two disagree here: counter by counter, those that differ are lit. */
    const all = async () => {
      this.other = field?.value ?? this.view.rules_name;
      const mine = this.view.pieces.filter((each) => each.at && (each.side === this.view.side_title || this.view.lit.pieces.includes(each.name)));
      const bar = h("progress", { max: mine.length, value: 0, "aria-label": "Counters compared" });
      const differ = h("div", {});
      const lit = {};
      const here = location.hash;
      told.replaceChildren(bar, differ);
      try {
        for (const each of mine) {
          const parts = told_of(await held(each.name));
          if (!told.isConnected || location.hash !== here) return;
          bar.value += 1;
          if (!parts.length) continue;
          lit[each.name] = "target";
          differ.append(h("details", {}, h("summary", {}, `${each.title}, ${this.spaces.get(each.at).title}`), parts));
          this.map.light({ pieces: lit });
        }
        bar.replaceWith(h("p", {}, Object.keys(lit).length ? `${Object.keys(lit).length} of ${mine.length} counters of this side have an action under one of the two sets of rules only; they are highlighted.`
          : `The ${mine.length} counters of this side on the map have the same actions under both sets of rules, in this phase.`));
      } catch (problem) {
        told.replaceChildren(h("p", {}, problem.message));
      }
    };
    if (this.other) open().catch((problem) => this.failed(problem));
    return h("details", { open: Boolean(this.other), ontoggle: () => open().catch((problem) => this.failed(problem)) },
      h("summary", {}, "Compare with other rules"),
      h("form", { onsubmit: ask }, place, h("p", { class: "row" }, h("button", {}, "Compare the selected counter"),
        h("button", { type: "button", onclick: all }, "Compare all counters"))), told);
  }

  links() {
    const told = h("div", { "aria-live": "polite" });
    const shown = (work) => async () => {
      try {
        told.replaceChildren(...(await work()));
      } catch (problem) {
        told.replaceChildren(h("p", { role: "alert" }, problem.message));
      }
    };
    return h("section", { class: "keep", "aria-label": "Save or share this position" }, h("h2", {}, "Save or share"),
      h("p", { class: "row" },
        h("button", { type: "button", onclick: () => this.copyLink() }, "Copy link"),
        h("button", { type: "button", onclick: shown(() => this.example()) }, "Write as an example"),
        h("button", { type: "button", onclick: shown(() => this.file()) }, "Position file")), told);
  }

  /** Show text that one can copy, and save as a file of one's own. */
  text(label, text, name, more = []) {
    const area = h("textarea", { rows: 12, readonly: true, "aria-label": label, spellcheck: "false" }, text);
    return [area, h("p", { class: "row" },
      h("button", { type: "button", onclick: () => navigator.clipboard.writeText(text).then(() => notice("Copied.")) }, "Copy"),
      h("button", { type: "button", onclick: () => saved(text, name) }, "Download")), ...more];
  }

  /** The position, and what was clicked last, as the text of an example. */
  async example() {
    const asked = this.asked_last && this.asked_last.at === location.hash ? this.asked_last : {};
    const { text, left_out: left, here } = await read("example_text", { ...this.asked, piece: this.chosen?.piece ?? "", words: asked.words ?? "",
      options: JSON.stringify(asked.options ?? []) });
    return this.text("Text of the example", text, "example.rules", [
      h("p", { class: "hint" }, here), left.length ? h("p", { class: "hint" }, `Left out: ${left.join("; ")}.`) : ""]);
  }

  async file() {
    const input = h("input", { type: "file", accept: ".yaml,.yml,.json", id: "position-open", onchange: async () => {
      const [file] = input.files;
      if (!file) return;
      try {
        const name = file.name.replace(/\.[^.]*$/, "").replace(/[^\w-]/g, "_").replace(/^[^A-Za-z_]+/, "p");
        const { address, ended } = await write("position_save", { name, text: await file.text() });
        location.hash = `#/table/${encodeURIComponent(address)}`;
        if (ended) notice(ended);
      } catch (problem) {
        notice(problem.message);
      }
    } });
    const open = h("p", { class: "field-line" }, h("label", { for: "position-open" }, "Open a position file "), input);
    try {
      const { text, left_out: left } = await read("position_text", this.asked);
      return [...this.text("This position as a file", text, "position.yaml", [left.length ? h("p", { class: "hint" }, `Left out: ${left.join("; ")}.`) : ""]), open];
    } catch (problem) {
      return [h("p", {}, problem.message), open];
    }
  }

  async copyLink() {
    await navigator.clipboard.writeText(location.href);
    notice("Link copied. It opens this position again, on this computer only.");
  }

  async refuse(piece, other) {
    await super.refuse(piece, other);
    this.asked_last = { at: location.hash, words: `${piece} ${other}` };
  }

  hint() {
    return h("p", { class: "hint" }, "Click a counter to see where it can go, what it can attack, and why it cannot do other things. Drag a counter to change the position. Changes at the Table do not affect any game.");
  }
}

/** Hand a text to the browser as a file. */
function saved(text, name) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
