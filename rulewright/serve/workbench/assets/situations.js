// The situations one can play, and the games one can go on with.

import { faults, h, notice, unusableFolder } from "./dom.js";
import { read, write } from "./api.js";

const PLAYERS = [["greedy", "the computer (fast)"], ["lookahead", "the computer (looks ahead, slow)"], ["search:8", "the computer (searches, slowest)"], ["random", "the computer (random choices)"], ["human", "another person at this screen"]];

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

  /** `here.what`: the situation to scroll to. */
  async show(here) {
    this.main.replaceChildren(h("section", { class: "list" }, h("h1", {}, "Situations"), h("p", {}, "Loading the situations …")));
    const { cards, waiting, games, left_out: left, broken_cards: broken, unusable } = await read("cards");
    this.main.replaceChildren(h("section", { class: "list" },
      h("h1", {}, "Situations"),
      h("p", { class: "lead" }, "Choose a situation to play, or open it on the Table first."),
      faults(left), faults(broken, "situation"), unusableFolder(unusable),
      games.length ? h("section", {}, h("h2", {}, "Saved games"), h("ul", { class: "runs" }, games.map((each) => this.game(each)))) : "",
      h("div", { class: "cards" }, cards.map((card) => this.card(card))),
      waiting ? h("p", { class: "hint" }, `${waiting} more situations need boards that are not installed; docs/importing.md describes how to import them.`) : ""));
    const asked = document.getElementById(`card-${here.what}`)?.closest("article");
    asked?.scrollIntoView({ block: "center" });
    asked?.querySelector("button")?.focus({ preventScroll: true });
  }

  /** A game under way: who plays, how far it is, and when it was played last. */
  game(each) {
    const people = each.sides.filter((side) => side.player === "human").map((side) => side.title);
    const who = people.length === each.sides.length ? "all sides at this screen" : people.length ? `you play ${people.join(" and ")}` : "computer players only";
    const how = each.over ? "finished" : `turn ${each.turn}${each.turns ? ` of ${each.turns}` : ""}`;
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
        h("a", { class: "button", href: `#/table/${encodeURIComponent(`card.${card.name}`)}` }, "Open on the Table")));
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
