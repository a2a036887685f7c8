"""The options of a decision (docs/language.md, 10): those after which the remaining choices can be made legally.

In: a game at an offer or a choice. Out: the decision. All completions of the head of an action are enumerated in
written order, until one satisfies every condition.
"""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph.operators import span
from runtime.graph.predeclared_types import SIDE, member_of
from runtime.graph.steps import count_head_steps
from runtime.graph.type_of import type_of
from runtime.play.options import END_OFFER, PICK, STOP_ADDING, TAKE, Decision, Option
from runtime.play.rule_faults import NoOpenOption
from runtime.state.position import LEFT
from runtime.state.record import Value
from runtime.state.visibility import visible_records

if TYPE_CHECKING:
    from tests.reference.game import Frame, ReferenceGame, Site

Values = tuple[Value, ...]
WAYS = 20_000  # Ways to make the choices of one head that are gone through for one candidate.


class TooManyWays(Exception):  # noqa: N818 -- no fault of the rules.
    """There are more completions than are enumerated here."""


def decision(game: "ReferenceGame", site: "Site") -> Decision:
    """Return the decision, which has at least one option."""
    frame, step = site.frame, site.step
    side = deciding_side(game, frame, step.by)
    if isinstance(step, graph.Offer):
        options = tuple(_offered(game, frame, step, side)) or ((END_OFFER,) if step.escapes else ())
        question, member, fault = f"offer {', '.join(name for name, _ in step.actions)}", None, "no action is open"
    else:
        stop_options = (STOP_ADDING,) if step.how == "order" and step.most is None else ()
        options = tuple(_candidates(game, site, step, side)) or stop_options
        question, member = f"{frame.procedure.name}.{step.name}", _member(game, frame, step)
        fault = f"there is nothing to choose `{step.name}` from"
    if not options:
        raise game.broken_rules(game, fault, NoOpenOption)
    return Decision(side, question, options, member)


def deciding_side(game: "ReferenceGame", frame: "Frame", side: graph.Expr | None) -> str:
    """Return the side that decides; the player on move where none is given."""
    return str(game.player(frame) if side is None else game.value(frame, side))


def type_chosen(game: "ReferenceGame", frame: "Frame", choice: graph.Choose) -> graph.Type:
    """Return the type of the name that a choice binds."""
    member = _member(game, frame, choice)
    return graph.Many("list" if choice.how == "order" else "set", member) if choice.how else member


def is_full(game: "ReferenceGame", frame: "Frame", choice: graph.Choose, chosen: Values) -> bool:
    """Return whether an ordered choice is complete; a set is completed by an option of its own."""
    members = len(tuple(game.value(frame, choice.source)))
    longest = members if choice.most is None else min(members, game.value(frame, choice.most))
    return choice.how == "order" and len(chosen) >= longest


def _member(game: "ReferenceGame", frame: "Frame", choice: graph.Choose) -> graph.Type:
    return member_of(type_of(choice.source, frame.types, game.graph))


def _offered(game: "ReferenceGame", frame: "Frame", offer: graph.Offer, side: str) -> Iterator[Option]:
    """Yield the actions that can be completed legally, and the end of the offer."""
    for action, arguments in offer.actions:
        procedure = game.graph.procedures[f"action:{action}"]
        values = game.evaluate_all(frame, arguments)
        bound = list(zip(procedure.parameters, values, strict=True))
        if any(isinstance(part.type, graph.Piece) and game.state.hex[value] in LEFT for part, value in bound):
            continue
        names = {"player": side, **{part.name: value for part, value in bound}}
        types = {"player": SIDE, **{part.name: part.type for part in procedure.parameters}}
        inner = type(frame)(f"action:{action}", procedure, names, types, "")
        if _can_be_completed(game, inner, procedure.body[: count_head_steps(procedure.body)]):
            yield Option(TAKE, action, values)
    if offer.until is None or game.value(frame, offer.until):
        yield END_OFFER


def _candidates(game: "ReferenceGame", site: "Site", choice: graph.Choose, side: str) -> Iterator[Option]:
    """Yield the options of a choice."""
    for member in _visible_members(game, site.frame, choice, side):
        if not choice.how:
            values: Iterator[Value] = iter((member,))
        else:
            values = _complete_values(game, site.frame, choice, side, (*site.chosen, member))
        if _can_be_finished(game, site, choice, values):
            yield Option(PICK, choice.name, member)
    if choice.how == "any" or (choice.how and choice.least is not None):
        complete_values = _complete_values(game, site.frame, choice, side, site.chosen)
        if _can_be_finished(game, site, choice, (value for value in complete_values if value == site.chosen)):
            yield STOP_ADDING


def _can_be_finished(game: "ReferenceGame", site: "Site", choice: graph.Choose, values: Iterator[Value]) -> bool:
    """Return whether the head of the action has a legal completion with one of these values."""
    frame, names = site.frame, site.frame.names.copy()
    try:
        for value in values:
            frame.names = {**names, choice.name: value}
            if site.rest is None or _can_be_completed(game, frame, site.rest):
                return True
        return False
    finally:
        frame.names = names


def _complete_values(
    game: "ReferenceGame", frame: "Frame", choice: graph.Choose, side: str, chosen: Values
) -> Iterator[Values]:
    """Yield the complete sets or orders of a choice that begin with these members."""
    members = _visible_members(game, frame, choice, side)
    if choice.least is not None and choice.most is not None:
        sizes = span(max(0, game.value(frame, choice.least)), game.value(frame, choice.most))
    else:
        sizes = range(0 if choice.how == "any" else len(members), len(members) + 1)
    for size in sizes:
        for candidate in (combinations if choice.how == "any" else permutations)(members, size):
            if candidate[: len(chosen)] == chosen:
                yield candidate


def _visible_members(game: "ReferenceGame", frame: "Frame", choice: graph.Choose, side: str) -> Values:
    """Return the members that a choice is made from, without records that are secret to the side."""
    found = tuple(game.value(frame, choice.source))
    return visible_records(game.state, side, found) if _member(game, frame, choice) in game.secret else found


def _can_be_completed(game: "ReferenceGame", frame: "Frame", steps: tuple[graph.Step, ...]) -> bool:
    """Return whether the rest of a head has a legal completion."""
    if not steps:
        return True
    step, rest = steps[0], steps[1:]
    match step:
        case graph.Let(name, value):
            game.bind(frame, name, type_of(value, frame.types, game.graph), game.value(frame, value))
            return _can_be_completed(game, frame, rest)
        case graph.Legal(condition):
            return bool(game.value(frame, condition)) and _can_be_completed(game, frame, rest)
        case graph.Choose():
            side = deciding_side(game, frame, step.by)
            members = _visible_members(game, frame, step, side)
            values = iter(members) if not step.how else _complete_values(game, frame, step, side, ())
            type_ = type_chosen(game, frame, step)
            for number, candidate in enumerate(values):
                if number > WAYS:
                    raise TooManyWays
                game.bind(frame, step.name, type_, candidate)
                if _can_be_completed(game, frame, rest):
                    return True
            return False
        case _:
            raise AssertionError("a head has names, conditions and choices only")
