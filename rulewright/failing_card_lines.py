"""The lines of a scenario card that a failing example on it tests.

In: a failing case, and the graph of its card. Out: the facts, orders and counters in the first failing line, as
likely causes. No run is needed: an example of what is printed on a card fails if the card differs.
"""

import re
from collections.abc import Iterator

from compiler.analysis.parties import Party
from compiler.report.answers import LikelyCause
from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

COUNTER, SCENARIO = "counter", "scenario"
# The most lines that help to locate a fault.
MOST_CAUSES = 2


def card_lines(rules: graph.Graph, run: Run) -> tuple[LikelyCause, ...]:
    """Return the lines of the card that the first failing line tests, as causes."""
    card = rules.scenario
    failing_origins = {each.origin for each in run.failures}
    checks = (line for line in run.example.lines if isinstance(line, graph.Check) and line.origin in failing_origins)
    line = next(checks, None)
    if card is None or not run.example.card or line is None or run.entered:
        return ()
    names = [*dict.fromkeys(_only_found(run, line, card))] or [*dict.fromkeys(_named(line.question))]
    return tuple(LikelyCause("card", _party(card, name), cell=name) for name in names[:MOST_CAUSES])


def _only_found(run: Run, line: graph.Check, card: graph.Scenario) -> Iterator[str]:
    """Yield the unexpected hexes in the actual value of a line on which the card places a piece."""
    failure = next(each for each in run.failures if each.origin == line.origin)
    found, expected = (set(re.findall(r"[\w.]+", text)) for text in (failure.actual, failure.expected))
    placed = {each.at for force in card.forces for each in force.placed}
    yield from sorted((found - expected) & placed)


def _party(card: graph.Scenario, name: str) -> Party:
    """Return the party of a line: in the layer that corrects it, otherwise on the card."""
    correction: graph.Scenario | graph.Correction | graph.PartCorrection = card
    correction = next((each for each in card.corrections if each.unit == name), correction)
    correction = next((each for each in card.other_corrections if each.part.split()[-1] == name), correction)
    return Party(card.name, "", correction.cites, correction.origin)


def _named(question: graph.Expr) -> Iterator[str]:
    """Yield the facts that a question reads; without facts, the counters that it mentions."""
    nodes = list(walk(question))
    facts = [node.name for node in nodes if isinstance(node, graph.GameTrack) and node.owner == SCENARIO]
    yield from facts or [node.name for node in nodes if isinstance(node, graph.Member) and node.enum == COUNTER]
