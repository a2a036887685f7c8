"""Check the invariants of a stack for its counters, and for the initial state of a card."""

from collections.abc import Iterable, Iterator

from compiler.report.answers import NotAlways
from compiler.source.nodes import Scenario
from compiler.source.span import Span
from rulewright.library.generated_code import quick_interpreter
from runtime.graph import nodes as graph
from runtime.graph.always_facts import printed_of
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_scenario
from runtime.witness.breaches import find_breaches, find_misprints

Placed = tuple[str, graph.Origin]


def misprinted_facts(rules: graph.Graph) -> Iterator[NotAlways]:
    """Yield the facts that counters violate."""
    broken = [((fact.label, fact.origin), (counter.id, counter.origin)) for fact, counter in find_misprints(rules)]
    yield from _findings(broken, "")


def breaches_on_card(rules: graph.Graph, card: Scenario) -> Iterator[NotAlways]:
    """Yield the facts that do not hold in the initial state of a card, unless it waits for its boards."""
    if rules.scenario is None or rules.scenario.waits_for or not rules.always:
        return
    state = from_scenario(rules)
    # Facts about printed values alone are reported for the counters.
    found = [breach for breach in find_breaches(quick_interpreter(rules), state) if not printed_of(breach.fact)]
    broken = [((fact.label, fact.origin), _culprit(state, card, each)) for fact, by in found for each in by]
    yield from _findings(broken, card.name.text)
    yield from (NotAlways(((fact.label, fact.origin),), card.name.text, ()) for fact, by in found if not by)


def _findings(broken: Iterable[tuple[Placed, Placed]], card: str) -> Iterator[NotAlways]:
    """Merge the violations by parties that violate the same facts into one finding."""
    facts: dict[Placed, list[Placed]] = {}
    for fact, who in broken:
        facts.setdefault(who, []).append(fact)
    together: dict[tuple[Placed, ...], list[Placed]] = {}
    for who, broke in facts.items():
        together.setdefault(tuple(broke), []).append(who)
    yield from (NotAlways(broke, card, tuple(by)) for broke, by in together.items())


def _culprit(state: State, card: Scenario, who: Value) -> Placed:
    """Return the name of a piece, and where the card sets it up."""
    sheet = state.sheets[who]
    force = card.forces[sheet.force]
    here = state.board.names[state.hex[who]]
    placed = next((p for p in force.placed if (p.unit.text, p.at.text) == (sheet.counter, here)), None)
    if placed is None:
        return sheet.name, _origin(state.graph, force.span)
    return (placed.name or placed.unit).text, _origin(state.graph, placed.span)


def _origin(rules: graph.Graph, span: Span) -> graph.Origin:
    return graph.Origin(rules.layers[-1].name, span.file, span.line, span.column, span.end_line, span.end_column)
