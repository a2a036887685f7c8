"""Every decision of a player as a side, a question, and a finite list of options in canonical order.

In: a course standing at an offer or a choice. Out: the `Decision`. An action is offered if it can be
finished legally, a candidate likewise. A set is asked for as add-one-or-stop, members in canonical
order, an order as next-one; so nothing else is ever asked of a player (docs/language.md 3.23).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
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


class Candidates(NamedTuple):
    """What might be an option, in canonical order, and whether it is one."""

    options: Sequence[Option]
    legal: Callable[[Option], bool]

    def open(self) -> tuple[Option, ...]:
        """List the options."""
        return tuple(filter(self.legal, self.options))


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
        question = f"offer {', '.join(name for name, _ in offer.actions)}"
        return Decision(side, question, self.offered(course, call, offer, side).open(), None)

    def offered(self, course: Course, call: Call, offer: graph.Offer, side: str) -> Candidates:
        """Say what is offered: actions, those being open that can be finished legally, and the end."""
        evaluate = self.evaluator.evaluate

        def is_open(option: Option) -> bool:
            if option.what == END:
                return offer.until is None or bool(evaluate(course.state, offer.until, call.names))
            key = f"action:{option.name}"
            if self.names_gone(course, key, option.value):
                return False
            search = Search(self.evaluator, course.state, self.prefixes[key])
            return search.completes(0, self.opening(key, option.value, side))

        actions = (
            Option(TAKE, name, tuple(evaluate(course.state, argument, call.names) for argument in arguments))
            for name, arguments in offer.actions
        )
        return Candidates((*actions, END_OFFER), is_open)

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
        options = self.among(course, call, step, found).open()
        question = f"{program.procedure.name}.{step.name}"
        return Decision(self.side(course, call, step.by), question, options, program.members[call.at])

    def among(self, course: Course, call: Call, step: graph.Choose, found: tuple[Value, ...]) -> Candidates:
        """Say what might be chosen of these, those being open from which the action can still be finished."""
        program = self.programs[call.key]
        chosen: tuple[Value, ...] = call.names.get("#chosen", ())
        allowed = self.sizes(course, call, step)
        if call.at >= program.prefix:
            return Candidates(tuple(free_options(step, found, chosen, allowed)), always)
        done = sum(isinstance(earlier, graph.Choose) for earlier in program.code[: call.at])
        search = Search(self.evaluator, course.state, self.prefixes[call.key])
        if not step.how:
            options = [Option(PICK, step.name, member) for member in found]
            last = search.prefix.hastened.ends(done + 1)
            return Candidates(options, always if last else finishing(search, step, done, call.names))

        def grows(option: Option) -> bool:
            if option.what == STOP:
                return search.completes(done + 1, {**call.names, step.name: chosen})
            return search.continues(done, dict(call.names), (*chosen, option.value))

        more = allowed is None or len(chosen) + 1 < allowed.stop
        members = (rest if step.how == "order" else later)(found, chosen) if more else ()
        stop = (STOP_ADDING,) if may_stop(step, chosen, allowed) else ()
        return Candidates((*(Option(PICK, step.name, member) for member in members), *stop), grows)

    def shown(self, course: Course, call: Call, step: graph.Choose, found: Iterable[Value]) -> tuple[Value, ...]:
        """Leave out of a choice what whoever makes it does not know of."""
        if self.programs[call.key].members[call.at] in self.secret:
            return known(course.state, self.side(course, call, step.by), found)
        return tuple(found)

    def sizes(self, course: Course, call: Call, step: graph.Choose) -> range | None:
        """Say how many members a choice takes; None where nothing is said of it."""
        return sizes(step, lambda expr: self.evaluator.evaluate(course.state, expr, call.names))

    def side(self, course: Course, call: Call, by: graph.Expr | None) -> str:
        """Say who is asked."""
        if by is not None:
            return str(self.evaluator.evaluate(course.state, by, call.names))
        return str(call.names.get("player", course.state.player))


def always(_: Option) -> bool:
    """Let every candidate be an option."""
    return True


def finishing(search: Search, step: graph.Choose, done: int, names: Names) -> Callable[[Option], bool]:
    """Say of single candidates whether the action can be finished with them: of those that are alike, of one."""
    sorter = search.sorter(step, names)
    settled: dict[Likeness | None, bool] = {}

    def is_open(option: Option) -> bool:
        like = sorter.likeness(option.value) if sorter else None
        found = settled.get(like) if like is not None else None
        if found is None:
            found = settled[like] = search.completes(done + 1, {**names, step.name: option.value})
        return found

    return is_open


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
