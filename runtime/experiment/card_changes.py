"""Describe the differences between the cards of two sets of rules: each part by name, with both values."""

from collections import Counter
from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.witness.position_file import value_text

# A longer value is not written out.
LONGEST = 30


def changes_of_card(here: graph.Scenario, there: graph.Scenario) -> Iterator[str]:
    """Return what differs on the second card: its length, facts and forces, and the rest of it as a whole."""
    if here.turns != there.turns:
        yield f"turns of the card ({there.turns} instead of {here.turns})"
    for what, old, new in (("set-up", here.set_up, there.set_up), ("order", here.order, there.order)):
        if old != new:
            yield f"{what} of the card ({', '.join(new) or 'nobody'} instead of {', '.join(old) or 'nobody'})"
    facts, others = dict(here.facts), dict(there.facts)
    for name in sorted(facts.keys() | others.keys()):
        was, now = facts.get(name), others.get(name)
        if was != now:
            yield f"{name.partition('.')[2]} of the card{_values(_text(was), _text(now))}"
    if here.forces != there.forces:
        counts = list(_counts(_counters(here), _counters(there)))
        yield from counts or ["places of forces of the card"]
    if here.board != there.board:
        yield "map of the card"
    if _rest(here) != _rest(there):
        yield "the card"


def _text(value: graph.Expr | None) -> str:
    return "not said" if value is None else value_text(value)


def _values(was: str, now: str) -> str:
    """Format both values, unless one of them is long."""
    return f" ({now} instead of {was})" if max(len(was), len(now)) <= LONGEST else ""


def _counters(card: graph.Scenario) -> Counter[tuple[str, str]]:
    """Count the counters of all forces by side: for each force those that are listed, or placed if these are more."""
    found = Counter[tuple[str, str]]()
    for force in card.forces:
        whole = Counter(dict(force.units)) | Counter(each.counter for each in force.placed)
        found.update({(force.side, counter): count for counter, count in whole.items()})
    return found


def _counts(old: Counter[tuple[str, str]], new: Counter[tuple[str, str]]) -> Iterator[str]:
    for side, counter in sorted(old.keys() | new.keys()):
        was, now = old[side, counter], new[side, counter]
        if was != now:
            yield f"{counter} of {side} on the card ({now} instead of {was})"


def _rest(card: graph.Scenario) -> tuple[object, ...]:
    """Return the parts without a name here: missing boards, gaps, and the names of the card."""
    return card.name, card.title, card.gaps, card.waits_for
