"""Counterfactuals of a refusal: the smallest changes of a position after which a refused action is allowed.

In: a machine, a playthrough at a decision (as the deciding side sees it), and words that name the refused action, in
any order. Out: `Counterfactual`. The failing condition is evaluated again on a state that records reads. The values
read, the marks and tracks of the named pieces, and the places of these are changed in copies, one at a time and then
two, and the action is tried again: every reported change is verified. The map, printed values, the clock and the rules
are not varied.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import value_as_name, value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import SLOW, TooMuchWork, open_budget
from runtime.graph.members import members_of
from runtime.graph.predeclared_types import SIDE
from runtime.graph.wording import Wording
from runtime.play.machine import Machine
from runtime.play.playthrough import Playthrough
from runtime.play.refusal import PIECE, find_refusals
from runtime.play.refusal_parts import ActionRefusal
from runtime.play.tryout_playthrough import TryoutPlaythrough
from runtime.play.word_binding import values_named
from runtime.state import change
from runtime.state.noted_reads import PartRead, ReadState
from runtime.state.position import State
from runtime.state.record import Value

_T = TypeVar("_T")
SUBJECTS: dict[str, graph.Type] = {"hex": graph.Hex(), "hexside": graph.Hexside(), "side": SIDE}

# The limits of trials: single changes, pairs of changes, and values of a bisection.
SINGLE, PAIRS, STEPS = 80, 60, 12
# The hexes to which the first named piece is moved, the nearest first.
HEXES = 36
# The first changes that are combined with a second.
FIRSTS = 6


class _PositionChange(NamedTuple):
    """One change: a mark, track or fact with another value, a removed pair, a piece in another hex.

    `key` is that of the status, track or relation; `subject` the piece, hex, side or pair; `value` the new value (for a
    piece the hex, None off the map). `text` is a clause that holds after the change: "T is not fired".
    """

    kind: str
    key: str
    subject: Value
    value: Value
    text: str

    @property
    def changed_place(self) -> tuple[str, str, Value]:
        """Return the key of the change without its new value."""
        return self.kind, self.key, self.subject

    def previous_value(self, state: State) -> Value:
        """Return the value of a track or fact before the change."""
        return state.fact(self.key) if self.kind == "fact" else state.track(self.key, self.subject)

    def apply(self, state: State) -> None:
        """Apply the change to a state."""
        match self.kind:
            case "mark":
                (change.mark if self.value else change.unmark)(state, self.key, self.subject)
            case "track":
                change.set_track(state, self.key, self.subject, self.value)
            case "fact":
                change.set_fact(state, self.key, self.value)
            case "pair":
                change.unrelate(state, self.key, *self.subject)
            case _ if self.value is None:
                change.take_off_board(state, self.subject)
            case _:
                change.move(state, self.subject, self.value)


class Counterfactual(NamedTuple):
    """Verified changes that would allow a refused action, smallest first.

    `changes` is empty where no change that was tried allows it. `trial_count` is the number of trials; `is_cut`: the
    limit was reached.
    """

    refusal: ActionRefusal
    changes: tuple[tuple[_PositionChange, ...], ...]
    trial_count: int
    is_cut: bool


def what_would_allow(machine: Machine, playthrough: Playthrough, word_list: Sequence[str]) -> list[Counterfactual]:
    """Find counterfactuals for each refused action that binds most of the words; [] if none is refused."""
    found = find_refusals(machine, playthrough, word_list)
    most = max((each.bound_word_count for each in found), default=0)
    best = [each for each in found if each.bound_word_count == most and each.action and not each.unused_words]
    if any(not each.reason for each in best):
        return []
    # What is explained comes first; where nothing would allow that, something else that the words name may be allowed.
    first: list[Counterfactual] = []
    for explained in (True, False):
        group = [each for each in best if bool(each.explanation) is explained]
        counterfactuals = _fitting(machine, playthrough, word_list, group) if group else []
        if any(each.changes for each in counterfactuals):
            return counterfactuals
        first = first or counterfactuals
    return first


def _fitting(
    machine: Machine, playthrough: Playthrough, word_list: Sequence[str], group: Sequence[ActionRefusal]
) -> list[Counterfactual]:
    """Find counterfactuals for the refusals that match the words best."""
    best_score = max(each.match_score for each in group)
    return [
        _ChangeSearch(machine, playthrough, word_list, each).search()
        for each in group
        if each.match_score == best_score
    ]


class _ChangeSearch:
    """The search of changes for one refusal."""

    def __init__(
        self, machine: Machine, playthrough: Playthrough, word_list: Sequence[str], refusal: ActionRefusal
    ) -> None:
        self.machine, self.playthrough, self.word_list, self.refusal = (
            machine.without_listeners(),
            playthrough,
            tuple(word_list),
            refusal,
        )
        self.trial_count, self.is_cut = 0, False

    def search(self) -> Counterfactual:
        """Try single changes, then pairs where another condition still fails after the first change."""
        plain = self.quick_refusal(self.playthrough)
        single: list[tuple[_PositionChange, ...]] = []
        firsts: list[_PositionChange] = []
        for each in self.take_limited(self.candidates(self.playthrough, self.refusal), SINGLE):
            left = self.refusal_after((each,))
            if left is None:
                continue
            if not left.reason:
                single.append((self.smallest_change(each),))
            elif plain is None or left.reason != plain.reason:
                firsts.append(each)
        single += [(each,) for each in self.nearest_moves()]
        changes = tuple(dict.fromkeys(single)) or tuple(self.allowing_pairs(firsts[:FIRSTS]))
        return Counterfactual(self.refusal, changes, self.trial_count, self.is_cut)

    def allowing_pairs(self, firsts: Sequence[_PositionChange]) -> Iterator[tuple[_PositionChange, ...]]:
        """Yield the pairs of changes that allow the action."""
        seen: set[frozenset[_PositionChange]] = set()
        pairs = ((first, second) for first in firsts for second in self.seconds(first))
        for pair in self.take_limited(pairs, PAIRS):
            if frozenset(pair) in seen or len({each.changed_place for each in pair}) < len(pair):
                continue
            seen.add(frozenset(pair))
            if (left := self.refusal_after(pair)) is not None and not left.reason:
                yield pair

    def seconds(self, first: _PositionChange) -> Iterator[_PositionChange]:
        """Yield the candidates for a second change."""
        trial = self.copy_with_changes((first,))
        if (refusal := self.quick_refusal(trial)) is not None:
            yield from self.candidates(trial, refusal)

    def take_limited(self, elements: Iterable[_T], most: int) -> Iterator[_T]:
        """Yield at most `most` elements, and record if there are more."""
        for number, each in enumerate(elements):
            if number >= most:
                self.is_cut = True
                return
            yield each

    # ---------------------------------------------------------------- asking again

    def refusal_after(self, changes: Sequence[_PositionChange]) -> ActionRefusal | None:
        """Return the refusal after some changes; None where the words no longer name an action."""
        self.trial_count += 1
        return self.quick_refusal(self.copy_with_changes(changes))

    def copy_with_changes(self, changes: Sequence[_PositionChange]) -> Playthrough:
        """Return a copy of the playthrough with changes applied."""
        trial = TryoutPlaythrough.copy_of(self.playthrough)
        for each in changes:
            each.apply(trial.state)
        trial.endings_checked_to = -1  # These changes are in no journal.
        return trial

    def quick_refusal(self, playthrough: Playthrough) -> ActionRefusal | None:
        """Return the refusal of the same words and action, without an explanation."""
        with suppress(Unanswered, KeyError), open_budget():
            found = find_refusals(self.machine, playthrough, self.word_list, explains=False)
            same = [each for each in found if each.action == self.refusal.action and not each.unused_words]
            return min(same, key=lambda each: bool(each.reason), default=None)
        return None

    def smallest_change(self, change_: _PositionChange) -> _PositionChange:
        """Return the change with the integer nearest to the current value that suffices."""
        if change_.kind not in ("track", "fact"):
            return change_
        before, after = change_.previous_value(self.playthrough.state), change_.value
        numbers = type(before) is int and type(after) is int
        if not numbers or abs(after - before) > STEPS:
            return change_
        step = 1 if after > before else -1
        for value in range(before + step, after, step):
            nearer = self.written_change(change_.kind, change_.key, change_.subject, value)
            if (left := self.refusal_after((nearer,))) is not None and not left.reason:
                return nearer
        return change_

    # ---------------------------------------------------------------- what could be otherwise

    def candidates(self, playthrough: Playthrough, refusal: ActionRefusal) -> Iterator[_PositionChange]:
        """Yield candidate changes: of values read, of marks and tracks of the named pieces, of places."""
        state = playthrough.state
        pieces = [piece for word in self.word_list for piece in values_named(state, PIECE, word)]
        reads = list(self.read(state, refusal))
        seen: set[_PositionChange] = set()
        for each in self.candidate_changes(state, pieces, reads):
            if each not in seen:
                seen.add(each)
                yield each

    def candidate_changes(
        self, state: State, pieces: Sequence[int], reads: Sequence[PartRead]
    ) -> Iterator[_PositionChange]:
        """Yield changes of values read and of named pieces; those of reads about named pieces first."""
        about = [each for each in reads if each.subject in pieces and each.kind != "here"]
        for each in (*about, *(each for each in reads if each not in about)):
            yield from self.alternatives_of(state, each)
        for piece in pieces:
            for part in _parts_noted(state, piece):
                yield from self.alternatives_of(state, part)

    def nearest_moves(self) -> Iterator[_PositionChange]:
        """Yield the moves of the first named piece to nearby hexes, nearest first."""
        state, board = self.playthrough.state, self.playthrough.state.board
        piece = next((piece for word in self.word_list for piece in values_named(state, PIECE, word)), None)
        if piece is None or (start := state.hex[piece]) < 0:
            return
        far = [(board.distance(start, space), space) for space in range(board.size) if space != start]
        found: int | None = None
        for distance, space in self.take_limited(sorted(far), HEXES):
            if found is not None and distance > found:
                return
            each = self.moved_change(state, piece, space)
            if (left := self.refusal_after((each,))) is not None and not left.reason:
                found = distance
                yield each

    def read(self, state: State, refusal: ActionRefusal) -> Iterator[PartRead]:
        """Evaluate the failing condition again and yield its reads."""
        if refusal.failing is None:
            return
        read_state, (condition, names, _) = ReadState.copy_of(state), refusal.failing
        with suppress(Unanswered, KeyError, TooMuchWork), open_budget(SLOW):
            Interpreter(self.machine.graph).evaluate(read_state, condition, dict(names))
        yield from read_state.reads

    def alternatives_of(self, state: State, part: PartRead) -> Iterator[_PositionChange]:
        """Yield the alternatives of a part of a position."""
        match part.kind:
            case "mark":
                yield self.written_change("mark", part.key, part.subject, part.subject not in state.marks[part.key])
            case "track" | "fact" if part.key in state.graph.vocabulary.tracks:
                before = state.fact(part.key) if part.kind == "fact" else state.track(part.key, part.subject)
                for value in _alternative_values(state, part.key, before):
                    yield self.written_change(part.kind, part.key, part.subject, value)
            case "pairs":
                for left, right in state.pairs[part.key].payload:
                    if part.subject in (left, right):
                        yield self.written_change("pair", part.key, (left, right), None)
            case "here":
                for piece in state.at.get(part.subject, ()):
                    yield self.moved_change(state, piece, None)
            case _:
                pass

    def written_change(self, kind: str, key: str, subject: Value, value: Value) -> _PositionChange:
        """Return the change of a mark, track or fact, with its clause."""
        return _PositionChange(
            kind, key, subject, value, _change_clause(self.playthrough.state, kind, key, subject, value)
        )

    def moved_change(self, state: State, piece: int, space: int | None) -> _PositionChange:
        """Return the move of a piece to another hex or off the map, with its clause."""
        name = state.sheets[piece].name
        clause = f"{name} is not on the map" if space is None else f"{name} is in {state.board.names[space]}"
        return _PositionChange("piece", "", piece, space, clause)


def _parts_noted(state: State, piece: int) -> Iterator[PartRead]:
    """Yield the parts about a piece: its marks, its tracks with a value, its pairs."""
    kind_prefix = f"{state.kind[piece]}."
    yield from (
        PartRead("mark", key, piece)
        for key, pieces in state.marks.items()
        if key.startswith(kind_prefix) and piece in pieces
    )
    for key, track in state.tracks.items():
        if key.startswith(kind_prefix) and piece in track:
            yield PartRead("track", key, piece)
    yield from (PartRead("pairs", relation, piece) for relation in state.pairs)


def _alternative_values(state: State, key: str, before: Value) -> Iterator[Value]:
    """Yield alternative values of a track: the initial value, the opposite boolean, the ends of its range."""
    track, others = state.graph.vocabulary.tracks[key], list[Value]()
    others.append(state.frame.initial[key])
    match track.type:
        case graph.YesNo():
            others += [True, False]
        case graph.Enum(name):
            others += members_of(state.graph.vocabulary, name)
        case graph.Number(low, high):
            others += [end for end in (low, high) if isinstance(end, int)]
        case _:
            pass
    yield from (value for value in dict.fromkeys(others) if value != before)


def _change_clause(state: State, kind: str, key: str, subject: Value, value: Value) -> str:
    """Return the clause that holds after a change, in the terms of the vocabulary."""
    vocabulary = state.graph.vocabulary
    owner, _, name = key.partition(".")
    match kind:
        case "mark":
            type_ = SUBJECTS.get(owner, PIECE)
            wording = Wording(state.graph, {"it": value_as_name(state, subject, type_)}, {"it": type_})
            test = graph.Is(graph.Var("it"), (graph.Test("status", owner, name),), negated=not value)
            return wording.clause(test)
        case "pair":
            left, right = (state.sheets[piece].name for piece in subject)
            return f"the pair of {left} and {right} ({words.readable_name(key)}) is parted"
        case _:
            value_phrase = value_text(state, value, vocabulary.tracks[key].type)
            subject_phrase = (
                "" if subject is None else f" of {value_as_name(state, subject, SUBJECTS.get(owner, PIECE))}"
            )
            return f"the {words.factor_name(name, vocabulary)}{subject_phrase} is {value_phrase}"
