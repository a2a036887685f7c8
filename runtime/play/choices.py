"""Every decision of a player as a side, a question, and a finite list of options in canonical order.

In: a course standing at an offer or a choice. Out: the `Decision`. An action is offered if it can be
finished legally, a candidate likewise. A set is asked for as add-one-or-stop, members in canonical
order, an order as next-one; so nothing else is ever asked of a player (docs/language.md 3.23).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.play.alike import Alike, Likeness
from runtime.play.course import Call, Course, Names
from runtime.play.heads import sorting
from runtime.play.instructions import Program
from runtime.play.offering import END, END_OFFER, PICK, STOP, STOP_ADDING, TAKE, Offering, Opening, Option
from runtime.play.prefix import Prefix
from runtime.play.recall import UNKNOWN, Recall
from runtime.play.search import Search
from runtime.play.trials import later, rest, sizes
from runtime.state.record import Value
from runtime.state.seen import known, secret_types

__all__ = ["END", "END_OFFER", "PICK", "STOP", "STOP_ADDING", "TAKE", "Candidates", "Choices", "Decision", "Option"]


class Decision(NamedTuple):
    """What is asked of whom. `member` is the type of each value, None for offers."""

    side: str
    question: str
    options: tuple[Option, ...]
    member: graph.Type | None


class Candidates(NamedTuple):
    """What might be chosen, in canonical order, whether it may be, and as what option.

    Candidates of an offer are options; those of a choice are its members, and `STOP_ADDING`. `sure` is one that is
    known to be legal, if any is: what was chosen before it was legal because of it.
    """

    members: Sequence[Value]
    legal: Callable[[Value], bool]
    option: Callable[[Value], Option]
    sure: Value = UNKNOWN

    def open(self) -> tuple[Option, ...]:
        """List the options."""
        return tuple(map(self.option, filter(self.legal, self.members)))


class Choices:
    """Lists options; knows the prefixes of all actions."""

    __slots__ = ("evaluator", "offerings", "openings", "prefixes", "programs", "searches", "secret")

    def __init__(self, programs: dict[str, Program], evaluator: Recall, rules: graph.Graph) -> None:
        """Order every action's prefix for searching; records of secret types are offered to their own side."""
        self.secret: frozenset[graph.Type | None] = frozenset(map(graph.RecordOf, secret_types(rules)))
        self.programs = programs
        self.evaluator = evaluator
        alike = Alike(rules, evaluator.reads)
        actions = {key: program for key, program in programs.items() if program.procedure.what == "action"}
        self.prefixes = {key: Prefix(program, alike, self.secret) for key, program in actions.items()}
        self.searches = {key: Search(evaluator, prefix) for key, prefix in self.prefixes.items()}
        self.openings = {
            program.procedure.name: Opening(program.procedure, self.searches[key]) for key, program in actions.items()
        }
        self.offerings: dict[int, Offering] = {}

    def offer(self, course: Course, call: Call, offer: graph.Offer) -> Decision:
        """List the actions that are open, and the end if the offer may end."""
        side = self.side(course, call, offer.by)
        question = f"offer {', '.join(name for name, _ in offer.actions)}"
        return Decision(side, question, self.offered(course, call, offer, side).open(), None)

    def offered(self, course: Course, call: Call, offer: graph.Offer, side: str) -> Candidates:
        """Say what is offered: actions, those being open that can be finished legally, and the end."""
        offering = self.offerings.get(id(offer))
        if offering is None:
            offering = self.offerings[id(offer)] = Offering(offer, self.openings, self.evaluator)
        state, names = course.state, call.names
        return Candidates(offering.options(state, names), partial(offering.is_open, state, names, side), itself)

    def opening(self, key: str, values: tuple[Value, ...], side: str) -> Names:
        """Bind the parameters of an action."""
        return self.openings[self.programs[key].procedure.name].names(values, side)

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
        picked = partial(as_option, step.name)
        chosen: tuple[Value, ...] = call.names.get("#chosen", ())
        allowed = self.sizes(course, call, step)
        if call.at >= program.prefix:
            return Candidates(tuple(free_members(step, found, chosen, allowed)), always, picked)
        done = sum(isinstance(earlier, graph.Choose) for earlier in program.code[: call.at])
        search, state = self.searches[call.key], course.state
        sure = search.chosen_last(state, done, step, call.names)
        if not step.how:
            last = search.prefix.hastened.ends(done + 1)
            legal = always if last else finishing(search, course, step, done, call.names)
            return Candidates(found, legal, picked, sure)

        def grows(member: Value) -> bool:
            if member is STOP_ADDING:
                return search.completes(state, done + 1, {**call.names, step.name: chosen})
            return search.continues(state, done, dict(call.names), (*chosen, member))

        more = allowed is None or len(chosen) + 1 < allowed.stop
        members = (rest if step.how == "order" else later)(found, chosen) if more else ()
        stop = (STOP_ADDING,) if may_stop(step, chosen, allowed) else ()
        return Candidates((*members, *stop), grows, picked, next_of(sure, chosen))

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


def itself(option: Option) -> Option:
    """Take the candidates of an offer as they are."""
    return option


def as_option(name: str, member: Value) -> Option:
    """Write a candidate of a choice as an option."""
    return STOP_ADDING if member is STOP_ADDING else Option(PICK, name, member)


def always(_: Value) -> bool:
    """Let every candidate be an option."""
    return True


def finishing(search: Search, course: Course, step: graph.Choose, done: int, names: Names) -> Callable[[Value], bool]:
    """Say of single candidates whether the action can be finished with them: of those that are alike, of one."""
    state = course.state
    sorter = sorting(search.prefix, step.name, state, names)
    settled: dict[Likeness, bool] = {}

    def is_open(member: Value) -> bool:
        like = sorter.likeness(member) if sorter else None
        found = settled.get(like) if like is not None else None
        if found is None:
            found = search.completes(state, done + 1, {**names, step.name: member})
            if like is not None:
                settled[like] = found
        return found

    return is_open


def next_of(whole: tuple[Value, ...], chosen: tuple[Value, ...]) -> Value:
    """Say what comes next on the way to a set or an order that is known to be legal."""
    if whole is UNKNOWN or whole[: len(chosen)] != chosen:
        return UNKNOWN
    return whole[len(chosen)] if len(whole) > len(chosen) else STOP_ADDING


def free_members(
    step: graph.Choose, found: tuple[Value, ...], chosen: tuple[Value, ...], allowed: range | None
) -> Iterator[Value]:
    """Yield the candidates of a choice that no condition follows."""
    members = found
    if step.how:
        members = (rest if step.how == "order" else later)(found, chosen)
    if allowed is not None:
        # Who comes too late in a set leaves too few behind it.
        missing = allowed.start - len(chosen) if step.how == "any" else 0
        members = members[: max(0, len(members) - missing + 1)] if missing > 0 else members
        members = members if len(chosen) + 1 < allowed.stop else ()
    yield from members
    if may_stop(step, chosen, allowed):
        yield STOP_ADDING


def may_stop(step: graph.Choose, chosen: tuple[Value, ...], allowed: range | None) -> bool:
    """Say whether enough members are chosen; an order without bounds is one of all."""
    return step.how == "any" if allowed is None else len(chosen) in allowed
