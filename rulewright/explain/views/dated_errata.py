"""The errata of a stack as plain data."""

from collections.abc import Iterable

from compiler.rulebook.contents import Contents
from compiler.rulebook.errata import Erratum, gather_errata, written_date
from compiler.rulebook.evidence import unplayed_outcomes
from runtime.graph import nodes as graph
from runtime.graph.records.books import DatedErrataRecord, ErrataRecord, ErratumRecord, NumberedRuleRecord


def errata_of(stack: str, rules: graph.Graph, since: str) -> ErrataRecord:
    """Return the errata from a date on ("" for all); those without a date only if all are requested."""
    contents = Contents(rules, unplayed_outcomes(rules), None)
    all_errata = gather_errata(contents)
    dates: list[DatedErrataRecord] = [
        {"date": date, "written": written_date(date), "errata": [_shaped(contents, erratum) for erratum in errata]}
        for date, errata in all_errata.groups
        if not since or date[: len(since)] >= since[: len(date)] != ""
    ]
    undated = sum(len(errata) for date, errata in all_errata.groups if since and not date)
    return {"stack": stack, "since": since, "dates": dates, "undated": undated, "without": all_errata.without}


def _shaped(contents: Contents, erratum: Erratum) -> ErratumRecord:
    def numbered(rules: Iterable[tuple[tuple[str, str], str]]) -> list[NumberedRuleRecord]:
        return [{"number": contents.numbers.get(key, ""), "label": key[1], "text": text} for key, text in rules]

    return {
        "label": erratum.thing[1],
        "number": contents.numbers.get(erratum.thing, ""),
        "title": contents.titles[erratum.thing],
        "kind": erratum.kind,
        "impact": erratum.impact,
        "asks": erratum.asks,
        "before": numbered(erratum.before),
        "now": erratum.now,
        "current_rules": numbered(erratum.stands),
        "cites": list(erratum.cites),
    }
