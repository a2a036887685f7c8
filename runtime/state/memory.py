"""Answers kept for as long as nothing they rest on has changed.

In: a `Question`, which says what its answers rest on. Out: a `Memory` for them, by whatever decided them.
An event changes parts of a position, each for certain subjects: the hex of a piece, who stands in two hexes,
a track of a side. What rests on a part as a whole (where all units are) begins afresh. What rests on it only
for somebody its key leads to (where *this* unit is, who stands in *this* hex) is kept for everybody else:
a memory notes under each subject which answers it bears, so a move lets go the few that it concerns.

An event only notes what has changed and lays all memories aside; a memory is held against the changes
when it is next asked for. So events cost the same however many questions there are, and looking an
answer up is one dict after the other.

Parts are named in parts.py.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runtime.state.answers import Answers
    from runtime.state.position import State

# Values and positions are typed by the rule graph, not by Python.
Key = Any
Lead = Callable[["State", Any], Iterable[Any]]
Facts = Mapping[str, Any]
Way = tuple[tuple[str, str], ...]  # From a value to those it leads to: steps of `STEPS`, and what they are about.

# Answers kept for one question. A whole game asks less of any; a search through many positions may ask more.
MOST = 50_000

# What changes of a part must have cost before it is noted under whom answers rest on it: so many answers, or sets.
MANY, MANY_SETS = 400, 40


@dataclass(frozen=True)
class DependencySet:
    """What answers rest on.

    whole: parts of which any change counts. pointed: parts of which a change counts for those whom some of
    these ways lead to from the key; a way begins with the number of a value in the key, `single` if the key is
    that value itself. each: parts that are read of every member of a set in turn: a change counts for that
    member alone. given: facts that were taken for settled.
    """

    whole: frozenset[str]
    pointed: Mapping[str, tuple[tuple[int, Way], ...]] = field(default_factory=dict)
    single: bool = False
    each: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()

    @cached_property
    def parts(self) -> int:
        """Give all these parts, by their bits."""
        return self.spoiling | bits(frozenset(self.pointed))

    @cached_property
    def spoiling(self) -> int:
        """Give those of which a change may concern any answer, by their bits."""
        return bits(self.whole) | bits(self.each)


Resting = Callable[[Facts], DependencySet | None]
History = dict[str, list[tuple[int, tuple[Any, ...]]]]  # Of each part, in what number of change it changed for whom.


def anything(_: Facts) -> None:
    """Say that answers rest on who knows what: they are forgotten at every event."""
    return


def wholly(parts: Iterable[str]) -> Resting:
    """Say that answers rest on these parts as a whole."""
    rests = DependencySet(frozenset(parts))
    return lambda _: rests


class Question:
    """A question of one compiled stack; equal only to itself, so stacks share maps but no answers.

    `on` says what its answers rest on where the settled facts are these. `lost` counts the answers that changes of
    a part have cost it, and `sharp` are the parts that cost many: of those it is noted under whom answers rest on them.
    """

    __slots__ = ("lost", "many", "on", "sharp")

    def __init__(self, on: Resting = anything, many: int = MANY) -> None:
        """Note what it rests on."""
        self.on = on
        self.many = many
        self.lost: dict[str, int] = {}
        self.sharp: set[str] = set()


class Bits(dict[str, int]):
    """For each part a bit, so that sets of parts are numbers; given when a part is first met."""

    def __missing__(self, part: str) -> int:
        bit = self[part] = 1 << len(self)
        PARTS[bit] = part
        return bit


PARTS: dict[int, str] = {}
BITS = Bits()


@cache
def bits(parts: frozenset[str]) -> int:
    """Write a set of parts as a number."""
    return sum(BITS[part] for part in parts)


def parts_in(number: int) -> Iterator[str]:
    """List the parts in a number."""
    while number:
        bit = number & -number
        yield PARTS[bit]
        number ^= bit


class Memory(dict[Key, Any]):
    """The answers of one question, and under whom they are noted; `seen` says how many changes it was held against."""

    __slots__ = ("doubted", "doubtful", "leads", "notes", "parts", "question", "rests", "seen", "sharp", "whole")

    def __init__(self, question: Question, rests: DependencySet | None, seen: int) -> None:
        """Begin empty."""
        super().__init__()
        self.question = question
        self.rests = rests
        self.whole = 0 if rests is None else bits(rests.whole)
        self.parts = 0 if rests is None else rests.parts
        self.doubtful: dict[Key, tuple[Any, int]] = {}  # Sets in which members are doubted, from which doubt on.
        self.doubted: list[Any] = []
        self.notes: dict[tuple[int, Way], dict[Any, set[Key]]] = {}
        self.leads: tuple[tuple[int, Lead, dict[Any, set[Key]]], ...] = ()
        self.sharp = -1
        self.begin(seen)

    def begin(self, seen: int) -> None:
        """Know nothing, and hold it against what changes from now on."""
        self.clear()
        self.doubtful.clear()
        self.doubted.clear()
        self.seen = seen
        sharp = self.question.sharp
        if len(sharp) == self.sharp:
            for notes in self.notes.values():
                notes.clear()
            return
        self.sharp = len(sharp)
        pointed = self.rests.pointed if self.rests else {}
        ways = (way for part in sorted(sharp) for way in pointed.get(part, ()))
        self.notes = {way: defaultdict(set) for way in ways}
        self.leads = tuple(
            (number, LEADS.get(way) or leading(way), notes) for (number, way), notes in self.notes.items()
        )

    def keep(self, state: "State", key: Key, value: Any) -> Any:
        """Remember an answer."""
        self[key] = value
        for number, lead, notes in self.leads:
            start = key if self.rests.single else key[number]  # type: ignore[union-attr]  # Only what rests has leads.
            for subject in lead(state, start):
                notes[subject].add(key)
        return value

    def origin(self, state: "State", key: Key) -> "Memory":
        """Give the memory of the first of the states this one was branched off in which a key has the same answer."""
        if state.answers.parent is None or self.rests is None:
            return self
        return state.answers.origin(self, self.rests, state, key)

    def doubts(self, key: Key) -> tuple[Any, set[Any]] | None:
        """Hand over a set and the members that have changed since it was made, if that is all that has changed."""
        found = self.doubtful.pop(key, None)
        return None if found is None else (found[0], set(self.doubted[found[1] :]))

    def outlasts(self, answers: "Answers") -> bool:
        """Let go what changes of parts, each for some subjects, concern; say whether anything may be left."""
        since, self.seen = self.seen, answers.count
        if self.rests is None:
            return since == answers.count
        touched = self.parts & answers.changed(since)
        if not touched:
            return True
        if touched & self.whole:
            return False
        members: list[Any] = []
        for part in parts_in(touched):
            concerned = lately(answers.history[part], since)
            if part in self.rests.each:
                members += concerned
            for way in self.rests.pointed.get(part, ()):
                if way not in self.notes:
                    lost = self.question.lost[part] = self.question.lost.get(part, 0) + len(self)
                    if lost >= self.question.many:
                        self.question.sharp.add(part)
                    return False
                self.let_go(self.notes[way], concerned)
        if members:
            at = len(self.doubted)
            self.doubtful.update({key: (value, at) for key, value in self.items()})
            self.clear()
            self.doubted += members
        return True

    def let_go(self, notes: dict[Any, set[Key]], subjects: Iterable[Any]) -> None:
        """Forget what is noted under somebody."""
        for subject in subjects:
            for key in notes.pop(subject, ()):
                self.pop(key, None)
                self.doubtful.pop(key, None)


def lately(entries: list[tuple[int, tuple[Any, ...]]], since: int) -> list[Any]:
    """List for whom a part has changed since some change."""
    concerned: list[Any] = []
    for count, subjects in reversed(entries):
        if count <= since:
            break
        concerned += subjects
    return concerned


# Whom a value leads to.


def leading(way: Way) -> Lead:
    """Make the function that follows a way from a value; what is absent leads nowhere."""
    steps = tuple((STEPS[verb], name) for verb, name in way)

    def lead(state: "State", start: Any) -> Iterable[Any]:
        found: Iterable[Any] = (start,)
        for step, name in steps:
            found = {other for one in found if one is not None for other in step(state, one, name)}
        return found

    return lead


STEPS: dict[str, Callable[["State", Any, str], Iterable[Any]]] = {
    "each": lambda _, members, __: members,
    "hex": lambda state, piece, _: (state.hex[piece],),
    "standing": lambda state, place, _: state.at.get(place, ()),
    "around": lambda state, place, _: state.board.around[place],
    "field": lambda state, record, name: (state.field(record, name),),
    "left": lambda state, piece, relation: state.pairs[relation].lefts.get(piece, ()),
    "right": lambda state, piece, relation: state.pairs[relation].rights.get(piece, ()),
}

# The ways that are taken most.
LEADS: dict[Way, Lead] = {
    (): lambda _, start: (start,),
    (("hex", ""),): lambda state, piece: (state.hex[piece],),
    (("each", ""),): lambda _, members: members,
    (("standing", ""),): lambda state, place: state.at.get(place, ()),
}
