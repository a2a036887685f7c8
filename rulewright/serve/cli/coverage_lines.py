"""Format the parts of a stack that no example reaches, for `rulewright test STACK`: counts, or names with places."""

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.serve.cli.findings import path_from_here
from runtime.examples.coverage import COVERAGE_KINDS, LINES, CoverageReport
from runtime.graph import words


def as_data(found: CoverageReport) -> dict[str, Any]:
    """Return a report as data: by kind, the number of parts, and the names and places of uncovered ones."""
    return {
        kind: {
            "of": found.counts[kind],
            "uncovered": [
                {"name": place.name, "file": place.origin.file, "line": place.origin.line}
                for place in found.places
                if place.kind == kind
            ],
        }
        for kind in COVERAGE_KINDS
    }


def coverage_lines(found: CoverageReport, texts: Mapping[str, str], *, by_name: bool) -> Iterator[str]:
    """Yield the numbers of uncovered parts, if there are any; with `by_name` the parts, and the scope."""
    if by_name:
        for place in sorted(found.places, key=lambda each: (each.origin.file, each.origin.line, each.origin.column)):
            file = path_from_here(place.origin.file, texts)
            yield f"uncovered: {file}:{place.origin.line}: {_singular(place.kind)} {place.name}"
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
            "whose examples are left out, rules that only overrule or amend others, single steps; whether an example "
            "would notice a change, --mutate tells"
        )


def _number(number: int, kind: str) -> str:
    return f"1 {_singular(kind)}" if number == 1 else f"{number} {kind}"


def _singular(kind: str) -> str:
    """Return the singular of a kind."""
    return "line of a chart" if kind == LINES else kind.removesuffix("s")
