"""A situation card as it is written: what `show` prints of it without compiling its rules.

In: a card and its boards as plain data. Out: the record of the card, and the lines of its boards.
Conditions of victory are in the language of rules; the card under compiled rules has them in sentences.
"""

from collections.abc import Iterator
from typing import Any

from rulewright.library.package_index import Document, PackageIndex, boards_of, map_rows, words
from runtime.graph.document_lines import LineText, drawn_lines
from runtime.graph.records.playing import ShownForceRecord, ShownPieceRecord, WrittenCardRecord

# The most hexes or spaces that are listed one by one.
LONGEST_LISTING = 12


def written_card_record(listed: PackageIndex, name: str) -> WrittenCardRecord:
    """Return the record of a card."""
    card = listed.document("scenario", name) or {}
    forces = card["forces"]
    pieces: list[ShownPieceRecord] = [
        {"name": piece.get("name", piece["unit"]), "counter": piece["unit"], "side": force["side"], "at": piece["at"]}
        for force in forces
        for piece in force.get("placed", ())
    ]
    return {
        "name": name,
        "title": card.get("title", name),
        "stack": card["uses"],
        "turns": int(card["turns"]),
        "sides": words(card["order"]),
        "boards": boards_of(card),
        "pieces": pieces,
        "forces": [_force_data(force) for force in forces if force.get("units")],
        "facts": {fact: _plain_text(value) for fact, value in card.get("facts", {}).items()},
        "aims": list(_aims(card)),
        "gaps": list(card.get("gaps", ())),
        "waits_for": [board for board in boards_of(card) if board not in listed.files["board"]],
    }


def _force_data(force: Document) -> ShownForceRecord:
    units = {unit: int(count) for unit, count in force["units"].items()}
    return {"side": force["side"], "title": force.get("group", ""), "units": units, "where": _where(force)}


def _where(force: Document) -> str:
    """Format where and when a force is set up or enters."""
    match force:
        case {"enters": dict() as entry}:
            place = _area_text({key: value for key, value in entry.items() if key != "turn"})
            return f"enters in turn {entry['turn']}" + (f", {place}" if place else "")
        case {"sets_up": list() as areas}:
            return f"sets up: {'; or '.join(map(_area_text, areas))}"
        case {"sets_up": area}:
            return f"sets up: {_area_text(area)}"
        case _:
            return "waits off the map"


def _area_text(area: Document) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {_plain_text(value)}" for key, value in area.items())


def _plain_text(value: Any) -> str:
    """Format a value of the card; a long list by its first members and its length."""
    match value:
        case list() if len(value) > LONGEST_LISTING:
            return f"{', '.join(map(_plain_text, value[:LONGEST_LISTING]))} and {len(value) - LONGEST_LISTING} more"
        case list():
            return ", ".join(map(_plain_text, value))
        case dict():
            return _area_text(value)
        case _:
            return str(value)


def _aims(card: Document) -> Iterator[str]:
    """Yield the conditions of victory by side and level, as they are written."""
    for side, levels in card.get("victory", {}).items():
        for level, condition in levels.items():
            yield f"{side}, {level}: {condition}"


def board_lines(listed: PackageIndex, name: str) -> Iterator[list[LineText]]:
    """Yield the lines of each board of a card, as it is drawn."""
    for row in map_rows(listed.document("scenario", name) or {}):
        for board, is_turned in row:
            yield [*_board_lines(listed, board, is_turned=is_turned)]


def _board_lines(listed: PackageIndex, name: str, *, is_turned: bool) -> Iterator[LineText]:
    """Yield the title of a board, and its picture as the file has it: a sign a hex, every second row shifted."""
    board = listed.document("board", name)
    remark = ", turned by half" if is_turned else ""
    match board:
        case None:
            yield f"{name}{remark}: not here yet; give a folder that has it with --path"
        case {"picture": {"rows": [*rows], "legend": dict() as legend}}:
            yield f"{board.get('title', name)}{remark}"
            shifted = 1 if board.get("numbering", {}).get("shift") == "right" else 0
            signs = [f"  {' ' * (number % 2 == shifted)}{' '.join(row)}" for number, row in enumerate(rows)]
            yield from drawn_lines("\n".join(signs))
            yield "  " + "  ".join(f"{sign} {_plain_text(features)}" for sign, features in legend.items())
        case {"spaces": dict() as spaces}:
            yield f"{board.get('title', name)}{remark}: {_plain_text(list(spaces))}"
        case _:
            yield f"{board.get('title', name)}{remark}"
