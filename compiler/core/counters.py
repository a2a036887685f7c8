"""Lowering of counters, whose printed values pieces take when they are created or flipped.

In: the counters and kinds of a graph. Out: the printed values of each counter, and the first values of each kind, as
core.
"""

from compiler.core import reads
from compiler.core.expressions import ExpressionLowering
from compiler.core.ir import Core
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class CounterFace:
    """One face of a counter: traits and printed factors by name; None where nothing is printed."""

    id: str
    kind: str
    owner: str
    traits: frozenset[str]
    printed: dict[str, Core]
    back: str
    front: str


def lower_counters(lowering: ExpressionLowering) -> dict[str, CounterFace]:
    """Lower the unit chart."""
    counters = lowering.rules.counters
    fronts = {each.back: each.id for each in reversed(counters.values()) if each.back}
    return {
        name: CounterFace(
            name,
            each.kind,
            each.owner,
            frozenset(each.traits),
            _lowered(lowering, each.printed),
            each.back,
            fronts.get(name, ""),
        )
        for name, each in counters.items()
    }


def lower_first_values(lowering: ExpressionLowering) -> dict[str, dict[str, Core]]:
    """Lower what layers added to kinds, which a piece that shows no counter has as well."""
    kinds = lowering.rules.vocabulary.kinds
    return {name: _lowered(lowering, kind.first) for name, kind in kinds.items() if kind.first}


def _lowered(lowering: ExpressionLowering, printed: tuple[tuple[str, graph.Expr], ...]) -> dict[str, Core]:
    return {
        factor: lowering.coerce(
            lowering.lower(value, {}), reads.printed_representation(lowering, factor), f"printed:{factor}"
        )
        for factor, value in printed
    }
