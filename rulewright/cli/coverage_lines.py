"""Format the parts of a stack that no example reaches, for `rulewright test STACK`: counts, or names with places."""

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.cli.findings import path_from_here
from rulewright.mutation.mutant_text import origin_of
from runtime.examples.coverage import COVERAGE_KINDS, LINES, CoverageReport, UncoveredElement
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.mutation.procedure_mutants import step_title


def as_data(found: CoverageReport) -> dict[str, Any]:
    """Return a report as data: by kind, the number of parts, and the names and places of uncovered ones."""
    return {
        kind: {
            "of": found.counts[kind],
            "uncovered": [
                {"name": _name(place), "file": place.origin.file, "line": place.origin.line}
                for place in found.places
                if place.kind == kind
            ],
        }
        for kind in COVERAGE_KINDS
    }


def coverage_lines(
    found: CoverageReport, rules: graph.Graph, texts: Mapping[str, str], *, by_name: bool
) -> Iterator[str]:
    """Yield the numbers of uncovered parts, if there are any; with `by_name` the parts, and the scope."""
    if by_name:
        listed = [(origin_of(place, rules, texts), place) for place in found.places]
        for origin, place in sorted(listed, key=lambda pair: (pair[0].file, pair[0].line, pair[0].column)):
            file = path_from_here(origin.file, texts)
            yield f"uncovered: {file}:{origin.line}: {_singular(place.kind)} {_name(place)}"
    counts = [
        f"{found.count_uncovered(kind)} of {found.counts[kind]} {kind}"
        for kind in COVERAGE_KINDS
        if found.count_uncovered(kind)
    ]
    if counts:
        yield f"no example comes by {words.list_text(counts)}" + ("" if by_name else "; --uncovered lists them")
    if by_name:
        every = [
            _number(found.counts[kind], kind)
            for kind in COVERAGE_KINDS
            if found.counts[kind] and not found.count_uncovered(kind)
        ]
        if every:
            yield f"an example comes by each of {words.list_text(every)}"
        yield (
            f"looked at: {_number(found.cases, 'cases')} that ran; not looked at: layers of a game below, layers below "
            "whose examples are left out, rules that only overrule or amend others, steps of what is never begun; "
            "whether an example would notice a change, --mutate tells"
        )


def _number(number: int, kind: str) -> str:
    return f"1 {_singular(kind)}" if number == 1 else f"{number} {kind}"


def _name(place: UncoveredElement) -> str:
    return place.name if place.step is None else f"{step_title(place.step)} of {place.name}"


def _singular(kind: str) -> str:
    """Return the singular of a kind."""
    return "line of a chart" if kind == LINES else kind.removesuffix("s")
