"""The errata of a stack: their record, and their block."""

from collections.abc import Iterable

from compiler.rulebook.book_blocks import BookBlockBuilder
from compiler.rulebook.contents import Contents
from compiler.rulebook.errata import Erratum, gather_errata, written_date
from compiler.rulebook.evidence import unplayed_outcomes
from runtime.graph import nodes as graph
from runtime.graph.document import BookEdition, DocumentBlock
from runtime.graph.records.books import ErrataRecord, ErratumRecord, NumberedRuleRecord


def errata_of(stack: str, rules: graph.Graph, since: str) -> tuple[ErrataRecord, DocumentBlock]:
    """Return the errata from a date on ("" for all); those without a date only if all are requested."""
    contents = Contents(rules, unplayed_outcomes(rules), None)
    errata = gather_errata(contents, since)
    record: ErrataRecord = {
        "stack": stack,
        "since": since,
        "dates": [
            {"date": date, "written": written_date(date), "errata": [_shaped(contents, erratum) for erratum in dated]}
            for date, dated in errata.groups
        ],
        "undated": errata.undated,
        "without": errata.without,
    }
    return record, BookBlockBuilder(contents, BookEdition.TERMINAL, contents.titles.__contains__).errata(since)


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
