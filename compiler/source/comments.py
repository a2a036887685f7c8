"""Normalize rules to what is compiled: two texts that differ in comments and layout only become equal."""

import re

from compiler.source.character_checks import UNPRINTABLE

# A text or a quoted word is copied; between the words around a comment there is still a gap. A gap of one space, as
# most are, stays as it is.
_PARTS = re.compile(r"""("[^"\n]*+"?|'[^'\n]*+'?)|(?![ ][^ \t\r\n\f#])(?:[ \t\r\n\f]++|\#[^\n]*+)++""")


def without_comments(text: str) -> str:
    """Remove the comments of a `.rules` text and replace each gap by one space.

    A comment with a character that may have to be reported (character_checks.py) is kept, because such characters are
    reported in comments, too.
    """
    return _PARTS.sub(_without, text).strip(" ")


def _without(part: re.Match[str]) -> str:
    if part[1]:
        return part[1]
    return " " if part[0].isascii() and not UNPRINTABLE.search(part[0]) else part[0]
