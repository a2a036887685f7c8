"""A decision of a phase: a playthrough with all actions that the sequence of play offers a side in the phase.

In: a game, a state, a phase and a side. Out: a playthrough and its decision. The sequence offers the actions of a
phase in several steps; a question about what the rules allow concerns all of them. If no action is open, the decision
has only the option to end, so that refusals can still be explained. The effects of the sequence at the beginning of
the phase are not applied. The offers of a phase to other sides, as to fire at planes, are a decision of their own.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rulewright.explain.views.picture import phase_title
from rulewright.system.errors import UsageError, suggestion_text
from runtime.answer.single_expressions import sole_expression
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import Unanswered
from runtime.graph.closure import transitive_closure
from runtime.graph.free_names import free_names, variables_in
from runtime.graph.members import members_of
from runtime.graph.predeclared_types import SIDE
from runtime.graph.procedure_pairs import without_preferences
from runtime.graph.steps import conditions_on_path, offered_in, path_to_phase
from runtime.graph.walk import nodes_of
from runtime.play.added_procedures import begin_offer
from runtime.play.game import SEQUENCE, Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.play.programs import Program
from runtime.state import change
from runtime.state.position import State

# An action that is offered as pieces of the active side act, and these pieces.
ReactionKey = tuple[str, tuple[int, ...]]
NO_REACTION: ReactionKey = "", ()
# The sequence names the active side where an offer has to say whom it is for: `offer attack by player must until ..`.
ACTIVE_SIDE = graph.Var("player")


class _DecisionState(NamedTuple):
    """A playthrough at a decision."""

    playthrough: Playthrough
    decision: Decision


def offered_phases(game: Game) -> tuple[str, ...]:
    """Return the phases in which the active side is offered actions, in the order of play."""
    return tuple(_actions_by_phase(game))


def enter_phase(
    game: Game, state: State, phase: str, side: str, other: str = "", reaction: ReactionKey = NO_REACTION
) -> _DecisionState:
    """Build the decision of a phase in a side's turn; sets the phase and the side in `state`.

    It is the decision of that side, or of an `other` to which the phase offers actions then, or a `reaction` to pieces.
    Raises `UsageError` if nothing is offered.
    """
    name, pieces = reaction
    arguments = _reaction_arguments(game, state, name, pieces) if name else {}
    known = _actions_by_phase(game, by_others=bool(other))
    offered = {phase: ((name, tuple(map(graph.Var, arguments))),)} if name else known
    if phase not in offered:
        raise UsageError(f"nothing is offered in a phase `{phase}`; {suggestion_text(phase, list(known))}")
    by = graph.Member(SIDE.name, other) if other else None
    for event, old_value, new_value in (
        (change.set_phase, state.phase, phase),
        (change.set_player, state.player, side),
    ):
        if old_value != new_value:
            event(state, new_value)
    playthrough = Playthrough(state, "1")
    frame = begin_offer(game, playthrough, graph.Offer(offered[phase], by, None), {"player": side, **arguments})
    return _DecisionState(playthrough, game.decide(playthrough, frame))


def _reaction_arguments(game: Game, state: State, name: str, pieces: Sequence[int]) -> dict[str, int]:
    """Return the arguments of a reaction to pieces: these, and for places where the last of them is."""
    left, arguments = [*pieces], dict[str, int]()
    for parameter in game.programs.entries[f"action:{name}"].procedure.parameters:
        arguments[parameter.name] = left.pop(0) if isinstance(parameter.type, graph.Piece) else state.hex[pieces[-1]]
    return arguments


OfferedActions = tuple[tuple[str, tuple[graph.Expr, ...]], ...]


def _actions_by_phase(game: Game, *, by_others: bool = False) -> dict[str, OfferedActions]:
    """Collect the actions offered to the active side, or to others, by phase."""
    found: dict[str, dict[tuple[str, tuple[graph.Expr, ...]], None]] = {}
    program = game.programs.entries.get(SEQUENCE)
    for phase, offer in _offers(program) if program else ():
        if phase and (offer.by not in (None, ACTIVE_SIDE)) == by_others:
            plain = {action: None for action in offer.actions if not _names(action[1])}
            found.setdefault(phase, {}).update(plain)
    return {phase: tuple(actions) for phase, actions in found.items() if actions}


def is_left_out(game: Game, state: State, phase: str, side: str) -> bool:
    """Return whether the sequence leaves out a phase of a side as things stand: a condition around it fails."""
    sequence = game.graph.procedures.get(SEQUENCE)
    playthrough, frame = Playthrough(state, "1"), ProcedureFrame(SEQUENCE, (), {"player": side})
    for condition in conditions_on_path(path_to_phase(sequence.body if sequence else (), phase)):
        # The variable of a loop around the phase has no value in a position.
        if not free_names(condition) - {"player"}:
            with suppress(Unanswered):
                if game.value(playthrough, frame, condition) is False:
                    return True
    return False


def _with_inner_actions(game: Game, actions: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    """Return the names of actions, and then of those that they offer in turn."""
    names = tuple(name for name, _ in actions)
    every = transitive_closure(names, lambda name: offered_in(game.programs.entries[f"action:{name}"].procedure))
    return *names, *sorted(every.difference(names))


def _offers(program: Program) -> Iterator[tuple[str, graph.Offer]]:
    """Yield the offers of the sequence with their phases; "" outside of all phases."""
    phase = ""
    for step in program.steps:
        if isinstance(step, graph.Phase):
            phase = step.name
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
    named = [each.name for each in nodes_of(graph.Member, tuple(about)) if each.name in sides]
    present = [each for each in state.side if each]
    order = list(dict.fromkeys([*filter(None, [state.player]), *named, *present, *sides]))
    known = _actions_by_phase(game)
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
    found = {("term", each.term) for each in nodes_of(graph.Ask, nodes)}
    return found | {(each.enum, each.name) for each in nodes_of(graph.Member, nodes)}


def _score(game: Game, actions: OfferedActions, question_words: set[tuple[str, str]], about: Sequence[object]) -> int:
    """Return the score of a phase: shared terms and members, where an action that is performed counts most.

    What a player prefers may be about actions of other phases, so preferences do not count.
    """
    performed_actions = {each.action for each in about if isinstance(each, graph.Perform)}
    names = _with_inner_actions(game, actions)
    return 100 * len(performed_actions.intersection(names)) + max(
        len(
            question_words
            & words_in(game.graph, without_preferences(game.programs.entries[f"action:{name}"].procedure.body))
        )
        for name in names
    )


def words_in(rules: graph.Graph, nodes: object) -> set[tuple[str, str]]:
    """Return the terms and members in nodes, with those in the definitions of abbreviating terms."""
    found, todo = set[tuple[str, str]](), [nodes]
    while todo:
        new = _words(todo.pop()) - found
        found |= new
        meanings = (sole_expression(rules.terms[name], rules) for sort, name in new if sort == "term")
        todo += [meaning for meaning in meanings if meaning is not None]
    return found


@dataclass(eq=False)
class OfferMoment:
    """A phase in which actions are offered to a side, in the turn of `active`.

    A `reaction` is offered as pieces of the active side act.
    """

    game: Game
    state: State
    phase: str
    side: str
    active: str
    actions: tuple[str, ...]
    reaction: ReactionKey = NO_REACTION

    @cached_property
    def entered(self) -> _DecisionState:
        """Return the decision of the moment."""
        other = "" if self.active == self.side else self.side
        return enter_phase(self.game, self.state.copy(), self.phase, self.active, other, self.reaction)

    def title(self) -> str:
        """Return the side and the phase, and whose turn it is if it is another's."""
        vocabulary = self.state.graph.vocabulary
        in_turn = "" if self.active == self.side else f" in the turn of {words.side(self.active, vocabulary)}"
        return f"{words.member('side', self.side, vocabulary)}, {phase_title(self.state, self.phase)}{in_turn}"

    @property
    def is_left_out(self) -> bool:
        """Return whether the sequence leaves out the phase as things stand."""
        return is_left_out(self.game, self.state, self.phase, self.active)


def moments_of(game: Game, state: State, pieces: Sequence[int], *, of_other: bool) -> list[OfferMoment]:
    """Return the moments at which actions are offered to the side of the first of some pieces, the nearest first.

    With `of_other`, to the other side. They are those of its own turn and, if a phase offers them actions or these are
    offered as one of the pieces acts, of the turn of another.
    """
    phase, on_move = likeliest_decision(game, state, ())
    own_side = next((state.side[piece] for piece in pieces if state.side[piece]), on_move)
    present = (state.side[piece] for piece in (*pieces, *range(len(state.side))))
    other = next((side for side in present if side not in ("", own_side)), "")
    side, active = (other, own_side) if of_other and other else (own_side, other)
    moments = list[OfferMoment]()
    for offered_phase in _phases_from(game, phase):
        for turn in (side, active):
            offered = _actions_by_phase(game, by_others=turn != side) if turn else {}
            if offered_phase in offered:
                actions = _with_inner_actions(game, offered[offered_phase])
                moments.append(OfferMoment(game, state, offered_phase, side, turn, actions))
    known = {name for moment in moments for name in moment.actions}
    others = tuple(piece for piece in pieces if state.side[piece] not in ("", side))
    for name in _reactions(game, len(others)):
        if name not in known:
            moments.append(OfferMoment(game, state, phase, side, active, (name,), (name, others)))
    return moments


def _phases_from(game: Game, phase: str) -> tuple[str, ...]:
    """Return the phases in which the active side is offered actions, beginning with one of them."""
    order = offered_phases(game)
    first = order.index(phase)
    return order[first:] + order[:first]


def _reactions(game: Game, piece_count: int) -> Iterator[str]:
    """Yield the actions whose choices are this number of pieces, if any, and places."""
    for program in game.programs.entries.values() if piece_count else ():
        types = [parameter.type for parameter in program.procedure.parameters]
        pieces = [type_ for type_ in types if isinstance(type_, graph.Piece)]
        places = [type_ for type_ in types if isinstance(type_, graph.Hex)]
        takes_them = len(pieces) == piece_count and len(pieces) + len(places) == len(types)
        if program.procedure.what == "action" and takes_them:
            yield program.procedure.name
