"""Units of a card that stay off the map: they are not set up, have no area to start or enter in, and no rule uses them.

In: the stack of a card. Out: the units, each with their number. Units that are not set up wait in the reserve of their
kind, so where any procedure or question reads that reserve they may enter; and a member of a pair from the start is
where its partner is.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_card
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.walk import nodes_of


@finding("R0587", "never-comes-on", WARNING)
class NeverComesOn(Finding):
    """`count` pieces of a unit of a card are not set up, have no area to enter by, and no rule reads their reserve."""

    card: Party
    side: str
    unit: str
    count: int

    def sentence(self) -> Sentence:
        return Sentence(
            (
                f"{self.count} {self.unit} of {self.side} in `{self.card.label}` never "
                f"{'comes' if self.count == 1 else 'come'} onto the map"
            ),
            (party_label(self.card, "neither placed nor given an area, and no rule uses the reserve"),),
            "write where they begin or enter, with `placed`, `sets_up` or `enters`, or remove them from the situation",
        )


@check_of_card
def never_comes_on(stack: graph.Graph) -> Iterator[NeverComesOn]:
    """Find such units; none where the card has no map yet."""
    card = stack.scenario
    if card is None or card.waits_for or not any(each.units for each in card.forces):
        return
    lines, waiting = dict(card.lines), tuple(_unplaced_units(card))
    # Rules are traversed only where a unit waits: the result then depends only on those rules.
    used = kinds_with_reserve_read(stack) if waiting else frozenset()
    for number, unit, count in waiting:
        if stack.counters[unit].kind not in used:
            force = card.forces[number]
            origin = lines.get(f"force {number} {unit}") or lines.get(f"force {number}") or card.origin
            yield NeverComesOn(Party(card.name, "", card.cites, origin), force.side, unit, count)


def _unplaced_units(card: graph.Scenario) -> Iterator[tuple[int, str, int]]:
    """Yield the units that are not set up and have no area: number of the force, unit, and count."""
    for number, force in enumerate(card.forces):
        if force.area or force.pairs:
            continue
        for unit, count in force.units:
            left = count - sum(each.counter == unit for each in force.placed)
            if left > 0:
                yield number, unit, left


def kinds_with_reserve_read(stack: graph.Graph) -> frozenset[str]:
    """Return the kinds whose reserve any procedure, question or condition reads."""
    return frozenset(
        kind.name
        for node in nodes_of(graph.Op, (stack.procedures, stack.rules, stack.terms, stack.always, stack.preconditions))
        if node.op == "reserve"
        for kind in node.arguments
        if isinstance(kind, graph.Member)
    )
