"""Lowering of counters, whose printed values pieces take when they are created or flipped."""

from dataclasses import dataclass

from compiler.core import reads
from compiler.core.expressions import ExpressionLowering
from compiler.core.ir import Core


@dataclass(frozen=True, slots=True)
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
            {
                factor: lowering.coerce(
                    lowering.lower(value, {}), reads.printed_representation(lowering, factor), f"printed:{factor}"
                )
                for factor, value in each.printed
            },
            each.back,
            fronts.get(name, ""),
        )
        for name, each in counters.items()
    }
