"""The answers of one state, and what it shares with the state that it was branched off.

In: questions (memory.py), and what events change. Out: the memory of each question, which holds what is still so.
Players and previews try things out in copies, and nearly all that is asked there was asked before the copy was made:
a branch has one memory with its parent for what no change since can have touched, and looks in the memory of the first
state it comes from for single answers that no change since concerns.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from runtime.state.memory import (
    BITS,
    LEADS,
    MOST,
    DependencySet,
    Facts,
    History,
    Key,
    Memory,
    Question,
    lately,
    leading,
    parts_in,
)
from runtime.state.parts import Change

if TYPE_CHECKING:
    from runtime.state.position import State

# Changes noted before everything is forgotten. Games have a few thousand; a search that makes and unmakes has no end.
LONGEST = 50_000


class Answers(dict[Question, Memory]):
    """The memory of one state: questions asked since the last event, and those laid aside.

    `history` says of each part when it changed, in the count of all changes, and for whom. The part that changed last
    stands last, so that who looks back passes over no more parts than have changed since. Many look back as far.
    `completions` says for each search how it was last found that something can be finished; any event may spoil that.

    A state that was branched off asks the one it was copied from (`parent`): where nothing has changed of what the
    answers to a question rest on, both have one memory. `lent` are the questions of which a branch has the memory,
    which is given up when something changes here; `borrowed` those whose memory is the parent's, until something
    changes here.
    `revision` counts all changes: what has changed since the branch was made lends nothing more.
    """

    __slots__ = (
        "_changed", "_line", "aside", "begun", "borrowed", "completions", "count", "facts", "history", "lent", "parent",
        "revision", "settled", "shared",
    )  # fmt: skip

    def __init__(self, facts: Facts, parent: "Answers | None" = None) -> None:
        """Begin knowing nothing, or what `parent` does. `facts` are those of the state, as they are and will be."""
        super().__init__()
        self.facts = facts
        self.parent = parent
        self.shared = parent is not None  # Changes count though nothing was asked yet.
        self.revision = 0
        self.begun = 0 if parent is None else parent.revision
        self.lent: set[Question] = set()
        self.borrowed: set[Question] = set()
        if parent is not None:
            parent.shared = True
        self.settled: frozenset[str] = frozenset()
        self.history: History = {}
        self.count = 0
        self._changed: dict[int, int] = {}
        self._line: Line | None = None
        self.aside: dict[Question, Memory] = {}
        self.completions: dict[Any, Any] = {}

    def happened(self, changes: Iterable[Change]) -> None:
        """Note what has changed, and lay aside what has been asked since something last did."""
        self.revision += 1
        if self.lent or self.borrowed:
            self._part_with_shared()
        if self:
            self.aside.update(self)
            self.clear()
        self._changed.clear()
        self._line = None
        self.completions.clear()
        history = self.history
        for part, subjects in changes:
            self.count += 1
            entries = history.pop(part, None)
            if entries is None:
                entries = []
            entries.append((self.count, subjects))
            history[part] = entries
        if self.count > LONGEST:
            self.forget()

    def forget(self) -> None:
        """Forget everything, where something has changed that is no part of the position."""
        self.revision += 1
        self.parent = None
        self.lent.clear()
        self.borrowed.clear()
        self.clear()
        self.aside.clear()
        self.completions.clear()
        self.history.clear()
        self._changed.clear()
        self._line = None
        self.count = 0

    def changed(self, since: int) -> int:
        """Tell the parts that have changed since some change, by their bits."""
        found = self._changed.get(since)
        if found is None:
            found = 0
            for part in reversed(self.history):
                if self.history[part][-1][0] <= since:
                    break
                found |= BITS[part]
            self._changed[since] = found
        return found

    def __missing__(self, question: Question) -> Memory:
        memory = self.aside.get(question)
        if memory is None:
            rests = question.on(self.facts)
            if rests is not None:
                self.settled |= rests.given
            memory = self._borrow(question, rests)
            if memory is None:
                memory = Memory(question, rests, self.count)
        elif len(memory) + len(memory.doubtful) >= MOST or not memory.outlasts(self):
            memory.begin(self.count)
        self[question] = memory
        return memory

    def _borrow(self, question: Question, rests: DependencySet | None) -> Memory | None:
        """Give the memory of the state this one was copied from, if what its answers rest on is the same in both."""
        parent = self.parent
        if parent is None or rests is None or parent.revision != self.begun or rests.parts & self.changed(0):
            return None
        memory = parent[question]
        if len(memory) >= MOST:
            return None
        parent.lent.add(question)
        self.borrowed.add(question)
        return memory

    def origin(self, own: Memory, rests: DependencySet, state: "State", key: Key) -> Memory:
        """Give the memory of the first state that this one comes from, if no change since concerns a key; else its own.

        Parts of which many things changed on the way make it a long look: it is taken once for all questions.
        """
        line = self._line
        if line is None:
            line = self._line = Line.to(self)
        if not line.is_valid() or line.concerns(rests, state, key):
            return own
        memory = line.states[-1][own.question]
        return own if len(memory) >= MOST else memory

    def _part_with_shared(self) -> None:
        """Leave to branches what they were lent, and to the parent what is its own."""
        for question in self.lent | self.borrowed:
            self.pop(question, None)
            self.aside.pop(question, None)
        self.lent.clear()
        self.borrowed.clear()


class Line(NamedTuple):
    """The states that one comes from, the nearest first, their revisions then, and what has changed since the first.

    `changed` are the parts, by their bits, `subjects` for whom.
    """

    states: tuple[Answers, ...]
    revisions: list[int]
    changed: int
    subjects: dict[str, frozenset[Any]]

    @classmethod
    def to(cls, here: Answers) -> "Line":
        """Follow a state back, as far as nothing has changed since in those it comes from."""
        states: list[Answers] = []
        since: list[Answers] = []
        while (parent := here.parent) is not None and parent.revision == here.begun:
            states.append(parent)
            since.append(here)
            here = parent
        changed, subjects = 0, dict[str, frozenset[Any]]()
        for each in since:
            changed |= each.changed(0)
            for part, entries in each.history.items():
                subjects[part] = subjects.get(part, frozenset()).union(lately(entries, 0))
        return cls(tuple(states), [each.revision for each in states], changed, subjects)

    def is_valid(self) -> bool:
        """Say whether there is such a state, and nothing has changed on the way."""
        return bool(self.states) and [each.revision for each in self.states] == self.revisions

    def concerns(self, rests: DependencySet, state: "State", key: Key) -> bool:
        """Say whether what has changed may spoil the answer for a key."""
        touched = rests.parts & self.changed
        if touched & rests.spoiling:
            return True
        for part in parts_in(touched):
            concerned = self.subjects[part]
            for number, way in rests.pointed[part]:
                start = key if rests.single else key[number]
                if not concerned.isdisjoint((LEADS.get(way) or leading(way))(state, start)):
                    return True
        return False
