"""Names of ours for names of theirs: Latin letters, digits and `_`, each once, none that is a word of the language."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import count

from compiler.source.grammar import parser_tables

LONGEST = 40
# What rules read of every stack, and may not be declared again.
TAKEN = frozenset(
    "game side scenario hex hexside space connection unit counter name board turn phase player die".split()
)


class NamePool:
    """Names that have been given."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        """Begin with names that are taken already."""
        self._given = {_comparable(each) for each in given}

    def word(self, text: str, otherwise: str) -> str:
        """Return a name in small letters; `otherwise` names what has no Latin letter."""
        plain = _plain_word(text, otherwise)
        if plain in TAKEN or plain in parser_tables().vocabulary.words:
            plain = f"{plain}_{otherwise}"
        return self._once(plain)

    def file(self, text: str, otherwise: str) -> str:
        """Return the name of a file, which may be a word of the language."""
        plain = _plain_word(text, otherwise)
        names = (f"{plain}_{number}" if number > 1 else plain for number in count(1))
        found = next(each for each in names if _comparable(each) not in self._given)
        self._given.add(_comparable(found))
        return found

    def space(self, text: str, otherwise: str) -> str:
        """Return a name of a space, which may have capital letters."""
        plain = re.sub(r"[^A-Za-z0-9]+", "_", _latin(text)).strip("_")[:LONGEST].strip("_")
        if plain[:1].isdigit():
            plain = f"S{plain}"
        return self._once(plain or otherwise)

    def marker(self, name: str) -> str:
        """Return the few letters that a status is drawn with."""
        short = "".join(part[:1] for part in name.split("_"))[:3] if "_" in name else name[:2]
        return self._once(short).upper().replace("_", "")

    def _once(self, name: str) -> str:
        """Add a number to a name that has been given, or means something."""
        found, number = name, 2
        while _comparable(found) in self._given or found in parser_tables().vocabulary.words:
            found, number = f"{name}_{number}", number + 1
        self._given.add(_comparable(found))
        return found


def _plain_word(text: str, otherwise: str) -> str:
    """Write a text as a word of small letters, digits and `_`; `otherwise` if it has no Latin letter."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", _latin(text).replace("'", ""))
    plain = re.sub(r"[^a-z0-9]+", "_", apart.lower()).strip("_")[:LONGEST].strip("_")
    if plain[:1].isdigit():
        plain = f"{otherwise}_{plain}"
    return plain if re.search("[a-z]", plain) else otherwise


def _comparable(name: str) -> str:
    """Leave away what two names may not differ in alone: `S2_2` and `S22` look alike."""
    return name.lower().replace("_", "")


def _latin(text: str) -> str:
    """Take accents away; letters of other scripts go."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
