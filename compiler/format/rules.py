"""Format a `.rules` text.

The input is a text; the output is the same text in canonical layout, or the problems that prevented parsing. Only the
space between words changes, not the kind of line ends: the new text is parsed, and its tree, words and comments are
compared with those of the old one.

A text that does not parse is returned unchanged, because its structure is unknown.
"""

from compiler.format.line_flow import lay_out
from compiler.format.printer import write_layout
from compiler.source.concrete import Branch, leaves_of, read_concrete
from compiler.source.expression_text import equal_as_written
from compiler.source.files import normalized_text, with_ends_of
from compiler.source.finding import Finding
from compiler.source.parse import parse_rules

LINE_WIDTH = 120


class _LostTextError(Exception):  # A bug, not an error of the author.
    """Formatting would have changed the meaning of a text, which is returned unchanged."""


def format_rules(text: str, file: str) -> tuple[str, tuple[Finding, ...]]:
    """Format a text; a text that does not parse is returned unchanged with its problems."""
    before, problems = parse_rules(text, file)
    if problems:
        return text, problems
    tree = read_concrete(text)
    formatted = write_layout(lay_out(tree), LINE_WIDTH)
    after, new_problems = parse_rules(formatted, file)
    if (
        new_problems
        or not equal_as_written(before.statements, after.statements)
        or _words(tree) != _words(read_concrete(formatted))
        # This comparison depends neither on the parser nor on the printer.
        or "".join(normalized_text(text).split()) != "".join(formatted.split())
    ):
        raise _LostTextError(f"formatting {file} would change what it says")
    return with_ends_of(text, formatted), ()


def _words(tree: Branch) -> list[tuple[str, ...]]:
    """Return the words and comments of a text with their adjacency, which formatting must preserve."""
    return [
        (
            *(remark.text for remark in leaf.above),
            "".join(leaf.text.split()) if leaf.type == "CITES" else leaf.text,
            leaf.trailing_comment,
        )
        for leaf in leaves_of(tree)
    ]
