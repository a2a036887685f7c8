"""Lowering of automatic ends: end conditions of pairs, and values that last until the end of a moment.

In: relations, statuses and tracks of a graph. Out: a `PairEnding` by relation, and by moment the arrays that are reset.
"""

from compiler.core import control
from compiler.core.construct import EMPTY
from compiler.core.expressions import ExpressionLowering
from compiler.core.ir import Core, Local
from compiler.core.representation import Piece, Representation
from runtime.graph import nodes as graph


def lower_ending(lowering: ExpressionLowering, relation: graph.Relation, ends: graph.Expr) -> control.PairEnding:
    """Lower the end condition of a relation's pairs."""
    names: dict[str, Core] = {}
    left, right = (Local(lowering.fresh_name(each.name), Piece()) for each in (relation.left, relation.right))
    names |= {relation.left.name: left, relation.right.name: right}
    payload = None
    if relation.payload is not None:
        representation = lowering.denominators.representation(relation.payload.type, f"pairs:{relation.name}")
        names[relation.payload.name] = payload = Local(lowering.fresh_name(relation.payload.name), representation)
    return control.PairEnding(relation.name, left, right, payload, lowering.lower(ends, names))


def lower_expiry(lowering: ExpressionLowering) -> dict[str, tuple[tuple[str, Core | None, Representation | None], ...]]:
    """Return the resets at the end of each moment: statuses, and tracks with their initial values."""
    vocabulary = lowering.rules.vocabulary
    found: dict[str, list[tuple[str, Core | None, Representation | None]]] = {}
    for key, flag in vocabulary.flags.items():
        if flag.until:
            found.setdefault(flag.until, []).append((f"mark:{key}", None, None))
    for key, track in vocabulary.tracks.items():
        if track.until:
            array = f"{'fact' if track.owner in ('game', 'scenario') else 'track'}:{key}"
            representation = lowering.denominators.representation(track.type, array)
            initial: Core | None = EMPTY if isinstance(track.type, graph.Many) else None
            if track.initial is not None:
                initial = lowering.lower(track.initial, {})
            fitted = None if initial is None else lowering.coerce(initial, representation, array)
            found.setdefault(track.until, []).append((array, fitted, representation))
    return {moment: tuple(arrays) for moment, arrays in sorted(found.items())}
