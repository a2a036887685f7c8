// What Table and Play share: the map, what a click leads to, the reason why not, and the panel beside.

import { capital, h, notice, redraw } from "./dom.js";
import { read } from "./api.js";
import { blocksShown } from "./blocks.js";
import { MapView } from "./map.js";

const SOON = 80; // Milliseconds after which what was found so far is shown.

export class BoardView {
  constructor(main) {
    this.mapPlace = h("div", { class: "map" });
    this.prompt = h("p", { class: "prompt", "aria-live": "polite" });
    this.bar = h("ol", { class: "phases", "aria-label": "Phases of the turn" });
    this.actions = h("div", { class: "actions" });
    this.selection = h("section", { class: "selection", "aria-label": "Selection" });
    this.side = h("div", { class: "more" });
    this.heading = h("h1", {}, "Loading …");
    this.clock = h("p", { class: "clock" });
    this.map = new MapView(this.mapPlace, {
      click: (what) => this.afterOthers(() => this.clicked(what)),
      drop: (piece, space) => this.dropped(piece, space),
      label: (space) => this.label(space),
      holds: (space) => this.standing.has(space),
    });
    main.replaceChildren(
      h("div", { class: "board" },
        h("section", { class: "field", "aria-label": "Map" },
          h("div", { class: "promptbar" }, this.prompt, this.actions),
          this.mapPlace,
          h("div", { class: "zoom" },
            h("button", { type: "button", "aria-label": "Zoom in", onclick: () => this.map.zoom(1 / 1.3) }, "+"),
            h("button", { type: "button", "aria-label": "Zoom out", onclick: () => this.map.zoom(1.3) }, "−"))),
        h("aside", { class: "panel", "aria-label": "Position" },
          h("header", {}, this.heading, this.clock, this.bar), this.selection, this.side)),
    );
    this.chosen = null;
    this.found = [];
    this.keys = (event) => this.pressed(event);
    addEventListener("keydown", this.keys);
  }

  leave() {
    removeEventListener("keydown", this.keys);
    this.left = true;
  }

  /** Keys that mean something wherever the focus is, but where one writes. */
  pressed(event) {
    if (event.target.closest?.("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && this.view) this.unchoose();
  }

  /** Do one thing after the other: what a click means may hang on the answer to the click before. */
  afterOthers(work) {
    this.pending = (this.pending ?? Promise.resolve()).then(work).catch((problem) => this.failed(problem));
    return this.pending;
  }

  /** Show a position; `here` is what the address says. If the server refuses it, the last one stays. */
  async show(here) {
    const before = [this.here, this.asked];
    this.here = here;
    this.asked = { position: here.what, change: here.changes };
    const view = await read("view", this.asked).catch((problem) => {
      if (this.here === here) [this.here, this.asked] = before;
      throw problem;
    });
    this.take(view);
    await this.map.draw({ ...this.asked, at: `${view.version}` }, `Map, ${this.spoken()}. Arrow keys move from place to place, N and P to the next and previous highlighted place, Enter clicks`);
    this.drawPanel();
    const [sort, name] = here.chosen.split(":");
    if (name && (sort === "piece" ? this.pieces.has(name) : this.spaces.has(name))) {
      await this.choose(sort === "piece" ? { piece: name, space: "" } : { piece: "", space: name });
    } else {
      this.unchoose();
    }
  }

  take(view) {
    this.view = view;
    this.pieces = new Map(view.pieces.map((each) => [each.name, each]));
    this.spaces = new Map(view.spaces.map((each) => [each.name, each]));
    this.standing = new Map();
    for (const each of view.pieces) if (each.at) this.standing.set(each.at, [...(this.standing.get(each.at) ?? []), each]);
  }

  spoken() {
    const phase = this.view.phases.find((each) => each.now)?.title ?? "";
    return [`turn ${this.view.turn}`, this.view.side_title, phase].filter(Boolean).join(", ");
  }

  label(space) {
    const here = (this.standing?.get(space) ?? []).map((each) => (each.side ? `${each.title}, ${each.side}` : each.title));
    const facts = this.spaces?.get(space)?.facts[0] ?? space;
    return here.length ? `${facts}: ${here.join("; ")}` : facts;
  }

  drawPanel() {
    const view = this.view;
    this.heading.textContent = capital(view.title);
    const turn = view.turns ? `Turn ${view.turn} of ${view.turns}` : `Turn ${view.turn}`;
    redraw(this.clock, h("b", {}, turn), view.side_phrase ? ` · ${view.side_phrase} to choose` : "", h("span", { class: "rules" }, view.rules));
    redraw(this.bar, ...view.phases.map((each) =>
      h("li", { class: each.now ? "now" : "", "aria-current": each.now ? "step" : null }, each.title)));
    this.prompt.textContent = view.over || this.promptText();
    this.drawActions();
    redraw(this.side, ...this.parts());
  }

  promptText() {
    return this.view.prompt;
  }

  /** Counters that are not on the map, those of which something is asked first: chosen here, or dragged onto the map. */
  tray(open = false) {
    const lit = new Set(this.view.lit.pieces);
    const waiting = this.view.pieces.filter((each) => !each.at).sort((one, other) => lit.has(other.name) - lit.has(one.name));
    if (!waiting.length) return "";
    const asked = waiting.filter((each) => lit.has(each.name)).length;
    return h("details", { class: "tray", open: open && asked > 0 }, h("summary", {}, `Counters off the map: ${waiting.length}`),
      h("ul", {}, waiting.map((each) => h("li", {}, h("button", { type: "button", draggable: "true", "data-waiting": each.name, class: lit.has(each.name) && this.lights() ? "lit" : null,
        ondragstart: (event) => event.dataTransfer.setData("text/plain", each.name),
        onclick: () => this.choose({ piece: each.name, space: "" }).catch((problem) => this.failed(problem)) }, each.title, h("small", {}, ` ${each.side}`))))));
  }

  /** What the game and its sides keep: stores, scores, a hand of cards. */
  notes() {
    return this.view.notes.length ? h("section", { class: "notes", "aria-label": "Notes" }, this.view.notes.flatMap((each) => [
      each.owner ? h("h2", {}, capital(each.owner)) : "",
      h("dl", {}, each.notes.map((note) => h("div", {}, h("dt", {}, note.name), h("dd", {}, note.value))))])) : "";
  }

  unchoose() {
    this.chosen = null;
    this.looking = null;
    this.found = [];
    this.remember("");
    this.prompt.textContent = this.view.over || this.promptText();
    redraw(this.selection, this.hint());
    this.light();
  }

  hint() {
    return h("p", { class: "hint" }, "Click a counter to see its actions. Then click another place or counter to act there, or to read why that is not allowed.");
  }

  /** Keep what is chosen in the address, so that the link shows it. */
  remember(chosen) {
    const query = new URLSearchParams();
    for (const each of this.here.changes) query.append("c", each);
    if (chosen) query.append("s", chosen);
    const tail = query.toString();
    const address = `#/${this.here.name}/${encodeURIComponent(this.here.what)}${tail ? `?${tail}` : ""}`;
    if (address !== location.hash) history.replaceState(null, "", address);
  }

  light() {
    const spaces = {};
    const pieces = {};
    const labels = {};
    if (!this.chosen) {
      if (this.lights()) {
        for (const name of this.view.lit.spaces) spaces[name] = "lit";
        for (const name of this.view.lit.pieces) {
          pieces[name] = "lit";
          const at = this.pieces.get(name)?.at;
          if (at) spaces[at] ??= "holds";
        }
      }
    } else {
      const at = this.chosen.piece ? this.pieces.get(this.chosen.piece)?.at : this.chosen.space;
      for (const way of this.found) {
        if (way.space) {
          spaces[way.space] = "lit";
          if (way.tag) labels[way.space] = way.tag;
        }
        if (way.piece) {
          pieces[way.piece] = this.isOther(way.piece) ? "target" : "lit";
          const there = this.pieces.get(way.piece)?.at;
          if (there && there !== at) spaces[there] = pieces[way.piece] === "lit" ? "lit" : "aim";
        }
        if (way.through) spaces[way.through] ??= "aim";
      }
      if (at) spaces[at] = "chosen";
      if (this.chosen.piece) pieces[this.chosen.piece] = "chosen";
    }
    this.map.light({ spaces, pieces, labels });
  }

  /** Tell whether a counter is not of the side of the one that is chosen. */
  isOther(piece) {
    const mine = this.pieces.get(this.chosen.piece);
    return !mine || this.pieces.get(piece)?.side !== mine.side;
  }

  lights() {
    return !this.view.over;
  }

  /** A click: on the end of a way it goes there; else it chooses, or says why what is chosen cannot go there. */
  async clicked({ piece, space }) {
    if (this.chosen) {
      const ends = this.endsAt(piece, space);
      if (ends.length) return this.go(ends, { piece, space });
      const mine = this.pieces.get(this.chosen.piece);
      const other = this.pieces.get(piece);
      // Of counters in one place a click leads from one to the next, but for those of another side: these are asked about.
      const together = mine && other && other.name !== mine.name && space === mine.at;
      if (together && !this.view.lit.pieces.includes(other.name)) return this.whyNot({ piece: other.name, space }, other.name);
      const own = mine && (piece === mine.name || (space === mine.at && (!other || other.side === mine.side)));
      if (own || (!piece && space === this.chosen.space)) return this.goOrElse({ piece, space }, () => this.nextHere(piece, space));
      if (this.chosen.piece && !this.view.lit.pieces.includes(piece)) return this.whyNot({ piece, space }, piece || space);
    }
    const here = this.standing.get(space) ?? [];
    const added = this.view.lit.picks[piece] ?? here.map((each) => this.view.lit.picks[each.name]).find((each) => each !== undefined);
    if (added !== undefined) return this.go([{ options: [added], doing: "", space: "", piece, choice: "", note: "" }]);
    const lit = here.find((each) => this.view.lit.pieces.includes(each.name));
    const name = piece && (this.view.lit.pieces.includes(piece) || !lit) ? piece : lit?.name ?? here[0]?.name ?? "";
    if (name && !this.view.lit.spaces.includes(space)) return this.choose({ piece: name, space: "" });
    await this.choose({ piece: "", space });
    if (this.found.length && this.view.lit.spaces.includes(space) && this.goesAtOnce(this.found)) return this.go(this.found);
    return undefined;
  }

  /** Tell whether the first click on a highlighted place is the answer. */
  goesAtOnce() {
    return true;
  }

  /** Say why what is chosen cannot go there. */
  whyNot(clicked, name) {
    return this.goOrElse(clicked, (chosen) => this.refuse(chosen.piece, name));
  }

  /** While the moves of what is chosen are searched, a click waits for them: it may be one. Otherwise do something else. */
  async goOrElse(clicked, otherwise) {
    const chosen = this.chosen;
    this.waiting = clicked;
    if (this.looking) {
      this.prompt.textContent = "Searching for all its moves; the click is handled afterwards …";
      await this.looking;
      if (this.chosen !== chosen || this.waiting !== clicked) return undefined; // Something else was clicked meanwhile.
    }
    const ends = this.endsAt(clicked.piece, clicked.space);
    return ends.length ? this.go(ends, clicked) : otherwise(chosen);
  }

  /** A second click on what is chosen leads to the next counter there, and in the end to nothing; one on another, to it. */
  nextHere(piece, space) {
    if (this.pieces.has(piece) && piece !== this.chosen.piece) return this.choose({ piece, space: "" });
    const at = space || this.pieces.get(piece)?.at;
    const here = this.standing.get(at) ?? [];
    const place = here.findIndex((each) => each.name === this.chosen.piece);
    if (place >= 0 && place + 1 < here.length) return this.choose({ piece: here[place + 1].name, space: "" });
    return this.unchoose();
  }

  endsAt(piece, space) {
    const exact = this.found.filter((way) => way.piece && way.piece === piece);
    if (exact.length) return exact;
    const there = new Set((this.standing.get(space) ?? []).map((each) => each.name));
    const ending = this.found.filter((way) => (way.space && way.space === space) || (way.piece && there.has(way.piece)));
    return ending.length ? ending : this.found.filter((way) => way.through && way.through === space);
  }

  async choose(what) {
    this.chosen = what;
    this.found = [];
    this.waiting = null;
    this.looking = this.findWays(what);
    try {
      await this.looking;
    } finally {
      if (this.chosen === what) this.looking = null;
    }
  }

  /** Find what can be done with what is chosen: first for a moment, then for as long as it takes. */
  async findWays(what) {
    const name = what.piece || what.space;
    this.remember(`${what.piece ? "piece" : "space"}:${name}`);
    const begun = performance.now();
    const asked = { ...this.asked, ...what };
    const show = (told) => {
      if (this.chosen !== what) return false; // Something else was clicked meanwhile.
      this.found = told.ways;
      this.light();
      redraw(this.selection, ...this.described(what, told));
      this.prompt.textContent = told.unfinished ? "Searching for all its moves …" : this.afterChoice(told);
      return told.unfinished;
    };
    const more = show(this.view.over ? { ways: [], blocks: [], cut: "" } : await read("ways", { ...asked, within: SOON }));
    performance.measure("click", { start: begun });
    if (!more) return;
    show(await read("ways", asked));
    performance.measure("whole", { start: begun });
  }

  afterChoice(told) {
    if (this.view.over) return this.view.over;
    const name = capital(this.chosen.piece ? this.pieces.get(this.chosen.piece).title : this.spaces.get(this.chosen.space).title);
    if (told.open) return `${name} can be chosen after a counter: click a highlighted counter first.`;
    if (!told.ways.length) return `${name} has no action now; the panel explains why.`;
    const spaces = told.ways.some((way) => way.space);
    const targets = told.ways.some((way) => way.piece && this.isOther(way.piece));
    const own = told.ways.some((way) => way.piece && !this.isOther(way.piece));
    const where = [spaces && "a highlighted place", own && "a highlighted counter", targets && "a target"].filter(Boolean).join(" or ");
    return where ? `${name}: click ${where}, or anything else to read why not.` : `${name}: choose an action in the panel.`;
  }

  /** Describe what is chosen: facts, what it can do, and why not. */
  described(what, told) {
    const piece = this.pieces.get(what.piece);
    const at = piece ? piece.at : what.space;
    const here = this.standing.get(at) ?? [];
    const parts = [
      h("h2", {}, capital(piece ? piece.title : this.spaces.get(at).title), piece?.side ? h("small", {}, ` ${piece.side}`) : ""),
      h("p", { class: "facts" }, (piece ? piece.facts : this.spaces.get(at).facts).join("; ")),
    ];
    if (here.length > (piece ? 1 : 0)) {
      parts.push(h("ul", { class: "stack", "aria-label": "Also here" }, here.map((each) => h("li", {},
        h("button", { type: "button", "aria-pressed": String(each.name === what.piece),
          onclick: () => this.choose({ piece: each.name, space: "" }) }, each.title), this.asksOf(piece, each, told)))));
    }
    parts.push(...this.offers(told.ways, what.space));
    if (told.blocks.length) parts.push(this.reason(told.open ? "Choose a counter first" : "No action now", told));
    if (told.cut) parts.push(h("p", { class: "hint" }, told.cut));
    return parts;
  }

  /** A click on another counter in one's own place leads to it: what is refused of the two is asked by this button. */
  asksOf(piece, other, told) {
    if (!piece || other.name === piece.name || this.view.over || told.ways.some((way) => way.piece === other.name)) return "";
    return h("button", { type: "button", class: "quiet", "aria-label": `Why can ${piece.title} not act with ${other.title}?`, title: `Why can ${piece.title} not act with ${other.title}?`,
      onclick: () => this.refuse(piece.name, other.name).catch((problem) => this.failed(problem)) }, "Why not?");
  }

  /** List what can be done: one line for each action, with where or at whom; what ends where one stands has a button. */
  offers(ways, chosen) {
    const groups = new Map();
    for (const way of ways) groups.set(way.doing, [...(groups.get(way.doing) ?? []), way]);
    return [...groups].map(([doing, each]) => {
      const spaces = each.filter((way) => way.space && way.space !== chosen);
      const others = each.filter((way) => !way.space || way.space === chosen);
      const said = spaces.length ? `${spaces.length} place${spaces.length > 1 ? "s" : ""}` : "";
      return h("div", { class: "offer" }, h("h3", {}, doing || "Choose"), said ? h("p", {}, said) : "",
        h("ul", { class: "ends" }, others.map((way) => h("li", {},
          h("button", { type: "button", onclick: () => this.go([way], {}).catch((problem) => this.failed(problem)) },
            way.piece ? this.pieces.get(way.piece).title : way.choice || "Do it"),
          way.odds ? h("p", { class: "odds" }, way.odds) : ""))));
    });
  }

  /** Say why not, and point at the places that the reasons mention. */
  reason(heading, { blocks, lights = null }) {
    if (lights) this.map.point(lights);
    return h("div", { class: "why" }, h("h3", {}, heading), blocksShown(blocks), lights ? this.legend(lights) : "");
  }

  /** Say what is marked on the map, for those who do not see it. */
  legend({ counted, sides, lines }) {
    const titles = (names) => names.map((name) => this.spaces.get(name)?.title ?? name);
    const parts = [
      lines.length ? `the line from ${titles(lines[0]).join(" to ")}` : "",
      sides.length ? `the hexside${sides.length > 1 ? "s" : ""} ${sides.map((each) => titles(each).join("/")).join(", ")}` : "",
      counted.length ? titles(counted).join(", ") : "",
    ].filter(Boolean);
    return parts.length ? h("p", { class: "hint" }, `Marked on the map: ${parts.join("; ")}.`) : "";
  }

  async refuse(piece, other) {
    const begun = performance.now();
    const found = await read("why", { ...this.asked, words: `${piece} ${other}` });
    const title = this.pieces.get(other)?.title ?? this.spaces.get(other)?.title ?? other;
    this.selection.querySelector(".why")?.remove();
    this.selection.querySelector(".answer")?.remove();
    this.light();
    const told = this.reason(capital(`${this.pieces.get(piece).title} and ${title}`), found);
    told.append(h("button", { type: "button", onclick: (event) => this.counterfactuals(`${piece} ${other}`, event.target) }, "What would allow it?"));
    this.selection.append(told);
    this.prompt.textContent = found.blocks[0]?.title ?? "";
    told.scrollIntoView({ block: "nearest" });
    performance.measure("why", { start: begun });
  }

  /** Say what would have to be otherwise; each change was tried. */
  async counterfactuals(words, button) {
    button.disabled = true;
    try {
      const { allowed_if: found, looked_at: tried, cut } = await read("counterfactuals", { ...this.asked, words });
      button.replaceWith(h("div", {}, found.length ? h("ul", {}, found.map((each) => h("li", {}, each))) : h("p", {}, "None of the changes that were tried would allow it."),
        h("details", {}, h("summary", {}, "What was tried"), h("p", { class: "hint" }, `${capital(tried)}.${cut ? " Not all possible changes were tried." : ""}`))));
    } catch (problem) {
      button.disabled = false;
      this.failed(problem);
    }
  }

  dropped(piece, space) {
    if (!space) return this.unchoose();
    return this.choose({ piece, space: "" }).then(() => this.clicked({ piece: "", space })).catch((problem) => this.failed(problem));
  }

  failed(problem) {
    notice(problem.message);
  }
}
