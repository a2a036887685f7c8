"""The words of the printed book that differ between two stacks: openings of sections, headings, and numbers.

They change no answer, and belong to no rule; what only one of the stacks has is listed there.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from runtime.graph import nodes as graph


def book_data(first: graph.Graph, second: graph.Graph) -> list[dict[str, str]]:
    """Return what the books print differently about things of both stacks: the part, the name, and the two texts."""
    shared_names = _names(first) & _names(second)
    return [
        {"part": part, "name": name, "a": old.get(name, ""), "b": new.get(name, "")}
        for (part, old), (_, new) in zip(_parts(first), _parts(second), strict=True)
        for name in dict.fromkeys((*old, *new))
        if name in shared_names and old.get(name) != new.get(name)
    ]


def _names(rules: graph.Graph) -> set[str]:
    named: tuple[Mapping[str, Any], ...] = (rules.rules, rules.rulings, rules.terms, rules.cases, rules.tables)
    procedures = {each.name for each in rules.procedures.values()}
    return {*procedures, *(name for each in named for name in each)}


def _parts(rules: graph.Graph) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the texts of each part of the book by name; those of a higher layer replace those of a lower one."""
    openings = [each for layer in rules.layers for each in layer.openings]
    yield "opening", {each.case: "\n".join((each.rule, *each.procedure)) for each in openings}
    yield "heading", dict(pair for layer in rules.layers for pair in layer.headings)
    yield (
        "number",
        {label: number for layer in rules.layers for kind, label, number in layer.numbers if kind != "retired"},
    )
