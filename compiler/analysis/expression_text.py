"""Texts of rules and rows for findings, around expressions in the notation of rule files."""

import re

from compiler.analysis.normal_form import Names, normalize
from compiler.analysis.parties import Party
from runtime.graph import nodes as graph
from runtime.graph.notation import NotationWriter
from runtime.graph.rows import row_label
from runtime.graph.verbs import VERBS

VARIABLE_LETTERS = "xyzabcdefg"


class ExpressionWriter(NotationWriter):
    """A writer for the expressions and rules of one stack."""

    def __init__(self, vocabulary: graph.Vocabulary) -> None:
        super().__init__(vocabulary.relations)
        self.vocabulary = vocabulary

    def rule_party(self, rule: graph.Rule) -> Party:
        """Return a rule as a party of a finding, with the text of its conclusion."""
        return Party(rule.label, self.conclusion_text(rule), rule.cites, rule.origin)

    def row_party(self, table: graph.Table, row: graph.TableRow) -> Party:
        """Return a row of a table as a party of a finding."""
        says = row.kind if row.value is None else self.text(row.value)
        return Party(row_label(table, row, self.vocabulary), says, row.cites or table.cites, row.origin)

    def beside_text(self, beside: graph.Beside) -> str:
        """Format the question beside which a term stands, with the exceptions."""
        excepted = f" but not {', '.join(beside.excepted)}" if beside.excepted else ""
        return f"{self.text(graph.Ask(beside.term, beside.arguments))}{excepted}"

    def conclusion_text(self, rule: graph.Rule) -> str:
        """Format the conclusion of a rule; "" if it only defeats others."""
        if not rule.verb:
            return ""
        subject = rule.terms[0]
        if rule.value is None:
            return f"{subject} {VERBS[rule.verb].notation}"
        return f"{subject} {rule.verb} {self.text(rule.value)}"


def written_out(expr: graph.Expr, names: Names, vocabulary: graph.Vocabulary) -> str:
    """Format an expression with its names substituted and its binders as letters."""
    return with_letters(ExpressionWriter(vocabulary).text(normalize(expr, names)))


def with_letters(text: str) -> str:
    """Return a text with letters in place of its numbered binders."""
    return re.sub(r"#(\d)", lambda binder: VARIABLE_LETTERS[int(binder[1])], text)
