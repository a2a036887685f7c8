"""Pass over fewer members: conditions become part of what is passed over.

In: an expression. Out: one in which the first conditions of `where`, if they have a value for all members, narrow the
source: bits that are set by intersection of bit sets, pieces in or next to a hex by passing over the pieces there
(predicate push-down, Selinger et al. 1979; bit sets as in O'Neil and Quass 1997, Improved Query Performance with
Variant Indexes). Pieces by hexes come in another order, so that is done where no order can be told.
"""

from collections.abc import Mapping
from dataclasses import replace

from compiler.core import ir
from compiler.core.construct import conjunction
from compiler.core.ir import Apply, Core, Fold, FoldKind, Primitive
from compiler.core.passes.rewriting import FreeNames, with_parts
from compiler.core.passes.totality import NOTHING, Needs, Totality, conjuncts, stands_on_map
from compiler.core.representation import HEX, Set, is_bit_set, member_of
from compiler.core.sharing import LetLazy

# What these give is the same in whatever order members come, if nothing is a trap.
UNORDERED = {FoldKind.COUNT, FoldKind.SOME, FoldKind.EVERY, FoldKind.SUM, FoldKind.MIN, FoldKind.MAX, FoldKind.UNITE}


class PushDown:
    """Pushes conditions of a module into what is passed over."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        """Keep what says what may be asked in another order."""
        self.totality = Totality(functions)
        self.free = FreeNames()

    def pushed_down(self, node: Core, on_map: Needs = NOTHING) -> Core:
        """Push conditions down in an expression, given the names of pieces that stand on the map."""
        if isinstance(node, LetLazy):
            self.totality.lazy[node.name] = node.value
        if not isinstance(node, Fold):
            return with_parts(node, lambda part: self.pushed_down(part, on_map))
        inner = on_map | {node.name} if stands_on_map(node.source) else on_map
        node = replace(
            node,
            source=self.pushed_down(node.source, on_map),
            where=None if node.where is None else self.pushed_down(node.where, inner),
            body=None if node.body is None else self.pushed_down(node.body, inner),
            otherwise=None if node.otherwise is None else self.pushed_down(node.otherwise, on_map),
        )
        return all_of(
            self.narrowed_source(node, on_map) if node.where is not None and is_bit_set(node.source.of) else node
        )

    def narrowed_source(self, node: Fold, on_map: Needs) -> Fold:
        """Narrow what is passed over by the conditions that come before any that may be a trap."""
        assert node.where is not None
        known = on_map | {node.name} if stands_on_map(node.source) else on_map
        source, rest = node.source, conjuncts(node.where)
        leading: list[Core] = []
        while rest and self.totality.is_total(rest[0], known):
            leading.append(rest.pop(0))
        by_hex = self.has_no_order(node, rest, known)
        kept = []
        for condition in leading:
            smaller = self.by_bits(source, condition, node.name, on_map)
            if smaller is None and by_hex:
                smaller = self.by_place(source, condition, node.name, on_map)
            if smaller is None:
                kept.append(condition)
            else:
                source = smaller
        tests = [*kept, *rest]
        return replace(node, source=source, where=conjunction(tests) if tests else None)

    def has_no_order(self, node: Fold, rest: list[Core], known: Needs) -> bool:
        """Return whether a pass gives the same in whatever order members come."""
        if node.kind is FoldKind.GATHER:
            return is_bit_set(node.of)
        if node.kind is FoldKind.UNITE and not is_bit_set(node.of):
            return False
        stops = node.kind in (FoldKind.SOME, FoldKind.EVERY)
        parts = [*rest, *([node.body] if node.kind is FoldKind.EVERY and node.body is not None else [])]
        return node.kind in UNORDERED and not (stops and any(not self.totality.is_total(part, known) for part in parts))

    def by_bits(self, source: Core, condition: Core, name: str, on_map: Needs) -> Core | None:
        """Narrow a bit set by a bit of each member, or by another set."""
        if isinstance(source, Apply) and source.primitive in (Primitive.PIECES_AT, Primitive.PIECES_IN):
            return None
        match condition:
            case ir.Bit(array, ir.Local(it)) if it == name:
                mask = Apply(Primitive.MASK, (), source.of, array)
                if isinstance(source, Apply) and source.primitive is Primitive.ALL_HEXES:
                    return mask
                return Apply(Primitive.INTERSECTION, (source, mask), source.of)
            case Apply(Primitive.NOT, (ir.Bit(array, ir.Local(it)),)) if it == name:
                mask = Apply(Primitive.MASK, (), source.of, array)
                return Apply(Primitive.DIFFERENCE, (source, mask), source.of)
            case Apply(Primitive.MEMBER, (ir.Local(it), other)) if it == name and other.of == source.of:
                if name not in self.free.free_names(other) and self.totality.is_total(other, on_map):
                    return Apply(Primitive.INTERSECTION, (source, other), source.of)
                return None
            case _:
                return None

    def by_place(self, source: Core, condition: Core, name: str, on_map: Needs) -> Core | None:
        """Pass over the pieces in or next to a hex instead of all on the map."""
        if not isinstance(source, Apply) or source.primitive is not Primitive.PIECES_ON_MAP:
            return None
        here = ir.Load("hex", ir.Local(name, member_of(source.of)), HEX)
        match condition:
            case Apply(Primitive.EQUAL | Primitive.ADJACENT as primitive, (one, other)) if here in (one, other):
                place = other if one == here else one
                if name in self.free.free_names(place) or not self.totality.is_total(place, on_map):
                    return None
                if primitive is Primitive.EQUAL:
                    return Apply(Primitive.PIECES_AT, (place,), source.of, source.name)
                around = Apply(Primitive.BESIDE, (place,), Set(HEX))
                return Apply(Primitive.PIECES_IN, (around,), source.of, source.name)
            case _:
                return None


def all_of(node: Fold) -> Core:
    """Return the source of a pass that gathers all members of a bit set; any other pass stays."""
    gathers = node.kind is FoldKind.GATHER and node.where is None and is_bit_set(node.of) and node.source.of == node.of
    return node.source if gathers and node.body in (None, ir.Local(node.name, member_of(node.source.of))) else node
