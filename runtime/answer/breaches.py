"""Check the `always` facts of a stack against its counters and against a position.

The input is a graph, or an interpreter and a state; the output is the violated facts, and what violates them. Proofs
assume the facts; a number in a chart, a piece on a card or a step of a procedure could contradict them.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import value_text
from runtime.board.board import runtime_board
from runtime.graph import nodes as graph
from runtime.graph.always_facts import facts_of_positions, printed_kinds
from runtime.graph.answer_errors import Unanswered
from runtime.graph.predeclared_types import member_of
from runtime.graph.type_of import type_of
from runtime.state.constants import ConstantScope
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import place_pieces

EMPTY_BOARD = graph.Board("", {}, (), (), {})


class Breach(NamedTuple):
    """A violated fact, with the pieces or hexes that violate it, none if it is not about each of them."""

    fact: graph.Always
    culprits: tuple[Value, ...]


def find_breaches(answers: Interpreter, state: State) -> Iterator[Breach]:
    """Return the facts that are false in a position; a fact without a value there is not violated.

    Facts about printed values alone are left out: no position changes them, and `find_misprints` compares the counters.
    """
    found = (breach_of(answers, state, fact) for fact in facts_of_positions(answers.graph))
    yield from (breach for breach in found if breach is not None)


def breach_of(answers: Interpreter, state: State, fact: graph.Always) -> Breach | None:
    """Return what violates a fact in a position, None if it holds or has no value there."""
    if _value(answers, state, fact.condition, {}) is not False:
        return None
    match fact.condition:
        case graph.Fold("every" | "none", _, source) as fold:
            return Breach(fact, tuple(_culprits(answers, state, fold, _value(answers, state, source, {}))))
        case _:
            return Breach(fact, ())


def culprit_texts(breach: Breach, state: State) -> list[str]:
    """Format what violates a fact; [] if the fact is not about each member of a set."""
    match breach.fact.condition:
        case graph.Fold(_, _, source) if (member := member_of(type_of(source, {}, state.graph))) is not None:
            return [value_text(state, culprit, member) for culprit in breach.culprits]
        case _:
            return []


def find_misprints(rules: graph.Graph) -> Iterator[tuple[graph.Always, graph.Counter]]:
    """Return the counters that violate a fact about counters."""
    facts = [(fact, kinds) for fact in rules.always if (kinds := printed_kinds(fact))]
    if not facts:
        return
    counters = list(rules.counters.values())
    state = State(rules, runtime_board(EMPTY_BOARD))
    pieces_shown = [graph.PieceAt(each.id, each.kind, each.id, each.owner, "", "", (), (), (), ()) for each in counters]
    place_pieces(state, pieces_shown, ConstantScope({}, state.frame.rank))
    answers = Interpreter(rules)
    for fact, kinds in facts:
        pieces = [piece for piece, counter in enumerate(counters) if counter.kind in kinds]
        if isinstance(fact.condition, graph.Fold):
            yield from ((fact, counters[piece]) for piece in _culprits(answers, state, fact.condition, pieces))


def _culprits(answers: Interpreter, state: State, fold: graph.Fold, members: Iterable[Value]) -> Iterator[Value]:
    """Return the members for which a universal, or negated existential, fact is false."""
    for member in members:
        names = {fold.var: member}
        applies = fold.where is None or _value(answers, state, fold.where, names) is True
        holds = fold.op == "every" and (fold.body is None or _value(answers, state, fold.body, names) is not False)
        if applies and not holds:
            yield member


def _value(answers: Interpreter, state: State, expr: graph.Expr, names: dict[str, Value]) -> Value:
    """Evaluate an expression; None if it has no value in the position."""
    try:
        return answers.evaluate(state, expr, names)
    except (Unanswered, ArithmeticError, LookupError, ValueError, TypeError):
        return None
