"""Phrases for what would have fitted, in the words of an author of rules, not of the parser.

In: the terminals the parser could take. Out: a few phrases, most likely first.
"""

from collections.abc import Mapping

# What follows these words is a condition; after others, an expression is called a value.
_BEFORE_CONDITION = {"when", "where", "legal", "until", "if", "not", "and", "or"}

_EXPRESSION = {
    "NAME", "NUMBER", "QUOTED", "LPAR", "LBRACE", "MINUS", "ALL", "AGGREGATE", "EXTREME", "SEARCH", "LINKED", "YES",
    "NO", "IF", "NOT",
}  # fmt: skip
_OPERATOR = {
    "PLUS", "MINUS", "TIMES", "SLASH", "DOT", "COMPARE", "EQUAL", "IS", "HAS", "IN", "NOT", "AND", "OR", "VBAR", "LSQB",
    "LPAR", "AT",
}  # fmt: skip
_PARAGRAPH = {
    "MEASURE", "SIDE", "EXTEND", "ENUM", "DOMAIN", "SCALE", "KIND", "FLAGS", "PATH", "PLACE", "STATUS", "TRACK",
    "RELATION", "RECORD", "TASK", "EVENT", "ALWAYS", "PRECONDITION", "OUTCOME", "WORDING", "TERM_KIND", "DEFINE",
    "CASE", "RULE", "RULING", "DISPUTE", "EXAMPLE", "SEQUENCE", "INSERT", "ACTION", "REACTION", "RESOLUTION",
    "AFTER", "OFFER", "PHASE", "REQUIRES", "$END",
}  # fmt: skip
_STEP = {
    "LET", "LEGAL", "CHOOSE", "OFFER", "FOR", "IF", "DO", "TELL", "ROLL", "DRAW", "EACH", "PHASE", "STOP", "SET",
    "MARK", "UNMARK", "MOVE", "FLIP", "RESTORE", "REMOVE", "CREATE", "RELATE", "UNRELATE", "WRITE", "STRIKE", "ADD",
    "PROCEED",
}  # fmt: skip
_SETTING = {
    "ROW", "SPACES", "CONNECTIONS", "CHART", "SIDES", "PATH", "PIECE", "GIVEN", "DICE", "DRAWS", "ACT", "ASK", "END",
    "TELLS", "PREVIEWS", "CHANCES",
} | _STEP  # fmt: skip
_RELATION = {
    "EXCEPTION", "REPLACES", "WITHDRAWS", "SUPPRESSES", "CLARIFIES", "CARRIED", "JOINS", "WITH", "REORDERS", "INSERTS",
    "WRAPS",
}  # fmt: skip
_CONCLUSION = {"IS", "CONTRIBUTES", "VERDICT_WORD", "CONDITION_WORD"}

# (phrase, terminals that must all fit, terminals the phrase stands for), tried in this order.
_GROUPS: tuple[tuple[str, set[str], set[str]], ...] = (
    ("a type", {"INTEGER", "NAME", "LIST"}, {"INTEGER", "NAME", "LIST", "SET", "MINUS"}),
    ("an expression", {"NAME", "NUMBER", "LBRACE"}, _EXPRESSION),
    ("what the rule concludes, such as `is`, `adds` or `forbidden`", {"IS", "CONTRIBUTES"}, _CONCLUSION),
    ("a conclusion, a relation or `when`", {"NAME", "EXCEPTION", "GUARD"}, _RELATION | {"NAME", "WHEN"}),
    ("a relation such as `exception to`", {"EXCEPTION", "WITHDRAWS"}, _RELATION),
    ("a setting or `ask`", {"PIECE", "ASK"}, _SETTING),
    ("a step", {"CHOOSE", "STRIKE"}, _STEP),
    ("a new paragraph", {"MEASURE", "RULE"}, _PARAGRAPH),
    ("a rule", {"RULE", "CASE"}, {"CASE", "RULE", "RULING", "DISPUTE", "EXAMPLE"}),
    ("a rule or an example", {"RULE", "EXAMPLE"}, {"RULE", "EXAMPLE"}),
    ("a verdict", {"VERDICT_WORD", "CONDITION_WORD"}, {"VERDICT_WORD", "CONDITION_WORD"}),
    ("an operator", {"PLUS", "TIMES"}, _OPERATOR),
)

_PLAIN = {
    "NAME": "a name",
    "LABEL": "a label such as `open-ground`",
    "STACK": "a stack such as `game+option`",
    "NUMBER": "a number",
    "INTEGER": "a whole number",
    "QUOTED": "a name in single quotes",
    "STRING": "a text in double quotes",
    "CITES": "sources in brackets",
    "FLAGS": "`trait` or `feature`",
    "TERM_KIND": "a kind of term such as `value`",
    "DOING": "`action`, `resolution` or `phase`",
    "RULING_KIND": "`addition`, `correction` or `clarification`",
    "IMPACT": "`none`, `minor` or `major`",
    "CONTRIBUTES": "`adds`, `offers`, `includes` or `excludes`",
    "VERDICT_WORD": "`allowed` or `forbidden`",
    "CONDITION_WORD": "`holds` or `fails`",
    "ORDINAL": "`first`, `second` or `last`",
    "CHOOSE_HOW": "`any` or `order`",
    "AGGREGATE": "an aggregate such as `count`",
    "EXTREME": "`least` or `greatest`",
    "SEARCH": "`reachable`, `cheapest_cost` or `cheapest_way`",
    "LINKED": "`linked`",
    "COMPARE": "a comparison",
    "__ANON_0": "`..`",
}

# The most phrases that are listed.
_MOST = 5


def expected(usable: set[str], after: str, fixed: Mapping[str, str]) -> tuple[str, ...]:
    """Put terminals into words; `after` is the word before, `fixed` the text of signs and keywords."""
    left = set(usable)
    phrases: list[str] = []
    for phrase, must, covered in _GROUPS:
        if must <= left:
            left -= covered
            phrases.append(phrase)
    if "an operator" in phrases and (len(phrases) > 1 or left):
        phrases.remove("an operator")
    named = [_PLAIN.get(each, f"`{fixed.get(each, each)}`") for each in sorted(left) if each != "$END"]
    if not phrases and not named:
        return ("the end of the text",)
    what = "a condition" if after in _BEFORE_CONDITION else "a value"
    return tuple(what if each == "an expression" else each for each in (*phrases, *named))[:_MOST]
