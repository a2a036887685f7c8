"""The importer of plain facts: convert boards and cards to a package.

In: a folder of facts, and a mapping (the shipped one, or a file). The translation of foreign identifiers
is data, a mapping (mappings/); the code contains no identifier of any game.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rulewright.adapters.open_panzer_blitz.foreign_boards import write_board
from rulewright.adapters.open_panzer_blitz.foreign_cards import CardContext, write_card
from rulewright.adapters.open_panzer_blitz.foreign_counters import ForeignCounters
from rulewright.adapters.open_panzer_blitz.foreign_nodes import ForeignBoard
from rulewright.adapters.open_panzer_blitz.package_mapping import USUAL, PackageMapping, read_package_mapping
from rulewright.adapters.open_panzer_blitz.plain_facts import has_facts, read_folder
from rulewright.exchange.notes import ImportNote, Notes, TransferCount
from rulewright.exchange.package_files import BOARDS, CARDS, IMPORTED_COMMENT
from rulewright.exchange.records import ForeignPackage, Importer, ImportSource
from rulewright.system.errors import UsageError

FORM = "facts"
_NAME = re.compile(r"[a-z0-9_]+")


def read_package(source: ImportSource, notes: Notes) -> ForeignPackage:
    """Convert a folder, with the mapping that the user names or the shipped one."""
    mapping = read_package_mapping(source.mapping or USUAL, notes)
    if mapping is None:
        invalid = notes.first_invalid()
        raise UsageError(invalid.line() if invalid else f"{source.mapping} is no mapping")
    foreign = read_folder(source.place, notes)
    files: dict[str, str] = {}
    known = _by_name(foreign.boards, mapping, notes)
    for name, board in known.items():
        files[f"{BOARDS}/{name}.yaml"] = f"{IMPORTED_COMMENT}\n{write_board(board, mapping, notes).text}"
    counters = ForeignCounters(mapping)
    context = CardContext({board.key: board for board in known.values()}, counters, mapping)
    cards: list[str] = []
    left: list[ImportNote] = []
    for card in foreign.cards:
        written = write_card(card, context, notes)
        if written is None:
            left.append(replace(notes.entries[-1], subject=card.key))  # The last note has the reason.
            continue
        if written.name in cards:
            notes.add_omission(
                card.tree.span, card.key, f"another situation has become `{written.name}`; rename its file"
            )
            left.append(notes.entries[-1])
            continue
        cards.append(written.name)
        files[f"{CARDS}/{written.name}.yaml"] = f"{IMPORTED_COMMENT}\n{written.text}"
    shares = (
        TransferCount("situation", "situations", len(foreign.cards) + foreign.unread_cards, len(cards)),
        TransferCount("board", "boards", len(foreign.boards) + foreign.unread_boards, len(known)),
        counters.transfer_count(),
    )
    return ForeignPackage(FORM, files, tuple(known), tuple(cards), (), shares, tuple(left))


def _by_name(boards: Iterable[ForeignBoard], mapping: PackageMapping, notes: Notes) -> dict[str, ForeignBoard]:
    """Return the boards by our names; of several with one name, the first, with a note for the others."""
    known: dict[str, ForeignBoard] = {}
    for board in boards:
        if not _may_be_named(board, mapping, notes):
            continue
        name = mapping.board_name(board.key)
        if name in known:
            notes.add_omission(board.span, board.key, f"there is another board `{name}`, in {known[name].span.file}")
        else:
            known[name] = board
    return known


def _may_be_named(board: ForeignBoard, mapping: PackageMapping, notes: Notes) -> bool:
    """Return whether the name of a board is a safe file name; other characters could lead out of the folder."""
    named = _NAME.fullmatch(mapping.board_name(board.key)) is not None
    if not named:
        notes.add_invalid(board.span, board.key, "a board's name should stand here: small letters, digits and `_`")
    return named


def recognizes(source: Path) -> bool:
    """Return whether a folder has plain facts."""
    return source.is_dir() and has_facts(source)


IMPORTER = Importer(
    "plain facts (a folder with boards/*.yaml, scenarios/*.yaml)",
    recognizes,
    read_package,
)
