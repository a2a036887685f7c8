"""Format branches without a special layout: words in a row, broken where a line is too long.

A line may end behind a comma and before the words listed here, and nowhere else. `lay_out` lays out every part of a
text; paragraphs.py and formulas.py register their layouts in its table.
"""

import re
from collections.abc import Callable, Iterable

from compiler.format.layout import EMPTY, Fill, Indent, Layout, LeadingComment, Line, Text, TrailingComment, filled_row
from compiler.source.concrete import Branch, ConcreteNode, Leaf, leaves_of

# The parts of a branch before which it may continue on the next line.
BREAKS = {
    "account": {"cited"},
    "account_text": {"WHEN"},
    "action": {"acting", "acting_in", "cited"},
    "add": {"TO"},
    "aggregate_for": {"FOR", "OTHERWISE"},
    "ask": {"EQUAL", "because"},
    "beside": {"BESIDE"},
    "binder": {"WHERE", "FOR"},
    "case": {"NUMBERED", "WHEN"},
    "cell_patch": {"EQUAL", "BY"},
    "choice_made": {"not_taken"},
    "choose": {"chooser", "PREFERRING"},
    "define": {"cited"},
    "do": {"cited"},
    "dispute": {"STRING"},
    "example": {"under", "upon", "cases"},
    "extreme": {"BY"},
    "gathered_for": {"FOR"},
    "hook": {"stands", "cited"},
    "moment_hook": {"stands", "cited"},
    "let_only": {"WHERE"},
    "not_taken": {"BY", "BECAUSE", "WHEN"},
    "offer": {"cited", "chooser", "UNTIL", "MUST", "KEEPING"},
    "answered": {"CHOOSING"},
    "perform": {"chooser", "refused"},
    "phase": {"prose", "cited"},
    "reaction": {"BY", "TO", "cited"},
    "reading": {"cited", "DEFAULT"},
    "argued_reading": {"cited", "STRING"},
    "refused": {"BY", "because", "WHEN"},
    "extend_precondition": {"excepting"},
    "relation": {"ONE", "KEEPS", "ENDS"},
    "replaces": {"EXPECTING"},
    "precondition": {"cited"},
    "table_precondition": {"cited"},
    "resolution": {"cited"},
    "rule": {"cited"},
    "ruling": {"CITES", "RULING_KIND"},
    "search": {"TO", "BY", "COSTING", "WITHIN", "OTHERWISE"},
    "sequence": {"cited"},
    "task": {"COUNTS", "EACH", "cited"},
    "term": {"of_type", "cited", "stages", "capped", "default", "otherwise"},
    "required": {"WHEN", "FOR"},
    "track": {"EQUAL", "until", "required"},
}

# Parts with separate lines and without brackets around them: they are indented by one more step.
_OPEN = {"both", "choice", "either", "plus", "times"}

LAYOUTS: dict[str, Callable[[Branch], Layout]] = {}


def lay_out(twig: ConcreteNode) -> Layout:
    """Format a branch or a token."""
    if isinstance(twig, Leaf):
        return _lay_out_leaf(twig)
    return LAYOUTS.get(twig.kind, _lay_out_flow)(twig)


def _lay_out_flow(branch: Branch) -> Layout:
    """Format a branch as words in a row."""
    return lay_out_row(branch.kind, branch.parts)


def lay_out_row(kind: str, parts: Iterable[ConcreteNode]) -> Layout:
    """Arrange the parts of a branch in a row; a piece ends behind a comma and before a word of `BREAKS`."""
    pieces: list[Layout] = []
    flats: list[str] = []
    piece: list[Layout] = []
    before: ConcreteNode | None = None
    for part in parts:
        if before is not None:
            space = _text_between(kind, last_leaf(before), first_leaf(part))
            if part_name(before) == "COMMA" or part_name(part) in BREAKS.get(kind, ()):
                pieces.append(tuple(piece))
                flats.append(space)
                piece = []
            else:
                piece.append(Text(space))
        piece.append(Indent(lay_out(part)) if part_name(part) in _OPEN else lay_out(part))
        before = part
    pieces.append(tuple(piece))
    return filled_row(pieces, flats)


def _lay_out_leaf(token: Leaf) -> Layout:
    """Format a token with its comments."""
    words = _lay_out_citations(token.text) if token.type == "CITES" else Text(token.text)
    return (
        *(LeadingComment(remark.text) for remark in token.above),
        words,
        TrailingComment(token.trailing_comment) if token.trailing_comment else EMPTY,
    )


def _lay_out_citations(text: str) -> Layout:
    """Format citations in brackets: one space between ids, none before a comma."""
    words = re.sub(r"\s*,\s*", ", ", text[1:-1]).split()
    ends = [f"[{words[0]}", *words[1:]] if words else ["["]
    ends[-1] += "]"
    return Indent(Fill(tuple(map(Text, ends)), (Line(" "),) * (len(ends) - 1)))


def part_name(twig: ConcreteNode) -> str:
    """Return the kind of a branch or the type of a token."""
    return twig.type if isinstance(twig, Leaf) else twig.kind


def first_leaf(twig: ConcreteNode) -> Leaf:
    """Return the first token of a part."""
    while isinstance(twig, Branch):
        twig = twig.parts[0]
    return twig


def last_leaf(twig: ConcreteNode) -> Leaf:
    """Return the last token of a part."""
    while isinstance(twig, Branch):
        twig = twig.parts[-1]
    return twig


def has_comments(twig: ConcreteNode) -> bool:
    """Return whether any token of a part has a comment above or behind it."""
    return any(token.above or token.trailing_comment for token in leaves_of(twig))


# ---------------------------------------------------------------- spaces between tokens


# No space is printed before these, and none behind those.
_CLOSE_BEFORE = {",", ":", ")", "]", "}", ".", "..", "|", "?"}
_CLOSE_BEHIND = {"(", "[", "{", ".", "..", "|"}
# A parenthesis is adjacent to what it belongs to: `count(`, `may_enter(`; elsewhere it only groups.
_CALLED = {"NAME", "AGGREGATE", "EXTREME", "SEARCH", "LINKED"}
# Signs without spaces in these branches: `A/B`, `A-B-C`, `-3`.
_CLOSE_IN = {("side_item", "/"), ("trail", "-"), ("minus", "-"), ("signed", "-"), ("position", "-")}


def _text_between(kind: str, left: Leaf, right: Leaf) -> str:
    """Return the text between two tokens that are adjacent in a branch of this kind."""
    if right.text in _CLOSE_BEFORE or left.text in _CLOSE_BEHIND:
        return ""
    if right.text == "(" and left.type in _CALLED and kind != "piece_setting":
        return ""
    if right.text == "(" and kind in {"precondition", "table_precondition"} and left.type == "LABEL":
        return ""
    if right.text == "[" and right.type != "CITES":
        return ""
    return "" if (kind, right.text) in _CLOSE_IN or (kind, left.text) in _CLOSE_IN else " "
