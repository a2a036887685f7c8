"""The errata of a stack as plain data."""

from typing import Any

from compiler.rulebook.contents import Contents, gather_contents
from compiler.rulebook.errata import Erratum, gather_errata, written_date
from compiler.rulebook.evidence import unplayed_outcomes
from runtime.graph import nodes as graph


def errata_of(stack: str, rules: graph.Graph, since: str) -> dict[str, Any]:
    """Return the errata from a date on ("" for all); those without a date only if all are requested."""
    contents = gather_contents(rules, unplayed_outcomes(rules), None)
    told = gather_errata(contents)
    dates = [
        {"date": date, "written": written_date(date), "errata": [_shaped(contents, one) for one in errata]}
        for date, errata in told.groups
        if not since or date[: len(since)] >= since[: len(date)] != ""
    ]
    undated = sum(len(errata) for date, errata in told.groups if since and not date)
    return {"stack": stack, "since": since, "dates": dates, "undated": undated, "without": told.without}


def _shaped(contents: Contents, one: Erratum) -> dict[str, Any]:
    before, stands = (
        [{"number": contents.numbers.get(thing, ""), "label": thing[1], "said": said} for thing, said in rules]
        for rules in (one.before, one.stands)
    )
    return {
        "label": one.thing[1],
        "number": contents.numbers.get(one.thing, ""),
        "title": contents.titles[one.thing],
        "kind": one.kind,
        "impact": one.impact,
        "asks": one.asks,
        "before": before,
        "now": one.now,
        "stands": stands,
        "cites": list(one.cites),
    }
