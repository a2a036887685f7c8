"""Find a small position in which a suspected conflict, gap or number out of range occurs.

The input is a graph and a suspicion; the output is a position, the question to ask there and the result of the
interpreter; or None if nothing was found within the bound. None proves nothing, and a report of it has to state the
bound. For a number of a procedure the candidate's arguments are the names that the procedure binds (parameters,
choices, dice), and play has to stop at the number.
"""

from dataclasses import replace

from runtime.answer.explain import Explainer
from runtime.answer.explanation_record import why_inapplicable
from runtime.answer.interpreter import Interpreter, bindings_of
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import OutOfRangeError
from runtime.graph.conjuncts import conjuncts
from runtime.graph.operators.numbers import amount
from runtime.graph.out_of_range_query import OutOfRangeQuery
from runtime.graph.witness_position import WitnessPosition
from runtime.play.machine import Machine
from runtime.play.perform import execute_steps, perform_action
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness import goals
from runtime.witness.access_paths import call_of
from runtime.witness.candidate import Candidate
from runtime.witness.pool import MOST_POOL_PIECES, literal_text
from runtime.witness.position_file import ask_text, expression_text, position_file
from runtime.witness.set_up import NO_ANSWER, Instance, instance_of, satisfies_invariants
from runtime.witness.shrinking import shrink
from runtime.witness.walk import SIDE_OF_GRID, Objective, search_candidates

WITNESS_BUDGET = 2_000

BOUND = (
    f"searched {WITNESS_BUDGET:,} positions of up to {SIDE_OF_GRID * SIDE_OF_GRID} hexes and {MOST_POOL_PIECES} pieces"
)


def find_position(rules: graph.Graph, objective: Objective, labels: tuple[str, ...]) -> WitnessPosition | None:
    """Return the position that a search finds for rules, or for none, shrunk and written; None if none is found."""
    instance = search_candidates(rules, objective, WITNESS_BUDGET)
    if instance is None:
        return None
    small = _shrink_candidate(rules, objective, instance.candidate)
    small_instance = instance_of(Interpreter(rules), small)
    label, reason = (
        _nearest_rule(small_instance, objective.term) if small_instance is not None and not labels else ("", "")
    )
    answer = (
        f"no rule answers; `{label}` comes nearest: {reason}"
        if reason
        else _answers_text(small_instance, objective.term, labels)
    )
    question = ask_text(objective.term, small.arguments)
    return WitnessPosition(small.position, question, answer, position_file(small.position, rules.vocabulary), label)


def _shrink_candidate(rules: graph.Graph, objective: Objective, candidate: Candidate) -> Candidate:
    """Return a candidate without what its finding does not need."""
    answers = Interpreter(rules)

    def holds(candidate: Candidate) -> bool:
        instance = instance_of(answers, candidate)
        return instance is not None and satisfies_invariants(instance) and objective.is_met(instance)

    return shrink(candidate, holds, rules.vocabulary.records)


def _answers_text(instance: Instance | None, term: graph.Term, labels: tuple[str, ...]) -> str:
    """Format what each rule answers in an instance, or that none does."""
    if instance is None or not labels:
        return "no rule answers"
    found = []
    for label in labels:
        rule = instance.answers.graph.rules[label]
        value = None if rule.value is None else instance.value(rule.value, bindings_of(term, rule, instance.arguments))
        expr = None if value is None else literal_text(value, amount(term.type), instance.state)
        found.append(f"{label} says {'nothing' if expr is None else expression_text(expr)}")
    return ", ".join(found)


# ---------------------------------------------------------------- the rule that is nearest to answering


def _nearest_rule(instance: Instance, term: graph.Term) -> tuple[str, str]:
    """Return the label of the rule, and why it is silent here; two empty texts if no rule has a condition."""
    rules = instance.answers.graph.rules
    by_failures = [
        (_conditions_failed(instance, term, rule), label)
        for label in term.rules
        if (rule := rules[label]).verb and rule.guard is not None
    ]
    if not by_failures:
        return "", ""
    label = min(by_failures, key=lambda each: each[0])[1]
    live = [each for each in term.rules if _guard_holds(instance, term, rules[each])]
    try:
        found = Explainer(instance.answers).explain_clause(
            instance.state, term, rules[label], instance.arguments, live, 0
        )
        return label, why_inapplicable(found)
    except NO_ANSWER:
        return label, ""


def _conditions_failed(instance: Instance, term: graph.Term, rule: graph.Rule) -> tuple[int, int]:
    """Return how many conjuncts of a guard fail, and to how many rules the rule is an exception.

    Of equal failures that of the general rule is the likelier mistake.
    """
    names = bindings_of(term, rule, instance.arguments)
    return sum(not instance.holds(part, names) for part in conjuncts(rule.guard)), len(rule.defeats)


def _guard_holds(instance: Instance, term: graph.Term, rule: graph.Rule) -> bool:
    return rule.guard is None or instance.holds(rule.guard, bindings_of(term, rule, instance.arguments))


# Most steps that leave their range do so in the first hundred positions; the guards of the others are never true.
OUT_OF_RANGE_BUDGET = 150


def find_out_of_range(rules: graph.Graph, query: OutOfRangeQuery) -> tuple[WitnessPosition, Candidate] | None:
    """Return a position in which the procedure stops at the number."""
    terms = {**rules.terms, query.term.name: query.term}
    extended_graph = replace(rules, terms=terms, rules={**rules.rules, query.rule.label: query.rule})
    live = goals.live_objective(extended_graph, query.term.name, query.rule.label)
    machine = Machine(rules, Interpreter(rules))

    def is_met(instance: Instance) -> bool:
        return live.is_met(instance) and _stops_at_number(machine, query, instance.candidate)

    objective = Objective(f"{live.name} {query.key} {query.target}", query.term, live.propose, is_met)
    instance = search_candidates(extended_graph, objective, OUT_OF_RANGE_BUDGET)
    if instance is None:
        return None
    small = _shrink_candidate(extended_graph, objective, instance.candidate)
    file = position_file(_with_player(query, small), rules.vocabulary)
    return WitnessPosition(_with_player(query, small), "", "", file), small


def _stops_at_number(machine: Machine, query: OutOfRangeQuery, candidate: Candidate) -> bool:
    """Run the procedure, and return whether it stops at this number."""
    rules = machine.graph
    try:
        state = from_position(rules, _with_player(query, candidate))
        names: dict[str, Value] = {}
        for parameter, argument in zip(query.term.parameters, candidate.arguments, strict=True):
            names[parameter.name] = machine.evaluator.evaluate(state, argument, {})
        if query.called_term:
            Interpreter(rules).ask(
                state, query.called_term, tuple(names.values())[: len(rules.terms[query.called_term].parameters)]
            )
            return False
        playthrough = Playthrough(state, None, tuple(names[name] for name in query.rolled))
        chosen = {name: value for name, value in names.items() if name not in query.rolled}
        procedure = rules.procedures[query.key]
        if procedure.what == "action":
            perform_action(machine, playthrough, procedure.name, chosen)
        else:
            types = graph.parameter_types(query.term.parameters)
            execute_steps(machine, playthrough, (call_of(procedure),), chosen, types)
    except BrokenRules as stopped:
        return stopped.fault.out_of_range == query.target
    except OutOfRangeError as stopped:
        return stopped.callee == query.target
    except NO_ANSWER:
        return False
    return False


def _with_player(query: OutOfRangeQuery, candidate: Candidate) -> graph.Position:
    """Set the acting side to be on move."""
    names = [part.name for part in query.term.parameters]
    player = candidate.arguments[names.index("player")] if "player" in names else None
    return replace(candidate.position, player=player.name) if isinstance(player, graph.Member) else candidate.position
