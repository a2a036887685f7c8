"""Goals of searches: a conflict of two rules, a gap, an answer out of bounds, a live rule, a deciding rule or row.

The input is a graph and labels of rules, or a row of a chart; the output is objectives for walk.py, and conditions,
each with a test and a proposal, that are met where an answer depends on the rule or row. A conflict or gap counts only
where the reference interpreter itself stops at it and at no other. For amounts and sets it is enough that a rule that
says something is live. A prohibition decides only where all other prohibitions are silent (and somebody grants, where a
grant is needed); an exception, and a rule that only silences others, only where one of its targets would apply.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from runtime.answer.expressions import Environment
from runtime.answer.flags import is_printed
from runtime.answer.interpreter import bindings_of
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rule_of_term, rules_of_term
from runtime.graph.answer_errors import ClashError, GapError, OutsideError, Unanswered
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import nodes_of
from runtime.state.record import Value
from runtime.witness.candidate import Candidate
from runtime.witness.pool import Target
from runtime.witness.repair import Repairer
from runtime.witness.set_up import NO_ANSWER, Instance
from runtime.witness.values import match_row, row_matches
from runtime.witness.walk import Objective


def overlap_objective(rules: graph.Graph, term: str, labels: tuple[str, str]) -> Objective:
    """Build the objective that two rules have different answers."""
    term_node = rules.terms[term]
    pair = [rule_of_term(rules, term_node, label) for label in labels]
    needs = [_live(term_node, rule, want=True) for rule in pair]

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        unmet = [need for need in needs if not need.is_met(instance)]
        rule = repairer.chance.pick(pair)
        if unmet or rule.value is None:
            return repairer.chance.pick(unmet or needs).propose(repairer, instance)
        # Both are live but agree: perturb the value of one of them.
        value = _rule_value(instance, term_node, rule)
        names = bindings_of(term_node, rule, instance.lazy_arguments())
        return repairer.perturb(rule.value, names, Target("!=", value))

    def is_met(instance: Instance) -> bool:
        clash = _failure(instance, term)
        return isinstance(clash, ClashError) and set(labels) <= set(clash.labels)

    return Objective(f"overlap {term} {' '.join(labels)}", term_node, propose, is_met)


def gap_objective(rules: graph.Graph, term: str) -> Objective:
    """Build the objective that no rule answers."""
    term_node = rules.terms[term]
    needs = conditions_of_no_answer(rules, term_node)

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        unmet = [need for need in needs if not need.is_met(instance)]
        # Occasionally a rule that is silent already: the solution may require another chart row.
        need = repairer.chance.pick_or_none(needs if repairer.chance.one_in(8) else unmet or needs)
        return None if need is None else need.propose(repairer, instance)

    return Objective(f"gap {term}", term_node, propose, lambda instance: isinstance(_failure(instance, term), GapError))


def outside_objective(rules: graph.Graph, term: str, label: str) -> Objective:
    """Build the objective that a rule answers outside the declaration of its term."""
    live, term_node = live_objective(rules, term, label), rules.terms[term]
    rule = rule_of_term(rules, term_node, label)
    low, high = (term_node.type.low, term_node.type.high) if isinstance(term_node.type, graph.Number) else (None, None)
    targets = [Target(op, end) for op, end in (("<", low), (">", high)) if end is not None]

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        if rule.value is None or not repairer.chance.one_in(2):
            return live.propose(repairer, instance)
        names = bindings_of(term_node, rule, instance.lazy_arguments())
        return repairer.perturb(rule.value, names, repairer.chance.pick(targets))

    def is_met(instance: Instance) -> bool:
        return isinstance(_failure(instance, term), OutsideError) and live.is_met(instance)

    return Objective(f"outside {term} {label}", term_node, propose, is_met)


def live_objective(rules: graph.Graph, term: str, label: str) -> Objective:
    """Build the objective that a rule is live."""
    term_node = rules.terms[term]
    need = _live(term_node, rule_of_term(rules, term_node, label), want=True)
    return Objective(f"live {term} {label}", term_node, need.propose, need.is_met)


def _failure(instance: Instance, term: str) -> Unanswered | None:
    """Return why the question of an instance has no answer, if that is not due to a question that it asks."""
    try:
        instance.answers.ask(instance.state, term, instance.arguments)
    except Unanswered as found:
        return found if (found.callee, found.arguments) == (term, instance.arguments) else None
    except NO_ANSWER:
        pass
    return None


def _rule_value(instance: Instance, term: graph.Term, rule: graph.Rule) -> Value:
    return None if rule.value is None else instance.value(rule.value, bindings_of(term, rule, instance.arguments))


@frozen_dataclass
class DecisiveCondition:
    """One necessary condition, with its test and a proposal to meet it."""

    is_met: Callable[[Instance], bool]
    propose: Callable[[Repairer, Instance], Candidate | None]


def decisive_conditions(rules: graph.Graph, term: graph.Term, rule: graph.Rule) -> list[DecisiveCondition]:
    """Return the conditions under which the rule decides."""
    needs = [_live(term, rule, want=True)]
    if term.form == "flag" and rule.value is not None:
        needs.append(_printed(rules.vocabulary.flags[term.name], want=rule.value != graph.Truth(value=True)))
    if term.form not in {"verdict", "condition"}:
        return needs if rule.verb else [*needs, *_silenced(rules, term, rule)]
    others = [other for other in rules_of_term(rules, term) if other is not rule]
    targets = [other for other in others if other.label in rule.defeats and other.guard is not None]
    denials = [other for other in others if rule_answer(other) is False and other not in targets]
    grants = [other for other in others if rule_answer(other)]
    needs += [_live(term, other, want=False) for other in denials]
    if targets:
        needs.append(_one_of([_guard(term, target) for target in targets]))
    if grants and not term.default and not rule_answer(rule):
        needs.append(_one_of([_live(term, other, want=True) for other in grants]))
    return needs


def _silenced(rules: graph.Graph, term: graph.Term, rule: graph.Rule) -> list[DecisiveCondition]:
    """Build the condition that a target of a rule would apply but for it: guard true, other silencers silent."""
    known = rules_of_term(rules, term)
    targets = [other for other in known if other.label in rule.defeats]
    alternatives = [
        [_guard(term, target)]
        + [_live(term, other, want=False) for other in known if target.label in other.defeats and other is not rule]
        for target in targets
    ]
    return [_one_of([_all_of(needs) for needs in alternatives])] if alternatives else []


def distinguishing_conditions(term: graph.Term, rule: graph.Rule, other: graph.Rule) -> list[DecisiveCondition]:
    """Return the conditions under which the guards, and the values, of two versions of a rule differ."""
    parts = ((rule.guard, other.guard), (rule.value, other.value))
    return [
        _different(term, rule, *_innermost_difference(first, second))
        for first, second in parts
        if first is not None and second is not None and first != second
    ]


def _innermost_difference(first: graph.Expr, second: graph.Expr) -> tuple[graph.Expr, graph.Expr]:
    """Return the one operand in which two expressions differ, however deep; of two filters, whether they differ."""
    match first, second:
        case graph.Op(op, parts), graph.Op(other, others) if op == other and len(parts) == len(others):
            differing = [pair for pair in zip(parts, others, strict=True) if pair[0] != pair[1]]
            return _innermost_difference(*differing[0]) if len(differing) == 1 else (first, second)
        case graph.Fold(where=condition), graph.Fold(where=other) if (
            condition is not None and other is not None and replace(second, where=condition) == first
        ):
            differs = graph.Op("!=", (condition, other))
            some = graph.Fold("some", first.var, first.source, differs, None, None)
            return some, graph.Truth(value=False)
        case _:
            return first, second


def _different(term: graph.Term, rule: graph.Rule, first: graph.Expr, second: graph.Expr) -> DecisiveCondition:
    """Build the need that two versions of a part have different values, as far as one graph can evaluate both."""

    def is_met(instance: Instance) -> bool:
        names = bindings_of(term, rule, instance.arguments)
        first_value, second_value = instance.value(first, names), instance.value(second, names)
        return first_value is not None and second_value is not None and first_value != second_value

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        part = repairer.chance.pick((first, second))
        value = instance.value(part, bindings_of(term, rule, instance.arguments))
        names = bindings_of(term, rule, instance.lazy_arguments())
        if isinstance(value, bool):
            return repairer.propose_repair(part, names, want=not value)
        if isinstance(part, graph.Fold) and repairer.chance.one_in(2):
            # A single member does not distinguish the least from the greatest.
            count = graph.Fold("count", part.var, part.source, part.where, None, None)
            return repairer.perturb(count, names, Target(">", 1))
        return repairer.perturb(part, names, Target("!=", value))

    return DecisiveCondition(is_met, propose)


def conditions_of_no_answer(rules: graph.Graph, term: graph.Term) -> list[DecisiveCondition]:
    """Return the conditions under which no rule of a term is live."""
    return [_live(term, rule, want=False) for rule in rules_of_term(rules, term) if rule.verb]


def propose_repair(needs: list[DecisiveCondition], repairer: Repairer, instance: Instance) -> Candidate | None:
    """Propose a repair of an unmet need, the rule itself before all others; None if all are met."""
    first, *rest = needs
    if not first.is_met(instance) and not repairer.chance.one_in(4):
        return first.propose(repairer, instance)
    unmet = [need for need in rest if not need.is_met(instance)]
    return repairer.chance.pick(unmet).propose(repairer, instance) if unmet else None


def _live(term: graph.Term, rule: graph.Rule, *, want: bool) -> DecisiveCondition:
    return DecisiveCondition(
        lambda instance: (rule.label in instance.live_labels(term)) == want,
        lambda repairer, instance: repairer.make_live(term, rule, instance.lazy_arguments(), want=want),
    )


def _printed(flag: graph.Flag, *, want: bool) -> DecisiveCondition:
    """Build the need that a flag is printed or marked, or not: a rule with the same answer changes nothing."""
    test = graph.Test(flag.what, flag.owner, flag.name)
    return DecisiveCondition(
        lambda instance: is_printed(instance.state, flag, instance.arguments[0]) == want,
        lambda repairer, instance: repairer.set_flag(instance.arguments[0], test, want=want),
    )


def _guard(term: graph.Term, rule: graph.Rule) -> DecisiveCondition:
    """Build the need that the guard of a rule is true, whether or not the rule is defeated."""
    guard = rule.guard or graph.Truth(value=True)
    return DecisiveCondition(
        lambda instance: instance.holds(guard, bindings_of(term, rule, instance.arguments)),
        lambda repairer, instance: repairer.propose_repair(
            guard, bindings_of(term, rule, instance.lazy_arguments()), want=True
        ),
    )


def _one_of(needs: list[DecisiveCondition]) -> DecisiveCondition:
    return DecisiveCondition(
        lambda instance: any(need.is_met(instance) for need in needs),
        lambda repairer, instance: repairer.chance.pick(needs).propose(repairer, instance),
    )


def _all_of(needs: list[DecisiveCondition]) -> DecisiveCondition:
    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        unmet = [need for need in needs if not need.is_met(instance)]
        return repairer.chance.pick(unmet).propose(repairer, instance) if unmet else None

    return DecisiveCondition(lambda instance: all(need.is_met(instance) for need in needs), propose)


Reading = tuple[graph.Rule | None, graph.Cell]


def chart_reads(rules: graph.Graph, term: graph.Term) -> Iterator[Reading]:
    """Return where a term itself reads charts."""
    for label in term.rules:
        rule = rules.rules[label]
        for cell in nodes_of(graph.Cell, (rule.guard, rule.value, rule.names)):
            yield rule, cell
    for cell in nodes_of(graph.Cell, (term.otherwise,)):
        yield None, cell


def have_same_keys(first_keys: tuple[graph.Parameter, ...], second_keys: tuple[graph.Parameter, ...]) -> bool:
    """Return whether two charts have the same keys."""
    return [(key.name, key.type) for key in first_keys] == [(key.name, key.type) for key in second_keys]


def decisive_conditions_of_row(
    rules: graph.Graph, term: graph.Term, table: str, row: graph.TableRow
) -> list[DecisiveCondition]:
    """Return the conditions under which the term reads this row."""
    places = [reading for reading in chart_reads(rules, term) if reading[1].table == table]

    def is_met(instance: Instance) -> bool:
        return any(_reads_row(instance, term, reading, row) for reading in places)

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        rule, cell = repairer.chance.pick(places)
        arguments = instance.lazy_arguments()
        if rule is not None and rule.label not in instance.live_labels(term) and repairer.chance.one_in(2):
            return repairer.make_live(term, rule, arguments, want=True)
        names = bindings_of(term, rule, arguments)
        return match_row(repairer, row, cell.keys, _values(instance, cell, names), names)

    return [DecisiveCondition(is_met, propose)] if places else []


def _reads_row(instance: Instance, term: graph.Term, reading: Reading, row: graph.TableRow) -> bool:
    rule, cell = reading
    values = _values(instance, cell, bindings_of(term, rule, instance.arguments))
    return (rule is None or rule.label in instance.live_labels(term)) and row_matches(row, values)


def _values(instance: Instance, cell: graph.Cell, names: Environment) -> list[Value]:
    return [instance.value(key, names) for key in cell.keys]
