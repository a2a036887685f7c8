"""The table of operators of `Op`, with the only definitions of `<`, `+`, `round_down` and the like.

An operator is one record (`record.py`) in the file of its family, which contains everything that is specific to it.
"""

from runtime.graph.operators.logic import LOGIC, same
from runtime.graph.operators.maps import MAPS
from runtime.graph.operators.numbers import NUMBERS, add_up, clamp, divide, plain
from runtime.graph.operators.position import POSITION
from runtime.graph.operators.record import (
    Call,
    Clause,
    Comparison,
    Infix,
    Operands,
    Operator,
    OwnForm,
    Phrase,
    PhraseFunction,
    Prefix,
)
from runtime.graph.operators.sets import SETS, contains, span, without

__all__ = [
    "COMPARISONS",
    "MIRRORED",
    "OPERATORS",
    "Call",
    "Clause",
    "Comparison",
    "Infix",
    "Operands",
    "Operator",
    "OwnForm",
    "Phrase",
    "PhraseFunction",
    "Prefix",
    "add_up",
    "clamp",
    "contains",
    "divide",
    "plain",
    "same",
    "span",
    "without",
]  # fmt: skip

OPERATORS: dict[str, Operator] = {each.name: each for each in (*NUMBERS, *LOGIC, *SETS, *MAPS, *POSITION)}

# The signs that compare two operands, each with its mirror image.
MIRRORED = {each.name: each.phrase.mirrored for each in OPERATORS.values() if isinstance(each.phrase, Comparison)}
COMPARISONS = frozenset(MIRRORED)
