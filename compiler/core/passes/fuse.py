"""Loop fusion and deforestation: merge nested folds, and test membership without building the set.

In: an expression. Out: one that neither counts members to decide whether there are any, nor gathers a set only to
iterate over it or to test membership (deforestation, Wadler 1990; Gill, Launchbury and Peyton Jones 1993, A Short Cut
to Deforestation). A fold that stops early evaluates its condition for fewer members, so it replaces one that does not
stop only where the condition is total.
"""

from collections.abc import Mapping
from dataclasses import replace

from compiler.core import ir
from compiler.core.construct import NO, conjunction
from compiler.core.ir import Apply, Const, Core, Fold, FoldKind, If, Primitive
from compiler.core.passes.rewriting import substitute, with_parts
from compiler.core.passes.totality import NOTHING, Needs, Totality, stands_on_map
from compiler.core.representation import BOOL, INT, is_bit_set
from compiler.core.sharing import LetLazy

NONE, ONE = Const(0, INT), Const(1, INT)


class Fusion:
    """Fusion of the folds of a module."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        """Set up the totality analysis, which decides what may be evaluated less often."""
        self.totality = Totality(functions)

    def fuse(self, node: Core, on_map: Needs = NOTHING) -> Core:
        """Fuse folds in an expression, given the names of pieces that are known to be on the map."""
        if isinstance(node, LetLazy):
            self.totality.lazy[node.name] = node.value
        inner = on_map | {node.name} if isinstance(node, Fold) and stands_on_map(node.source) else on_map
        node = with_parts(node, lambda part: self.fuse(part, inner))
        match node:
            case Apply(Primitive.LESS, (Const() as low, Fold(FoldKind.COUNT) as pass_)) if low == NONE:
                return self.existence_test(pass_, on_map) or node
            case Apply(Primitive.EQUAL, (Fold(FoldKind.COUNT) as pass_, Const() as few)) | Apply(
                Primitive.EQUAL, (Const() as few, Fold(FoldKind.COUNT) as pass_)
            ) if few == NONE:
                return negated(self.existence_test(pass_, on_map)) or node
            case Apply(Primitive.LESS, (Fold(FoldKind.COUNT) as pass_, Const() as high)) if high == ONE:
                return negated(self.existence_test(pass_, on_map)) or node
            case Apply(Primitive.MEMBER, (ir.Local() as value, Fold(FoldKind.GATHER) as gather)):
                return self.fuse_membership(value, gather, on_map) or node
            case Fold(source=Fold(FoldKind.GATHER) as gather):
                return self.fold_over_source(node, gather, on_map)
            case _:
                return node

    def tests_are_total(self, node: Fold, on_map: Needs) -> bool:
        """Return whether the condition of a fold is total for all members."""
        known = on_map | {node.name} if stands_on_map(node.source) else on_map
        return node.condition is None or self.totality.is_total(node.condition, known)

    def existence_test(self, node: Fold, on_map: Needs) -> Core | None:
        """Replace a count by an existence test; None if the condition of the fold may trap."""
        if not self.tests_are_total(node, on_map):
            return None
        return replace(node, kind=FoldKind.SOME, body=None, default=None, representation=BOOL)

    def fuse_membership(self, value: ir.Local, gather: Fold, on_map: Needs) -> Core | None:
        """Replace a membership test in a gathered set by the condition that gathers it, else None."""
        if (
            not isinstance(gather.body, ir.Local)
            or gather.body.name != gather.name
            or not is_bit_set(gather.representation)
        ):
            return None
        if not is_bit_set(gather.source.representation) or not self.tests_are_total(gather, on_map):
            return None
        membership = Apply(Primitive.MEMBER, (value, gather.source), BOOL)
        return (
            membership
            if gather.condition is None
            else If(membership, substitute(gather.condition, {gather.name: value}), NO, BOOL)
        )

    def fold_over_source(self, node: Fold, gather: Fold, on_map: Needs) -> Core:
        """Fold over the source of a gathered set instead of the set."""
        if (
            not isinstance(gather.body, ir.Local)
            or gather.body.name != gather.name
            or not is_bit_set(gather.source.representation)
        ):
            return node
        if not self.tests_are_total(gather, on_map):
            return node
        member = ir.Local(node.name, gather.body.representation)
        tests = [] if gather.condition is None else [substitute(gather.condition, {gather.name: member})]
        tests += [] if node.condition is None else [node.condition]
        return replace(node, source=gather.source, condition=conjunction(tests) if tests else None)


def negated(node: Core | None) -> Core | None:
    """Negate an expression; None stays None."""
    return None if node is None else Apply(Primitive.NOT, (node,), BOOL)
