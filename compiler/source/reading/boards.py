"""Read printed boards, small boards written in place, and placements of boards on a map."""

import re
from dataclasses import replace

from compiler.source.nodes import (
    Board,
    BoardPlacement,
    Edging,
    Ground,
    Hexside,
    InlineBoard,
    Numbering,
    Outline,
    PathSetting,
    Region,
    SideSetting,
    Value,
    ValueMap,
    Word,
)
from compiler.source.reading.values import (
    Reports,
    entries,
    entry,
    items,
    limited,
    part,
    read_sources,
    scalar,
    split,
    text,
    word,
    words,
)

# A printed number may have its board in front, as 1 in 1C9 or D- in D-BB6.
_LETTER_NUMBER = re.compile(r"([0-9]*|[A-Za-z0-9]+-)([A-Za-z]{1,3})([0-9]{1,3})")
_CCRR = re.compile(r"([0-9]{2})([0-9]{2})")
# Hex numbers have two digits a coordinate on printed boards.
WIDEST = 120
_TURNED = "turned"
_LETTERS = 26


def read_board(document: ValueMap, reports: Reports) -> Board:
    """Read `board:`."""
    numbering = _numbering(entry(document, "numbering"), reports)
    name = word(entry(document, "board"))
    ground = tuple(
        Ground(value.span, feature, read_hexes(value, reports))
        for feature, value in entries(entry(document, "terrain"))
    )
    return Board(
        document.span,
        name,
        text(entry(document, "title"), name.text),
        read_sources(entry(document, "cites"), reports),
        numbering,
        ground + _picture(entry(document, "picture"), numbering, reports),
        tuple(
            Edging(value.span, feature, _hexsides(words(value), reports))
            for feature, value in entries(entry(document, "sides"))
        ),
        _paths(entry(document, "paths")),
        read_regions(entry(document, "regions"), reports),
        words(entry(document, "printed_so")),
    )


def read_outline(document: ValueMap, reports: Reports) -> Outline:
    """Read `outline:`."""
    name = word(entry(document, "outline"))
    return Outline(
        document.span,
        name,
        text(entry(document, "title"), name.text),
        read_sources(entry(document, "cites"), reports),
        _numbering(entry(document, "numbering"), reports),
    )


def read_regions(value: Value | None, reports: Reports) -> tuple[Region, ...]:
    """Read named groups of hexes."""
    return tuple(Region(hexes.span, region, read_hexes(hexes, reports)) for region, hexes in entries(value))


def _numbering(value: Value | None, reports: Reports) -> Numbering:
    assert isinstance(value, ValueMap), value
    columns = [limited(each, "columns", WIDEST, reports) for each in items(entry(value, "columns"))]
    return Numbering(
        value.span,
        text(entry(value, "style")),
        (columns[0], columns[-1]),
        limited(entry(value, "rows"), "rows", WIDEST, reports),
        text(entry(value, "shift"), "right"),
        text(entry(value, "prefix")),
    )


# ---------------------------------------------------------------- hexes


def read_hexes(value: Value | None, reports: Reports) -> tuple[Word, ...]:
    """Read hex names; `B2..B5` stands for every hex of the run."""
    found: list[Word] = []
    for each in words(value):
        first, dots, last = each.text.partition("..")
        if not dots:
            found.append(each)
            continue
        run = _run(first, last)
        if not run:
            reports.shape(each.span, "a run of hexes in one row or column, such as `B2..B5`", f"`{each.text}`")
        found += (Word(each.span, name) for name in run)
    return tuple(found)


def _run(first: str, last: str) -> list[str]:
    """List the names from one hex to another of the same row or column; nothing if they share neither."""
    a, b = _LETTER_NUMBER.fullmatch(first), _LETTER_NUMBER.fullmatch(last)
    if a and b and a[1] == b[1] and a[2] == b[2]:
        return [f"{a[1]}{a[2]}{at}" for at in range(int(a[3]), int(b[3]) + 1)]
    if a and b and a[1] == b[1] and a[3] == b[3] and len(set(a[2])) == len(set(b[2])) == 1:
        return [f"{a[1]}{row_letters(at)}{a[3]}" for at in range(_row_number(a[2]), _row_number(b[2]) + 1)]
    a, b = _CCRR.fullmatch(first), _CCRR.fullmatch(last)
    if a and b and a[2] == b[2]:
        return [f"{at:02d}{a[2]}" for at in range(int(a[1]), int(b[1]) + 1)]
    if a and b and a[1] == b[1]:
        return [f"{a[1]}{at:02d}" for at in range(int(a[2]), int(b[2]) + 1)]
    return []


def row_letters(row: int) -> str:
    """Name a row, counted from zero: A to Z, AA to ZZ, and so on."""
    return chr(ord("A") + row % _LETTERS) * (row // _LETTERS + 1)


def _row_number(letters: str) -> int:
    return (len(letters) - 1) * _LETTERS + ord(letters[0].upper()) - ord("A")


# ---------------------------------------------------------------- hexsides, paths, pictures


def _hexside(side: Word) -> Hexside:
    """Read `A5/B5`."""
    slash = side.text.index("/")
    return Hexside(side.span, part(side, 0, slash), part(side, slash + 1, len(side.text)))


def _hexsides(sides: tuple[Word, ...], reports: Reports) -> tuple[Hexside, ...]:
    """Read the hexsides of one feature, each of which is listed once, from whichever of its hexes it is named."""
    read = tuple(_hexside(each) for each in sides)
    seen: set[frozenset[str]] = set()
    for each, side in zip(sides, read, strict=True):
        both = frozenset((side.a.text, side.b.text))
        if both in seen:
            reports.shape(each.span, "each hexside once", f"`{each.text}` again")
        seen.add(both)
    return read


def _paths(value: Value | None) -> tuple[PathSetting, ...]:
    """Read paths with their trails."""
    return tuple(
        PathSetting(trail.span, path, tuple(part(trail, each.start(), each.end()) for each in _steps(trail.text)))
        for path, trails in entries(value)
        for trail in words(trails)
    )


def _steps(trail: str) -> list["re.Match[str]"]:
    return list(re.finditer(r"[^-]+", trail))


def _picture(value: Value | None, numbering: Numbering, reports: Reports) -> tuple[Ground, ...]:
    """Read a drawn board: one sign a hex, row by row."""
    if not isinstance(value, ValueMap):
        return ()
    legend = {sign.text: words(features) for sign, features in entries(entry(value, "legend"))}
    drawn: dict[str, list[Word]] = {}
    rows = items(entry(value, "rows"))
    if len(rows) != numbering.rows:
        over = rows[numbering.rows].span if len(rows) > numbering.rows else value.span
        reports.shape(over, f"{numbering.rows} rows of signs", f"{len(rows)}")
    for at, row in enumerate(rows[: numbering.rows]):
        signs = scalar(row)
        wide = numbering.columns[at % 2]
        if len(signs.text) != wide:
            reports.shape(signs.span, f"{wide} signs, one for each hex of the row", f"{len(signs.text)}")
        start = signs.start
        line = Word(replace(start, end_line=start.line, end_column=start.column + len(signs.text)), signs.text)
        for column, sign in enumerate(signs.text[:wide]):
            place = part(line, column, column + 1).span if signs.start.line == signs.span.end_line else signs.span
            if sign not in legend and sign != ".":
                known = ", ".join(f"`{each}`" for each in (".", *legend))
                reports.shape(place, f"a sign of the legend ({known})", f"`{sign}`")
            for feature in legend.get(sign, ()):
                drawn.setdefault(feature.text, []).append(Word(place, _hex_name(numbering.style, column, at)))
    return tuple(Ground(value.span, Word(value.span, feature), tuple(hexes)) for feature, hexes in drawn.items())


def _hex_name(style: str, column: int, row: int) -> str:
    """Name a hex by its place, both counted from zero."""
    return f"{row_letters(row)}{column + 1}" if style == "letter_number" else f"{column + 1:02d}{row + 1:02d}"


# ---------------------------------------------------------------- small boards and maps


def read_inline_board(value: ValueMap) -> InlineBoard:
    """Read a small board written out row by row."""
    return InlineBoard(
        value.span,
        tuple(
            tuple((written[0], written[1:]) for hex_ in items(row) if (written := split(scalar(hex_))))
            for row in items(entry(value, "rows"))
        ),
        tuple(
            SideSetting(side.span, _hexside(side).a, _hexside(side).b, words(features))
            for side, features in entries(entry(value, "sides"))
        ),
        _paths(entry(value, "paths")),
    )


def read_map(value: Value | None) -> tuple[BoardPlacement, ...]:
    """Read rows of boards, west to east, north to south."""
    return tuple(
        _placement(board, row, column)
        for row, line in enumerate(items(value))
        for column, board in enumerate(items(line))
    )


def _placement(board: Value, row: int, column: int) -> BoardPlacement:
    """Read `far_shore turned` or `{board: far_shore, turned: yes}`."""
    if isinstance(board, ValueMap):
        turned = text(entry(board, "turned")) == "yes"
        return BoardPlacement(board.span, word(entry(board, "board")), row, column, turned=turned)
    written = split(scalar(board))
    turned = len(written) > 1 and written[-1].text == _TURNED
    return BoardPlacement(board.span, written[0], row, column, turned=turned)
