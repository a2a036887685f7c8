"""Replace the expected value in an example by the actual one.

In: a failure of an example at a line with a question, and the text of its file. Out: the text with the actual
answer as the expectation. Whether the answer is correct is the designer's decision.
"""

import re
from fractions import Fraction

from rulewright.errors import UsageError
from runtime.examples.failure import FailedLine
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.members import members_of
from runtime.witness.position_file import quote_name

# The expectation follows the last `=` of the line; reasons and comments follow it.
EXPECTED = re.compile(r"=(?P<value>[^=#]*?)(?P<reason>\s+(?:by|because)\s[^#]*?)?(?P<rest>\s*(?:#.*)?)$")
SIGNED_NUMBER = re.compile(r"[-−]?\d+(?:/\d+)?")
BY_HAND = "this result cannot be inserted automatically: write the expected value by hand"


def with_answer(rules: graph.Graph, check: graph.Check, failure: FailedLine, text: str) -> str:
    """Return the text with the actual answer as the expectation of a failed line, without the expected reason."""
    lines = text.split("\n")
    line_index = check.origin.end_line - 1
    found = EXPECTED.search(lines[line_index]) if line_index < len(lines) else None
    answer = _answer(rules, check, failure.actual)
    if found is None or not answer:
        raise UsageError(BY_HAND)
    lines[line_index] = f"{lines[line_index][: found.start()]}= {answer}{found['rest']}"
    return "\n".join(lines)


def _answer(rules: graph.Graph, check: graph.Check, actual: str) -> str:
    """Convert a printed answer to the rule language; "" if that is not possible."""
    first = actual.partition(",")[0].split(" ")[0]
    if check.verdict:
        return first if first in ("allowed", "forbidden") else ""
    match check.expected:
        case graph.Num(_, measure):
            number = SIGNED_NUMBER.match(actual)
            return f"{Fraction(number[0].replace('−', '-'))} {measure}".strip() if number else ""
        case graph.Truth():
            return first if first in ("yes", "no") else ""
        case graph.Member(enum, _):
            member_names = [
                name
                for name in members_of(rules.vocabulary, enum)
                if actual in (name, words.member(enum, name, rules.vocabulary))
            ]
            return quote_name(member_names[0]) if member_names else ""
        case graph.Place(scale, _, _):
            places = [name for name, _ in rules.vocabulary.scales[scale].places]
            return quote_name(actual) if actual in places else ""
        case graph.Spot():
            return quote_name(actual)
        case _:
            return ""
