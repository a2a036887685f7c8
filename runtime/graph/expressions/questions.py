"""Questions, and cells of charts."""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.expressions.record import ExpressionRecord, Symbol, TypeScope
from runtime.graph.question_templates import fill_template

if TYPE_CHECKING:
    from runtime.graph.wording import Wording


def _question_phrase(wording: "Wording", ask: graph.Ask) -> str:
    question = wording.term(ask.term, tuple(wording.phrases(ask.arguments)))
    return f"whether {question}" if wording.rules.terms[ask.term].type == graph.YesNo() else question


def _question_clause(wording: "Wording", ask: graph.Ask, holds: bool) -> str:  # noqa: FBT001 - as every clause
    arguments = tuple(wording.phrases(ask.arguments))
    return wording.term(ask.term, arguments) if holds else wording.opposite_question(ask.term, arguments)


def _cell_type(cell: graph.Cell, scope: TypeScope) -> graph.Type:
    return dict(scope.rules.tables[cell.table].cells).get(cell.kind) or graph.CellOf(cell.table)


def _cell_phrase(wording: "Wording", cell: graph.Cell) -> str:
    table, keys = wording.rules.tables[cell.table], tuple(wording.phrases(cell.keys))
    if "{" in table.reads:
        return fill_template(table.reads, table.keys, keys)
    return f"what {table.reads or f'the chart {words.readable_name(cell.table)}'} says for {words.list_text(keys)}"


QUESTIONS = (
    ExpressionRecord(
        graph.Ask,
        result=lambda ask, scope: scope.rules.terms[ask.term].type,
        symbols=lambda ask: (Symbol("term", "", ask.term),),
        phrase=_question_phrase,
        clause=_question_clause,
        text=lambda writer, ask: f"{ask.term}({writer.list_text(ask.arguments)})",
    ),
    ExpressionRecord(
        graph.Cell,
        result=_cell_type,
        symbols=lambda cell: (Symbol("chart", "", cell.table),),
        phrase=_cell_phrase,
        clause=None,
        text=lambda writer, cell: f"{cell.table}[{writer.list_text(cell.keys)}]{cell.kind and f'.{cell.kind}'}",
    ),
)  # fmt: skip
