"""Tests of values: `is` and `has`."""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.amounts import possession_clause
from runtime.graph.english import predicate_text
from runtime.graph.expressions.names import field_symbol
from runtime.graph.expressions.record import ExpressionRecord, Symbol, no_symbols, yes_no
from runtime.graph.operators.record import whether_phrase

if TYPE_CHECKING:
    from runtime.graph.notation import NotationWriter
    from runtime.graph.wording import Wording


def symbol_of_test(test: graph.Test) -> Symbol:
    """Return the symbol of a word after `is`."""
    return Symbol(test.what, "" if test.what == "kind" else test.owner, test.name)


def _test_phrase(wording: "Wording", test: graph.Test) -> str:
    """Return one test of `is` as a phrase."""
    match test.what:
        case "kind":
            return words.article(words.kind(test.name, wording.vocabulary))
        case "gone":
            return "out of the game"
        case "off":
            return "off the map"
        case "cell":
            text = words.readable_name(test.name)
            cells = (cell for table in wording.rules.tables.values() for cell in table.cells)
            has_value = any(name == test.name and type_ is not None for name, type_ in cells)
            return words.article(text) if has_value else text
        case "trait" | "feature" | "path" | "status" | "place":
            return words.flag(test.owner, test.name, wording.vocabulary)


def tests_phrase(wording: "Wording", expr: graph.Is) -> str:
    """Return the tests of `is` as a phrase."""
    return words.list_text([_test_phrase(wording, test) for test in expr.tests], "or")


def _predicate(wording: "Wording", expr: graph.Is, holds: bool) -> str:  # noqa: FBT001 - as every clause
    """Return the clause of an `is` test; participles are separated from other predicates."""
    subject, holds = wording.phrase(expr.subject), holds != expr.negated
    if clause := wording.stated(expr, "", holds=holds):
        return clause
    predicates = [_test_phrase(wording, test) for test in expr.tests]
    participles = [word for word in predicates if word.startswith("has ")]
    if not holds and not participles and len(predicates) > 1:
        return predicate_text(subject, f"neither {words.list_text(predicates, 'nor')}")
    if not participles or len(predicates) == len(participles) == 1:
        return predicate_text(subject, words.list_text(predicates, "or"), holds=holds)
    clauses = [predicate_text(subject, word, holds=holds) for word in participles]
    if rest := [word for word in predicates if word not in participles]:
        clauses.append(predicate_text(subject, words.list_text(rest, "or"), holds=holds))
    others = [clause.removeprefix(f"{subject} ") for clause in clauses[1:]]
    return words.list_text([clauses[0], *others], "or" if holds else "and")


def _test_text(writer: "NotationWriter", expr: graph.Is) -> str:
    words_text = "|".join(test.name for test in expr.tests)
    return f"{writer.parenthesized(expr.subject)} is {'not ' * expr.negated}{words_text}"


CONDITIONS = (
    ExpressionRecord(
        graph.Is,
        result=yes_no,
        symbols=no_symbols,  # Those of its tests.
        phrase=whether_phrase,
        clause=_predicate,
        text=_test_text,
    ),
    ExpressionRecord(
        graph.Has,
        result=yes_no,
        symbols=lambda has: (field_symbol(has),),
        phrase=whether_phrase,
        clause=lambda wording, has, holds: possession_clause(wording, has, holds=holds),
        text=lambda writer, has: f"{writer.parenthesized(has.subject)} has {'no ' * has.negated}{writer.field(has)}",
    ),
)  # fmt: skip
