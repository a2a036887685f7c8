"""Run one procedure in a position, to check whether it stops because a number leaves its range.

The input is a graph, a candidate whose arguments are the names that a procedure binds (parameters, choices, dice), and
the suspected number; the output is whether play stops there. All choices are those of the candidate.
"""

from dataclasses import replace

from runtime.answer.interpreter import Interpreter
from runtime.board.answer_errors import OutOfRangeError
from runtime.graph import nodes as graph
from runtime.graph.out_of_range_query import OutOfRangeQuery
from runtime.graph.witness_position import WitnessPosition
from runtime.play.machine import Machine
from runtime.play.perform import execute_steps, perform_action
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness import objectives
from runtime.witness.access_paths import call_of
from runtime.witness.candidate import Candidate
from runtime.witness.find_witness import ModelExpressions, guided_objective, shrink_candidate
from runtime.witness.instance import NO_ANSWER, Instance
from runtime.witness.local_search import Objective, search_candidates
from runtime.witness.position_file import position_file

# Most steps that leave their range do so in the first hundred positions; the guards of the others are never true.
OUT_OF_RANGE_BUDGET = 150


def find_out_of_range(
    rules: graph.Graph, query: OutOfRangeQuery, model: ModelExpressions
) -> tuple[WitnessPosition, Candidate] | None:
    """Return a position in which the procedure stops at the number."""
    terms = {**rules.terms, query.term.name: query.term}
    extended_graph = replace(rules, terms=terms, rules={**rules.rules, query.rule.label: query.rule})
    live = objectives.live_objective(extended_graph, query.term.name, query.rule.label)
    machine = Machine(rules, Interpreter(rules))

    def is_met(instance: Instance) -> bool:
        return live.is_met(instance) and stops_at_number(machine, query, instance.candidate)

    plain = Objective(f"{live.name} {query.key} {query.target}", query.term, live.propose, is_met)
    objective = guided_objective(plain, model)
    instance = search_candidates(extended_graph, objective, OUT_OF_RANGE_BUDGET)
    if instance is None:
        return None
    small = shrink_candidate(extended_graph, objective, instance.candidate)
    file = position_file(_with_player(query, small), rules.vocabulary)
    return WitnessPosition(_with_player(query, small), "", "", file), small


def stops_at_number(machine: Machine, query: OutOfRangeQuery, candidate: Candidate) -> bool:
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
            types = {part.name: part.type for part in query.term.parameters}
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
