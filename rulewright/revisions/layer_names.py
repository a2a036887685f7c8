"""The names of a layer in the current version and at a revision, and the stems of their words."""

import re
from collections.abc import Iterable
from functools import cached_property

from rulewright.revisions.rule_paragraphs import SourceParagraph
from rulewright.revisions.sentence_differences import SHORTEST_COMPARED_NAME, word_root

NAME_OR_QUOTED = re.compile(r"'[^'\n]*'|[A-Za-z_]\w*(?:-\w+)*")
NOT_LAW = re.compile(r'"[^"]*"|\#[^\n]*')
NAME_PART = re.compile(r"[a-z]+")


class Names:
    """The names in the rules of a layer, computed at the first access."""

    def __init__(self, unchanged_texts: Iterable[str], changed: Iterable[tuple[str, str]]) -> None:
        """Store the unchanged texts, and the former and current texts of changed files."""
        self._texts, self._changed = unchanged_texts, tuple(changed)

    @cached_property
    def _unchanged_names(self) -> frozenset[str]:
        return _names_in(self._texts)

    @cached_property
    def names_before(self) -> frozenset[str]:
        """Return the names at the revision."""
        return self._unchanged_names | _names_in(old_text for old_text, _ in self._changed)

    @cached_property
    def names_after(self) -> frozenset[str]:
        """Return the current names."""
        return self._unchanged_names | _names_in(new_text for _, new_text in self._changed)

    @cached_property
    def all_stems(self) -> frozenset[str]:
        """Return the stems of the words in names."""
        return _stems(self.names_before | self.names_after)

    def name_stems(self, paragraph: SourceParagraph) -> frozenset[str]:
        """Return the stems of the words in the label and the names of the law of a paragraph."""
        return _stems((paragraph.label, *paragraph.law))


def _names_in(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(name for text in texts for name in NAME_OR_QUOTED.findall(NOT_LAW.sub(" ", text)))


def _stems(names: Iterable[str]) -> frozenset[str]:
    words = {word for name in names for word in NAME_PART.findall(name.lower())}
    return frozenset(word_root(word) for word in words if len(word) >= SHORTEST_COMPARED_NAME)
