"""The context of an unexpected token: the expected tokens, and the paragraph around it."""

from compiler.source.problems import UnexpectedToken

# The message, the label of the place, and the advice.
Cause = tuple[str, str, str]


def is_expected(problem: UnexpectedToken, *phrases: str) -> bool:
    """Return whether any of these was expected."""
    return not set(phrases).isdisjoint(problem.expected)


def keyword_of(problem: UnexpectedToken) -> str:
    """Return the keyword of the paragraph, "" outside one."""
    return problem.statement[0].text if problem.statement else ""


def paragraph_name(problem: UnexpectedToken) -> str:
    """Return the name of the paragraph, "" if it has none yet."""
    return problem.statement[1].text if len(problem.statement) > 1 else ""
