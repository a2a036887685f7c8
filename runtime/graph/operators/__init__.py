"""All that `Op` may name: the one place where `<`, `+` and `round_down` get a meaning.

An operator is one record (`record.py`), in the file of its family; what must be known of it stands there and nowhere
else.
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

# The signs that hold one thing against another, and each with its sides exchanged.
MIRRORED = {each.name: each.phrase.mirrored for each in OPERATORS.values() if isinstance(each.phrase, Comparison)}
COMPARISONS = frozenset(MIRRORED)
