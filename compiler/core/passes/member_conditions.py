"""Conditions about a member of a bit set as bit sets of the members that satisfy them.

In: a total condition with the name of a member. Out: the bit set of all members for which it holds, or of those for
which it does not: conjunctions become intersections, negations differences, and tests that do not depend on the member
select between sets (bit-sliced evaluation of predicates; O'Neil and Quass 1997, Improved Query Performance with Variant
Indexes). Evaluation of the set evaluates every part of the condition, so that all of them have to be total.
"""

from typing import NamedTuple

from compiler.core import ir
from compiler.core.construct import NO, YES
from compiler.core.ir import Apply, Core, If, Local, Primitive
from compiler.core.passes.rewriting import FreeNames
from compiler.core.representation import HEX, Set

ALL_HEXES = Apply(Primitive.ALL_HEXES, (), Set(HEX))


class _MemberSet(NamedTuple):
    """The members that satisfy a condition; with `is_complement` those that do not."""

    members: Core
    is_complement: bool

    def negated(self) -> "_MemberSet":
        """Return the members for the negated condition."""
        return _MemberSet(self.members, not self.is_complement)

    def restriction_of(self, source: Core) -> Core:
        """Return the members of a set that satisfy the condition."""
        operation = Primitive.DIFFERENCE if self.is_complement else Primitive.INTERSECTION
        return Apply(operation, (source, self.members), source.representation)


class MemberConditions:
    """The conversion of conditions about the member `name` of a set of a representation."""

    def __init__(self, name: str, representation: Set, free_names: FreeNames) -> None:
        """Set up the conversion."""
        self.name = name
        self.representation = representation
        self.free_names = free_names

    def satisfying(self, condition: Core) -> _MemberSet | None:
        """Return the members that satisfy a condition; None where it is not about membership in sets."""
        match condition:
            case ir.Bit(array, Local(self.name)):
                return self.set_of(Primitive.MASK, name=array)
            case Apply(Primitive.MEMBER, (Local(self.name), other)) if other.representation == self.representation:
                return None if self.is_about_member(other) else _MemberSet(other, is_complement=False)
            case Apply(Primitive.MEMBER, (other, Apply(Primitive.ACROSS, (Local(self.name),), _, array))):
                # Of two hexes each lies across the side of the other.
                return None if self.is_about_member(other) else self.set_of(Primitive.ACROSS, other, name=array)
            case Apply(Primitive.NOT, (inner,)):
                found = self.satisfying(inner)
                return found and found.negated()
            case If(test, then, orelse):
                return self.selected(test, then, orelse) if not self.is_about_member(test) else self.joined(condition)
            case _ if condition in (YES, NO):
                return _MemberSet(ir.Members((), self.representation), condition == YES)
            case _:
                return None

    def joined(self, node: If) -> _MemberSet | None:
        """Return the members for a conjunction or a disjunction."""
        test, then, orelse = (self.part(each) for each in (node.condition, node.then, node.orelse))
        if node.orelse == NO and test and then:
            return self.common(test, then)
        if node.then == YES and test and orelse:
            return self.common(test.negated(), orelse.negated()).negated()
        return None

    def part(self, condition: Core) -> _MemberSet | None:
        """Return the members for a part of a condition, all or none if it is not about the member."""
        if condition in (YES, NO) or self.is_about_member(condition):
            return self.satisfying(condition)
        return self.selected(condition, YES, NO)

    def common(self, one: _MemberSet, other: _MemberSet) -> _MemberSet:
        """Return the members for a conjunction of two conditions."""
        operands = one.members, other.members
        if one.is_complement and other.is_complement:
            return _MemberSet(self.operation(Primitive.UNION, *operands), is_complement=True)
        if one.is_complement or other.is_complement:
            ordered = operands if other.is_complement else operands[::-1]
            return _MemberSet(self.operation(Primitive.DIFFERENCE, *ordered), is_complement=False)
        return _MemberSet(self.operation(Primitive.INTERSECTION, *operands), is_complement=False)

    def selected(self, test: Core, then: Core, orelse: Core) -> _MemberSet | None:
        """Return the members for a test that does not depend on the member, and a condition for each result of it."""
        first, second = self.satisfying(then), self.satisfying(orelse)
        if first is None or second is None:
            return None
        if first.is_complement != second.is_complement:
            changed = self.with_hexes(first)
            first, second = (changed, second) if changed != first else (first, self.with_hexes(second))
        if first.is_complement != second.is_complement:
            return None
        choice = If(test, first.members, second.members, self.representation)
        return _MemberSet(choice, first.is_complement)

    def with_hexes(self, found: _MemberSet) -> _MemberSet:
        """Return no members, or all, as a complement or not the other way round; all are known of hexes alone."""
        if found.members == ir.Members((), self.representation) and self.representation == Set(HEX):
            return _MemberSet(ALL_HEXES, not found.is_complement)
        return found

    def is_about_member(self, node: Core) -> bool:
        """Return whether an expression depends on the member."""
        return self.name in self.free_names.free_names(node)

    def operation(self, primitive: Primitive, *operands: Core, name: str = "") -> Core:
        """Return an operation on sets of the representation."""
        return Apply(primitive, operands, self.representation, name)

    def set_of(self, primitive: Primitive, *operands: Core, name: str) -> _MemberSet:
        """Return the members of a named set."""
        return _MemberSet(self.operation(primitive, *operands, name=name), is_complement=False)
