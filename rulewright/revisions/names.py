"""The names that a layer knows now and knew at a revision, and their stems as sentences have them."""

import re
from collections.abc import Iterable
from functools import cached_property

from rulewright.revisions.paragraphs import Paragraph
from rulewright.revisions.sentences import SHORTEST, name_of

NAME = re.compile(r"'[^'\n]*'|[A-Za-z_]\w*(?:-\w+)*")
NOT_LAW = re.compile(r'"[^"]*"|\#[^\n]*')
PART = re.compile(r"[a-z]+")


class Names:
    """The names of the rules of a layer, collected at the first access."""

    def __init__(self, kept: Iterable[str], changed: Iterable[tuple[str, str]]) -> None:
        """Begin with the texts that are the same, and of files that changed the text then and the text now."""
        self._texts, self._changed = kept, tuple(changed)

    @cached_property
    def _kept(self) -> frozenset[str]:
        return _named(self._texts)

    @cached_property
    def names_before(self) -> frozenset[str]:
        """List the names that were known at the revision."""
        return self._kept | _named(was for was, _ in self._changed)

    @cached_property
    def names_after(self) -> frozenset[str]:
        """List the names that are known now."""
        return self._kept | _named(now for _, now in self._changed)

    @cached_property
    def all_stems(self) -> frozenset[str]:
        """List the stems of the words that names are made of."""
        return _stems(self.names_before | self.names_after)

    def name_stems(self, paragraph: Paragraph) -> frozenset[str]:
        """List the stems of the words that the names in the law of a paragraph are made of."""
        return _stems((paragraph.label, *paragraph.law))


def _named(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(name for text in texts for name in NAME.findall(NOT_LAW.sub(" ", text)))


def _stems(names: Iterable[str]) -> frozenset[str]:
    words = {word for name in names for word in PART.findall(name.lower())}
    return frozenset(name_of(word) for word in words if len(word) >= SHORTEST)
