"""Known mistakes in the lines of examples: positions, questions, and steps that an example does not have.

The input is the facts of an unexpected token, the output its root cause, as for those of syntax_errors.py.
"""

from compiler.report.words.unexpected_token import Cause, is_expected, keyword_of
from compiler.source.expected_tokens import TokenPhrase
from compiler.source.problems import UnexpectedToken

COMPASS = {"e", "se", "sw", "w", "nw", "ne", "east", "west", "north", "south", "southeast", "southwest", "northeast"}
PIECE_LINE = "piece R: runner of north at A (spent 2 MP)"
ROW = "row D, E from A se"


def compared_question(problem: UnexpectedToken) -> Cause | None:
    """Recognize `ask x > 0`, whose parentheses are missing."""
    if keyword_of(problem) != "example" or problem.found not in {"<", ">", "<=", ">=", "!="}:
        return None
    message = "a comparison that is asked stands in parentheses, and its answer behind them"
    return message, "compared outside of parentheses", f"write `ask (A {problem.found} B) = yes`"


def denied_answer(problem: UnexpectedToken) -> Cause | None:
    """Recognize `ask x = not y`, whose parentheses are missing."""
    if keyword_of(problem) != "example" or problem.previous_word != "not" or not is_expected(problem, "`because`"):
        return None
    message = "an answer that is denied stands in parentheses"
    return message, "behind `not`", f"write `= (not {problem.found})`"


def loop_in_example(problem: UnexpectedToken) -> Cause | None:
    """Recognize steps with a body between the lines of an example."""
    if keyword_of(problem) != "example" or problem.found not in {"for", "if", "choose", "offer"}:
        return None
    if not is_expected(problem, "`ask`", TokenPhrase.SETTING, "`order`", TokenPhrase.SEVERAL):
        return None
    steps = {"for": "loops", "if": "branches"}.get(problem.found, "choices of its own")
    advice = {
        "for": "write a line for each; or give the example a table, a case for each row",
        "if": "say in one line what is so: an example knows its position",
    }.get(problem.found, "do what asks: `act NAME(choice: A)`, `do NAME() choosing choice: A`")
    return f"an example has no {steps}", "not here", advice


def row_goes(problem: UnexpectedToken) -> Cause | None:
    """Recognize a row without its start, whose direction is not that of rows."""
    found, after = problem.found, problem.previous_word
    sample = f"`{ROW}`: D lies southeast of A, and E southeast of D"
    if keyword_of(problem) == "example" and found in COMPASS and is_expected(problem, "`on`", "`from`"):
        return f"`{found}` stands behind the hex from which a row goes: `from A {found}`", "not here", f"write {sample}"
    if (
        keyword_of(problem) == "example"
        and problem.expected == (TokenPhrase.NAME,)
        and found in {"}", "row", "piece", "ask"}
    ):
        return f"`from {after}` does not say in which direction the row goes", "no direction", f"write {sample}"
    return None


def misordered_piece(problem: UnexpectedToken) -> Cause | None:
    """Recognize a piece whose parts are in another order."""
    if keyword_of(problem) != "example" or not (is_expected(problem, "`(`") and is_expected(problem, "`in`", "`at`")):
        return None
    if not problem.found.isidentifier():
        return None
    message = f"`{problem.found}` does not fit after `{problem.previous_word}`"
    return message, "what a piece is noted to be stands in parentheses", f"a piece is written `{PIECE_LINE}`"
