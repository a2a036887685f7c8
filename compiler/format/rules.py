"""Format a `.rules` text.

In: a text. Out: the same text laid out one way, or the problems that kept it from being read.
Afterwards nothing is lost and nothing has changed but the space between words: the new text is read
again, and its tree and its words and comments are compared with those of the old.

A text that does not parse is left alone: what is broken cannot be told from what is meant.
"""

from compiler.format.line_flow import lay_out
from compiler.format.printer import write
from compiler.source.concrete import Branch, leaves_of, read_concrete
from compiler.source.expression_text import equal_as_written
from compiler.source.files import normalized_text
from compiler.source.parse import parse_rules
from compiler.source.problems import Problem

WIDTH = 120


class LostText(Exception):  # noqa: N818 -- a bug, not an error of the author
    """Formatting would have changed what a text says; the text is left alone."""


def format_rules(text: str, file: str) -> tuple[str, tuple[Problem, ...]]:
    """Format a text; it comes back as it is, with the problems, if it does not parse."""
    before, problems = parse_rules(text, file)
    if problems:
        return text, problems
    tree = read_concrete(text)
    formatted = write(lay_out(tree), WIDTH)
    after, slips = parse_rules(formatted, file)
    if (
        slips
        or not equal_as_written(before.statements, after.statements)
        or _words(tree) != _words(read_concrete(formatted))
        # None of ours has a hand in this one.
        or "".join(normalized_text(text).split()) != "".join(formatted.split())
    ):
        raise LostText(f"formatting {file} would change what it says")
    return formatted, ()


def _words(tree: Branch) -> list[tuple[str, ...]]:
    """List all words and comments of a text: what formatting must keep, and keep together."""
    return [
        (
            *(remark.text for remark in leaf.above),
            "".join(leaf.text.split()) if leaf.type == "CITES" else leaf.text,
            leaf.beside,
        )
        for leaf in leaves_of(tree)
    ]
