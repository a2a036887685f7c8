"""Check the invariants of a stack for its counters, and for the initial states of a card and of the examples."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from compiler.report.findings.not_always import NotAlways
from compiler.source.nodes import Scenario
from compiler.source.span import Span
from rulewright.library.generated_code import delegating_interpreter
from runtime.answer.breaches import Breach, culprit_texts, find_breaches, find_misprints
from runtime.examples.set_up import set_up
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_card

PlacedName = tuple[str, graph.Origin]


def misprinted_facts(rules: graph.Graph) -> Iterator[NotAlways]:
    """Yield the facts that counters violate."""
    broken = [((fact.label, fact.origin), (counter.id, counter.origin)) for fact, counter in find_misprints(rules)]
    yield from _findings(broken, "")


def breaches_on_card(rules: graph.Graph, card: Scenario) -> Iterator[NotAlways]:
    """Yield the facts that do not hold in the initial state of a card, unless it waits for its boards."""
    if rules.scenario is None or rules.scenario.waits_for or not rules.always:
        return
    state = from_card(rules)
    found = tuple(find_breaches(delegating_interpreter(rules), state))
    broken = [
        ((fact.label, fact.origin), _culprit(state, card, each)) for fact, violators in found for each in violators
    ]
    yield from _findings(broken, card.name.text)
    yield from (
        NotAlways(((fact.label, fact.origin),), card.name.text, ()) for fact, violators in found if not violators
    )


def breaches_in_examples(rules: graph.Graph) -> Iterator[NotAlways]:
    """Yield for each example the facts that do not hold as it begins, in the first row where one does not."""
    if not rules.always:
        return
    answers = delegating_interpreter(rules)
    for example in rules.examples:
        for row in range(max(1, len(example.rows))):
            with suppress(Unanswered):  # `test` tells that the position cannot be set up.
                state = set_up(rules, example, row)[0].state
                if breaches := tuple(find_breaches(answers, state)):
                    yield _breach_in_example(example, state, breaches)
                    break


def _breach_in_example(example: graph.Example, state: State, breaches: tuple[Breach, ...]) -> NotAlways:
    facts = tuple((breach.fact.label, breach.fact.origin) for breach in breaches)
    names = dict.fromkeys(name for breach in breaches for name in culprit_texts(breach, state))
    violators = tuple((name, example.origin) for name in names)
    return NotAlways(facts, example.title, violators, example.origin)


def _findings(broken: Iterable[tuple[PlacedName, PlacedName]], card: str) -> Iterator[NotAlways]:
    """Merge the violations by parties that violate the same facts into one finding."""
    facts_by_party: dict[PlacedName, list[PlacedName]] = {}
    for fact, party in broken:
        facts_by_party.setdefault(party, []).append(fact)
    parties_by_facts: dict[tuple[PlacedName, ...], list[PlacedName]] = {}
    for party, broken_facts in facts_by_party.items():
        parties_by_facts.setdefault(tuple(broken_facts), []).append(party)
    yield from (NotAlways(broken_facts, card, tuple(violators)) for broken_facts, violators in parties_by_facts.items())


def _culprit(state: State, card: Scenario, piece: Value) -> PlacedName:
    """Return the name of a piece, and where the card sets it up."""
    sheet = state.sheets[piece]
    force = card.forces[sheet.force]
    space = state.board.names[state.hex[piece]]
    placed = next((p for p in force.placed if (p.unit.text, p.at.text) == (sheet.counter, space)), None)
    if placed is None:
        return sheet.name, _origin(state.graph, force.span)
    return (placed.name or placed.unit).text, _origin(state.graph, placed.span)


def _origin(rules: graph.Graph, span: Span) -> graph.Origin:
    return graph.Origin(rules.layers[-1].name, span.file, span.line, span.column, span.end_line, span.end_column)
