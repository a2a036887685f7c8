"""What the examples of a clarification show of the rules that it clarifies.

A clarification changes nothing, so no example can miss it; but its own examples can be about another rule than the
one it names. They show a rule that is live somewhere on the way to what they ask, or overruled there. Where a ruling
says that a rule does not reach so far, the rule is not live: then one of its conditions is what the examples show, and
they fail without it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from runtime.answer.conditions import conjunction, conjuncts
from runtime.examples.row_result import Run
from runtime.examples.run import run_row
from runtime.graph import nodes as graph
from runtime.mutation.laws import rules_of_label, without_rule


def not_shown(rules: graph.Graph, runs: Sequence[Run]) -> Iterator[tuple[graph.Ruling, str]]:
    """Find what rulings of the topmost layer clarify and none of their own examples, all of which pass, shows."""
    top = rules.layers[-1].name
    for ruling in rules.rulings.values():
        shown_by = {ruling.label, *_clarifications_after(rules, ruling)}
        own = [run for run in runs if run.example.protects in shown_by]
        # Under other readings, and with more layers, run only those examples that are about them.
        if ruling.origin.layer != top or "=" in rules.stack or not all(run.has_passed for run in own):
            continue
        if not any(run.terms for run in own):
            continue  # They are about what happens, not about what rules answer.
        for label in ruling.clarifies:
            meant = [rules.rules[name] for name in rules_of_label(rules, label)]
            if meant and not any(_shown(rules, rule, own) for rule in meant):
                yield ruling, label


def unprotected_rulings(rules: graph.Graph, runs: Sequence[Run]) -> Iterator[graph.Ruling]:
    """Find rulings of the topmost layer with laws of their own, without which their own examples pass as well."""
    top = rules.layers[-1].name
    for ruling in rules.rulings.values():
        own = [run for run in runs if run.example.protects == ruling.label]
        if ruling.origin.layer != top or "=" in rules.stack or not own or not all(run.has_passed for run in own):
            continue
        laws = [rules.rules[label] for label in ruling.rules if label in rules.rules]
        laws = [law for law in laws if law.verb or law.defeats]
        gone = [without_rule(rules, law.label) for law in laws]
        if laws and all(run_row(mutant, run.example, run.row).has_passed for mutant in gone for run in own):
            yield ruling


def _clarifications_after(rules: graph.Graph, ruling: graph.Ruling) -> Iterator[str]:
    """List the clarifications behind one in its file, up to the first with examples: several may share these."""
    shown = {example.protects for example in rules.examples}
    behind = [each for each in rules.rulings.values() if each.origin.file == ruling.origin.file]
    for each in sorted(behind, key=lambda other: other.origin.line):
        if each.origin.line < ruling.origin.line or ruling.kind != "clarification":
            continue
        yield each.label
        if each.label in shown or each.kind != "clarification":
            return


def _shown(rules: graph.Graph, rule: graph.Rule, own: Sequence[Run]) -> bool:
    live = frozenset().union(*(run.rules for run in own))
    if rule.label in live or any(rule.label in rules.rules[label].defeats for label in live):
        return True
    return any(not run_row(mutant, run.example, run.row).has_passed for mutant in _widened(rules, rule) for run in own)


def _widened(rules: graph.Graph, rule: graph.Rule) -> Iterator[graph.Graph]:
    """Graphs in which a rule asks for one condition less."""
    parts = tuple(conjuncts(rule.guard))
    for part in parts:
        wider = replace(rule, guard=conjunction(each for each in parts if each is not part))
        yield replace(rules, rules={**rules.rules, rule.label: wider})
