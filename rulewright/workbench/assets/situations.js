// The situations one can play, and the games one can go on with.

import { faults, h, notice } from "./dom.js";
import { read, write } from "./api.js";

const PLAYERS = [["greedy", "the computer, quick"], ["lookahead", "the computer, thinking ahead"], ["random", "the computer, at random"], ["human", "somebody at this screen"]];

const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60]];

/** Say how long ago something was, from seconds since 1970. */
function ago(seconds) {
  const past = Date.now() / 1000 - seconds;
  const [unit, size] = STEPS.find(([, each]) => past >= each) ?? ["minute", 60];
  return past < 60 ? "just now" : new Intl.RelativeTimeFormat("en").format(-Math.floor(past / size), unit);
}

export class SituationsView {
  constructor(main) {
    this.main = main;
  }

  async show() {
    this.main.replaceChildren(h("section", { class: "list" }, h("h1", {}, "Situations"), h("p", {}, "Looking for situations …")));
    const { cards, waiting, games, left_out: left } = await read("cards");
    this.main.replaceChildren(h("section", { class: "list" },
      h("h1", {}, "Situations"),
      h("p", { class: "lead" }, "Choose a situation to play, or look at it on the table first."),
      faults(left),
      games.length ? h("section", {}, h("h2", {}, "Go on with a game"), h("ul", { class: "runs" }, games.map((each) => this.game(each)))) : "",
      h("div", { class: "cards" }, cards.map((card) => this.card(card))),
      waiting ? h("p", { class: "hint" }, `${waiting} more situations wait for boards that are not here; docs/importing.md says how they are brought.`) : ""));
  }

  /** A game under way: who plays, how far it is, and when it was played last. */
  game(each) {
    const people = each.sides.filter((side) => side.player === "human").map((side) => side.title);
    const who = people.length === each.sides.length ? "at one screen" : people.length ? `you play ${people.join(" and ")}` : "the computer alone";
    const how = each.over ? "over" : `turn ${each.turn}${each.turns ? ` of ${each.turns}` : ""}`;
    return h("li", {}, h("a", { href: `#/play/${encodeURIComponent(`game.${each.name}`)}` }, each.title),
      ` ${[how, who, each.rules && `under ${each.rules}`, ago(each.changed)].filter(Boolean).join(" · ")}`);
  }

  card(card) {
    const id = `card-${card.name}`;
    const own = h("select", { id: `${id}-side` }, card.sides.map((side) => h("option", { value: side.name }, side.title)));
    const other = h("select", { id: `${id}-other` }, PLAYERS.map(([name, title]) => h("option", { value: name }, title)));
    return h("article", { "aria-labelledby": id },
      h("h2", { id }, card.title),
      h("p", { class: "facts" }, `${card.turns} turns · ${card.units} units · ${card.rules_title}`),
      h("p", { class: "pair" }, h("label", { for: `${id}-side` }, "You play"), own, h("label", { for: `${id}-other` }, "against"), other),
      h("div", { class: "row" },
        h("button", { type: "button", class: "primary", onclick: () => this.begin(card, own.value, other.value).catch((problem) => notice(problem.message)) }, "Play"),
        h("a", { class: "button", href: `#/table/${encodeURIComponent(`card.${card.name}`)}` }, "Look at it")));
  }

  async begin(card, own, other) {
    notice("Setting up …");
    const players = card.sides.map(({ name }) => `${name}=${name === own || other === "human" ? "human" : other}`).join(",");
    const seed = String(crypto.getRandomValues(new Uint32Array(1))[0]);
    const { game } = await write("begin", { card: card.name, rules: "", players, seed });
    notice("");
    location.hash = `#/play/${encodeURIComponent(`game.${game}`)}`;
  }
}
