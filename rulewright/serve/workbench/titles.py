"""Titles of pieces and places in the texts of the page: `armored_rifle-2.1` is the armored rifle 2.1.

In: a state, and sentences with the names of files and the terminal. Out: sentences with titles. The title of a
piece is that of its counter, with its number if there are several pieces of the counter.
"""

import re
from typing import Any

from runtime.answer.piece_text import piece_labels
from runtime.graph import words
from runtime.state.position import State

# Names with characters other than letters: all others are their own titles.
SPELLED = re.compile(r"[^A-Za-z]")
# A word that may be a name, perhaps with the full stop of its sentence, and the stops at which the name may end.
NAME_WORD = re.compile(r"(?![A-Za-z]+\.?(?![\w.-]))[\w.-]+")
NAME_END = re.compile(r"\.(?!\d)")
ARTICLE = re.compile(r"\b(?:the|a|an) $", re.IGNORECASE)
# Keys of answers whose values the page sends back: names in these are not replaced.
SENT_BACK = frozenset({
    "address", "at", "call", "changes", "game", "kind", "lights", "lit", "name", "options", "piece", "rules_name",
    "space", "stacks", "through", "version",
})  # fmt: skip


class Titles:
    """The titles of names in one state."""

    def __init__(self, state: State) -> None:
        """Collect the names that differ from their titles."""
        titles = {name: words.readable_name(name) for name in state.board.names}
        # In sentences, the only piece of a counter is "the truck", others are "truck 2".
        self._unique_names = set[str]()
        for sheet, label in zip(state.sheets, piece_labels(state), strict=True):
            titles[sheet.name] = label.title
            if sheet.counter in state.graph.counters and label.title == label.noun:
                self._unique_names.add(sheet.name.lower())
        known = [name for name, title in titles.items() if name != title and SPELLED.search(name)]
        self._titles = {name.lower(): titles[name] for name in known}
        # Trying each of a thousand names at each word takes long: whole words are looked up instead.
        odd_names = sorted((name for name in known if not NAME_WORD.fullmatch(name)), key=len, reverse=True)
        odd = f"(?:{'|'.join(map(re.escape, odd_names))})(?![\\w-]|\\.\\d)|" if odd_names else ""
        self._words = re.compile(rf"(?<![\w.-])(?:{odd}{NAME_WORD.pattern})", re.IGNORECASE)

    def write(self, text: str) -> str:
        """Replace the titles in a sentence by names."""
        names = {title.lower(): name for name, title in self._titles.items()}
        listed = "|".join(re.escape(title) for title in sorted(names, key=len, reverse=True))
        found = re.compile(rf"(?<![\w.-])(?:{listed})(?![\w-]|\.\d)", re.IGNORECASE)
        return found.sub(lambda each: names[each[0].lower()], text) if listed else text

    def read(self, text: str) -> str:
        """Replace the names in a sentence by titles."""
        if text.lower() in self._titles:
            return self._titles[text.lower()]
        return self._words.sub(self._title, text) if self._titles else text

    def read_all(self, data: Any) -> Any:
        """Replace the names in all sentences of an answer by titles."""
        match data:
            case str():
                return self.read(data)
            case dict():
                return {key: value if key in SENT_BACK else self.read_all(value) for key, value in data.items()}
            case list() | tuple():
                return [self.read_all(each) for each in data]
            case _:
                return data

    def _title(self, found: re.Match[str]) -> str:
        word = written = found[0]
        if word.lower() not in self._titles:
            ends = [stop.start() for stop in NAME_END.finditer(word)] if "." in word else []
            written = next((word[:end] for end in reversed(ends) if word[:end].lower() in self._titles), "")
            if not written:
                return word
        name, rest = written.lower(), word[len(written) :]
        before = found.string[max(0, found.start() - 4) : found.start()]
        article = "the " if name in self._unique_names and not ARTICLE.search(before) else ""
        title = article + self._titles[name]
        return (title[:1].upper() + title[1:] if written[0].isupper() else title) + rest
