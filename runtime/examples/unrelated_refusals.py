"""Acts that are refused as expected, but for another reason than the example is about.

In: a graph and the runs of its examples, of which only passing ones are checked. Out: refusals whose reasons the
example does not name, with its subject: the reason that it stated last; else the prohibition that it protects, if that
is live in none of its cases.
"""

from collections.abc import Iterator, Sequence

from runtime.examples.expectations import rules_of_label
from runtime.examples.failure import OtherRefusal
from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.grouping import group_by
from runtime.graph.verbs import rule_answer


def unrelated_refusals(rules: graph.Graph, runs: Sequence[Run]) -> Iterator[tuple[Run, OtherRefusal, str]]:
    """Yield each such line once; the last element is the label that the example protects, "" if it is about `named`."""
    examples = group_by(runs, lambda run: run.example.origin)
    for cases in examples.values():
        if not all(run.has_passed for run in cases):
            continue
        origins: set[graph.Origin] = set()
        for run in cases:
            for each in run.refusals:
                if each.named and each.origin not in origins:
                    origins.add(each.origin)
                    yield run, each, ""
        if not origins:
            yield from _last_refusals(rules, cases)


def _last_refusals(rules: graph.Graph, cases: list[Run]) -> Iterator[tuple[Run, OtherRefusal, str]]:
    """Yield the last refusal of an example that protects a prohibition which is live in none of its cases."""
    protects = cases[0].example.protects
    labels = set(rules_of_label(protects, rules)) & rules.rules.keys()
    prohibitions = {label for label in labels if rule_answer(rules.rules[label]) is False}
    refusals = [(run, each) for run in cases for each in run.refusals]
    if prohibitions == labels and labels and refusals and not any(labels & run.rules for run in cases):
        run, last = refusals[-1]
        yield run, last, protects
