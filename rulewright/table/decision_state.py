"""A decision of a phase: a playthrough with all actions that the sequence of play offers a side in the phase.

In: a game, a state, a phase and a side. Out: a playthrough and its decision. The sequence offers the actions of a
phase in several steps; a question about what the rules allow concerns all of them. If no action is open, the decision
has only the option to end, so that refusals can still be explained. The effects of the sequence at the beginning of
the phase are not applied, and the offers to other sides are omitted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rulewright.errors import UsageError, suggestion_text
from runtime.answer.single_expressions import sole_expression
from runtime.graph import nodes as graph
from runtime.graph.closure import transitive_closure
from runtime.graph.free_names import variables_in
from runtime.graph.members import members_of
from runtime.graph.steps import offered_in
from runtime.graph.type_of import SIDE
from runtime.graph.walk import walk
from runtime.play.choices import Decision
from runtime.play.game import SEQUENCE, Game
from runtime.play.instructions import Enter, Program, Return
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.state import change
from runtime.state.position import State

BY_PHASE = "phase:"


class DecisionState(NamedTuple):
    """A playthrough at a decision."""

    playthrough: Playthrough
    decision: Decision


def offered_phases(game: Game) -> tuple[str, ...]:
    """Return the phases in which the active side is offered actions, in the order of play."""
    return tuple(actions_by_phase(game))


def enter_phase(game: Game, state: State, phase: str, side: str) -> DecisionState:
    """Build the decision of a phase in a side's turn; sets the phase and the side in `state`.

    Raises `UsageError` if nothing is offered in the phase."""
    key = f"{BY_PHASE}{phase}"
    if key not in game.programs.entries:
        known = actions_by_phase(game)
        if phase not in known:
            raise UsageError(f"nothing is offered in a phase `{phase}`; {suggestion_text(phase, list(known))}")
        sequence = game.programs.entries[SEQUENCE]
        code = graph.Offer(known[phase], None, None), Return()
        # Programs are looked up by key: this one is added to those of the rules, and no instruction calls it.
        game.programs.entries[key] = replace(sequence, key=key, code=code, members=(None, None), head_length=0)
    for event, old_value, new_value in (
        (change.set_phase, state.phase, phase),
        (change.set_player, state.player, side),
    ):
        if old_value != new_value:
            event(state, new_value)
    playthrough = Playthrough(state, "1")
    playthrough.calls.append(ProcedureFrame(key, 0, {"player": side}))
    return DecisionState(playthrough, game.decide(playthrough, playthrough.calls[-1]))


Offered = tuple[tuple[str, tuple[graph.Expr, ...]], ...]


def actions_by_phase(game: Game) -> dict[str, Offered]:
    """Collect the actions offered to the active side, by phase."""
    found: dict[str, dict[tuple[str, tuple[graph.Expr, ...]], None]] = {}
    program = game.programs.entries.get(SEQUENCE)
    for phase, offer in _offers(program) if program else ():
        if phase and offer.by is None:
            plain = {each: None for each in offer.actions if not _names(each[1])}
            found.setdefault(phase, {}).update(plain)
    return {phase: tuple(actions) for phase, actions in found.items() if actions}


def with_inner_actions(game: Game, actions: Offered) -> tuple[str, ...]:
    """Return the names of actions, and then of those that they offer in turn."""
    names = tuple(name for name, _ in actions)
    every = transitive_closure(names, lambda name: offered_in(game.programs.entries[f"action:{name}"].procedure))
    return *names, *sorted(every.difference(names))


def _offers(program: Program) -> Iterator[tuple[str, graph.Offer]]:
    """Yield the offers of the sequence with their phases; "" outside of all phases."""
    phase = ""
    for step in program.code:
        if isinstance(step, Enter):
            phase = step.phase
        elif isinstance(step, graph.Offer):
            yield phase, step


def _names(arguments: Sequence[graph.Expr]) -> set[str]:
    """Return the free variables of arguments: those that a loop of the sequence would bind."""
    return variables_in(tuple(arguments)) - {"player"}


def likeliest_decision(game: Game, state: State, about: Sequence[object]) -> tuple[str, str]:
    """Estimate the phase and the side that a position is about: those of its state, otherwise by its questions.

    `about` are questions and acts. The score of a phase is the number of terms and members in them that its actions
    refer to; a side is preferred if they mention it. Of several phases with the best score, the first in which an
    action is open is returned, of several sides the first.
    """
    sides = members_of(state.graph.vocabulary, SIDE.name)
    named = [each.name for each in walk(tuple(about)) if isinstance(each, graph.Member) and each.name in sides]
    present = [each for each in state.side if each]
    order = list(dict.fromkeys([*filter(None, [state.player]), *named, *present, *sides]))
    known = actions_by_phase(game)
    if not known:
        raise UsageError("nothing is ever offered under these rules: they have no sequence of play")
    if state.phase in known:
        return state.phase, order[0]
    question_words = _words(about)
    scores = {phase: _score(game, actions, question_words, about) for phase, actions in known.items()}
    best = max(scores.values())
    best_phases = [phase for phase, score in scores.items() if score == best]
    for side in order if not state.player and not named else order[:1]:
        for phase in best_phases:
            if len(enter_phase(game, state.copy(), phase, side).decision.options) > 1:
                return phase, side
    return best_phases[0], order[0]


def _words(nodes: object) -> set[tuple[str, str]]:
    """Return the terms that nodes ask and the enumeration members that they mention."""
    found = {("term", each.term) for each in walk(nodes) if isinstance(each, graph.Ask)}
    return found | {(each.enum, each.name) for each in walk(nodes) if isinstance(each, graph.Member)}


def _score(game: Game, actions: Offered, question_words: set[tuple[str, str]], about: Sequence[object]) -> int:
    """Return the score of a phase: shared terms and members, where an action that is performed counts most."""
    performed_actions = {each.action for each in about if isinstance(each, graph.Perform)}
    names = with_inner_actions(game, actions)
    return 100 * len(performed_actions.intersection(names)) + max(
        len(question_words & _words_in(game.graph, game.programs.entries[f"action:{name}"].procedure.body))
        for name in names
    )


def _words_in(rules: graph.Graph, nodes: object) -> set[tuple[str, str]]:
    """Return the terms and members in nodes, with those in the definitions of abbreviating terms."""
    found, todo = set[tuple[str, str]](), [nodes]
    while todo:
        new = _words(todo.pop()) - found
        found |= new
        meanings = (sole_expression(rules.terms[name], rules) for sort, name in new if sort == "term")
        todo += [meaning for meaning in meanings if meaning is not None]
    return found
