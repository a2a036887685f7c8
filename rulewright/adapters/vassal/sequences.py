"""Encoding of lists in VASSAL: members separated by a character that `\\` escapes; lists may be nested.

A member that begins with `\\`, or that is in apostrophes, is enclosed in apostrophes.
"""

from collections.abc import Iterable

ESCAPE = "\\"
QUOTE = "'"
NESTED = "\t"  # between a member and the encoded rest


def split_list(text: str, separator: str) -> list[str]:
    """Split a list into its members; an empty text is a list of one empty member."""
    members: list[str] = []
    member_parts: list[str] = []
    start = 0
    while True:
        index = text.find(separator, start)
        if index < 0:
            members.append(_unquoted("".join([*member_parts, text[start:]])))
            return members
        if index > 0 and text[index - 1] == ESCAPE:
            member_parts.append(text[start : index - 1])
            # An escaped separator is part of the member, and the scan continues after it.
            member_parts.append(separator)
        else:
            member_parts.append(text[start:index])
            members.append(_unquoted("".join(member_parts)))
            member_parts = []
        start = index + 1


def join_list(members: Iterable[str], separator: str) -> str:
    """Encode a list."""
    return separator.join(_quoted(member.replace(separator, ESCAPE + separator), member) for member in members)


def split_nested(text: str, deepest: int) -> list[str] | None:
    """Split nested pairs of a member and the encoded rest; None if they are nested more than `deepest` levels."""
    found: list[str] = []
    while len(found) < deepest:
        members = split_list(text, NESTED)
        found.append(members[0])
        if len(members) == 1:
            return found
        text = members[1]
    return None


def join_nested(members: Iterable[str]) -> str:
    """Encode members as nested pairs of a member and the encoded rest."""
    *outer, text = members
    for member in reversed(outer):
        text = join_list((member, text), NESTED)
    return text


def _unquoted(member: str) -> str:
    return member[1:-1] if len(member) > 1 and member[0] == member[-1] == QUOTE else member


def _quoted(escaped: str, member: str) -> str:
    needs_quotes = member.startswith(ESCAPE) or (member.startswith(QUOTE) and member.endswith(QUOTE))
    return f"{QUOTE}{escaped}{QUOTE}" if needs_quotes else escaped
