"""Conditions on a status at moments at which it is never set: the phase that sets it comes later, or it has ended.

In: a whole game. Out: rules and actions that require a status, none of whose setters comes before them in the round. A
status that ends with the turn of its side is examined where procedures set it on pieces of the side on move alone.
"""

from collections.abc import Iterator

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.idle_code import SetTooLate
from compiler.analysis.moments import Moments
from compiler.analysis.parties import Party, procedure_party
from compiler.analysis.problems import Problem
from compiler.analysis.questions_in_play import terms_in
from compiler.analysis.step_reads import all_steps, expressions_of_account, expressions_of_term, expressions_read
from runtime.graph import nodes as graph
from runtime.graph.closure import transitive_closure
from runtime.graph.conjuncts import conjuncts
from runtime.graph.steps import nested_steps
from runtime.graph.verbs import rule_answer

OWN_TURN = "own_turn"
# A rule or action, the statuses that it requires, and the moments at which it may be asked or taken.
Reader = tuple[Party, frozenset[str], frozenset[int]]


def set_too_late(stack: graph.Graph) -> Iterator[Problem]:
    """Find conditions on a status that is set only after them."""
    sequence = stack.procedures.get("sequence")
    if sequence is None:
        return
    moments = Moments(stack, sequence)
    offers_to_others = (step for step in all_steps(stack) if isinstance(step, graph.Offer) and step.by is not None)
    run_by_others = moments.procedures_of(tuple(offers_to_others))
    readers = _readers(stack, moments)
    ends = {node.ends for node in moments.nodes} - {""}
    for name, flag in stack.vocabulary.flags.items():
        if flag.what != "status" or flag.until not in ends or name in stack.terms:
            continue
        setters = {key: each for key, each in stack.procedures.items() if any(_marks(each, name))}
        if flag.until == OWN_TURN and not (
            run_by_others.isdisjoint(setters) and all(_marks_own(each, name) for each in setters.values())
        ):
            continue
        set_at = [index for index, node in enumerate(moments.nodes) if not node.procedures.isdisjoint(setters)]
        still_set = moments.reachable(set_at, flag.until)
        too_early = tuple(
            party
            for party, required, read_at in readers
            if name in required and read_at and still_set.isdisjoint(read_at)
        )
        if set_at and too_early:
            yield SetTooLate(name, flag.until, too_early, tuple(map(procedure_party, setters.values())))


def _readers(stack: graph.Graph, moments: Moments) -> list[Reader]:
    """List the rules and actions that require a status."""

    by_term = {name: terms_in(expressions_of_term(term, stack)) for name, term in stack.terms.items()}
    by_procedure = {key: terms_in(_expressions_of(procedure)) for key, procedure in stack.procedures.items()}

    def inner_terms(name: str) -> frozenset[str]:
        return by_term.get(name, frozenset())

    asked_at: dict[str, set[int]] = {}
    taken_at: dict[str, set[int]] = {}
    for index, node in enumerate(moments.nodes):
        direct_terms = terms_in(expressions_read(node.step)).union(*(by_procedure[key] for key in node.procedures))
        for term in transitive_closure(direct_terms, inner_terms):
            asked_at.setdefault(term, set()).add(index)
        for key in node.procedures:
            taken_at.setdefault(key, set()).add(index)
    ends_of_pairs = (each.ends for each in stack.vocabulary.relations.values())
    facts = (*(each.condition for each in stack.always), *ends_of_pairs)
    asked_at_any_moment = transitive_closure({*terms_in(facts), stack.outcome}, inner_terms)
    writer = ExpressionWriter(stack.vocabulary)
    readers: list[Reader] = [
        (writer.rule_party(rule), required, frozenset(index for term in rule.terms for index in asked_at.get(term, ())))
        for rule in stack.rules.values()
        if asked_at_any_moment.isdisjoint(rule.terms) and (required := frozenset(_required_by_rule(rule)))
    ]
    return readers + [
        (procedure_party(procedure), required, frozenset(taken_at.get(key, ())))
        for key, procedure in stack.procedures.items()
        if (required := frozenset(_required_by_action(procedure)))
    ]


def _expressions_of(procedure: graph.Procedure) -> tuple[graph.Expr, ...]:
    read = (expr for step in nested_steps(procedure.body) for expr in expressions_read(step))
    return (*read, *expressions_of_account(procedure))


def _required_by_rule(rule: graph.Rule) -> Iterator[str]:
    """List the statuses without which a rule never applies, or without which it forbids everything."""
    match rule.guard:
        case graph.Is(subject, tests, True) if rule_answer(rule) is False:
            yield from _required(graph.Is(subject, tests, negated=False))
        case _:
            yield from _required(rule.guard)


def _required_by_action(procedure: graph.Procedure) -> Iterator[str]:
    """List the statuses that the `legal` lines and choices of an action require."""
    for step in procedure.body if procedure.what == "action" else ():
        match step:
            case graph.Legal(condition) | graph.Choose(source=graph.Fold("gather", where=condition)):
                yield from _required(condition)
            case _:
                pass


def _required(condition: graph.Expr | None) -> Iterator[str]:
    for part in () if condition is None else conjuncts(condition):
        match part:
            case graph.Is(_, (graph.Test("status", owner, name),), False):
                yield f"{owner}.{name}"
            case _:
                pass


def _marks(procedure: graph.Procedure, status: str) -> Iterator[graph.Mark]:
    for step in nested_steps(procedure.body):
        if isinstance(step, graph.Mark) and step.on and f"{step.owner}.{step.status}" == status:
            yield step


def _marks_own(procedure: graph.Procedure, status: str) -> bool:
    """Return whether a procedure marks only members of sets of pieces of the side on move."""
    own_pieces = {
        step.name
        for step in nested_steps(procedure.body)
        if isinstance(step, graph.Choose | graph.Loop) and _is_own(step.source)
    }
    return all(
        isinstance(step.subject, graph.Var) and step.subject.name in own_pieces for step in _marks(procedure, status)
    )


def _is_own(source: graph.Expr) -> bool:
    match source:
        case graph.Fold("gather", var, _, where) if where is not None:
            return any(_says_own(part, var) for part in conjuncts(where))
        case _:
            return False


def _says_own(condition: graph.Expr, member: str) -> bool:
    match condition:
        case graph.Op("=", (graph.Get(graph.Var(name), "given", _, "side"), graph.Var("player"))):
            return name == member
        case graph.Op("=", (graph.Var("player"), graph.Get(graph.Var(name), "given", _, "side"))):
            return name == member
        case _:
            return False
