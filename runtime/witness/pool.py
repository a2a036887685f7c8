"""The pool of values for positions of one graph, drawn from a stream of pseudo-random choices.

The input is a graph; the output is fresh pieces and values. All values are in the declared domains, and a kind that has
counters occurs only as one of them: a witness must be a possible position of the game. The choices are no dice: they
are not part of a game and not recorded. The same question must lead to the same witness in every process, so that the
seed is a hash of its text and the stream is defined here.
"""

import hashlib
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from string import ascii_uppercase
from typing import TypeVar

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.members import members_of
from runtime.graph.operators import MIRRORED as OF_SIGNS
from runtime.graph.operators import OPERATORS
from runtime.graph.walk import nodes_of, walk
from runtime.state.position import State
from runtime.state.record import Record, Value
from runtime.witness.candidate import Candidate
from runtime.witness.translated_position import card_facts

MULTIPLIER, ADDEND, MASK = 6364136223846793005, 1442695040888963407, (1 << 64) - 1

T = TypeVar("T")


class PseudoRandom:
    """A stream of choices: the linear congruential generator of Knuth's MMIX, upper bits only.

    (The Art of Computer Programming 2, 3.3.4.)
    """

    __slots__ = ("_state",)

    def __init__(self, seed: str) -> None:
        self._state = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")

    def number_below(self, limit: int) -> int:
        """Return a random number from 0 to `limit` - 1."""
        self._state = (self._state * MULTIPLIER + ADDEND) & MASK
        return ((self._state >> 32) * limit) >> 32

    def pick(self, among: Sequence[T]) -> T:
        """Return a random member."""
        return among[self.number_below(len(among))]

    def pick_or_none(self, among: Sequence[T]) -> T | None:
        """Return a random member; None if there is none."""
        return self.pick(among) if among else None

    def one_in(self, times: int) -> bool:
        """Return yes with probability 1 / `times`."""
        return self.number_below(times) == 0


MIRRORED = {**OF_SIGNS, "present": "present", "absent": "absent"}


@frozen_dataclass
class Target:
    """A value with this relation to a bound: `=`, `!=`, `<` and so on, or merely present or absent."""

    op: str
    bound: Value

    def admits(self, value: Value) -> bool:
        """Return whether a value meets the target."""
        if self.op in {"present", "absent"}:
            return (value is not None) == (self.op == "present")
        if value is None:
            return False
        try:
            return bool(OPERATORS[self.op].compute(value, self.bound))
        except TypeError:
            # A word beside a number, as in charts whose cells are of several kinds.
            return False

    def is_improvement(self, value: Value, than: Value) -> bool:
        """Return whether a value that does not meet the target is nearer to it than another: a small step."""
        if self.op not in {"<", "<=", ">", ">="} or value is None or than is None:
            return False
        try:
            return bool(value < than if self.op in {"<", "<="} else value > than)
        except TypeError:
            return False

    def of_operand(self, operand: Value, value: Value, rate: Value) -> "Target":
        """Return the target for an operand of an operation that has this value, and moves by `rate` with it."""
        if not rate:
            return self
        return Target(self.op if rate > 0 else MIRRORED[self.op], operand + (self.bound - value) / Fraction(rate))


# The bound of numbers where a domain has none.
UNBOUNDED_LIMIT = 20

MOST_POOL_PIECES = 6


class DomainPool:
    """The values of which positions of a graph are built."""

    def __init__(self, stack: graph.Graph, chance: PseudoRandom, counters: frozenset[str] | None = None) -> None:
        self.stack = stack
        self.chance = chance
        self.words = stack.vocabulary
        # Where two stacks have few counters in common, a piece may have another side or another printed factor.
        self.varies_printed = counters is not None
        # A side for which a game has no counters does not sit at its table.
        owners = {counter.owner for counter in stack.counters.values()}
        every_side = members_of(self.words, "side")
        self.sides = tuple(side for side in every_side if side in owners) or every_side
        self.counters: dict[str, list[graph.Counter]] = {}
        for counter in stack.counters.values():
            if counters is None or counter.id in counters:
                self.counters.setdefault(counter.kind, []).append(counter)
        self.phases = tuple(dict.fromkeys(name for procedure in stack.procedures.values() for name in procedure.phases))
        # The side on move and the phase only matter where a rule reads them.
        self.facts = card_facts(stack)
        self.clock = {node.name for node in nodes_of(graph.GameTrack, stack.rules)}
        members = {word.name for enum in self.words.enums.values() for word in enum.members}
        self._used_names = members | set(self.words.kinds) | set(stack.counters) | set(self.words.domains)

    @cached_property
    def map_readers(self) -> frozenset[str]:
        """Return the terms whose answers may depend on the neighborhood of a hex, directly or indirectly."""
        verdicts: dict[str, bool] = {}

        def reads_map(name: str) -> bool:
            if name not in verdicts:
                verdicts[name] = False
                term = self.stack.terms[name]
                nodes = walk((term.otherwise, *rules_of_term(self.stack, term)))
                verdicts[name] = any(_looks_around(node, reads_map) for node in nodes)
            return verdicts[name]

        return frozenset(filter(reads_map, self.stack.terms))

    def with_stream(self, chance: PseudoRandom) -> "DomainPool":
        """Return the same pool with another stream."""
        copied = copy(self)
        copied.chance = chance
        return copied

    def hex_names(self, count: int) -> list[str]:
        """Return names of hexes: A, B, C, without letters that have a meaning in this game, then AA, BB."""
        letters = [letter for letter in ascii_uppercase if letter not in self._used_names]
        return [*letters, *(2 * letter for letter in letters), *(3 * letter for letter in letters)][:count]

    def piece_name(self, candidate: Candidate, wish: str) -> str:
        """Return a name for a piece after its purpose; a single letter is a hex."""
        position = candidate.position
        known = self._used_names.union(position.board.hexes, (piece.name for piece in position.pieces))
        wish = wish.partition("_")[0].capitalize() if len(wish) > 1 else "Piece"
        numbered = (f"{wish}{number}" for number in range(2, 99))
        return next(name for name in (wish, *numbered) if name not in known)

    def make_piece(self, candidate: Candidate, kind: str, wish: str, space: str) -> graph.PieceAt:
        """Build a piece of a kind."""
        name = self.piece_name(candidate, wish)
        piece = graph.PieceAt(name, kind, "", "", space, "", (), (), (), ())
        if kind in self.counters:
            return self.with_counter(piece, self.chance.pick(self.counters[kind]))
        owner = self.chance.pick_or_none(self.sides) or ""
        factors = ((factor.name, self.make_value(factor.type, candidate)) for factor in self.words.kinds[kind].printed)
        return replace(piece, owner=owner, printed=tuple((name, value) for name, value in factors if value is not None))

    def with_counter(self, piece: graph.PieceAt, counter: graph.Counter) -> graph.PieceAt:
        """Convert a piece to one of another counter, of a side that has it."""
        owner = counter.owner or piece.owner or self.chance.pick_or_none(self.sides) or ""
        return replace(piece, kind=counter.kind, counter=counter.id, owner=owner, printed=(), traits=())

    def kind_of(self, type_: graph.Type) -> str:
        """Choose a kind that matches a type of piece."""
        kinds = type_.kinds if isinstance(type_, graph.Piece) else ()
        return self.chance.pick(kinds or tuple(self.words.kinds))

    def make_value(self, type_: graph.Type, candidate: Candidate) -> graph.Expr | None:
        """Build a value of a type, None if the candidate contains none."""
        match type_:
            case graph.Number(low, high, measure):
                least = low if low is not None else min(0, high or 0)
                most = UNBOUNDED_LIMIT if high is None else high
                return graph.Num(Fraction(least + self.chance.number_below(most - least + 1)), measure)
            case graph.YesNo():
                return graph.Truth(self.chance.one_in(2))
            case graph.Enum(name):
                member = self.chance.pick_or_none(self.list_members(name))
                return None if member is None else graph.Member(name, member)
            case graph.Scale(name):
                place = self.chance.pick_or_none(self.words.scales[name].places)
                return None if place is None else graph.Place(name, *place)
            case graph.Hex():
                return graph.Spot("hex", self.chance.pick(tuple(candidate.position.board.hexes)))
            case graph.Piece(kinds):
                piece_names = [p.name for p in candidate.position.pieces if not kinds or p.kind in kinds]
                return graph.Spot("piece", self.chance.pick(piece_names)) if piece_names else None
            case graph.Hexside():
                return graph.Op("between", self._neighbors(candidate))
            case graph.RecordOf(name):
                return self.make_record(name, candidate)
            case graph.Many(_, inner):
                elements = [self.make_value(inner, candidate) for _ in range(self.chance.number_below(3))]
                return graph.SetOf(tuple(dict.fromkeys(element for element in elements if element is not None)))
            case graph.Crossing() | graph.CellOf() | graph.Nothing():
                return None

    def make_record(self, name: str, candidate: Candidate) -> graph.New | None:
        """Build a record; None if the candidate lacks a value of one of its fields."""
        declared = self.words.records[name]
        field_values = [(field.name, self.make_value(field.type, candidate)) for field in declared.fields]
        if any(value is None and field not in declared.optional for field, value in field_values):
            return None
        return graph.New(name, tuple((field, value) for field, value in field_values if value is not None))

    def list_members(self, enum: str) -> Sequence[str]:
        """Return the members of an enumeration, or of a built-in one."""
        match enum:
            case "kind":
                return tuple(self.words.kinds)
            case "phase":
                return self.phases
            case "side":
                return self.sides
            case _:
                return members_of(self.words, enum)

    def _neighbors(self, candidate: Candidate) -> tuple[graph.Expr, graph.Expr]:
        """Choose two hexes beside each other: in one row, or connected."""
        board = candidate.position.board
        names_by_cell = {
            (column, row): name for name, (column, row, _) in board.hexes.items() if name not in board.shapes
        }
        pairs = [
            (name, names_by_cell[column + 1, row])
            for (column, row), name in names_by_cell.items()
            if (column + 1, row) in names_by_cell
        ]
        first, second = self.chance.pick([*pairs, *(link[:2] for link in board.links)])
        return graph.Spot("hex", first), graph.Spot("hex", second)


def _looks_around(node: object, looks: Callable[[str], bool]) -> bool:
    match node:
        case graph.Op(op):
            return OPERATORS[op].beyond_rows
        case graph.Ask(term):
            return looks(term)
        case _:
            return False


def literal_text(value: Value, type_: graph.Type, state: State) -> graph.Expr | None:
    """Convert a plain value to its literal; None if its type does not admit it."""
    match type_:
        case graph.Number(low, high, measure):
            outside = (low is not None and value < low) or (high is not None and value > high)
            return None if outside else graph.Num(Fraction(value), measure)
        case graph.YesNo():
            return graph.Truth(bool(value))
        case graph.Enum(name):
            return graph.Member(name, value)
        case graph.Scale(name):
            places = {number: text for text, number in state.graph.vocabulary.scales[name].places}
            return graph.Place(name, places[value], value) if value in places else None
        case graph.Hex():
            return graph.Spot("hex", state.board.names[value])
        case graph.Piece():
            return graph.Spot("piece", state.sheets[value].name)
        case graph.Hexside():
            return graph.Op("between", tuple(graph.Spot("hex", state.board.names[end]) for end in value))
        case graph.Many(_, inner):
            elements = [literal_text(each, inner, state) for each in value]
            return (
                None if None in elements else graph.SetOf(tuple(element for element in elements if element is not None))
            )
        case graph.RecordOf():
            return _record(value, state)
        case _:
            return None


def _record(record: Record, state: State) -> graph.Expr | None:
    declared = {field.name: field.type for field in state.graph.vocabulary.records[record.type].fields}
    fields = ((name, literal_text(value, declared[name], state)) for name, value in record.fields.items())
    return graph.New(record.type, tuple((name, value) for name, value in fields if value is not None))
