// Where two stacks answer differently, as `diff --format json` tells it.

import { h } from "./dom.js";

/** Lead to the position of a difference, if it was kept. */
function onTable(file) {
  const kept = /witnesses\/.*\.yaml$/.exec(file ?? "");
  return kept ? h("p", {}, h("a", { href: `#/table/${encodeURIComponent(`position.${kept[0]}`)}` }, "Open on the Table")) : "";
}

/** Say what differs: answers with their questions, then charts, counters, cards, and what is not decided. */
export function differences(data) {
  const parts = [];
  for (const term of data.terms.filter((each) => !each.only)) {
    parts.push(h("section", {}, h("h3", {}, term.term.replaceAll("_", " "), h("small", {}, ` differs in ${term.differs} of ${term.of} positions that were tried`)),
      h("ul", {}, term.groups.map((group) => h("li", {}, group.summary, h("br", {}), h("code", {}, group.question), `: ${group.a} before, ${group.b} with the change`, onTable(group.witness),
        group.follows.length ? h("p", { class: "hint" }, `This also changes: ${group.follows.map((each) => each.replaceAll("_", " ")).slice(0, 8).join(", ")}`) : "")))));
  }
  const only = data.terms.filter((each) => each.only).map((each) => each.term);
  if (only.length) parts.push(h("p", {}, `Questions that only one of the two has: ${only.join(", ")}.`));
  for (const chart of data.charts) {
    parts.push(h("section", {}, h("h3", {}, chart.chart), h("ul", {}, chart.cells.slice(0, 30).map((each) => h("li", {}, `${each.cell}: ${each.b ?? "nothing"} instead of ${each.a ?? "nothing"}`)))));
  }
  for (const each of data.factors) {
    const what = `${each.factor.replaceAll("_", " ")} on each ${each.kind.replaceAll("_", " ")}`;
    parts.push(h("p", {}, each.only
      ? `Only ${data[each.only]} prints ${what} (${each.type}): ${[each.first, ...each.counters.map((one) => `${one.counter} ${one.shows}`)].join(", ")}.`
      : `${what} without a value of its own: ${each.says.join("; ")}.`));
  }
  const shown = data.counters.filter((each) => !each.only);
  if (shown.length) parts.push(h("section", {}, h("h3", {}, "Counters"), h("ul", {}, shown.map((each) => h("li", {}, `${each.counter}: ${each.shows.join(", ")}`)))));
  for (const card of data.cards) {
    parts.push(h("section", {}, h("h3", {}, `Situation ${card.a.replaceAll("_", " ")}`), h("ul", {}, card.says.map((each) => h("li", {}, `${each.about}: ${each.says}`)))));
  }
  const open = data.changes.filter((each) => each.status === "unknown");
  const same = data.changes.filter((each) => each.status === "same");
  if (open.length) parts.push(h("section", {}, h("h3", {}, "Effect not known"), h("ul", {}, open.map((each) => h("li", {}, `${each.name}: ${each.why}`)))));
  if (same.length) parts.push(h("section", {}, h("h3", {}, "Proved to change no answer"), h("ul", {}, same.map((each) => h("li", {}, `${each.name}: ${each.why}`)))));
  const told = data.changes.filter((each) => each.status === "witness" && each.witness && !data.terms.some((term) => term.groups.some((group) => group.question === each.witness.question)));
  if (told.length) parts.push(h("section", {}, h("h3", {}, "Differences in play"), h("ul", {}, told.map((each) => h("li", {}, `${each.name}: `, h("code", {}, each.witness.question), `: ${each.witness.a} before, ${each.witness.b} with the change`, onTable(each.witness.witness))))));
  // The report has everything, such as the actions and the notes that only one of the two has.
  const report = h("pre", {}, data.report);
  return [h("h2", {}, `${data.b} compared with ${data.a}`),
    ...(parts.length ? [...parts, h("details", {}, h("summary", {}, "Full report, as rulewright diff prints it"), report)] : [report])];
}
