"""Lists in a text, as VASSAL writes them: a separator, `\\` before one that is part of a member, lists in lists.

A member that begins with `\\`, or that stands between apostrophes, is written between apostrophes.
"""

from collections.abc import Iterable

ESCAPE = "\\"
QUOTE = "'"


def split_list(text: str, separator: str) -> list[str]:
    """Take a list apart; an empty text is a list of one empty member."""
    members: list[str] = []
    begun: list[str] = []
    start = 0
    while True:
        at = text.find(separator, start)
        if at < 0:
            members.append(_unquoted("".join([*begun, text[start:]])))
            return members
        if at > 0 and text[at - 1] == ESCAPE:
            begun.append(text[start : at - 1])
            # The separator itself is part of the member; what follows is looked for behind it.
            begun.append(separator)
        else:
            begun.append(text[start:at])
            members.append(_unquoted("".join(begun)))
            begun = []
        start = at + 1


def join_list(members: Iterable[str], separator: str) -> str:
    """Write a list."""
    return separator.join(_quoted(member.replace(separator, ESCAPE + separator), member) for member in members)


def split_nested(text: str, separator: str, deepest: int) -> list[str] | None:
    """Take apart pairs of a member and a rest that is such a pair again; None where they go deeper than `deepest`."""
    found: list[str] = []
    while len(found) < deepest:
        members = split_list(text, separator)
        found.append(members[0])
        if len(members) == 1:
            return found
        text = members[1]
    return None


def join_nested(members: Iterable[str], separator: str) -> str:
    """Write pairs of a member and a rest that is such a pair again."""
    *outer, text = members
    for member in reversed(outer):
        text = join_list((member, text), separator)
    return text


def _unquoted(member: str) -> str:
    return member[1:-1] if len(member) > 1 and member[0] == member[-1] == QUOTE else member


def _quoted(escaped: str, member: str) -> str:
    odd = member.startswith(ESCAPE) or (member.startswith(QUOTE) and member.endswith(QUOTE))
    return f"{QUOTE}{escaped}{QUOTE}" if odd else escaped
