"""The semantic index has every name of the rules, and its spans follow an edit."""

from collections import Counter, defaultdict
from dataclasses import fields
from pathlib import Path

import pytest

from compiler.compile import problems_of_stack
from compiler.index.occurrences import NAMESPACES_OF_FIELDS
from compiler.index.semantic_index import SemanticIndex
from compiler.source import nodes as source
from compiler.source.concrete import leaves_of, read_concrete
from compiler.source.files import reading_unsaved
from compiler.source.package import Library, discover_layers
from compiler.stack_index import index_stack
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import open_packages
from tests.parsed import unused_database
from tests.sample import sampled

CONSTRUCTS = Path(__file__).parents[1] / "constructs"
NAMES = {"NAME", "LABEL", "QUOTED"}
# Names of the clock have no declaration: `after end of turn`.
WITHOUT = {"turn", "own_turn", "deployment"}
# Kinds of symbols without a declaration in the rules of a stack.
ELSEWHERE = {
    "given", "function", "source", "moment", "direction", "actor", "card", "stack", "board", "hex", "value", "word",
    "turn", "name", "gone", "off", "choice", "cell", "quoted",
}  # fmt: skip


def index_of(stack: str, packages: tuple[Path, ...] = ()) -> tuple[Library, SemanticIndex]:
    library = open_packages(packages).library
    return library, index_stack(library, stack)[0]


@sampled(1)
@pytest.mark.parametrize("stack", ["constructs", "long_frost", "low_tide", "panzer_leader"])
def test_every_name_is_in_the_index(stack: str) -> None:
    library, index = index_of(stack, (CONSTRUCTS,) if stack == "constructs" else ())
    missing = []
    for file, names in index.files.items():
        if not file.endswith(".rules"):
            continue
        lines = library.texts[file].splitlines()
        there: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for span in {each.span for each in names}:
            there[span.line][lines[span.line - 1][span.column - 1 : span.end_column - 1].strip("'")] += 1
        for leaf in leaves_of(read_concrete(library.texts[file])):
            word = leaf.text.strip("'")
            if leaf.type in NAMES and not there[leaf.line][word] and word not in WITHOUT:
                missing.append((file, leaf.line, word))
            there[leaf.line][word] -= leaf.type in NAMES
    assert not missing


def test_the_fields_of_names_are_fields_of_nodes() -> None:
    places = [each.split(".") for each in NAMESPACES_OF_FIELDS]
    assert [each for each in places if each[1] not in {part.name for part in fields(getattr(source, each[0]))}] == []


def test_symbols_of_the_constructs_are_declared() -> None:
    _, index = index_of("constructs", (CONSTRUCTS,))
    declared = set(index.symbols())
    lost = {
        each.symbol
        for names in index.files.values()
        for each in names
        if each.symbol not in declared and each.symbol.partition(" ")[0].partition(".")[0] not in ELSEWHERE
    }
    assert lost == UNDECLARED


# Symbols that the language provides, features of the map, words with several meanings such as those after `because`,
# and hexes and counters of boards and examples.
UNDECLARED = {
    "action roll_back", "event end of turn", "field.aired", "label dries", "label hex",
    "label side", "member hex_name.0502", "member hex_name.cellar", "member hex_name.cupboard",
    "parameter hex.dark", "parameter hex.hex",
    "parameter space.shelf", "parameter space.space",
    "place piece.cup", "printed coin.back", "printed coin.front", "printed coin.side", "property.state",
    "record crossing.over", "resolution chip_it", "resolution polish_up", "resolution rub_it", "status dull",
    "term hex", "term space", "track game.player", "type clipped_coin", "type game", "type heads", "type hex",
    "type hexside", "type side", "type yes_no",
}  # fmt: skip


def test_the_index_follows_edits() -> None:
    database = unused_database()

    def fresh() -> Library:
        return discover_layers([rules_folder(), CONSTRUCTS], database)[0]

    def unshared_index() -> SemanticIndex:
        return index_stack(discover_layers([rules_folder(), CONSTRUCTS], unused_database())[0], "constructs")[0]

    library = fresh()
    problems_of_stack(library, "constructs")  # Memos without facts are stored first.
    before = index_stack(library, "constructs")[0]
    name = next(file for file in before.files if file.endswith("choosing.rules"))
    found = library.texts.file(name)
    assert found is not None
    text = library.texts[name]
    with reading_unsaved({found.path: "\n\n" + text}):
        moved = index_stack(fresh(), "constructs")[0]
        assert moved == unshared_index()
    assert before == unshared_index()
    assert [(each.span.line, each.type) for each in moved.files[name]] == [
        (each.span.line + 2, each.type) for each in before.files[name]
    ]


def test_a_paragraph_that_does_not_parse_leaves_the_other_names_indexed() -> None:
    library, _ = index_of("constructs", (CONSTRUCTS,))
    name = next(file.name for files in library.files.values() for file in files if file.name.endswith("choosing.rules"))
    found = library.texts.file(name)
    assert found is not None
    with reading_unsaved({found.path: library.texts[name] + '\nrule broken [house] "" when {\n'}):
        broken = index_stack(open_packages((CONSTRUCTS,)).library, "constructs")[0]
    assert len(broken.files[name]) > 100
    assert sum(bool(each.type) for each in broken.files[name]) > 20
