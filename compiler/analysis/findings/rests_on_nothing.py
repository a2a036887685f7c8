"""Facts of the scenario on which the outcome depends, and which no card has to set: without them no side may win."""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_card, check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.facts_read import RulePredicate, facts_read, never_inactive
from compiler.analysis.parties import Party, declaration_labels, named_party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from compiler.typed.situations.required_facts import evaluate_by_card, facts_of_card
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.effects import assigned_facts


@finding("R0550", "rests-on-nothing", WARNING)
class RestsOnNothing(Finding):
    """The outcome depends on a `fact` of the scenario that a card need not set (`card` None), or that `card` omits.

    `rule` reads the fact, None if the question itself does; `declared` is its declaration.
    """

    fact: str
    declared: graph.Origin | None
    rule: Party | None
    card: Party | None

    def sentence(self) -> Sentence:
        name = self.fact.removeprefix("scenario.")
        reader = () if self.rule is None else (party_label(self.rule, "used here"),)
        if self.card is not None:
            message = f"the winner depends on `{name}`, which is empty in the situation `{self.card.label}`"
            parties = (party_label(self.card, "missing here"), *reader, *declaration_labels(self.declared))
            advice = f"give `{name}` under `facts`"
            return Sentence(message, parties, advice, root=f"{self.card.label} {self.fact}")
        message = f"the winner depends on `{name}`, which a situation may leave out"
        advice = 'write `required "REASON"` after its type, or give it a first value'
        return Sentence(message, (*declaration_labels(self.declared), *reader), advice, root=self.fact)


@check_of_stack
def rests_on_nothing(stack: graph.Graph) -> Iterator[RestsOnNothing]:
    """Find facts without an initial value that no card is required to set, and that the outcome reads."""
    if stack.scenario is not None or not stack.outcome:
        return
    for fact, rule in _read(stack):
        track = stack.vocabulary.tracks.get(fact)
        if track is not None and track.initial is None and not track.required:
            yield _finding(stack, fact, rule, None)


@check_of_card
def empty_facts(stack: graph.Graph) -> Iterator[RestsOnNothing]:
    """Find sets that a card omits, so that they are empty, though on this card the outcome reads them."""
    card = stack.scenario
    if card is None or not stack.outcome:
        return
    first = {key: track.initial for key, track in stack.vocabulary.tracks.items() if track.initial is not None}
    card_facts = {**first, **facts_of_card(card)}
    in_play = assigned_facts(stack.procedures)
    constant_facts = {fact: value for fact, value in card_facts.items() if fact not in in_play}
    traits = frozenset(trait for counter in stack.counters.values() for trait in counter.traits)
    for fact, rule in _read(stack, lambda rule: _never_live(rule, constant_facts, traits)):
        track, value = stack.vocabulary.tracks.get(fact), card_facts.get(fact)
        empty = value is None or (isinstance(value, graph.SetOf) and not value.elements)
        if track is not None and isinstance(track.type, graph.Many) and empty and fact not in dict(card.facts):
            yield _finding(stack, fact, rule, card)


def _read(stack: graph.Graph, dead: RulePredicate = never_inactive) -> Iterator[tuple[str, graph.Rule | None]]:
    """List the facts that the outcome reads and that no step sets."""
    term = stack.terms[stack.outcome]
    question = graph.Ask(term.name, tuple(graph.Var(part.name) for part in term.parameters))
    in_play = assigned_facts(stack.procedures)
    yield from ((fact, rule) for fact, rule in facts_read(stack, (question,), dead).items() if fact not in in_play)


def _never_live(rule: graph.Rule, facts: dict[str, graph.Expr], traits: frozenset[str]) -> bool:
    """Return whether a guard is false by the facts of a card, or by the traits that no counter has."""
    return any(evaluate_by_card(part, facts) is False or _of_no_counter(part, traits) for part in conjuncts(rule.guard))


def _of_no_counter(part: graph.Expr, traits: frozenset[str]) -> bool:
    """Return whether a condition holds only for a piece with a trait that no counter has."""
    match part:
        case graph.Is(tests=tests, negated=False):
            return all(test.what == "trait" and test.name not in traits for test in tests)
        case graph.Op("or", alternatives):
            return all(_of_no_counter(each, traits) for each in alternatives)
        case graph.Fold("some", where=condition):
            return any(_of_no_counter(each, traits) for each in conjuncts(condition))
        case _:
            return False


def _finding(stack: graph.Graph, fact: str, rule: graph.Rule | None, card: graph.Scenario | None) -> RestsOnNothing:
    writer = ExpressionWriter(stack.vocabulary)
    declared = stack.vocabulary.origins.get(f"track {fact}")
    party = None if card is None else named_party(card)
    return RestsOnNothing(fact, declared, None if rule is None else writer.rule_party(rule), party)
