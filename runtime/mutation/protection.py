"""Mutate a graph in one place after the other, and compute which examples detect it.

The input is a graph; the output is its mutants, and which of them some passing example distinguishes from the graph. An
example runs again under a mutant only if it reached the altered place, and if the altered value ever differed; the
first that fails suffices. See DeMillo, Lipton and Sayward, Hints on Test Data Selection (1978).

A thing is protected against an alteration if some example fails under it; combinations of alterations are not
considered.
"""

from collections.abc import Iterator, Sequence

from runtime.graph import nodes as graph
from runtime.graph.related_procedures import amended_procedures, procedures_of
from runtime.graph.steps import map_steps
from runtime.mutation.altered_graph import with_value
from runtime.mutation.card_mutants import card_mutants
from runtime.mutation.fail_fast import kills_mutant
from runtime.mutation.law_mutants import law_mutants, rules_under_label, without_rule
from runtime.mutation.mutant import RULE, Mutant, probes_by_root
from runtime.mutation.procedure_mutants import procedure_mutants, with_replaced_procedure
from runtime.mutation.recorded_run import record_runs


def mutants_of(rules: graph.Graph) -> Iterator[Mutant]:
    """Generate the mutants of a graph."""
    yield from law_mutants(rules)
    for key in rules.procedures:
        yield from procedure_mutants(rules, key)
    if rules.scenario is not None:
        yield from card_mutants(rules, rules.scenario)


class Trials:
    """A test of mutants of one graph, whose examples run once under the original rules."""

    def __init__(self, rules: graph.Graph, chosen: Sequence[Mutant]) -> None:
        """Run the examples and observe the altered expressions."""
        self.rules = rules
        self.records = tuple(record_runs(rules, probes_by_root(chosen)))
        passing = [record for record in self.records if record.run.has_passed]
        # Runs with few questions are fast; the order affects only the time.
        self.passing = sorted(passing, key=lambda record: record.question_count)

    def is_detected(self, mutant: Mutant) -> bool:
        """Return whether some example distinguishes a mutant from the graph."""
        records = [record for record in self.passing if mutant.may_change_result(record)]
        records.sort(key=lambda record: record.run.example.protects != mutant.name)
        if records and any(kills_mutant(altered, record) for altered in mutant.variants() for record in records):
            return True
        return mutant.kind == RULE and self._is_clarification_protected(mutant)

    def is_distinguished(self, altered: graph.Graph) -> bool:
        """Return whether some example has a different result under another graph."""
        return any(kills_mutant(altered, record) for record in self.passing)

    def _is_clarification_protected(self, mutant: Mutant) -> bool:
        """Return whether an example of a clarification protects what it clarifies, as it has no effect itself."""
        rule = self.rules.rules.get(mutant.name)
        if rule is None or rule.verb or rule.defeats:
            return False
        own_records = [record for record in self.passing if record.run.example.protects in {rule.label, rule.ruling}]
        for record in own_records:
            for name in self._clarified_rules(rule):
                if name in record.run.rules and kills_mutant(without_rule(self.rules, name), record):
                    return True
        for altered in self._without_procedures(rule):
            if any(kills_mutant(altered, record) for record in own_records):
                return True
        amended = [key for key in amended_procedures(self.rules, rule) if self.rules.procedures[key].instead_of]
        return any(self.is_distinguished(with_replaced_procedure(self.rules, key)) for key in amended)

    def _clarified_rules(self, rule: graph.Rule) -> Iterator[str]:
        for verb, label in rule.relations:
            if verb == "clarifies":
                yield from rules_under_label(self.rules, label)

    def _without_procedures(self, rule: graph.Rule) -> Iterator[graph.Graph]:
        """Generate graphs in which one procedure that a ruling is about has no steps, or the phase is removed."""
        for verb, label in rule.relations:
            kind, _, name = label.partition(":")
            for key in procedures_of(self.rules, label) if verb in ("concerns", "carried") else ():
                body = _without_phase(self.rules.procedures[key].body, name) if kind == "phase" else ()
                yield with_value(self.rules, ("procedures", key, "body"), body)


def _without_phase(body: tuple[graph.Step, ...], name: str) -> tuple[graph.Step, ...]:
    """Return the steps of a sequence of play without one phase."""
    return map_steps(body, lambda step: () if isinstance(step, graph.Phase) and step.name == name else (step,))
