"""Witnesses of differences between two shipped stacks have pieces with the printed values and traits of a counter."""

from rulewright.library.stacks import open_packages
from runtime.witness.behavioral_diff import behavioral_diff
from tests.sample import LONG


@LONG
def test_pieces_of_a_witness_have_values_of_a_counter() -> None:
    package_set = open_packages()
    a, b = (package_set.compiled(name).graph for name in ("panzer_leader", "pl1940"))
    assert a is not None
    assert b is not None
    found = behavioral_diff(a, b, "may_cross")
    (group,) = (group for term in found.terms for group in term.groups if "horses-cross-green" in group.rules)
    assert not group.witness.remarks
    assert group.witness.position is not None
    charted = [(dict(each.printed), {*each.traits}) for each in b.counters.values() if each.kind == "unit"]
    for piece in group.witness.position.pieces:
        assert piece.counter or (dict(piece.printed), {*piece.traits}) in charted
