"""Lists of conditions and steps in typst markup."""

from collections.abc import Iterable

from compiler.rulebook.exact_words import ExactSentence
from compiler.rulebook.paper.typeset import escape
from compiler.rulebook.steps import ProcedureLine


def exact_text(parts: Iterable[ExactSentence]) -> str:
    """Render an exact sentence, with its items as a nested list."""
    return " ".join(
        escape(part.text)
        + (f" #list({', '.join(f'[{exact_text((item,))}]' for item in part.items)})" if part.items else "")
        for part in parts
    )


def counted_text(lines: Iterable[ProcedureLine]) -> str:
    """Render the enumerated lines among steps as a list; "" if there are none."""
    items = [f"[{escape(line.text)} {counted_text(line.inside)}]" for line in lines if line.counted]
    return f"#list({', '.join(items)})" if items else ""
