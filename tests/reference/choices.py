"""The options of a decision (docs/language.md, 10): those after which the remaining choices can be made legally.

In: a game at an offer or a choice. Out: the decision. All completions of the head of an action are enumerated in
written order, until one satisfies every condition.
"""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph.operators import span
from runtime.graph.predeclared_types import member_of
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk
from runtime.play.options import END_OFFER, PICK, STOP_ADDING, TAKE, Decision, Option
from runtime.play.rule_faults import NoOpenOption
from runtime.state.position import LEFT
from runtime.state.record import Value
from runtime.state.visibility import visible_records
from tests.reference.pending_steps import Frame, Head, OpenOffer, PendingChoice

if TYPE_CHECKING:
    from tests.reference.game import ReferenceGame

Values = tuple[Value, ...]
WAYS = 20_000  # Ways to make the choices of one head that are gone through for one candidate.


class TooManyWays(Exception):  # noqa: N818 -- no fault of the rules.
    """There are more completions than are enumerated here."""


def decision(game: "ReferenceGame", frame: Frame, item: OpenOffer | PendingChoice) -> Decision:
    """Return the decision, which has at least one option."""
    if isinstance(item, OpenOffer):
        offer = item.offer
        side = deciding_side(game, frame, offer.by)
        options = tuple(_offered(game, frame, offer, side)) or ((END_OFFER,) if offer.escapes else ())
        if not options:
            raise game.broken_rules(frame, "no action is open and the offer may not end", NoOpenOption)
        return Decision(side, f"offer {', '.join(name for name, _ in offer.actions)}", options, None)
    choice = item.choice
    side, member = deciding_side(game, frame, choice.by), _member(game, frame, choice)
    stop_options = (STOP_ADDING,) if choice.how == "order" and choice.most is None else ()
    options = tuple(_candidates(game, frame, item, side)) or stop_options
    if not options:
        raise game.broken_rules(frame, f"there is nothing to choose `{choice.name}` from", NoOpenOption)
    return Decision(side, f"{frame.procedure.name}.{choice.name}", options, member)


def deciding_side(game: "ReferenceGame", frame: Frame, side: graph.Expr | None) -> str:
    """Return the side that decides; the player on move where none is given."""
    return str(game.player(frame) if side is None else game.value(frame, side))


def offers_reaction(hook: graph.Procedure) -> bool:
    """Return whether a hook offers a reaction."""
    return any(isinstance(step, graph.Offer) for step in walk(hook.body))


def type_chosen(game: "ReferenceGame", frame: Frame, choice: graph.Choose) -> graph.Type:
    """Return the type of the name that a choice binds."""
    member = _member(game, frame, choice)
    return graph.Many("list" if choice.how == "order" else "set", member) if choice.how else member


def is_full(game: "ReferenceGame", frame: Frame, choice: graph.Choose, chosen: Values) -> bool:
    """Return whether an ordered choice is complete; a set is completed by an option of its own."""
    members = len(tuple(game.value(frame, choice.source)))
    longest = members if choice.most is None else min(members, game.value(frame, choice.most))
    return choice.how == "order" and len(chosen) >= longest


def _member(game: "ReferenceGame", frame: Frame, choice: graph.Choose) -> graph.Type:
    return member_of(type_of(choice.source, frame.types, game.rules))


def _offered(game: "ReferenceGame", frame: Frame, offer: graph.Offer, side: str) -> Iterator[Option]:
    """Yield the actions that can be completed legally, and the end of the offer."""
    for action, arguments in offer.actions:
        procedure = game.rules.procedures[f"action:{action}"]
        values = game.evaluate_all(frame, arguments)
        absence_flags = (
            game.state.hex[value] in LEFT
            for part, value in zip(procedure.parameters, values, strict=True)
            if isinstance(part.type, graph.Piece)
        )
        if not any(absence_flags):
            trial = game.copy()
            trial.begin(f"action:{action}", values, side)
            inner_frame, head = trial.todo[-1]
            assert isinstance(head, Head)
            if any(_completions(trial, inner_frame, head.steps)):
                yield Option(TAKE, action, values)
    if offer.until is None or game.value(frame, offer.until):
        yield END_OFFER


def _candidates(game: "ReferenceGame", frame: Frame, item: PendingChoice, side: str) -> Iterator[Option]:
    """Yield the options of a choice."""
    choice, chosen = item.choice, item.chosen
    for member in _visible_members(game, frame, choice, side):
        if not choice.how:
            if _can_be_finished(game, frame, item, member):
                yield Option(PICK, choice.name, member)
        elif _can_be_finished(game, frame, item, (*chosen, member), grows=True):
            yield Option(PICK, choice.name, member)
    if choice.how and (choice.how == "any" or choice.least is not None) and _can_be_finished(game, frame, item, chosen):
        yield STOP_ADDING


def _can_be_finished(
    game: "ReferenceGame", frame: Frame, item: PendingChoice, value: Value, *, grows: bool = False
) -> bool:
    """Return whether the head of the action has a legal completion with a value or with a set or order extending it."""
    choice, names = item.choice, frame.names.copy()
    side = deciding_side(game, frame, choice.by)
    values = [value] if not choice.how else _complete_values(game, frame, choice, side, value)
    try:
        for candidate in values:
            if grows or candidate == value:
                frame.names = {**names, choice.name: candidate}
                if item.rest is None or any(_completions(game, frame, item.rest)):
                    return True
        return False
    finally:
        frame.names = names


def _complete_values(
    game: "ReferenceGame", frame: Frame, choice: graph.Choose, side: str, chosen: Values
) -> Iterator[Values]:
    """Yield the complete sets or orders of a choice that begin with these members."""
    members = _visible_members(game, frame, choice, side)
    if choice.least is not None and choice.most is not None:
        sizes = span(max(0, game.value(frame, choice.least)), game.value(frame, choice.most))
    elif choice.how == "any":
        sizes = range(len(members) + 1)
    else:
        sizes = range(len(members), len(members) + 1)
    for size in sizes:
        for candidate in (combinations if choice.how == "any" else permutations)(members, size):
            if candidate[: len(chosen)] == chosen:
                yield candidate


def _visible_members(game: "ReferenceGame", frame: Frame, choice: graph.Choose, side: str) -> Values:
    """Return the members that a choice is made from, without records that are secret to the side."""
    found = tuple(game.value(frame, choice.source))
    return visible_records(game.state, side, found) if _member(game, frame, choice) in game.secret else found


def _completions(game: "ReferenceGame", frame: Frame, steps: tuple[graph.Step, ...]) -> Iterator[bool]:
    """Yield True for each legal completion of the rest of a head, False for each that fails."""
    match steps:
        case ():
            yield True
        case (graph.Let(name, value), *rest):
            game.bind(frame, name, type_of(value, frame.types, game.rules), game.value(frame, value))
            yield from _completions(game, frame, tuple(rest))
        case (graph.Legal(condition), *rest):
            if game.value(frame, condition):
                yield from _completions(game, frame, tuple(rest))
            else:
                yield False
        case (graph.Choose() as choice, *rest):
            side = deciding_side(game, frame, choice.by)
            values = (
                _complete_values(game, frame, choice, side, ())
                if choice.how
                else iter(_visible_members(game, frame, choice, side))
            )
            type_ = type_chosen(game, frame, choice)
            for number, value in enumerate(values):
                if number > WAYS:
                    raise TooManyWays
                game.bind(frame, choice.name, type_, value)
                yield from _completions(game, frame, tuple(rest))
        case _:
            raise AssertionError("a head has names, conditions and choices only")
