"""Read a module: boards and situations, normalized to the form of plain facts.

In: a folder with `Scenarios/`, or one above it; the boards are in `Maps/`, in the same
folder or above. Out: the trees that plain facts have, with spans in the `.blk` file.
"""

import re
from collections.abc import Mapping
from pathlib import Path, PureWindowsPath

from compiler.source.files import PackageFile
from compiler.source.nodes import Scalar, Value, ValueMap, Word
from rulewright.adapters.open_panzer_blitz.binary import read_map
from rulewright.adapters.open_panzer_blitz.foreign_nodes import ForeignCard, ImportedDocuments
from rulewright.adapters.open_panzer_blitz.matchers import (
    inner_blocks,
    make_list,
    make_map,
    make_scalar,
    plain_limit,
    plain_matcher,
    plain_objective,
    text_in_block,
)
from rulewright.adapters.open_panzer_blitz.nested_blocks import Block, read_blocks
from rulewright.exchange.notes import Notes
from rulewright.exchange.tree_reader import files_ending, files_in, read_foreign_text

SCENARIOS, MAPS = "Scenarios", "Maps"
BLOCKS, MAP = (".blk",), (".map",)


def find_module(source: Path) -> Path | None:
    """Return the folder that contains the scenarios: the source, or the first module in it; None if there is none."""
    places = [source, *sorted((source / "Modules").glob("*"))]
    return next((place for place in places if (place / SCENARIOS).is_dir()), None)


def read_module(
    source: Path, codes: Mapping[str, tuple[str, ...]], folders: Mapping[str, str], notes: Notes
) -> ImportedDocuments:
    """Read all boards and situations; what cannot be read is noted and omitted."""
    module = find_module(source) or source
    maps = next((place / MAPS for place in (module, *module.parents) if (place / MAPS).is_dir()), None)
    read = [
        read_map(file, file.path.stem.removeprefix("board-"), codes, notes)
        for file in (files_in(files_ending(maps, MAP), maps.parent, notes) if maps else ())
    ]
    cards: list[ForeignCard] = []
    unread = 0
    for file in files_in(files_ending(module / SCENARIOS, BLOCKS), module, notes):
        before = len(cards)
        for block in _file(file, notes):
            if block.type == "scenario":
                cards.append(ForeignCard(_card_key(file.path, folders), _plain_card(block, notes)))
            else:
                notes.add_omission(block.span, block.type, "no situation")
        unread += len(cards) == before
    boards = tuple(board for board in read if board is not None)
    return ImportedDocuments(boards, tuple(cards), len(read) - len(boards), unread)


def _card_key(path: Path, folders: Mapping[str, str]) -> str:
    """Return the key of a situation, from its folder and number: PanzerLeader/Scenario_04 is panzer-leader-04."""
    folder = folders.get(path.parent.name) or re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "-", path.parent.name).lower()
    return f"{folder}-{path.stem.lower().removeprefix('scenario_')}"


def _file(file: PackageFile, notes: Notes) -> tuple[Block, ...]:
    text, noted = read_foreign_text(file, notes), len(notes.entries)
    blocks = () if text is None else read_blocks(text, file.name, notes)
    if text is not None and not blocks and len(notes.entries) == noted:
        notes.add_invalid(file.span, file.path.name, "nothing stands in this file")
    return blocks


# ---------------------------------------------------------------- situations


def _plain_card(block: Block, notes: Notes) -> ValueMap:
    """Normalize a situation."""
    # In newer modules, turns and orders are in a separate block.
    turns = block.child("turn-configuration") or block
    armies = inner_blocks(block, "army-configurations")
    names = [army.name for army in armies]
    tree: dict[str, Value] = {
        "name": text_in_block(block, "name"),
        "turns": text_in_block(turns, "turns"),
        "environment": make_scalar(block, block.child_word("environment")),
        "setup_order": _order(turns, "deployment-order", names),
        "play_order_each_turn": _order(turns, "turn-order", names),
        "boards": make_list(block.span, (_row(row) for row in inner_blocks(block, "map-configuration"))),
        "sides": make_list(block.span, (_army(army) for army in armies)),
    }
    turns_here = "turns deployment-order turn-order"
    _note_rest(block, f"name turn-configuration environment map-configuration army-configurations {turns_here}", notes)
    _note_rest(turns, turns_here if turns is not block else "", notes)
    for army in armies:
        _note_rest(army, "faction team victory-condition deployment-configurations", notes)
    maps = block.child("map-configuration")
    if maps is not None and not maps.type.startswith("map-configuration"):
        notes.add_omission(maps.span, maps.type, "a map that is not made of boards that are named")
    return make_map(block.span, tree)


def _note_rest(block: Block, known: str, notes: Notes) -> None:
    """Record a note for each part of a block that is not in `known`; none if `known` is empty."""
    for part in block.children if known else ():
        if part.name not in known.split():
            notes.add_omission(part.span, part.name, "this is not carried over")


def _order(block: Block, name: str, names: list[str]) -> Value:
    found = block.child(name)
    if found is None:
        return make_list(block.span, ())
    order = [names[int(word)] for word in found.text.split() if word.isdecimal() and int(word) < len(names)]
    sides = make_list(found.span, (Scalar(found.span, word) for word in order))
    return make_map(found.span, {"random_each_turn": sides}) if found.type.startswith("random") else sides


def _row(row: Block) -> Value:
    return make_list(
        row.span,
        (
            make_map(
                board.span,
                {
                    "board": make_scalar(
                        board, PureWindowsPath(board.child_word("board-path")).stem.removeprefix("board-")
                    ),
                    "inverted": text_in_block(board, "invert", "false"),
                },
            )
            for board in row.children
        ),
    )


def _army(army: Block) -> Value:
    victory = army.child("victory-condition")
    tree: dict[str, Value] = {
        "side": make_scalar(army, army.name),
        "faction": make_scalar(army, army.child_word("faction")),
        "groups": make_list(army.span, (_group(part) for part in inner_blocks(army, "deployment-configurations"))),
    }
    if victory is not None:
        objectives = {part.name: plain_objective(part) for part in inner_blocks(victory, "objectives")}
        levels = make_list(victory.span, (_level(part) for part in inner_blocks(victory, "triggers")))
        tree["victory"] = make_map(victory.span, {"objectives": make_map(victory.span, objectives), "levels": levels})
    return make_map(army.span, tree)


def _level(block: Block) -> Value:
    tested = block.child("objective")
    tree = {"level": text_in_block(block, "success-level")} | plain_limit(block)
    if tested is not None:
        tree["objective"] = plain_objective(tested)
    return make_map(block.span, tree)


def _group(block: Block) -> Value:
    group = block.child("unit-group") or block
    # A unit may occur twice.
    counts = tuple(
        (Word(part.span, part.child_word("unit-configuration")), text_in_block(part, "count"))
        for part in inner_blocks(group, "unit-counts")
    )
    tree: dict[str, Value] = {"name": text_in_block(group, "name"), "units": ValueMap(group.span, counts)}
    matcher = block.child("matcher")
    if block.type.startswith("convoy"):
        edge = make_map(block.span, {"map_edge": make_scalar(block, "any")})
        area = (
            edge
            if matcher is None
            else make_map(block.span, {"all_of": make_list(block.span, (edge, plain_matcher(matcher)))})
        )
        tree |= {"arrival": make_scalar(block, "enters as a column"), "entry_hex": area}
        tree["entry_turn"] = text_in_block(block, "entry-turn", "0")
    else:
        # Without a matcher, the area of the setup is unrestricted.
        tree["setup_area"] = make_scalar(block, "anywhere") if matcher is None else plain_matcher(matcher)
    for part in block.children:
        if part.name not in {"unit-group", "matcher", "entry-turn"} and part.text != "false":
            tree[part.name] = make_scalar(part, part.text)
    return make_map(block.span, tree)
