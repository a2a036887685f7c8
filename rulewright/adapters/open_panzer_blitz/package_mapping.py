"""The mapping from foreign identifiers to those of our games. It is data; users may supply their own.

In: a YAML file that begins with `mapping:`. Out: translation tables. An error in the file is reported with its
span, and stops the import: a partial mapping is not used.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from compiler.source.files import PackageFile
from compiler.source.nodes import Scalar, Value, ValueList, ValueMap
from rulewright.exchange.notes import Notes
from rulewright.exchange.tree_reader import (
    SkipPart,
    find_entry,
    list_at,
    listed_words,
    map_at,
    read_documents,
    text_at,
    whole_number,
)
from runtime.graph.frozen_dataclass import frozen_dataclass

MAPPINGS = Path(__file__).parent / "mappings"
USUAL = MAPPINGS / "open_panzer_blitz.yaml"

DIGIT_IDS, LETTER_IDS = "digits", "letters"


@frozen_dataclass
class FeatureCondition:
    """A feature of ours, with the conditions under which it is printed in a cell."""

    feature: str
    base: str | None
    elevation: int
    edge: str | None
    every_edge: str | None
    path: str | None
    second_path: str | None
    every_path: str | None
    boards: frozenset[str]
    unless: str | None


@frozen_dataclass
class CardStack:
    """A stack for cards: its sides, its condition that a side controls the hex `h`, and the tracks to set."""

    uses: str
    sides: frozenset[str]
    cards: str
    units: tuple[str, ...]
    controls: str
    facts: Mapping[str, str]
    environments: Mapping[str, Mapping[str, str]]


@frozen_dataclass
class PackageMapping:
    """The tables of a mapping; `changed` and `lost` have the text of a note by kind and foreign value."""

    prefix: str
    board_names: Mapping[str, tuple[str, str]]
    terrain: Mapping[str, tuple[str, ...]]
    hexes: tuple[FeatureCondition, ...]
    feature_of_half_hexes: str
    sides: Mapping[str, str]
    paths: Mapping[str, str]
    changed: Mapping[tuple[str, str], str]
    lost: Mapping[tuple[str, str], str]
    tests: Mapping[str, str]
    factions: Mapping[str, str]
    levels: Mapping[str, str]
    games: tuple[CardStack, ...]
    units: Mapping[tuple[str, str], Mapping[str, str]]
    reported: Mapping[str, str]
    departed: str
    line_of_fire: str
    way_through: str
    ways_out: str
    uncounted: frozenset[str]

    def find_counter(self, key: str, stack: str, side: str) -> str | None:
        """Return our counter for a unit, from the first table of a stack that has it; None if none has."""
        tables = next((game.units for game in self.games if game.uses == stack), (stack,))
        found = (self.units.get((table, side), {}).get(key) for table in tables)
        return next((counter for counter in found if counter is not None), None)

    def board_name(self, key: str) -> str:
        """Return our name of a board."""
        return self.board_names[board_style(key)][0].replace("{}", _normalized_key(key))

    def hex_prefix(self, key: str) -> str:
        """Return the prefix of the hex numbers of a board."""
        return self.board_names[board_style(key)][1].replace("{}", _normalized_key(key).upper())


def board_style(key: str) -> str:
    """Return the style of a board by its key: numbers or letters."""
    return DIGIT_IDS if key.isdecimal() else LETTER_IDS


def _normalized_key(key: str) -> str:
    """Normalize a key: a number without leading zeros, otherwise lower case with `_` for dots, hyphens and spaces."""
    return str(int(key)) if key.isdecimal() else re.sub(r"[.\- ]+", "_", key.lower())


def read_package_mapping(path: Path, notes: Notes) -> PackageMapping | None:
    """Read a mapping; None, with a note, if it is invalid."""
    file = PackageFile(path, path.name)
    found = read_documents(file, notes)
    if not found or find_entry(found[0], "mapping") is None:
        if not notes.entries:
            notes.add_invalid(file.span, path.name, "a document that begins with `mapping:` should stand here")
        return None
    tree = found[0]
    try:
        return PackageMapping(
            text_at(tree, "prefix", notes, ""),
            {key: _names(value, notes) for key, value in _entries_at(tree, "names", notes)},
            {key: tuple(text for text, _ in listed_words(value)) for key, value in _entries_at(tree, "terrain", notes)},
            tuple(_printing(part, notes) for part in list_at(tree, "hexes", notes) if isinstance(part, ValueMap)),
            text_at(tree, "half", notes, ""),
            _plain_words(tree, "sides", notes),
            _plain_words(tree, "paths", notes),
            _sentences(tree, "changed", notes),
            _sentences(tree, "lost", notes),
            _plain_words(tree, "tests", notes),
            _plain_words(tree, "factions", notes),
            _plain_words(tree, "levels", notes),
            tuple(_game(part, notes) for part in list_at(tree, "games", notes) if isinstance(part, ValueMap)),
            {
                (stack, side): _plain_words(below, side, notes)
                for stack, below in _maps_at(tree, "units", notes)
                for side, _ in _entries_at(below, "", notes)
            },
            _plain_words(tree, "told", notes),
            text_at(tree, "departed", notes, ""),
            text_at(tree, "line of fire", notes, ""),
            text_at(tree, "way through", notes, ""),
            text_at(tree, "ways out", notes, "ways_out"),
            frozenset(text for text, _ in listed_words(find_entry(tree, "uncounted"))),
        )
    except SkipPart:
        return None


def _entries_at(tree: ValueMap, key: str, notes: Notes) -> list[tuple[str, Value]]:
    """Return the entries of the map at a key; of the tree itself if the key is empty."""
    return [(word.text, value) for word, value in (map_at(tree, key, notes) if key else tree.entries)]


def _maps_at(tree: ValueMap, key: str, notes: Notes) -> list[tuple[str, ValueMap]]:
    """Return the entries of the map at a key, each of which must be a map; `SkipPart` otherwise."""
    found = []
    for word, value in _entries_at(tree, key, notes):
        if not isinstance(value, ValueMap):
            notes.add_invalid(value.span, word, "keys and values should stand here")
            raise SkipPart
        found.append((word, value))
    return found


def _plain_words(tree: ValueMap, key: str, notes: Notes) -> dict[str, str]:
    """Read a table of scalars at a key; of the tree itself if the key is empty."""
    table: dict[str, str] = {}
    for word, value in _entries_at(tree, key, notes):
        if not isinstance(value, Scalar):
            notes.add_invalid(value.span, word, "this is not what the mapping has here elsewhere")
            raise SkipPart
        table[word] = value.text
    return table


def _names(value: Value, notes: Notes) -> tuple[str, str]:
    if not isinstance(value, ValueMap):
        notes.add_invalid(value.span, "names", "keys and values should stand here")
        raise SkipPart
    return text_at(value, "board", notes), text_at(value, "hexes", notes, "")


def _game(part: ValueMap, notes: Notes) -> CardStack:
    uses = text_at(part, "uses", notes)
    return CardStack(
        uses,
        frozenset(text for text, _ in listed_words(find_entry(part, "sides"))),
        text_at(part, "cards", notes, ""),
        tuple(text for text, _ in listed_words(find_entry(part, "units"))) or (uses,),
        text_at(part, "controls", notes, "no"),
        _plain_words(part, "facts", notes),
        {name: _plain_words(below, "", notes) for name, below in _maps_at(part, "environments", notes)},
    )


def _printing(part: ValueMap, notes: Notes) -> FeatureCondition:
    def word(key: str) -> str | None:
        return text_at(part, key, notes, "") or None

    boards = find_entry(part, "boards")
    return FeatureCondition(
        text_at(part, "print", notes),
        word("base"),
        whole_number(find_entry(part, "elevation")) or 0,
        word("edge"),
        word("every edge"),
        word("path"),
        word("second path"),
        word("every path"),
        frozenset(text for text, _ in listed_words(boards)),
        word("unless"),
    )


def _sentences(tree: ValueMap, key: str, notes: Notes) -> dict[tuple[str, str], str]:
    """Read sentences by subject and, where a subject has kinds, by kind; the kind is empty otherwise."""
    found: dict[tuple[str, str], str] = {}
    for subject, value in _entries_at(tree, key, notes):
        match value:
            case Scalar(text=text):
                found[subject, ""] = text
            case ValueMap():
                found |= {(subject, word.text): part.text for word, part in value.entries if isinstance(part, Scalar)}
            case ValueList():
                notes.add_invalid(value.span, subject, "a sentence, or one for each word, should stand here")
                raise SkipPart
    return found
