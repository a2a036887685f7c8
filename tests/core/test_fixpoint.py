"""The fixpoint of integer slots: a part is lowered again once a slot that it took to be integer holds fractions."""

from compiler.core.expressions import ExpressionLowering
from compiler.core.representation import INT, RATIO, Representation
from compiler.core.terms import printed_denominators
from runtime.graph import nodes as graph
from tests.toys.hares import hares


def test_parts_are_lowered_again_for_a_slot_with_fractions() -> None:
    rules = hares()
    lowering = ExpressionLowering(rules, printed_denominators(rules))
    lowered: list[str] = []

    def lower(slot: str) -> Representation:
        def lower_slot() -> Representation:
            lowered.append(slot)
            return lowering.denominators.representation(graph.Number(None, None, ""), slot)

        return lowering.lowered_part(slot, lower_slot)

    assert [lower("pace"), lower("toll"), lower("pace")] == [INT, INT, INT]
    lowering.denominators.holds_fractions("pace")
    assert [lower("pace"), lower("toll"), lower("pace")] == [RATIO, INT, RATIO]
    assert lowered == ["pace", "toll", "pace"]
