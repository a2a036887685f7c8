"""Operators."""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.amounts import amount_clause, is_measured
from runtime.graph.english import agreeing_verb, holding_phrase
from runtime.graph.expressions.record import ExpressionRecord, Symbol, TypeScope, symbols_of_pieces
from runtime.graph.operators import OPERATORS, Clause, Comparison, Operands, Phrase, PhraseFunction
from runtime.graph.operators.record import whether_phrase
from runtime.graph.set_phrases import existence_clause

if TYPE_CHECKING:
    from runtime.graph.wording import Wording


def _operation_type(expr: graph.Op, scope: TypeScope) -> graph.Type:
    return OPERATORS[expr.op].type(Operands(expr.arguments, scope.of, scope.rules.vocabulary))


def _operator_symbols(expr: graph.Op) -> tuple[Symbol, ...]:
    """Return the relation that an operator reads, or the operator and the kinds whose pieces it reads."""
    reads = OPERATORS[expr.op].reads
    names = [part.name for part in expr.arguments if isinstance(part, graph.Member)] if reads else []
    if reads == "pairs":
        return (Symbol("relation", "", names[0]),)
    function = Symbol("function", "", expr.op)
    return (function, *symbols_of_pieces(names, "reserve")) if reads else (function,)


def operation_phrase(wording: "Wording", expr: graph.Op) -> str:
    """Return the phrase of an operator."""
    match OPERATORS[expr.op].phrase:
        case Phrase(text, _, member):
            phrase = words.with_space_nouns(text, wording.vocabulary)
            operands = [wording.operand(expr, part, index) for index, part in enumerate(expr.arguments)]
            if text.startswith("{0}"):
                return words.as_its_noun(operands[0], phrase.format(*operands))
            is_plural = isinstance(wording.type_of(expr), graph.Many) and text != f"the {member}"
            return words.PluralPhrase(phrase.format(*operands)) if is_plural else phrase.format(*operands)
        case PhraseFunction(value):
            return value(wording, expr)
        case Clause() | Comparison():
            return whether_phrase(wording, expr)


def _operator_clause(wording: "Wording", expr: graph.Op, holds: bool) -> str:  # noqa: FBT001 - as every clause
    """Return the clause of an operator, or its opposite."""
    match OPERATORS[expr.op].phrase, expr.arguments:
        case Comparison() as reading, (left, right):
            return _comparison_clause(wording, reading, left, right, holds=holds)
        case Clause(yes, no), arguments:
            return (yes if holds else no).format(*wording.phrases(arguments))
        case PhraseFunction(clause=clause), _ if clause is not None:
            return clause(wording, expr, holds)
        case _:
            return holding_phrase(wording.phrase(expr), holds=holds)


def _comparison_clause(
    wording: "Wording", reading: Comparison, left: graph.Expr, right: graph.Expr, *, holds: bool
) -> str:
    """Return the clause of a comparison: of a count with none, of two conditions, of an amount, or of values."""
    text = reading.holds if holds else reading.fails
    if reading.none is not None and (clause := existence_clause(wording, left, right, holds=holds == reading.none)):
        return clause
    match left, right:
        case graph.Var(name), _ if isinstance(wording.names.get(name), graph.YesNo):
            return f"{wording.clause(left)} just when {wording.condition_phrase(right, holds=not text)}"
        case _ if _is_condition(wording, left) and _is_condition(wording, right):
            opening = "only one of these holds" if text else "either both of these hold or neither"
            return f"{opening}: {wording.clause(left)}; {wording.clause(right)}"
        case _:
            is_denial = text == "not "
            value = wording.phrase(right) if is_denial else f"{text}{wording.phrase(right)}"
            # Only an amount with a measure can be "more than 3 points" where its value stands.
            is_simple = text in ("", "not ") or is_measured(wording, left)
            clause = wording.stated(left, value, holds=not is_denial) if is_simple else ""
            if clause := clause or amount_clause(wording, left, text, right):
                return clause
            subject = wording.phrase(left)
            return f"{subject} {agreeing_verb(subject, 'is')} {text}{wording.comparand_phrase(right, subject)}"


def _is_condition(wording: "Wording", expr: graph.Expr) -> bool:
    """Return whether an expression is a condition, and not `yes` or `no`."""
    return not isinstance(expr, graph.Truth) and isinstance(wording.type_of(expr), graph.YesNo)


OPERATIONS = (
    ExpressionRecord(
        graph.Op,
        result=_operation_type,
        symbols=_operator_symbols,
        phrase=operation_phrase,
        clause=_operator_clause,
        text=lambda writer, expr: writer.operation(expr.op, expr.arguments),
    ),
)  # fmt: skip
