"""Check that the examples of a clarification cover the rules that it clarifies.

A clarification changes nothing, so that no example can fail without it; but its own examples may be about a rule other
than the clarified one. They cover a rule that is live, or overruled, anywhere in the derivation of what they query.
Where a ruling states that a rule does not extend so far, the rule is not live: then the examples cover one of its
conditions, and fail without it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from runtime.examples.row_result import Run
from runtime.examples.run import run_row
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjunction, conjuncts
from runtime.mutation.law_mutants import rules_under_label, without_rule


def unshown_rules(rules: graph.Graph, runs: Sequence[Run]) -> Iterator[tuple[graph.Ruling, str]]:
    """Return rules clarified by rulings of the topmost layer that none of the rulings' own, passing examples covers."""
    top = rules.layers[-1].name
    for ruling in rules.rulings.values():
        shown_by = {ruling.label, *_clarifications_after(rules, ruling)}
        own_runs = [run for run in runs if run.example.protects in shown_by]
        # Under other readings, and with more layers, only the examples about them run.
        if ruling.origin.layer != top or "=" in rules.stack or not all(run.has_passed for run in own_runs):
            continue
        if not any(run.terms for run in own_runs):
            continue  # They are about procedures, not about answers of rules.
        for label in ruling.clarifies:
            clarified_rules = [rules.rules[name] for name in rules_under_label(rules, label)]
            if clarified_rules and not any(_is_covered(rules, rule, own_runs) for rule in clarified_rules):
                yield ruling, label


def unprotected_rulings(rules: graph.Graph, runs: Sequence[Run]) -> Iterator[graph.Ruling]:
    """Return rulings of the topmost layer with their own laws whose own examples also pass without these."""
    top = rules.layers[-1].name
    for ruling in rules.rulings.values():
        own_runs = [run for run in runs if run.example.protects == ruling.label]
        if (
            ruling.origin.layer != top
            or "=" in rules.stack
            or not own_runs
            or not all(run.has_passed for run in own_runs)
        ):
            continue
        laws = [rules.rules[label] for label in ruling.rules if label in rules.rules]
        laws = [law for law in laws if law.verb or law.defeats]
        mutants = [without_rule(rules, law.label) for law in laws]
        if laws and all(run_row(mutant, run.example, run.row).has_passed for mutant in mutants for run in own_runs):
            yield ruling


def _clarifications_after(rules: graph.Graph, ruling: graph.Ruling) -> Iterator[str]:
    """Return the clarifications after one in its file, up to the first with examples, as they may share these."""
    protected_labels = {example.protects for example in rules.examples}
    file_rulings = [each for each in rules.rulings.values() if each.origin.file == ruling.origin.file]
    for each in sorted(file_rulings, key=lambda other: other.origin.line):
        if each.origin.line < ruling.origin.line or ruling.kind != "clarification":
            continue
        yield each.label
        if each.label in protected_labels or each.kind != "clarification":
            return


def _is_covered(rules: graph.Graph, rule: graph.Rule, own_runs: Sequence[Run]) -> bool:
    live = frozenset().union(*(run.rules for run in own_runs))
    if rule.label in live or any(rule.label in rules.rules[label].defeats for label in live):
        return True
    return any(
        not run_row(mutant, run.example, run.row).has_passed for mutant in _widened(rules, rule) for run in own_runs
    )


def _widened(rules: graph.Graph, rule: graph.Rule) -> Iterator[graph.Graph]:
    """Generate graphs in which one condition of a rule is removed."""
    parts = tuple(conjuncts(rule.guard))
    for part in parts:
        wider = replace(rule, guard=conjunction(each for each in parts if each is not part))
        yield replace(rules, rules={**rules.rules, rule.label: wider})
