// The Lab: one situation under two sets of rules, played many times.

import { faults, h, s, notice } from "./dom.js";
import { read, write } from "./api.js";
import { follow } from "./job.js";
import { StackPicker } from "./stacks.js";

const PLAYERS = [["greedy", "computer players (fast)"], ["lookahead:200", "computer players (look ahead, slow)"], ["random", "computer players (random choices)"]];
const SURE = [["settled", "the wins are proved to differ, or to be equal within 5 percentage points"], ["0.1", "the interval is 10 percentage points wide"], ["0.2", "the interval is 20 percentage points wide"], ["", "all games are played"]];
const percent = (share) => `${(100 * share).toFixed(1)} %`;

export class LabView {
  constructor(main) {
    this.main = main;
  }

  /** What can be compared; below it what was found. */
  async show(here) {
    let [wanted = "", one = "", other = ""] = here.chosen.split(",");
    const [{ cards, broken_cards: broken }, { games: known }] = await Promise.all([read("lab"), read("stacks")]);
    const card = h("select", { id: "lab-card", onchange: () => under(card.value) },
      cards.map((each) => h("option", { value: each.name }, each.title)));
    const of = (name) => cards.find((each) => each.name === name)?.stack ?? "";
    const compared = (each) => known.find((game) => game.name === each.stack.split("+")[0])?.options.length > 0;
    if (!cards.some((each) => each.name === wanted)) wanted = (cards.find(compared) ?? cards[0])?.name ?? "";
    const picker = (id, label, value) => new StackPicker({ id, label, known, value: value || of(wanted), fixed: true });
    const first = picker("lab-first", "First rules", one);
    const second = picker("lab-second", "Second rules", other);
    const under = (name) => { first.set(of(name)); second.set(of(name)); second.options.open = true; };
    second.options.open = !other;
    const players = h("select", { id: "lab-players" }, PLAYERS.map(([value, title]) => h("option", { value }, title)));
    const sure = h("select", { id: "lab-until" }, SURE.map(([value, title]) => h("option", { value }, title)));
    const games = h("input", { id: "lab-games", type: "number", min: 1, max: 5000, value: 1000 });
    const line = (label, field, more = "") => h("p", { class: "field-line" }, h("label", { for: field.id }, label), field, more);
    const told = h("div", { "aria-live": "polite" });
    const begin = async (event) => {
      event.preventDefault();
      try {
        notice("Compiling the rules …");
        const compared = await write("lab_begin", { card: card.value, first: first.value, second: second.value,
          players: players.value, until: sure.value, games: Number(games.value) });
        notice("");
        const found = await follow(told, compared.job);
        if (found) told.replaceChildren(...this.described({ ...compared, found }));
      } catch (problem) {
        told.replaceChildren(h("p", { role: "alert" }, problem.message));
      }
    };
    this.main.replaceChildren(h("section", { class: "list lab" }, h("h1", {}, "Lab"),
      h("p", { class: "lead" }, "Play a situation many times under two sets of rules, game by game with the same dice, and see what changes."),
      faults(broken, "situation"),
      h("form", { onsubmit: begin },
        line("Situation", card), h("div", { class: "pickers" }, first.element, second.element),
        line("Players", players), line("Stop when", sure), line("At most", games, " games under each set of rules"),
        h("p", {}, h("button", { class: "primary" }, "Start"))), told));
    card.value = wanted;
  }

  /** Each verdict in three lines; what explains it is folded. */
  described(state) {
    const { found } = state;
    const lines = (texts) => texts.map((text) => h("p", { class: "hint" }, titled(state, text)));
    const parts = [h("h2", {}, `${state.title}: ${state.rules_titles[0]}, and ${state.rules_titles[1]}`)];
    for (const { says: [effect, ...others], replay = [] } of [...found.verdicts, ...found.duels]) {
      parts.push(h("p", { class: "verdict" }, titled(state, effect)), ...lines(others), ...replay.map((command) => h("pre", {}, command)));
    }
    if (found.broken) parts.push(h("p", { role: "alert" }, `${found.broken} games stopped with an error, the first with: ${found.faults[0]?.message ?? ""}`));
    return [...parts, h("details", {}, h("summary", {}, "Games, losses, and what was looked at"),
      ...lines([...found.verdicts.flatMap((verdict) => verdict.details), ...found.player_aims, found.looked_at ?? ""]), this.wins(state), this.losses(state))];
  }

  /** How often the side wins under each, with its interval. */
  wins(state) {
    const side = state.sides[state.found.side];
    return h("section", {}, h("h2", {}, `Wins of ${side}`), h("table", {},
      h("thead", {}, h("tr", {}, ["rules", "wins", "games", "share", "95 % interval", ""].map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, state.found.arms.map((arm) => h("tr", {}, h("th", { scope: "row" }, titled(state, arm.rules)), h("td", {}, arm.wins), h("td", {}, arm.n),
        h("td", {}, arm.n ? percent(arm.wins / arm.n) : ""), h("td", {}, `${percent(arm.interval[0])} to ${percent(arm.interval[1])}`),
        h("td", {}, bar(arm.interval, arm.n ? arm.wins / arm.n : 0, 0, 1)))))));
  }

  losses(state) {
    const gap = state.found.difference;
    const rows = Object.entries(gap?.losses ?? {}).flatMap(([side, of]) => Object.entries(of).map(([counter, change]) => [state.sides[side] ?? side, counter, change]))
      .filter(([, , change]) => change)
      .sort((one, other) => Math.abs(other[2]) - Math.abs(one[2])).slice(0, 12);
    if (!rows.length) return "";
    return h("section", {}, h("h2", {}, "Change in losses per game"), h("table", {},
      h("thead", {}, h("tr", {}, ["side", "counter", "change"].map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, rows.map(([side, counter, change]) => h("tr", {}, h("td", {}, side), h("th", { scope: "row" }, counter === "all" ? "all counters" : state.counters[counter] ?? counter.replaceAll("_", " ")),
        h("td", {}, change.toFixed(2)))))));
  }
}

/** Call the rules in a sentence by their titles; the longer name first, as the other may be a part of it. */
function titled(state, text) {
  const names = state.rules.map((name, at) => [name, state.rules_titles[at]]).sort(([one], [other]) => other.length - one.length);
  return names.reduce((told, [name, title]) => told.replaceAll(name, title), text);
}

/** An interval on a line from `low` to `high`, with its middle. */
function bar([from, to], middle, low, high) {
  const at = (value) => ((value - low) / (high - low)) * 200;
  const svg = s("svg", { viewBox: "0 0 200 14", width: 200, height: 14, role: "img", "aria-label": `${percent(from)} to ${percent(to)}`, class: "interval" });
  svg.append(s("line", { x1: 0, x2: 200, y1: 7, y2: 7, class: "axis" }), s("line", { x1: at((low + high) / 2), x2: at((low + high) / 2), y1: 2, y2: 12, class: "axis" }),
    s("rect", { x: at(from), y: 4, width: Math.max(1, at(to) - at(from)), height: 6 }), s("line", { x1: at(middle), x2: at(middle), y1: 1, y2: 13, class: "middle" }));
  return svg;
}
