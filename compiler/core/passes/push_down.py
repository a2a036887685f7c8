"""Predicate push-down: restrict the source of a fold by its conditions.

In: an expression. Out: one in which the leading total conditions of `where` restrict the source: conditions about bits
of the members by operations on bit sets (`member_conditions.py`), a place by a fold over the pieces in or next to a hex
(predicate push-down, Selinger et al. 1979). The pieces by hexes come in another order, so that folds that depend on the
order pass over the set of them. What has to hold of every member must fail of none.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from compiler.core import ir
from compiler.core.construct import all_hold
from compiler.core.ir import Apply, Core, Fold, FoldKind, Primitive
from compiler.core.passes.member_conditions import ALL_HEXES, MemberConditions
from compiler.core.passes.rewriting import FreeNames, FreshNames, subexpressions, with_parts
from compiler.core.passes.simplify import simplify
from compiler.core.passes.totality import NO_PIECES, Pieces, are_all_on_map, core_conjuncts, is_total
from compiler.core.representation import HEX, INT, Set, is_bit_set, member_representation
from compiler.core.sharing import LetLazy

# Nested calls that are written out, and the most nodes of what they come to.
MOST_DEPTH, MOST_NODES = 3, 120
MOST_REACH = 2  # Within more hexes than these are too many to look into each.
ARGUMENTS = (ir.Local, ir.Const, ir.EnumConst)  # Arguments that may be written several times.
# The results of these do not depend on the order of members, if nothing traps.
UNORDERED = {FoldKind.COUNT, FoldKind.SOME, FoldKind.EVERY, FoldKind.SUM, FoldKind.MIN, FoldKind.MAX, FoldKind.UNITE}


class PushDown:
    """Predicate push-down in expressions."""

    def __init__(self, functions: Mapping[str, ir.Function], fresh: FreshNames) -> None:
        """Set up the analysis of free names; `functions` are those that conditions may ask."""
        self.free_names = FreeNames()
        self.functions = functions
        self.fresh_names = fresh
        self._bodies: dict[tuple[str, int], Core | None] = {}

    def push_down(self, node: Core, on_map: Pieces = NO_PIECES) -> Core:
        """Push conditions down in an expression, given the names of pieces that are known to be on the map."""
        if not isinstance(node, Fold):
            return with_parts(node, lambda part: self.push_down(part, on_map))
        inner = on_map | {node.name} if are_all_on_map(node.source) else on_map
        node = replace(
            node,
            source=self.push_down(node.source, on_map),
            condition=None if node.condition is None else self.push_down(node.condition, inner),
            body=None if node.body is None else self.push_down(node.body, inner),
            default=None if node.default is None else self.push_down(node.default, on_map),
        )
        return all_of(
            self.narrowed_source(node, on_map)
            if node.condition is not None and is_bit_set(node.source.representation)
            else node
        )

    def narrowed_source(self, node: Fold, on_map: Pieces) -> Fold:
        """Return the source of a fold, restricted by its conditions before the first that may trap."""
        assert node.condition is not None
        known = on_map | {node.name} if are_all_on_map(node.source) else on_map
        source = node.source
        shared, condition = _lazy_bindings(node.condition)
        rest = [self.asked_condition(each, node, known) for each in core_conjuncts(condition)]
        leading: list[Core] = []
        while rest and is_total(rest[0], known):
            leading.append(rest.pop(0))
        by_hex = self.has_no_order(node, rest, known)
        remaining_conditions = []
        for condition in leading:
            smaller = self.restrict_bit_set(source, condition, node.name)
            if smaller is None:
                smaller = self.restrict_to_hex(source, condition, node.name, on_map)
                smaller = smaller if smaller is None or by_hex else self.in_order(smaller)
            if smaller is None:
                remaining_conditions.append(condition)
            else:
                source = smaller
        tests: Core | None = all_hold([*remaining_conditions, *rest]) if remaining_conditions or rest else None
        for each in reversed(shared):
            if tests is not None and each.name in self.free_names.free_names(tests):
                tests = replace(each, body=tests)
        return replace(node, source=source, condition=tests)

    def in_order(self, pieces: Core) -> Core:
        """Return pieces that are found by their hexes as a set, whose members have their usual order."""
        member = ir.Local(self.fresh_names.fresh_name("near"), member_representation(pieces.representation))
        return Fold(FoldKind.GATHER, member.name, pieces, None, member, None, pieces.representation)

    def asked_condition(self, condition: Core, node: Fold, known: Pieces) -> Core:
        """Return a condition that a function is asked for by its body, if that is a set of members; or itself."""
        if not isinstance(condition, ir.Call) or not isinstance(node.source.representation, Set):
            return condition
        body = self.written_out(condition, MOST_DEPTH)
        if _is_large(body) or not is_total(body, known):
            return condition
        found = MemberConditions(node.name, node.source.representation, self.free_names).satisfying(body)
        return condition if found is None else body

    def written_out(self, node: Core, depth: int) -> Core:
        """Return an expression with the bodies of the functions that it calls, to a depth of nested calls."""
        node = with_parts(node, lambda part: self.written_out(part, depth))
        if not isinstance(node, ir.Call) or not all(isinstance(argument, ARGUMENTS) for argument in node.arguments):
            return node
        body = self.whole_body(node.function, depth)
        if body is None:
            return node
        parameters = self.functions[node.function].parameters
        values = {each.name: value for each, value in zip(parameters, node.arguments, strict=True)}
        return simplify(self.fresh_names.copy_with_fresh_names(body, values))

    def whole_body(self, name: str, depth: int) -> Core | None:
        """Return the body of a function with those of the functions that it calls; None if it is large; memoized."""
        key = name, depth
        if key not in self._bodies:
            body = self.functions[name].body if depth and name in self.functions else None
            if body is not None:
                body = None if _is_large(body) else self.written_out(body, depth - 1)
            self._bodies[key] = None if body is None or _is_large(body) else body
        return self._bodies[key]

    def has_no_order(self, node: Fold, rest: list[Core], known: Pieces) -> bool:
        """Return whether the result of a fold does not depend on the order of its members."""
        if node.kind is FoldKind.GATHER:
            return is_bit_set(node.representation)
        if node.kind is FoldKind.UNITE and not is_bit_set(node.representation):
            return False
        stops = node.kind in (FoldKind.SOME, FoldKind.EVERY)
        parts = [*rest, *([node.body] if node.kind is FoldKind.EVERY and node.body is not None else [])]
        return node.kind in UNORDERED and not (stops and any(not is_total(part, known) for part in parts))

    def restrict_bit_set(self, source: Core, condition: Core, name: str) -> Core | None:
        """Restrict a bit set to the members that satisfy a condition; None for a condition that is no set."""
        if isinstance(source, Apply) and source.primitive in (Primitive.PIECES_AT, Primitive.PIECES_IN):
            return None
        assert isinstance(source.representation, Set)
        found = MemberConditions(name, source.representation, self.free_names).satisfying(condition)
        if found is None:
            return None
        if not found.is_complement and source == ALL_HEXES:
            return found.members
        return found.restriction_of(source)

    def restrict_to_hex(self, source: Core, condition: Core, name: str, on_map: Pieces) -> Core | None:
        """Replace all pieces on the map by those in or next to a hex; None for any other condition."""
        if not isinstance(source, Apply) or source.primitive is not Primitive.PIECES_ON_MAP:
            return None
        piece_hex = ir.Load("hex", ir.Local(name, member_representation(source.representation)), HEX)
        match condition:
            case Apply(Primitive.EQUAL | Primitive.ADJACENT as primitive, (left, right)) if piece_hex in (left, right):
                place = right if left == piece_hex else left
                if name in self.free_names.free_names(place) or not is_total(place, on_map):
                    return None
                if primitive is Primitive.EQUAL:
                    return Apply(Primitive.PIECES_AT, (place,), source.representation, source.name)
                neighbors = Apply(Primitive.BESIDE, (place,), Set(HEX))
                return Apply(Primitive.PIECES_IN, (neighbors,), source.representation, source.name)
            case Apply(Primitive.NOT, (Apply(Primitive.LESS, (ir.Const(reach), Apply(Primitive.DISTANCE, ends))),)) if (
                piece_hex in ends and isinstance(reach, int) and reach <= MOST_REACH
            ):
                place = ends[1] if ends[0] == piece_hex else ends[0]
                if name in self.free_names.free_names(place) or not is_total(place, on_map):
                    return None
                around = Apply(Primitive.WITHIN, (place, ir.Const(reach, INT)), Set(HEX))
                return Apply(Primitive.PIECES_IN, (around,), source.representation, source.name)
            case _:
                return None


def _is_large(body: Core) -> bool:
    """Return whether an expression has more nodes than what is written out."""
    return next(islice(subexpressions(body), MOST_NODES, None), None) is not None


def _lazy_bindings(node: Core) -> tuple[list[LetLazy], Core]:
    """Return the shared values that an expression begins with, and the expression within them."""
    found: list[LetLazy] = []
    while isinstance(node, LetLazy):
        found.append(node)
        node = node.body
    return found, node


def all_of(node: Fold) -> Core:
    """Return the source of a fold that gathers all members of a bit set; any other fold is unchanged."""
    gathers = (
        node.kind is FoldKind.GATHER
        and node.condition is None
        and is_bit_set(node.representation)
        and node.source.representation == node.representation
    )
    if gathers and node.body in (None, ir.Local(node.name, member_representation(node.source.representation))):
        return node.source
    return node
