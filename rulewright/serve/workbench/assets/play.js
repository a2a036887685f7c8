// Play: a game choice by choice, each written down before it counts.

import { capital, h, notice, redraw } from "./dom.js";
import { read, write } from "./api.js";
import { BoardView } from "./board_view.js";
import { questionForm } from "./question.js";
import { blocksShown } from "./blocks.js";

const AHEAD = 150; // Milliseconds that a click may come in before the next answer is asked ahead.
const THINKS = 300; // Milliseconds between two looks at a player that takes long.
const LOOK = 2500; // Milliseconds between two looks whether another window has gone on.

/** A line of the log as a sentence. */
const told = (line) => capital(line.startsWith("-- ") ? `${line.slice(3)} begins` : line);

export class PlayView extends BoardView {
  constructor(main) {
    super(main);
    this.dialog = h("dialog", { class: "dice", "aria-label": "Confirm the choice" });
    main.append(this.dialog);
    this.timer = setInterval(() => this.look(), LOOK);
    this.logPlace = h("ol", { class: "log", "aria-label": "Game log" });
    this.undoButton = h("button", { type: "button", onclick: () => this.does("undo") }, "Undo");
  }

  leave() {
    super.leave();
    clearInterval(this.timer);
  }

  pressed(event) {
    super.pressed(event);
    if (event.defaultPrevented || event.target.closest?.("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "u") this.does("undo");
    if (event.key === "e") this.actions.querySelector(".end")?.click();
  }

  /** Where players share the screen of a game with secrets, what the next one knows is shown when that one is there. */
  take(view) {
    this.covered = view.hands_over && !view.over && view.reader !== this.atScreen;
    super.take(this.covered ? { ...view, notes: [], buttons: [], log: [], lit: { pieces: [], spaces: [], picks: {} }, yours: false } : view);
  }

  async show(here) {
    await super.show(here);
    this.askAhead();
    await this.letOthersPlay();
  }

  /** While nobody clicks, ask ahead what the lit counters can do: the server keeps the answers of this moment. */
  async askAhead() {
    const asked = this.asked;
    const version = this.view.version;
    for (const piece of this.view.lit.pieces) {
      await new Promise((later) => setTimeout(later, AHEAD));
      while (this.asking || this.busy || document.hidden) await new Promise((later) => setTimeout(later, AHEAD));
      if (this.left || this.asked !== asked || this.view.version !== version || !this.view.yours) return;
      // What had to give way to a click is asked again.
      let told = { unfinished: true };
      while (told?.unfinished && this.asked === asked && !this.left) {
        told = await read("ways", { ...asked, piece, space: "", ahead: 1 }).catch(() => null);
        if (told?.unfinished) await new Promise((later) => setTimeout(later, AHEAD));
      }
    }
  }

  async choose(what) {
    if (this.covered) return undefined;
    this.asking = true;
    try {
      return await super.choose(what);
    } finally {
      this.asking = false;
    }
  }

  async refuse(piece, other) {
    this.asking = true;
    try {
      return await super.refuse(piece, other);
    } finally {
      this.asking = false;
    }
  }

  /** Another window, or the terminal, may have gone on. */
  async look() {
    if (!this.view?.live || this.busy || document.hidden) return;
    const { version } = await read("version", { game: this.view.game }).catch(() => ({ version: this.view.version }));
    if (version !== this.view.version && !this.busy && !this.left) await this.again();
  }

  async again() {
    this.here = { ...this.here, chosen: "" };
    await super.show(this.here);
    this.askAhead();
  }

  async letOthersPlay() {
    if (this.busy || !this.view.live || !this.view.others || this.view.over) return;
    this.busy = true;
    const stop = h("button", { type: "button", onclick: () => { this.paused = true; write("pause", { game: this.view.game }).catch((problem) => this.failed(problem)); } }, "Pause");
    try {
      this.paused = false;
      let more = true;
      let choices = 0;
      while (more && !this.paused && !this.left) {
        this.prompt.textContent = `Waiting for ${this.view.side_phrase}${choices ? ` (${choices} choices so far)` : ""} …`;
        redraw(this.actions, stop);
        const before = this.view.moment;
        const found = await write("others", { game: this.view.game });
        more = found.more;
        if (found.thinks && found.version === this.view.version) {
          this.prompt.textContent = `Waiting for ${this.view.side_phrase}, played by a slow computer player (${choices} choices so far) …`;
          await new Promise((later) => setTimeout(later, THINKS));
        } else if (more) {
          const view = await read("view", this.asked);
          choices += view.moment - before;
          this.take(view);
        }
      }
      if (!this.left) await this.again();
    } finally {
      this.busy = false;
    }
  }

  lights() {
    return this.view.yours && !this.view.over;
  }

  promptText() {
    if (this.covered) return `Hand over to ${this.view.reader_phrase}.`;
    const lit = this.view.lit.pieces;
    if (this.view.live && this.view.yours && lit.length && lit.every((name) => !this.pieces.get(name)?.at)) {
      return this.view.prompt.replace("a highlighted counter", "a counter in the panel, or drag it onto the map");
    }
    if (!this.view.live) return "This is an earlier position of this game. You can look at it, but not act in it.";
    return this.view.yours ? this.view.prompt : `Waiting for ${this.view.side_phrase} …`;
  }

  drawActions() {
    const view = this.view;
    if (this.covered) {
      const uncover = () => { this.atScreen = view.reader; return super.show(this.here).catch((problem) => this.failed(problem)); };
      redraw(this.actions, h("button", { type: "button", class: "primary", onclick: uncover }, `Continue as ${view.reader_phrase}`));
      return;
    }
    if (!view.live) {
      redraw(this.actions, h("a", { class: "button", href: `#/play/${encodeURIComponent(`game.${view.game}`)}` }, "Return to the current position"),
        h("a", { class: "button", href: `#/table/${encodeURIComponent(view.address)}` }, "Open on the Table"));
      return;
    }
    if (view.over || !view.yours) {
      // Whatever has kept the other players from choosing, they can go on.
      redraw(this.actions, view.others && !view.over ? h("button", { type: "button", onclick: () => this.letOthersPlay() }, "Resume") : "");
      return;
    }
    const buttons = view.buttons.map((each) => h("button", { type: "button", class: each.kind,
      onclick: () => this.offered(each.options).catch((problem) => this.failed(problem)) }, each.label));
    this.undoButton.disabled = Boolean(view.undo);
    this.undoButton.title = view.undo ? `Not possible: ${view.undo}` : "Key: U";
    redraw(this.actions, ...buttons, this.undoButton,
      h("button", { type: "button", class: "quiet", title: "The computer finishes this phase for you", onclick: () => this.does("finish", { part: "first" }) }, "Finish the phase for me"));
  }

  /** Several ways end here: ask which; then show the sheet, if dice are thrown, and do it. */
  async go(ways) {
    if (!this.view.yours) return notice("Another player has the choice now.");
    if (ways.length > 1) {
      const chosen = await this.ask("Choose one action", ways.map((way) => [this.named(way), way]));
      if (!chosen) return undefined;
      return this.offered(chosen.options, chosen.pauses);
    }
    return this.offered(ways[0].options, ways[0].pauses);
  }

  /** Where a place is asked for, a click answers; where it would begin an action, it shows the action first. */
  goesAtOnce(ways) {
    return ways.every((way) => !way.doing);
  }

  named(way) {
    const end = this.pieces.get(way.piece)?.title ?? this.spaces.get(way.space)?.title ?? way.choice;
    return [way.doing, end].filter(Boolean).join(": ");
  }

  ask(title, answers) {
    return new Promise((resolve) => {
      const done = (value) => { this.dialog.close(); resolve(value); };
      this.dialog.replaceChildren(h("h2", {}, title), h("div", { class: "column" },
        answers.map(([text, value]) => h("button", { type: "button", onclick: () => done(value) }, text))),
      h("button", { type: "button", class: "quiet", onclick: () => done(null) }, "Cancel"));
      this.dialog.oncancel = () => resolve(null);
      this.dialog.showModal();
    });
  }

  /** `pauses`: the last option ends a set, and others may be added before that. */
  async offered(options, pauses = false) {
    const { version } = this.view; // That of the decision which the options are about.
    const { sheet } = await read("sheet", { ...this.asked, options: JSON.stringify(options) });
    const answer = sheet ? await this.agree(sheet, pauses) : "all";
    if (!answer || (!sheet && version !== this.view.version)) return;
    await this.does("take", { version, options: answer === "some" ? options.slice(0, -1) : options });
  }

  agree(sheet, pauses) {
    return new Promise((resolve) => {
      const done = (value) => { this.dialog.close(); resolve(value); };
      this.dialog.replaceChildren(h("h2", {}, sheet.throws ? "Possible results of the dice" : "Confirm the choice"), blocksShown(sheet.blocks),
        h("div", { class: "row" }, h("button", { type: "button", class: "primary", autofocus: true, onclick: () => done("all") }, sheet.throws ? "Throw the dice" : "Confirm"),
          pauses ? h("button", { type: "button", onclick: () => done("some") }, "Add more first") : "",
          h("button", { type: "button", onclick: () => done("") }, "Cancel")));
      this.dialog.oncancel = () => resolve("");
      this.dialog.showModal();
    });
  }

  /** Do something in the game, then show how it stands; a window that was overtaken shows that, too. */
  async does(what, more = {}) {
    if (this.busy || !this.view.live) return;
    this.busy = true;
    const before = this.view.moment;
    let overtaken = false;
    try {
      let done = await write(what, { game: this.view.game, version: this.view.version, ...more });
      // What takes long is asked for in parts, so that other windows are answered between them.
      while (done.more && !this.left) {
        this.prompt.textContent = `Finishing the phase (${parseInt(done.version, 10) - before} choices) …`;
        done = await write(what, { game: this.view.game, version: done.version, ...more, part: "next" });
      }
      // Until the result is shown, a second click would be about what is past.
      await this.again();
    } catch (problem) {
      this.failed(problem);
      if (problem.status !== 409) return;
      overtaken = true;
      await this.again();
    } finally {
      this.busy = false;
    }
    const news = this.view.log.filter((each) => each.at >= before).flatMap((each) => each.lines);
    if (news.length || !overtaken) notice(news.slice(-3).map((line) => told(line).replace(/[^.!?\]]$/, "$&.")).join(" "));
    await this.letOthersPlay();
  }

  parts() {
    const view = this.view;
    this.logPlace.replaceChildren(...view.log.map((each) => h("li", {},
      h("a", { href: `#/play/${encodeURIComponent(`game.${view.game}.${each.at}`)}`, title: "Show the position before this" },
        h("small", {}, `${each.turn} ${each.side}`), ...each.lines.map((line) => h("span", {}, told(line)))))));
    queueMicrotask(() => { this.logPlace.scrollTop = this.logPlace.scrollHeight; });
    return [
      view.live && view.yours ? this.tray(true) : "",
      this.notes(),
      questionForm(this),
      h("details", {}, h("summary", {}, "Victory conditions"), h("ul", {}, view.aims.map((each) => h("li", {}, each)))),
      h("h2", {}, "Game log"),
      view.log.length ? this.logPlace : h("p", { class: "hint" }, "No events yet."),
      h("p", { class: "keep" }, h("a", { href: `#/table/${encodeURIComponent(view.address)}` }, "Open on the Table")),
    ];
  }
}
