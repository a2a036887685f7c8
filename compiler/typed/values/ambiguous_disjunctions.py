"""Words meant to be tested by the other side of a connective: `x is not a or b`, `x = a or b`.

In: the word and the operand to its left. Out: R0411, with the whole test written out; None where another error is
likely.
"""

from compiler.source import nodes as source
from compiler.source.expression_text import expression_text
from compiler.typed.environment import Environment
from compiler.typed.problems import Misplaced

JOINED = {"=": "in", "!=": "not in"}


def ambiguous_disjunction(
    node: source.Both | source.Either, part: source.Expression, before: source.Expression, env: Environment
) -> Misplaced | None:
    """Return the problem of a word that is an operand by itself; None if it is not meant as a test."""
    while isinstance(before, source.Both | source.Either):
        before = before.parts[-1]
    while isinstance(part, source.Both):
        part = part.parts[0]  # `or` binds weaker than `and`: `x = a or b and ..`.
    denied = isinstance(part, source.Not)
    word = part.operand if isinstance(part, source.Not) else part
    if not isinstance(word, source.Name):
        return None
    joint = "and" if isinstance(node, source.Both) else "or"
    match before:
        case source.IsTest(subject=subject, words=words, negated=negated) if _is_flag(word.id, env):
            sign, written = (
                "is",
                _tested(
                    expression_text(subject),
                    [each.text for each in words],
                    word.id,
                    joint,
                    negated=negated,
                    denied=denied,
                ),
            )
        case source.Compare(op=op, left=left, right=source.Name(id=first)) if env.enums_with(word.id) and not denied:
            joins = (op, joint) in {("=", "or"), ("!=", "and")}
            left_text, other = expression_text(left), word.id
            sign = op
            written = f"{left_text} {JOINED[op]} {{{first}, {other}}}" if joins else f"{left_text} {op} {other}"
        case _:
            return None
    message = f"`{expression_text(part)}` stands alone here: `{sign}` does not reach over `{joint}`"
    return Misplaced(word.span, message, f"write `{written}`")


def _tested(subject: str, words: list[str], word: str, joint: str, *, negated: bool, denied: bool) -> str:
    """Format the test that is meant."""
    if denied or (joint == "and" and not negated):
        return f"{subject} is {'not ' if denied else ''}{word}"
    return f"{subject} is {'not ' if negated else ''}{'|'.join((*words, word))}"


def _is_flag(word: str, env: Environment) -> bool:
    return word in {"gone", "off"} or word in env.kinds or any(flag.name == word for flag in env.flags.values())
