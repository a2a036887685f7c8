"""Every decision of a player as a side, a question, and a finite list of options in canonical order.

In: a course standing at an offer or a choice. Out: the `Decision`. An action is offered if it can be
finished legally, a candidate likewise. A set is asked for as add-one-or-stop, members in canonical
order, an order as next-one; so nothing else is ever asked of a player (docs/language.md 3.23).
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.play.alike import Alike, Likeness
from runtime.play.course import Call, Course, Names
from runtime.play.instructions import Program
from runtime.play.prefix import Prefix
from runtime.play.recall import Recall
from runtime.play.search import Search, later, rest, sizes
from runtime.state.position import LEFT
from runtime.state.record import Value
from runtime.state.seen import known, secret_types

TAKE, END, PICK, STOP = "take", "end", "pick", "stop"


class Option(NamedTuple):
    """take: begin action `name` with these arguments; end: this offer; pick: one value; stop: adding to a set."""

    what: str
    name: str
    value: Value


END_OFFER = Option(END, "", None)
STOP_ADDING = Option(STOP, "", None)


class Decision(NamedTuple):
    """What is asked of whom. `member` is the type of each value, None for offers."""

    side: str
    question: str
    options: tuple[Option, ...]
    member: graph.Type | None


class Choices:
    """Lists options; knows the prefixes of all actions."""

    __slots__ = ("evaluator", "prefixes", "programs", "secret")

    def __init__(self, programs: dict[str, Program], evaluator: Recall, rules: graph.Graph) -> None:
        """Order every action's prefix for searching; records of secret types are offered to their own side."""
        self.secret: frozenset[graph.Type | None] = frozenset(map(graph.RecordOf, secret_types(rules)))
        self.programs = programs
        self.evaluator = evaluator
        alike = Alike(rules, evaluator.reads)
        self.prefixes = {
            key: Prefix(program, alike, self.secret)
            for key, program in programs.items()
            if program.procedure.what == "action"
        }

    def offer(self, course: Course, call: Call, offer: graph.Offer) -> Decision:
        """List the actions that are open, and the end if the offer may end."""
        side = self.side(course, call, offer.by)
        options = list(self.open_actions(course, call, offer, side))
        may_end = offer.until is None or self.evaluator.evaluate(course.state, offer.until, call.names)
        if may_end:
            options.append(END_OFFER)
        return Decision(side, f"offer {', '.join(name for name, _ in offer.actions)}", tuple(options), None)

    def open_actions(self, course: Course, call: Call, offer: graph.Offer, side: str) -> Iterator[Option]:
        """Yield the actions that can be finished legally."""
        for name, arguments in offer.actions:
            values = tuple(self.evaluator.evaluate(course.state, argument, call.names) for argument in arguments)
            key = f"action:{name}"
            names = self.opening(key, values, side)
            if self.names_gone(course, key, values):
                continue
            if Search(self.evaluator, course.state, self.prefixes[key]).completes(0, names):
                yield Option(TAKE, name, values)

    def names_gone(self, course: Course, key: str, values: tuple[Value, ...]) -> bool:
        """Say whether a piece that an action is offered for has gone or left: whatever it was to do, it is over."""
        parameters = self.programs[key].procedure.parameters
        pieces = (v for p, v in zip(parameters, values, strict=True) if isinstance(p.type, graph.Piece))
        return any(course.state.hex[piece] in LEFT for piece in pieces)

    def opening(self, key: str, values: tuple[Value, ...], side: str) -> Names:
        """Bind the parameters of a procedure."""
        names: Names = {"player": side}
        for parameter, value in zip(self.programs[key].procedure.parameters, values, strict=True):
            names[parameter.name] = value
        return names

    def choice(self, course: Course, call: Call, step: graph.Choose) -> Decision:
        """List the candidates of a choice."""
        program = self.programs[call.key]
        found = self.shown(course, call, step, self.evaluator.evaluate(course.state, step.source, call.names))
        chosen: tuple[Value, ...] = call.names.get("#chosen", ())
        if call.at < program.prefix:
            options = self.legal(course, call, step, found, chosen)
        else:
            options = free_options(step, found, chosen, self.sizes(course, call, step))
        question = f"{program.procedure.name}.{step.name}"
        return Decision(self.side(course, call, step.by), question, tuple(options), program.members[call.at])

    def shown(self, course: Course, call: Call, step: graph.Choose, found: Iterable[Value]) -> tuple[Value, ...]:
        """Leave out of a choice what whoever makes it does not know of."""
        if self.programs[call.key].members[call.at] in self.secret:
            return known(course.state, self.side(course, call, step.by), found)
        return tuple(found)

    def sizes(self, course: Course, call: Call, step: graph.Choose) -> range | None:
        """Say how many members a choice takes; None where nothing is said of it."""
        return sizes(step, lambda expr: self.evaluator.evaluate(course.state, expr, call.names))

    def legal(
        self, course: Course, call: Call, step: graph.Choose, found: tuple[Value, ...], chosen: tuple[Value, ...]
    ) -> Iterator[Option]:
        """Yield the candidates from which the action can still be finished."""
        program = self.programs[call.key]
        done = sum(isinstance(earlier, graph.Choose) for earlier in program.code[: call.at])
        prefix = self.prefixes[call.key]
        search = Search(self.evaluator, course.state, prefix)
        if not step.how and prefix.hastened.ends(done + 1):
            yield from (Option(PICK, step.name, member) for member in found)
            return
        if not step.how:
            sorter = search.sorter(step, call.names)
            settled: dict[Likeness | None, bool] = {}
            for member in found:
                like = sorter.likeness(member) if sorter else None
                legal = settled.get(like) if like is not None else None
                if legal is None:
                    legal = settled[like] = search.completes(done + 1, {**call.names, step.name: member})
                if legal:
                    yield Option(PICK, step.name, member)
            return
        allowed = self.sizes(course, call, step)
        if allowed is None or len(chosen) + 1 < allowed.stop:
            for member in (rest if step.how == "order" else later)(found, chosen):
                if search.continues(done, dict(call.names), (*chosen, member)):
                    yield Option(PICK, step.name, member)
        if may_stop(step, chosen, allowed) and search.completes(done + 1, {**call.names, step.name: chosen}):
            yield STOP_ADDING

    def side(self, course: Course, call: Call, by: graph.Expr | None) -> str:
        """Say who is asked."""
        if by is not None:
            return str(self.evaluator.evaluate(course.state, by, call.names))
        return str(call.names.get("player", course.state.player))


def free_options(
    step: graph.Choose, found: tuple[Value, ...], chosen: tuple[Value, ...], allowed: range | None
) -> Iterator[Option]:
    """Yield the candidates of a choice that no condition follows."""
    members = found
    if step.how:
        members = (rest if step.how == "order" else later)(found, chosen)
    if allowed is not None:
        # Who comes too late in a set leaves too few behind it.
        missing = allowed.start - len(chosen) if step.how == "any" else 0
        members = members[: max(0, len(members) - missing + 1)] if missing > 0 else members
        members = members if len(chosen) + 1 < allowed.stop else ()
    for member in members:
        yield Option(PICK, step.name, member)
    if may_stop(step, chosen, allowed):
        yield STOP_ADDING


def may_stop(step: graph.Choose, chosen: tuple[Value, ...], allowed: range | None) -> bool:
    """Say whether enough members are chosen; an order without bounds is one of all."""
    return step.how == "any" if allowed is None else len(chosen) in allowed
