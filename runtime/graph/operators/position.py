"""Functions of the position. Their first argument is not a value but a name: of a relation, or of kinds of piece.

Evaluators pass the relation or the kinds themselves to `compute`.
"""

from functools import partial
from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.operators.record import (
    Call,
    Operands,
    Operator,
    PhraseFunction,
    unbounded,
    whether_phrase,
)
from runtime.graph.phrases import pair_sentence

if TYPE_CHECKING:
    from runtime.graph.wording import Wording


def _payload(operands: Operands) -> graph.Type:
    relation = operands.arguments[0]
    found = operands.vocabulary.relations.get(relation.name) if isinstance(relation, graph.Member) else None
    return found.payload.type if found and found.payload else graph.Nothing()


def _reserve(operands: Operands) -> graph.Type:
    kinds = tuple(kind.name for kind in operands.arguments if isinstance(kind, graph.Member))
    return graph.Many("set", graph.Piece(kinds))


def _related(wording: "Wording", expr: graph.Op, holds: bool) -> str:  # noqa: FBT001 - what every clause is told.
    relation, left, right = wording.phrases(expr.arguments)
    return wording.stated(expr, "", holds=holds) or pair_sentence(relation, left, right, holds=holds)


def _payload_phrase(wording: "Wording", expr: graph.Op) -> str:
    """Return the phrase for the payload of a pair."""
    _, left, right = wording.phrases(expr.arguments)
    relation = wording.vocabulary.relations[expr.arguments[0].name]  # type: ignore[union-attr]  # a Member, by its form
    payload_name = words.factor_name(relation.payload.name, wording.vocabulary) if relation.payload else "note"
    return f"the {payload_name} of {left} with {right}"


def _waiting(wording: "Wording", expr: graph.Op) -> str:
    return f"the {wording.members(expr)}"


# Functions that read the position.
_of_position = partial(
    Operator, takes=None, needs="state", bounds=unbounded, algebra="", whole="never sure", commutes=False,
    alterations=(), first_alone=False, cost="look", of_hexes=False, beyond_rows=False,
)  # fmt: skip


POSITION = (
    _of_position(
        "related", ("relation, piece, piece -> yes_no",),
        "whether two pieces are related, written with the name of the relation: `carries(a, b)`",
        result=graph.YesNo(), compute=lambda s, r, a, b: s.related(r, a, b), reads="pairs",
        python="(({1}, {2}) in s.pairs[{0}].payload)", notation=Call(),
        phrase=PhraseFunction(whether_phrase, _related, None), large=False,
    ),
    _of_position(
        "payload", ("relation, piece, piece -> payload",),
        "what a pair keeps, written with the name of the relation and of what it keeps: `carries(a, b).load`",
        result=_payload, compute=lambda s, r, a, b: s.payload(r, a, b), reads="pairs",
        python="s.pairs[{0}].payload[{1}, {2}]", notation=Call(),
        phrase=PhraseFunction(_payload_phrase, None, None), large=False,
    ),
    _of_position(
        "reserve", ("set piece -> set piece",), "the pieces of a kind that are off the map",
        result=_reserve, compute=lambda s, *kinds: s.reserve(kinds), reads="reserve", python="s.reserve(({*},))",
        notation=Call(), phrase=PhraseFunction(_waiting, None, None), large=True,
    ),
)  # fmt: skip
