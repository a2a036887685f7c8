"""Sentences of problems with the rows, columns and keys of charts."""

import re
from typing import assert_never

from compiler.analysis.idle_code import NeverAsked
from compiler.analysis.parties import Party
from compiler.analysis.problems import IdleColumn, MaskedRow, RowsOverlap, TableGap
from compiler.report.diagnostic import Severity, Witness
from compiler.report.sentence import Sentence, list_words
from compiler.report.words.parties import condition_text, party_label


def sentence(problem: RowsOverlap | MaskedRow | TableGap | IdleColumn | NeverAsked) -> Sentence:
    """Return the sentence for a problem of a chart."""
    match problem:
        case RowsOverlap(table, row, first, when, differ) if _is_duplicate_row(row, first):
            keys = ", ".join(f"{key}: {_values(value)}" for key, _, value in (part.partition(" = ") for part in when))
            change = f"set: [{{{keys}, expect: {_plain(first.says)}, now: {_plain(row.says)}}}]"
            return Sentence(
                f"`{row.label}` is there already" + (", with another cell" if differ else ""),
                (party_label(row), party_label(first)),
                f"a cell is changed by `{change}`" if differ else "delete what adds it again",
                root=f"{table} {row.origin.file}",
                severity=Severity.ERROR,
            )
        case RowsOverlap(table, row, first, when, differ):
            how = "with different cells" if differ else "with the same cell"
            return Sentence(
                f"two rows of `{table}` answer the same question {how}",
                (party_label(row), party_label(first)),
                "narrow the keys of one" if differ else "delete one, or write `hit: any`",
                Witness(condition_text(when)) if when else None,
                severity=Severity.ERROR,
            )
        case MaskedRow(table, row, by):
            return Sentence(
                f"this row of `{table}` never answers: earlier rows take all its questions",
                (party_label(row), *(party_label(party) for party in by[:3])),
                "put it above them, or delete it",
            )
        case TableGap(table, when, count, of, whole, added=Party() as added) if whole:
            return Sentence(
                f"`{table.label}` has nothing for `{added.label}`",
                (party_label(added, f"`{added.label}` is declared here"), party_label(table, "this table")),
                f"write `patch: {table.label}` in its layer, and add what it has for {whole} = {added.label}",
                Witness(condition_text(when), f"{count} of {of} combinations of keys"),
            )
        case TableGap(table, when, count, of, added=Party() as added):
            return Sentence(
                f"`{added.label}` lacks a cell in `{table.label}`",
                (party_label(added, f"`{added.label}` is added here"), party_label(table, "to this table")),
                f"add its cell for {', '.join(part for part in when if not part.endswith(f' = {added.label}'))}",
                Witness(condition_text(when), f"{count} of {of} combinations of keys"),
            )
        case TableGap(table, when, count, of, values=values, across=True):
            named = list_words(values, "and")
            return Sentence(
                f"`{table.label}` has no column {named}",
                (party_label(table, f"{named} {'is' if len(values) == 1 else 'are'} not among them"),),
                f"add {named} to the columns, and a cell of it to every row",
                Witness(condition_text(when), f"{count} of {of} combinations of keys"),
            )
        case TableGap(table, when, count, of, whole, values) if whole:
            named = list_words(values, "and")
            return Sentence(
                f"`{table.label}` has no row for {named}",
                (
                    party_label(
                        table, f"{named} {'is' if len(values) == 1 else 'are'} not among its values of `{whole}`"
                    ),
                ),
                "add it, or narrow the keys",
                Witness(condition_text(when), f"{count} of {of} combinations of keys"),
            )
        case TableGap(table, when, count, of, near=(_, *_) as near):
            return Sentence(
                f"no row of `{table.label}` answers these keys",
                (
                    *(party_label(row, f"this row stops short of {row.says}") for row in near),
                    party_label(table, "this table"),
                ),
                "widen one of these rows, add one for them, or narrow the keys",
                Witness(condition_text(when), f"{count} of {of} combinations of keys"),
            )
        case TableGap(table, when, count, of):
            return Sentence(
                f"no row of `{table.label}` answers these keys",
                (party_label(table, "this table"),),
                "add a row for them, or narrow the keys",
                Witness(condition_text(when), f"{count} of {of} combinations of keys"),
            )
        case NeverAsked(table, row, key):
            return Sentence(
                f"nobody asks this row of `{table}`: `{key}` is never what it answers",
                (party_label(row),),
                f"let a rule ask for it, or delete it and narrow `{key}`",
                root=f"{table} {key}",
            )
        case IdleColumn(table, key):
            return Sentence(
                f"the key `{key}` of `{table.label}` decides nothing",
                (party_label(table, "all its rows agree, whatever the key"),),
                f"leave `{key}` out of the table",
            )
        case _:
            assert_never(problem)


def _is_duplicate_row(row: Party, first: Party) -> bool:
    """Return whether a layer adds a row with the keys of a row of a chart below it."""
    return row.label == first.label and row.origin.layer != first.origin.layer


def _values(text: str) -> str:
    """Format the values of a key as a chart has them."""
    return f"[{text.replace('|', ', ')}]" if "|" in text else text


def _plain(cell: str) -> str:
    """Return a cell without the measure of its number: the chart has it."""
    return re.sub(r"^(-?\d+(?:/\d+)?) \w+$", r"\1", cell)
