"""Emit the code that records the use of rules: in tallies, in memoized answers, in calls of procedures, at decisions.

In: a lowered game with tallies, and what is watched. Out: texts that the writers of functions insert, and the functions
of recount.wat, by which a module plays a logged game again and records what a decision offers. Bits are recorded
wherever a term is evaluated, also when a player weighs options; what was recorded before a game is played again is
cleared by the caller.
"""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from compiler.core import control, ir
from compiler.core.game import LoweredGame
from compiler.core.passes.rewriting import subexpressions
from runtime.graph.closure import transitive_closure
from runtime.graph.count_layout import CountLayout, CountRequest
from runtime.graph.layout import Layout
from runtime.graph.walk import walk

WORD_BITS = 64
SEQUENCE = "sequence"
PHASE_ARRAY = "fact:game.phase"
PHASE_STEP, CALL_STEP = "phase", "do"

Steps = dict[int, tuple[str, str, str]]


class CountWriter:
    """The places of all records of a module, and the text that records there."""

    def __init__(self, play: LoweredGame, watched: CountRequest, functions: Mapping[str, ir.Function]) -> None:
        """Compute which functions evaluate watched terms."""
        self.play, self.watched = play, watched
        self.words = -(-play.bit_count // WORD_BITS)
        self.bits_at = self.calls_at = self.faces_at = 0
        self.bits_of_functions = _bits_by_function(functions)
        self.procedures = tuple(play.procedures.procedures_by_key)
        sequence = play.procedures.procedures_by_key[SEQUENCE]
        self.phases, self.steps = _phases_and_steps(sequence.code)

    def reserve(self, layout: Layout, address: int) -> int:
        """Assign the addresses of the records from one behind the arrays on, and return where they end."""
        self.bits_at = address
        self.calls_at = self.bits_at + 8 * self.words
        end = self.calls_at + (4 * (len(self.procedures) + len(self.steps)) + 7) // 8 * 8
        if self.watched.counters:
            self.faces_at = end
            end += layout.pieces * layout.enum_capacity
        return end

    def layout(self) -> CountLayout:
        """Return where everything is recorded."""
        return CountLayout(
            self.bits_at,
            self.words,
            self.play.first_bits,
            self.calls_at,
            self.procedures,
            tuple(self.steps.values()),
            self.faces_at,
            self.phases,
        )

    def mark(self, bit: int) -> str:
        """Emit the record of a bit."""
        word = self.word(bit // WORD_BITS)
        return f"(i64.store {word} (i64.or (i64.load {word}) (i64.const {_signed_word(1 << bit % WORD_BITS)})))"

    def word(self, index: int) -> str:
        """Emit the address of a word of bits."""
        return f"(i32.const {self.bits_at + 8 * index})"

    def words_of(self, function: str) -> tuple[int, ...]:
        """Return the words in which an answer of a function may record bits."""
        return tuple(sorted({bit // WORD_BITS for bit in self.bits_of_functions.get(function, ())}))

    def count_call(self, number: int) -> str:
        """Emit the count of a call of a procedure."""
        return self._count(number)

    def count_step(self, procedure: str, index: int) -> str:
        """Emit the count of an instruction, "" for one that is not counted."""
        if procedure != SEQUENCE or index not in self.steps:
            return ""
        return self._count(len(self.procedures) + list(self.steps).index(index))

    def _count(self, number: int) -> str:
        place = f"(i32.const {self.calls_at + 4 * number})"
        return f"(i32.store {place} (i32.add (i32.load {place}) (i32.const 1)))"

    def counted_sites(self) -> set[int]:
        """Return the offers and choices whose options may depend on watched terms, or are watched actions."""
        return {
            node.site
            for procedure in self.play.procedures.procedures_by_key.values()
            for node in procedure.code
            if isinstance(node, control.AskOffer | control.AskChoice) and self._is_counted(procedure, node)
        }

    def _is_counted(self, procedure: control.Procedure, node: control.AskOffer | control.AskChoice) -> bool:
        parts: list[object] = [node]
        if isinstance(node, control.AskChoice):
            parts.append(procedure.head)
        else:
            names = [name for name, _ in node.actions]
            if not set(names).isdisjoint(self.watched.actions):
                return True
            parts += [self.play.procedures.procedures_by_key[f"action:{name}"].head for name in names]
        return any(
            isinstance(each, ir.Call) and bool(self.bits_of_functions.get(each.function)) for each in walk(tuple(parts))
        )


def _bits_by_function(functions: Mapping[str, ir.Function]) -> dict[str, set[int]]:
    """Return the bits that the evaluation of functions may record; functions that record none are left out."""
    callers: dict[str, list[str]] = defaultdict(list)
    own_bits: dict[str, set[int]] = defaultdict(set)
    for name, function in functions.items():
        for node in subexpressions(function.body):
            match node:
                case ir.Call(callee):
                    callers[callee].append(name)
                case ir.Resolve(tally=int(first)) | ir.Verdict(tally=int(first)):
                    own_bits[name].update(range(first, first + len(node.clauses) + 2))
                case _:
                    pass
    found: dict[str, set[int]] = defaultdict(set)
    for owner, bits in own_bits.items():
        for name in transitive_closure([owner], lambda callee: callers.get(callee, ())):
            found[name] |= bits
    return dict(found)


def _phases_and_steps(code: tuple[control.Instruction, ...]) -> tuple[dict[int, str], Steps]:
    """Return the phase of each site of the sequence of play, and its counted instructions by their index."""
    phases: dict[int, str] = {}
    steps: Steps = {}
    entered: list[str] = []
    for index, node in enumerate(code):
        phase = entered[-1] if entered else ""
        match node:
            case control.Store(array, _, ir.EnumConst(name)) if array == PHASE_ARRAY:
                entered.append(name)
                steps[index] = PHASE_STEP, name, name
            case control.Invoke(key):
                steps[index] = CALL_STEP, key.partition(":")[2], phase
            case control.AskOffer(site) | control.AskChoice(site):
                phases[site] = phase
            case control.Expire(moment) if entered and moment == entered[-1]:
                entered.pop()
            case _:
                pass
    return phases, steps


def _signed_word(word: int) -> int:
    """Return a word of 64 bits as a signed number."""
    return word - (1 << WORD_BITS) if word >> WORD_BITS - 1 else word


def recount_functions() -> str:
    """Return the functions that play a logged game again."""
    return (Path(__file__).parent / "recount.wat").read_text(encoding="utf-8")
