"""Openings of the sections of the book, and the parts into which their rules are grouped.

The input is a graph; the output is for each case the declarations of its layers: the general rule and the procedure of
the highest layer that opens it, and the parts of all of them; a layer may add rules under a heading of a layer below.
"""

from collections.abc import Mapping

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class CaseOpening:
    """The opening of a case, and its parts: headings with labels of rules."""

    rule: str
    procedure: tuple[str, ...]
    parts: tuple[tuple[str, tuple[str, ...]], ...]


CLOSED = CaseOpening("", (), ())  # of a case without an opening


def case_openings(book: graph.Graph) -> dict[str, CaseOpening]:
    """Return the opening of each case that has one, by its label."""
    found: dict[str, CaseOpening] = {}
    for opening in (opening for layer in book.layers for opening in layer.openings):
        below = found.get(opening.case, CLOSED)
        parts = dict(below.parts)
        for heading, labels in opening.parts:
            parts[heading] = (*parts.get(heading, ()), *labels)
        has_text = bool(opening.rule or opening.procedure)
        rule, procedure = (opening.rule, opening.procedure) if has_text else (below.rule, below.procedure)
        found[opening.case] = CaseOpening(rule, procedure, tuple(parts.items()))
    return found


def headings_of_things(book: graph.Graph) -> Mapping[str, str]:
    """Return the headings of rules, terms, actions, resolutions and events; the highest layer takes precedence."""
    return {label: heading for layer in book.layers for label, heading in layer.headings}


def procedure_heading(book: graph.Graph, kind: str, name: str) -> str:
    """Return the heading of an action or a resolution: by its kind and name, else by the name alone; "" if none."""
    headed = headings_of_things(book)
    return headed.get(f"{kind} {name}") or headed.get(name, "")
