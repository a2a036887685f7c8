"""Phrases for expected tokens, in the terms of an author of rules, not of the parser.

The input is the terminals that the parser could shift; the output is a few phrases, most likely first.
"""

from collections.abc import Mapping, Set
from enum import StrEnum
from functools import cache

from compiler.source.grammar import first_terminals


class TokenPhrase(StrEnum):
    """A phrase for an expected token that is more than one sign or keyword; those are quoted verbatim."""

    TYPE = "a type"
    EXPRESSION = "an expression"
    CONCLUSION = "a conclusion (`is`, `adds`, `forbidden`)"
    RELATION = "a relation (`exception to`)"
    SETTING = "a setting or `ask`"
    STEP = "a step"
    PARAGRAPH = "a new paragraph"
    RULE = "a rule"
    RULE_OR_EXAMPLE = "a rule or an example"
    VERDICT = "a verdict"
    OPERATOR = "an operator"
    NAME = "a name"
    LABEL = "a label (`open-ground`)"
    STACK = "a stack (`game+option`)"
    NUMBER = "a number"
    INTEGER = "a whole number"
    QUOTED_NAME = "a name in single quotes"
    TEXT = "a text in double quotes"
    SOURCES = "sources in brackets"
    SEVERAL = "`any` or `order`"
    CONDITION = "a condition"
    VALUE = "a value"


# What follows these words is a condition; elsewhere an expression is called a value.
_BEFORE_CONDITION = {"when", "where", "legal", "until", "if", "not", "and", "or"}

_OPERATOR = {
    "PLUS", "MINUS", "TIMES", "SLASH", "DOT", "COMPARE", "EQUAL", "IS", "HAS", "IN", "NOT", "AND", "OR", "VBAR", "LSQB",
    "LPAR", "AT",
}  # fmt: skip
_CONCLUSION = {"IS", "CONTRIBUTES", "VERDICT_WORD", "CONDITION_WORD"}

_LAWS = frozenset({"RULE", "EXAMPLE"})
_VERDICTS = frozenset({"VERDICT_WORD", "CONDITION_WORD"})


@cache
def _groups() -> tuple[tuple[str, Set[str], Set[str]], ...]:
    """Return the phrases in the order in which they are tried.

    Each has the terminals that must all be possible, and those that it covers.
    """
    firsts = first_terminals()
    return (
        (TokenPhrase.TYPE, {"INTEGER", "NAME", "LIST"}, firsts["type"]),
        (TokenPhrase.EXPRESSION, {"NAME", "NUMBER", "LBRACE"}, firsts["expression"]),
        (TokenPhrase.CONCLUSION, {"IS", "CONTRIBUTES"}, _CONCLUSION),
        (TokenPhrase.RELATION, {"EXCEPTION", "WITHDRAWS"}, firsts["clause"] - {"WHEN"}),
        (TokenPhrase.SETTING, {"PIECE", "ASK"}, firsts["setting"] | firsts["ask"]),
        (TokenPhrase.STEP, {"CHOOSE", "STRIKE"}, firsts["step"]),
        (TokenPhrase.PARAGRAPH, {"MEASURE", "RULE"}, firsts["statement"] | {"$END"}),
        (TokenPhrase.RULE, {"RULE", "CASE"}, firsts["law"]),
        (TokenPhrase.RULE_OR_EXAMPLE, _LAWS, _LAWS),
        (TokenPhrase.VERDICT, _VERDICTS, _VERDICTS),
        (TokenPhrase.OPERATOR, {"PLUS", "TIMES"}, _OPERATOR),
    )


_PLAIN = {
    "NAME": TokenPhrase.NAME,
    "LABEL": TokenPhrase.LABEL,
    "STACK": TokenPhrase.STACK,
    "NUMBER": TokenPhrase.NUMBER,
    "INTEGER": TokenPhrase.INTEGER,
    "QUOTED": TokenPhrase.QUOTED_NAME,
    "STRING": TokenPhrase.TEXT,
    "CITES": TokenPhrase.SOURCES,
    "FLAGS": "`trait` or `feature`",
    "TERM_KIND": "a kind of question (`value`)",
    "CONDUCT_KIND": "`action`, `resolution` or `phase`",
    "RULING_KIND": "`addition`, `correction` or `clarification`",
    "IMPACT": "`none`, `minor` or `major`",
    "CONTRIBUTES": "`adds`, `offers`, `includes` or `excludes`",
    "VERDICT_WORD": "`allowed` or `forbidden`",
    "CONDITION_WORD": "`holds` or `fails`",
    "ORDINAL": "`first`, `second` or `last`",
    "CHOOSE_HOW": TokenPhrase.SEVERAL,
    "AGGREGATE": "an aggregate (`count`)",
    "EXTREME": "`least` or `greatest`",
    "SEARCH": "`reachable`, `cheapest_cost` or `cheapest_way`",
    "COMPARE": "a comparison",
    "__ANON_0": "`..`",
}

# The most phrases that are listed.
_MOST = 5


def expected_phrases(usable: set[str], after: str, fixed: Mapping[str, str]) -> tuple[str, ...]:
    """Format terminals as phrases; `after` is the word before, `fixed` the text of signs and keywords."""
    left = set(usable)
    phrases: list[str] = []
    for phrase, must, covered in _groups():
        if must <= left:
            left -= covered
            phrases.append(phrase)
    if TokenPhrase.OPERATOR in phrases and (len(phrases) > 1 or left):
        phrases.remove(TokenPhrase.OPERATOR)
    named = [_PLAIN.get(each, f"`{fixed.get(each, each)}`") for each in sorted(left) if each != "$END"]
    if not phrases and not named:
        return ("the end of the text",)
    expression_phrase = TokenPhrase.CONDITION if after in _BEFORE_CONDITION else TokenPhrase.VALUE
    return tuple(str(expression_phrase if each == TokenPhrase.EXPRESSION else each) for each in (*phrases, *named))[
        :_MOST
    ]
