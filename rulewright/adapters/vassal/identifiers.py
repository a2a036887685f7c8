"""Generate unique identifiers of Latin letters, digits and `_` from foreign names; keywords are avoided."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import count

from compiler.source.grammar import parser_tables

LONGEST_IDENTIFIER = 40
# Names that every stack predefines and that may not be declared.
PREDEFINED_NAMES = frozenset(
    "game side scenario hex hexside space connection unit counter name board turn phase player die".split()
)


class NamePool:
    """A pool of the names in use."""

    def __init__(self, used_names: Iterable[str] = ()) -> None:
        """Start with some names in use."""
        self._used_names = {_comparable(name) for name in used_names}

    def word(self, text: str, fallback: str) -> str:
        """Return an unused lower-case name; `fallback` is its base if the text has no Latin letter."""
        plain = _plain_word(text, fallback)
        if plain in PREDEFINED_NAMES or plain in parser_tables().vocabulary.words:
            plain = f"{plain}_{fallback}"
        return self._unused_name(plain)

    def file(self, text: str, fallback: str) -> str:
        """Return an unused name of a file, which may be a keyword."""
        plain = _plain_word(text, fallback)
        names = (f"{plain}_{number}" if number > 1 else plain for number in count(1))
        found = next(name for name in names if _comparable(name) not in self._used_names)
        self._used_names.add(_comparable(found))
        return found

    def space(self, text: str, fallback: str) -> str:
        """Return an unused name of a space, which may have capital letters."""
        plain = re.sub(r"[^A-Za-z0-9]+", "_", _latin(text)).strip("_")[:LONGEST_IDENTIFIER].strip("_")
        if plain[:1].isdigit():
            plain = f"S{plain}"
        return self._unused_name(plain or fallback)

    def marker(self, name: str) -> str:
        """Return the unused letters by which a status is drawn."""
        short = "".join(part[:1] for part in name.split("_"))[:3] if "_" in name else name[:2]
        return self._unused_name(short).upper().replace("_", "")

    def _unused_name(self, name: str) -> str:
        """Add a number to a name that is in use or a keyword; the result is in use from then on."""
        found, number = name, 2
        while _comparable(found) in self._used_names or found in parser_tables().vocabulary.words:
            found, number = f"{name}_{number}", number + 1
        self._used_names.add(_comparable(found))
        return found


def _plain_word(text: str, fallback: str) -> str:
    """Convert a text to lower-case letters, digits and `_`; return `fallback` if it has no Latin letter."""
    split_text = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", _latin(text).replace("'", ""))
    plain = re.sub(r"[^a-z0-9]+", "_", split_text.lower()).strip("_")[:LONGEST_IDENTIFIER].strip("_")
    if plain[:1].isdigit():
        plain = f"{fallback}_{plain}"
    return plain if re.search("[a-z]", plain) else fallback


def _comparable(name: str) -> str:
    """Normalize a name for comparison: names that differ only in case or underscores look alike."""
    return name.lower().replace("_", "")


def _latin(text: str) -> str:
    """Strip accents, and remove letters of other scripts."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
