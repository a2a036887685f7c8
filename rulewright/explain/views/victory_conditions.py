"""The victory conditions of a card as sentences, with its turns, the order of sides, and the rules on who wins."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.wording import Wording
from runtime.witness.position_file import start_note_texts

VICTORY_LABEL_PREFIX = "victory-"  # The prefix of the labels of the victory lines of a card.


class Aim(NamedTuple):
    """The condition under which a side reaches a level."""

    side: str
    level: str
    when: str


def victory_lines(rules: graph.Graph) -> tuple[Aim, ...]:
    """Return the victory conditions in the order of sides, then of levels; () if the card has none."""
    card = rules.scenario
    if card is None:
        return ()
    wording = Wording(rules)
    found: list[tuple[int, int | Fraction, Aim]] = []
    for rule in rules.rules.values():
        if rule.origin.layer != card.name or not rule.label.startswith(VICTORY_LABEL_PREFIX):
            continue
        match rule.value, rule.guard:
            case graph.Place(_, level, rank), graph.Op("and", (graph.Op("=", (_, graph.Member(_, side))), *rest)):
                when = " and ".join(map(wording.clause, rest))
                found.append((card.order.index(side), rank, Aim(side, words.readable_name(level), when)))
            case graph.Place(_, level, rank), graph.Op("=", (_, graph.Member(_, side))):
                found.append((card.order.index(side), rank, Aim(side, words.readable_name(level), "always")))
            case _:
                pass
    return tuple(aim for _, _, aim in sorted(found))


def _named_hexes(card: graph.Scenario) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the named sets of hexes of a card, such as objectives."""
    for key, value in card.facts:
        if isinstance(value, graph.SetOf):
            hexes = tuple(each.name for each in value.elements if isinstance(each, graph.Spot) and each.what == "hex")
            if hexes:
                yield words.readable_name(key.removeprefix("scenario.")), hexes


def victory_text(rules: graph.Graph) -> Iterator[str]:
    """Yield the lines of turns, named hexes and victory conditions, and the sentences of the rules on who wins."""
    card = rules.scenario
    if card is None:
        return
    turns = words.counted_noun(card.turns, "turn")
    titles = [words.member("side", side, rules.vocabulary) for side in card.order]
    yield f"{turns}; {', then '.join(titles)} in each turn" if len(titles) > 1 else turns
    yield from (f"{name}: {', '.join(hexes)}" for name, hexes in _named_hexes(card))
    yield from (f"at the start, {name}: {value}" for name, value in start_note_texts(card.notes).items())
    yield from (
        f"{words.member('side', aim.side, rules.vocabulary)}, {aim.level}: {aim.when}" for aim in victory_lines(rules)
    )
    outcome = rules.terms.get(rules.outcome)
    for rule in rules_of_term(rules, outcome) if outcome else ():
        if rule.prose and rule.origin.layer != card.name:
            yield rule.prose
