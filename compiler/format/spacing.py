"""The text between two adjacent tokens on one line: a space, or nothing."""

from compiler.source.concrete import Leaf

# No space is printed before these, and none behind those.
_CLOSE_BEFORE = {",", ":", ")", "]", "}", ".", "..", "|", "?"}
_CLOSE_BEHIND = {"(", "[", "{", ".", "..", "|"}
# A parenthesis is adjacent to what it belongs to: `count(`, `may_enter(`; elsewhere it only groups.
_CALLED = {"NAME", "AGGREGATE", "EXTREME", "SEARCH", "LINKED"}
# Signs without spaces in these branches: `A/B`, `A-B-C`, `-3`.
_CLOSE_IN = {("side_item", "/"), ("trail", "-"), ("minus", "-"), ("signed", "-"), ("position", "-")}


def text_between(kind: str, left: Leaf, right: Leaf) -> str:
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
