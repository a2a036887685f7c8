"""What counts conditions up, as lists for typst."""

from collections.abc import Iterable

from compiler.rulebook.exact_words import ExactSentence
from compiler.rulebook.paper.typeset import escape
from compiler.rulebook.steps import Line


def exact_text(parts: Iterable[ExactSentence]) -> str:
    """Print exact words, what they count up as lists."""
    return " ".join(
        escape(part.text)
        + (f" #list({', '.join(f'[{exact_text((item,))}]' for item in part.items)})" if part.items else "")
        for part in parts
    )


def counted_text(lines: Iterable[Line]) -> str:
    """Print the lines among steps that are counted up, as a list; "" if there are none."""
    items = [f"[{escape(line.text)} {counted_text(line.inside)}]" for line in lines if line.counted]
    return f"#list({', '.join(items)})" if items else ""
