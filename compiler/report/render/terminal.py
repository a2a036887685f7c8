"""The rendering for people: the sentence, every party quoted and underlined, then witness and help.

In: a diagnostic, and the texts that it quotes. Out: lines of fragments with roles, which determine their colors:

error R0312: two rules give different answers for `price`
 --> base/prices.rules:4:6
  |
4 | rule marsh-price "Marshes cost two."
  |      ^^^^^^^^^^^ `marsh-price` says `price is 2 MP`
  |
  = when: h is marsh, game is cold (12 of 64 combinations; position saved as witness-1.yaml)
  = help: write `exception to marsh-price` in `cold-price`
"""

from collections.abc import Mapping

from compiler.report.diagnostic import Diagnostic
from compiler.report.render.excerpt import Fragment, Line, excerpt_lines, without_control_characters
from compiler.source.sentence import Witness


def diagnostic_lines(diagnostic: Diagnostic, texts: Mapping[str, str]) -> list[Line]:
    """Format a diagnostic as lines of fragments, each with the role that determines its color."""
    role = diagnostic.severity.value
    head = (
        Fragment(f"{role} {diagnostic.code}", role),
        Fragment(f": {without_control_characters(diagnostic.message)}", "strong"),
    )
    lines = [head, *excerpt_lines(diagnostic.spans, texts, role)]
    indent = " " * len(str(max((label.span.line for label in diagnostic.spans), default=0)))
    if diagnostic.witness:
        lines.append(_remark(indent, "when", appearance_text(diagnostic.witness)))
    if diagnostic.witness and diagnostic.witness.question:
        lines.append(_remark(indent, "ask", question_text(diagnostic.witness)))
    for number, told_line in enumerate(diagnostic.explanation.splitlines()):
        lines.append(_remark(indent, "why", told_line) if not number else _continuation_line(indent, told_line))
    if diagnostic.help:
        lines.append(_remark(indent, "help", diagnostic.help))
    return lines


def appearance_text(witness: Witness) -> str:
    """Return when a finding occurs, how frequent that is, and where the position is saved if no question is about it.

    A position with a question need not be the case that a solver found: the search changes it until the answers differ.
    """
    saved = f"position saved as {witness.path}" if witness.path and not witness.question else ""
    known = "; ".join(filter(None, (witness.share, saved)))
    return f"{witness.when} ({known})" if known else witness.when


def question_text(witness: Witness) -> str:
    """Format the question about a position, the file of the position, and the answer."""
    place = f" in {witness.path}" if witness.path else ""
    return f"`{witness.question}`{place}: {witness.answer}"


def _remark(indent: str, kind: str, text: str) -> Line:
    return (
        Fragment(f"{indent} = ", "gutter"),
        Fragment(f"{kind}: ", "help"),
        Fragment(without_control_characters(text)),
    )


def _continuation_line(indent: str, text: str) -> Line:
    """Return a continuation line of a remark."""
    return (Fragment(f"{indent}   "), Fragment(f"     {without_control_characters(text)}"))
