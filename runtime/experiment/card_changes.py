"""Describe the differences between the cards of two sets of rules: each part by name, with both values."""

from collections import Counter
from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.witness.position_file import start_note_texts, yaml_value

# A longer value is not written out.
LONGEST = 30


def changes_of_card(first: graph.Scenario, second: graph.Scenario) -> Iterator[str]:
    """Return what differs on the second card: its length, facts, notes and forces, and the rest of it as a whole."""
    if first.turns != second.turns:
        yield f"turns of the card ({second.turns} instead of {first.turns})"
    for part, old, new in (("set-up", first.set_up, second.set_up), ("order", first.order, second.order)):
        if old != new:
            yield f"{part} of the card ({', '.join(new) or 'nobody'} instead of {', '.join(old) or 'nobody'})"
    facts, others = dict(first.facts), dict(second.facts)
    for name in sorted(facts.keys() | others.keys()):
        old_value, new_value = facts.get(name), others.get(name)
        if old_value != new_value:
            yield f"{name.partition('.')[2]} of the card{_values(_text(old_value), _text(new_value))}"
    old_notes, new_notes = start_note_texts(first.notes), start_note_texts(second.notes)
    for name in sorted(old_notes.keys() | new_notes.keys()):
        old_text, new_text = old_notes.get(name, "not said"), new_notes.get(name, "not said")
        if old_text != new_text:
            yield f"{name} of the card{_values(old_text, new_text)}"
    if first.forces != second.forces:
        counts = list(_counts(_counters(first), _counters(second)))
        yield from counts or ["places of forces of the card"]
    if first.board != second.board:
        yield "map of the card"
    if _unnamed_parts(first) != _unnamed_parts(second):
        yield "the card"


def _text(value: graph.Expr | None) -> str:
    return "not said" if value is None else yaml_value(value)


def _values(old: str, new: str) -> str:
    """Format both values, unless one of them is long."""
    return f" ({new} instead of {old})" if max(len(old), len(new)) <= LONGEST else ""


def _counters(card: graph.Scenario) -> Counter[tuple[str, str]]:
    """Count the counters of all forces by side: for each force those that are listed, or placed if these are more."""
    found = Counter[tuple[str, str]]()
    for force in card.forces:
        counters = Counter(dict(force.units)) | Counter(each.counter for each in force.placed)
        found.update({(force.side, counter): count for counter, count in counters.items()})
    return found


def _counts(old: Counter[tuple[str, str]], new: Counter[tuple[str, str]]) -> Iterator[str]:
    for side, counter in sorted(old.keys() | new.keys()):
        old_count, new_count = old[side, counter], new[side, counter]
        if old_count != new_count:
            yield f"{counter} of {side} on the card ({new_count} instead of {old_count})"


def _unnamed_parts(card: graph.Scenario) -> tuple[object, ...]:
    """Return the parts without a name here: missing boards, gaps, and the names of the card."""
    return card.name, card.title, card.gaps, card.waits_for
