"""Sentences of problems with the rows, columns and keys of charts."""

import re

from compiler.analysis.idle_code import NeverAsked
from compiler.analysis.problems import MaskedRow, RowsOverlap, TableGap
from compiler.report.diagnostic import Severity, Witness
from compiler.report.sentence import Sentence, list_words
from compiler.report.words.parties import condition_text, party_label

ChartFinding = RowsOverlap | MaskedRow | TableGap | NeverAsked


def chart_sentence(problem: ChartFinding) -> Sentence:
    """Return the sentence for a problem of a chart."""
    match problem:
        case RowsOverlap(table, row, first, when, differ) if (
            row.label == first.label and row.origin.layer != first.origin.layer
        ):
            keys = ", ".join(f"{key}: {_values(value)}" for key, _, value in (part.partition(" = ") for part in when))
            change = (
                f"set: [{{{keys}, expect: {_cell_without_measure(first.says)}, "
                f"now: {_cell_without_measure(row.says)}}}]"
            )
            message = f"`{row.label}` is there already" + (", with another cell" if differ else "")
            labels = (party_label(row), party_label(first))
            advice = f"a cell is changed by `{change}`" if differ else "delete what adds it again"
            return Sentence(message, labels, advice, root=f"{table} {row.origin.file}", severity=Severity.ERROR)
        case RowsOverlap(table, row, first, when, differ):
            cell_phrase = "with different cells" if differ else "with the same cell"
            return Sentence(
                f"two rows of `{table}` answer the same question {cell_phrase}",
                (party_label(row), party_label(first)),
                "narrow the keys of one" if differ else "delete one, or write `hit: any`",
                Witness(condition_text(when)) if when else None,
                severity=Severity.ERROR,
            )
        case MaskedRow(table, row, masking_rows):
            message = f"this row of `{table}` never answers: earlier rows take all its questions"
            advice = "put it above them, or delete it"
            return Sentence(message, (party_label(row), *(party_label(party) for party in masking_rows[:3])), advice)
        case TableGap(table, when, count, total, gap_key, values, added):
            witness = Witness(condition_text(when), f"{count} of {total} combinations of keys")
            if gap_key:
                message = f"`{table.label}` has nothing for {list_words(values, 'and')}"
                advice = "add a row or a column for it, or narrow the keys"
                return Sentence(message, (party_label(table, "this table"),), advice, witness)
            if added is not None:
                labels = (party_label(added, f"`{added.label}` is added here"), party_label(table, "to this table"))
                return Sentence(f"`{added.label}` lacks a cell in `{table.label}`", labels, "add its cells", witness)
            advice = "add a row for them, or narrow the keys"
            place = party_label(table, "this table")
            return Sentence(f"no row of `{table.label}` answers these keys", (place,), advice, witness)
        case NeverAsked(table, row, key):
            message = f"nobody asks this row of `{table}`: `{key}` is never what it answers"
            advice = f"let a rule ask for it, or delete it and narrow `{key}`"
            return Sentence(message, (party_label(row),), advice, root=f"{table} {key}")


MOST_BOXES = 12


def _values(text: str) -> str:
    """Format the values of a key as a chart has them."""
    return f"[{text.replace('|', ', ')}]" if "|" in text else text


def _cell_without_measure(cell: str) -> str:
    """Return a cell without the measure of its number: the chart has it."""
    return re.sub(r"^(-?\d+(?:/\d+)?) \w+$", r"\1", cell)
