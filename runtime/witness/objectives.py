"""Objectives of searches: a conflict of two rules, a gap, an answer out of bounds, a live rule.

The input is a graph and the labels of rules; the output is objectives for local_search.py. A position counts only if
the reference interpreter itself stops at it, with the suspected conflict or gap and no other.
"""

from runtime.answer.interpreter import bindings_of
from runtime.board.answer_errors import ClashError, GapError, OutsideError
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rule_of_term, rules_of_term
from runtime.state.record import Value
from runtime.witness.candidate import Candidate
from runtime.witness.instance import NO_ANSWER, Instance
from runtime.witness.local_search import Objective
from runtime.witness.repair import Repairer
from runtime.witness.target import Target


def overlap_objective(rules: graph.Graph, term: str, labels: tuple[str, str]) -> Objective:
    """Build the objective that two rules have different answers."""
    term_node = rules.terms[term]
    first_rule, second_rule = (rule_of_term(rules, term_node, label) for label in labels)

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        rule = repairer.chance.pick((first_rule, second_rule))
        arguments = instance.lazy_arguments()
        silent_rules = [
            each for each in (first_rule, second_rule) if not instance.is_live(term_node, each, instance.arguments)
        ]
        if not silent_rules and rule.value is not None:
            # Both are live but agree: perturb the value of one of them.
            value = _rule_value(instance, term_node, rule)
            return repairer.perturb(rule.value, bindings_of(term_node, rule, arguments), Target("!=", value))
        return repairer.make_live(term_node, repairer.chance.pick(silent_rules or [rule]), arguments, want=True)

    def is_met(instance: Instance) -> bool:
        try:
            instance.answers.ask(instance.state, term, instance.arguments)
        except ClashError as clash:
            return (clash.callee, clash.arguments) == (term, instance.arguments) and set(labels) <= set(clash.labels)
        except NO_ANSWER:
            return False
        return False

    return Objective(f"overlap {term} {' '.join(labels)}", term_node, propose, is_met)


def gap_objective(rules: graph.Graph, term: str) -> Objective:
    """Build the objective that no rule answers."""
    term_node = rules.terms[term]
    concluding_rules = [rule for rule in rules_of_term(rules, term_node) if rule.verb]

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        active_rules = [rule for rule in concluding_rules if instance.is_live(term_node, rule, instance.arguments)]
        rule = repairer.chance.pick_or_none(active_rules or concluding_rules)
        # Occasionally a rule that is silent already: the solution may require another chart row.
        if rule is None or repairer.chance.one_in(8):
            rule = repairer.chance.pick_or_none(concluding_rules)
        return None if rule is None else repairer.make_live(term_node, rule, instance.lazy_arguments(), want=False)

    def is_met(instance: Instance) -> bool:
        try:
            instance.answers.ask(instance.state, term, instance.arguments)
        except GapError as found:
            return (found.callee, found.arguments) == (term, instance.arguments)
        except NO_ANSWER:
            return False
        return False

    return Objective(f"gap {term}", term_node, propose, is_met)


def outside_objective(rules: graph.Graph, term: str, label: str) -> Objective:
    """Build the objective that a rule answers outside the declaration of its term."""
    term_node = rules.terms[term]
    rule = rule_of_term(rules, term_node, label)
    low, high = (term_node.type.low, term_node.type.high) if isinstance(term_node.type, graph.Number) else (None, None)
    targets = [Target(op, end) for op, end in (("<", low), (">", high)) if end is not None]

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        arguments = instance.lazy_arguments()
        if rule.value is not None and repairer.chance.one_in(2):
            return repairer.perturb(rule.value, bindings_of(term_node, rule, arguments), repairer.chance.pick(targets))
        return repairer.make_live(term_node, rule, arguments, want=True)

    def is_met(instance: Instance) -> bool:
        try:
            instance.answers.ask(instance.state, term, instance.arguments)
        except OutsideError as found:
            live_rules = instance.answers.live_rules(instance.state, term_node, instance.arguments)
            return (found.callee, found.arguments) == (term, instance.arguments) and rule in live_rules
        except NO_ANSWER:
            return False
        return False

    return Objective(f"outside {term} {label}", term_node, propose, is_met)


def live_objective(rules: graph.Graph, term: str, label: str) -> Objective:
    """Build the objective that a rule is live."""
    term_node = rules.terms[term]
    rule = rule_of_term(rules, term_node, label)

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        return repairer.make_live(term_node, rule, instance.lazy_arguments(), want=True)

    def is_met(instance: Instance) -> bool:
        try:
            return rule in instance.answers.live_rules(instance.state, term_node, instance.arguments)
        except NO_ANSWER:
            return False

    return Objective(f"live {term} {label}", term_node, propose, is_met)


def _rule_value(instance: Instance, term: graph.Term, rule: graph.Rule) -> Value:
    return None if rule.value is None else instance.value(rule.value, bindings_of(term, rule, instance.arguments))
