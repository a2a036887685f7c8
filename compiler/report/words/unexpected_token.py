"""Where the parser met a word that does not fit: what would have fitted, and the paragraph around it."""

from compiler.source.problems import UnexpectedToken

# What is wrong, what is said beside the place, and what to write instead.
Cause = tuple[str, str, str]


def is_expected(problem: UnexpectedToken, *phrases: str) -> bool:
    """Return whether any of these would have fitted."""
    return not set(phrases).isdisjoint(problem.expected)


def keyword(problem: UnexpectedToken) -> str:
    """Return the keyword of the paragraph, "" outside of one."""
    return problem.statement[0].text if problem.statement else ""


def paragraph_name(problem: UnexpectedToken) -> str:
    """Return the name of the paragraph, "" as long as it has none."""
    return problem.statement[1].text if len(problem.statement) > 1 else ""
