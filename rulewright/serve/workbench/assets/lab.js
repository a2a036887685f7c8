// The Lab: one situation under two sets of rules, played many times.

import { faults, h, s, notice } from "./dom.js";
import { read, write } from "./api.js";
import { follow } from "./job.js";
import { StackPicker } from "./stacks.js";

const PLAYERS = [["greedy", "computer players (fast)"], ["lookahead:200", "computer players (look ahead, slow)"], ["random", "computer players (random choices)"]];
const SURE = [["settled", "the wins are proved to differ, or to be equal within 5 percentage points"], ["0.1", "the interval is 10 percentage points wide"], ["0.2", "the interval is 20 percentage points wide"], ["", "all games are played"]];
const WIDTH = 200;
const COLORS = ["first", "second"];
const signed = (number) => `${number > 0 ? "+" : ""}${number.toFixed(2)}`;
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
    const lines = (texts) => texts.map((text) => h("p", { class: "hint" }, coded(titled(state, text))));
    const parts = [h("h2", {}, `${state.title}: ${state.rules_titles[0]}, and ${state.rules_titles[1]}`)];
    for (const { says: [effect, ...others], replay = [] } of [...found.verdicts, ...found.duels]) {
      parts.push(h("p", { class: "verdict" }, coded(titled(state, effect))), ...lines(others), ...replay.map((command) => h("pre", {}, command)));
    }
    if (found.broken) parts.push(h("p", { role: "alert" }, `${found.broken} games stopped with an error, the first with: ${found.faults[0]?.message ?? ""}`));
    return [...parts, h("details", {}, h("summary", {}, "Games, levels, losses, and what was looked at"),
      ...lines([...found.verdicts.flatMap((verdict) => verdict.details), ...found.player_aims, found.looked_at ?? ""]),
      this.key(state), this.wins(state), ...this.levels(state), this.losses(state))];
  }

  /** The colours of the two sets of rules in all tables. */
  key(state) {
    return h("p", { class: "key" }, state.rules_titles.map((title, at) => h("span", { class: COLORS[at] }, title)));
  }

  /** How often the side wins under each, with its interval. */
  wins(state) {
    return h("section", {}, h("h2", {}, `Wins of ${state.found.side_titles[state.found.side]}`), table(["rules", "wins", "games", "share", "95 % interval", ""],
      state.found.arms.map((arm, at) => [titled(state, arm.rules), arm.wins, arm.n, arm.n ? percent(arm.wins / arm.n) : "",
        `${percent(arm.interval[0])} to ${percent(arm.interval[1])}`,
        whisker(arm.interval, arm.n ? arm.wins / arm.n : 0, [0, 1], COLORS[at])])));
  }

  /** How often each side reached each level under each of the rules. */
  levels(state) {
    const { arms, level_names: names } = state.found;
    return Object.keys(state.found.side_titles).map((side) => h("section", {}, h("h2", {}, `Levels of ${state.found.side_titles[side]}`),
      table(["level", ...state.rules_titles, ""], Object.entries(names).map(([level, name]) => {
        const counts = arms.map((arm) => arm.level_counts[side]?.[level] ?? 0);
        return [name, ...counts, columns(counts.map((count, at) => count / Math.max(1, arms[at].n)))];
      }))));
  }

  /** By how much losses change, with the interval of each: the largest changes. */
  losses(state) {
    const gap = state.found.difference;
    const rows = Object.entries(gap?.losses ?? {}).flatMap(([side, of]) => Object.entries(of)
      .map(([counter, change]) => ({ side, counter, change, interval: gap.loss_intervals[side][counter] })))
      .filter(({ interval: [low, high] }) => low || high)
      .sort((one, other) => Math.abs(other.change) - Math.abs(one.change)).slice(0, 12);
    if (!rows.length) return "";
    const most = Math.max(...rows.flatMap(({ interval }) => interval.map(Math.abs)));
    return h("section", {}, h("h2", {}, "Change in losses per game"),
      h("p", { class: "hint" }, "The lines are the 95 % interval of each change alone; nothing is claimed of losses."),
      table(["counter", "side", "change", "from and to", ""], rows.map(({ side, counter, change, interval: [low, high] }) => [
        counter === "all" ? "all counters" : state.found.counter_titles[counter], state.found.side_titles[side],
        signed(change), `${signed(low)} to ${signed(high)}`, whisker([low, high], change, [-most, most], "")])));
  }
}

/** A sentence with its code between backquotes. */
const coded = (text) => text.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));

/** A table; the first cell of a row names it. */
function table(headings, rows) {
  return h("table", {}, h("thead", {}, h("tr", {}, headings.map((each) => h("th", { scope: "col" }, each)))),
    h("tbody", {}, rows.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((each) => h("td", {}, each))))));
}

/** Call the rules in a sentence by their titles; the longer name first, as the other may be a part of it. */
function titled(state, text) {
  const names = state.rules.map((name, at) => [name, state.rules_titles[at]]).sort(([one], [other]) => other.length - one.length);
  return names.reduce((told, [name, title]) => told.replaceAll(name, title), text);
}

/** A drawing of this height; the table beside it has the numbers. */
const drawing = (height, ...shapes) => {
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, "aria-hidden": "true", class: "interval" });
  svg.append(...shapes);
  return svg;
};

/** An interval with its middle on a line from `low` to `high`; a line across marks zero, or the middle of shares. */
function whisker([from, to], middle, [low, high], color) {
  const at = (value) => 4 + ((value - low) / (high - low)) * (WIDTH - 8);
  const upright = (x, length, name) => s("line", { x1: x, x2: x, y1: 7 - length, y2: 7 + length, class: name });
  return drawing(14, s("line", { x1: 4, x2: WIDTH - 4, y1: 7, y2: 7, class: "axis" }), upright(at((low + high) / 2), 6, "axis"),
    s("line", { x1: at(from), x2: at(to), y1: 7, y2: 7, class: `whisker ${color}` }), upright(at(from), 4, `whisker ${color}`),
    upright(at(to), 4, `whisker ${color}`), s("circle", { cx: at(middle), cy: 7, r: 4, class: color }));
}

/** Shares as bars, one below the other, in the colours of the rules. */
const columns = (shares) => drawing(20, ...shares.map((share, at) => s("rect", { x: 4, y: 2 + 9 * at, width: share * (WIDTH - 8), height: 7, class: COLORS[at] })));
