"""Find declared words that no available file uses.

In: a compiled stack that can be played. Out: findings. A word that one stack does not use may be used by another,
so all available files are scanned: any occurrence outside of comments and sentences is a use. A trait or a feature has
to be set as well as tested, and a fact of the scenario that rules read has to be given by a card, a position or a step.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from compiler.analysis.findings.never_read import NeverSet, NeverUsed
from compiler.analysis.readers_and_setters import DeclaredName, is_whole_game, readers_of, setters_of
from compiler.layered.layer_selection import layers_below
from compiler.query.database import LARGE
from compiler.source.content import RULES_SUFFIX, Content
from compiler.source.origins import origin_of
from compiler.source.package import Library
from compiler.source.span import Span
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph.walk import nodes_of

# Sentences and comments are skipped; a word after `is`, `not` or `|` is only tested.
RULE_TEXT_TOKEN = re.compile(r'"[^"\n]*"?|#[^\n]*|(?P<asked>\bis\s+(?:not\s+)?|\bnot\s+|\|\s*)?([^\W\d]\w*)')
COMMENT = re.compile(r"#[^\n]*")
# A step that sets a fact of the scenario or adds to it; in data, a key, or the fact that a patch of a card names.
GIVEN_BY_STEP = re.compile(r"\b(?:set|add\b[^\n]*?\bto)\s+scenario\.(\w+)")
GIVEN_BY_KEY = re.compile(r"\bfact:\s*[\"']?(\w+)|(?<![\w-])(\w+)[\"']?\s*:")
READER_WORDS = re.compile(r"^(?:see|asked):\n(?:[ ].*\n)*", re.MULTILINE)


class _FileWords(NamedTuple):
    """The words of a file: the number of uses and of tests of each name, and the names given in data."""

    used: Counter[str]
    compared: Counter[str]
    given: frozenset[str]


def unused_words(stack: Stack) -> Iterator[NeverUsed | NeverSet]:
    """Yield the words of the stack's layers that are unused or never set."""
    if stack.graph is None or not is_whole_game(stack.graph):
        return
    reach = _WordUses(stack.library)
    unused = [enum for enum in _enums(stack.graph.vocabulary) if _is_unused(stack.graph, reach, enum)]
    for enum in unused:
        yield NeverUsed("enum", enum.name, reach.declaration(reach.lowest_layer(stack.graph, enum.name), enum.name))
    iterated_enums = _iterated_enums(stack.graph)
    for kind, word in _declared(stack.graph.vocabulary):
        home_layer = reach.lowest_layer(stack.graph, word)
        if not home_layer or any(kind == enum.name for enum in unused):
            continue
        used, compared = reach.use_counts(home_layer, word)
        if used <= 1 and kind not in iterated_enums:
            yield NeverUsed(kind, word, reach.declaration(home_layer, word))
        elif kind in {"trait", "feature"} and used - compared <= 1:
            yield NeverSet(kind, word, reach.declaration(home_layer, word), ())
    yield from _facts_never_given(stack.graph, reach)


def _facts_never_given(rules: graph.Graph, reach: "_WordUses") -> Iterator[NeverSet]:
    """Yield the facts of the scenario that rules read, and that no available card, position, example or step gives.

    A fact that cards are required to give is examined with each card.
    """
    not_given = [
        track.name
        for track in rules.vocabulary.tracks.values()
        if track.owner == "scenario"
        and not track.required
        and not reach.is_given(reach.lowest_layer(rules, track.name), track.name)
    ]
    if not not_given:
        return
    readers, setters = readers_of(rules), setters_of(rules)
    for name in not_given:
        declared = DeclaredName("track", f"scenario.{name}")
        if declared in readers and declared not in setters:
            origin = rules.vocabulary.origins.get(f"track scenario.{name}")
            yield NeverSet(*declared, origin, readers[declared])


class _WordUses:
    """The words of all available files by layer; those of boards and cards, which have no layer, under ""."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._places: dict[str, Mapping[str, int]] = {}
        home = {file.name: layer for layer, files in library.files.items() for file in files}
        home |= {layer.span.file: name for name, layer in library.layers.items()}
        contents_by_layer: dict[str, list[Content]] = defaultdict(list)
        for name in library.texts:
            contents_by_layer[home.get(name, "")].append(library.texts.content_named(name))
        words = {
            layer: library.database.derive("words", tuple(files), partial(_merge_words, files), capacity=LARGE)
            for layer, files in contents_by_layer.items()
        }
        self._given = defaultdict(frozenset[str], {layer: each.given for layer, each in words.items()})
        self._used_counts = defaultdict(Counter[str], {layer: each.used for layer, each in words.items()})
        self._compared_counts = defaultdict(Counter[str], {layer: each.compared for layer, each in words.items()})
        self._layers_above: dict[str, list[str]] = defaultdict(list)
        for name, below in layers_below(library.layers, library.layers).items():
            for other in {name, *below}:
                self._layers_above[other].append(name)

    def is_used_in(self, layer: str, word: str) -> bool:
        """Return whether a word occurs in a layer other than in tests."""
        return self._used_counts[layer][word] > self._compared_counts[layer][word]

    def is_given(self, home: str, word: str) -> bool:
        """Return whether data that may refer to a layer name a word, or a step sets the fact of this name."""
        return any(word in self._given[layer] for layer in ("", *self._layers_above[home]))

    def lowest_layer(self, stack: graph.Graph, word: str) -> str:
        """Return the lowest layer of a stack in which a word occurs other than in tests; "" if there is none."""
        return next((layer.name for layer in stack.layers if self.is_used_in(layer.name, word)), "")

    def declaration(self, layer: str, word: str) -> graph.Origin | None:
        """Return the declaration of a word: its first occurrence in its layer other than in a test."""
        for file in self._library.files[layer]:
            text = self._library.texts[file.name]
            if word not in text:
                continue
            if file.name not in self._places:
                self._places[file.name] = _first_places(text)
            if (place := self._places[file.name].get(word)) is not None:
                return origin_of(layer, _span(file.name, text, place, word))
        return None

    def use_counts(self, home: str, word: str) -> tuple[int, int]:
        """Return the numbers of occurrences and of tests of a word in files that may refer to its layer."""
        layers = ("", *self._layers_above[home])
        return sum(self._used_counts[layer][word] for layer in layers), sum(
            self._compared_counts[layer][word] for layer in layers
        )


def _merge_words(files: Iterable[Content]) -> _FileWords:
    """Merge the words of files; those of each file are memoized, as they depend on its text only."""
    used, compared, given = Counter[str](), Counter[str](), set[str]()
    for file in files:
        words = file.memoize("words", partial(_words, file.text, is_rules=file.name.endswith(RULES_SUFFIX)))
        used.update(words.used)
        compared.update(words.compared)
        given |= words.given
    return _FileWords(used, compared, frozenset(given))


def _words(text: str, *, is_rules: bool) -> _FileWords:
    if not is_rules:
        # A word of readers, in a synonym or a query, is no use of the declared word.
        text = READER_WORDS.sub("", text)
        used = Counter(re.findall(r"[^\W\d]\w*", COMMENT.sub("", text)))
        return _FileWords(used, Counter(), _given(text) | {a or b for a, b in GIVEN_BY_KEY.findall(text)})
    found = [each for each in RULE_TEXT_TOKEN.finditer(text) if each[2]]
    compared = Counter(each[2] for each in found if each["asked"])
    return _FileWords(Counter(each[2] for each in found), compared, _given(text))


def _given(text: str) -> frozenset[str]:
    """Return the facts of the scenario that steps of a text set."""
    return frozenset(GIVEN_BY_STEP.findall(text)) if "scenario." in text else frozenset()


def _iterated_enums(rules: graph.Graph) -> frozenset[str]:
    """Return the enums that rules iterate over, such as a deck that is drawn from: all of their members are used."""
    parts = (rules.terms, rules.rules, rules.procedures)
    sets = (each.type for each in nodes_of(graph.All, parts))
    return frozenset(set_type.name for set_type in sets if isinstance(set_type, graph.Enum))


def _enums(words: graph.Vocabulary) -> Iterator[graph.Enumeration]:
    """Return the enums that files declare."""
    return (enum for enum in words.enums.values() if enum.name not in {"kind", "phase"})


def _is_unused(stack: graph.Graph, everything: _WordUses, enum: graph.Enumeration) -> bool:
    """Return whether neither an enum nor any of its members is used, which is a single finding."""
    named = (enum.name, *(member.name for member in enum.members))
    homes = [everything.lowest_layer(stack, word) for word in named]
    return all(home and everything.use_counts(home, word)[0] <= 1 for home, word in zip(homes, named, strict=True))


def _declared(words: graph.Vocabulary) -> Iterator[tuple[str, str]]:
    """Yield the declared words as (kind, name); statuses and tracks are covered by proofs."""
    yield from (("kind", name) for name in words.kinds)
    yield from (("event", name) for name in words.events if " " not in name)
    yield from ((flag.what, flag.name) for flag in words.flags.values() if flag.what in {"trait", "feature", "place"})
    yield from ((enum.name, member.name) for enum in _enums(words) for member in enum.members)


def _first_places(text: str) -> Mapping[str, int]:
    """Return the offset of the first occurrence of each word of a file other than in a test."""
    tokens = [each for each in RULE_TEXT_TOKEN.finditer(text) if each[2] and not each["asked"]]
    return {token[2]: token.start(2) for token in reversed(tokens)}


def _span(file: str, text: str, offset: int, word: str) -> Span:
    line, column = text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1
    return Span(file, line, column, line, column + len(word))
