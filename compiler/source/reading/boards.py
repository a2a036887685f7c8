"""Read printed boards, small boards written in place, and placements of boards on a map.

In: entries of YAML documents. Out: source nodes; hexes that are drawn as text become one node each.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from compiler.source import nodes as source
from compiler.source.findings.files import TooLarge
from compiler.source.findings.yaml_documents import MissingKey
from compiler.source.reading.values import (
    DocumentProblems,
    cut_word,
    read_entries,
    read_items,
    read_limited_number,
    read_scalar,
    read_sources,
    read_text,
    read_word,
    read_words,
    split_words,
)

# A printed number may have its board as a prefix, as 1 in 1C9 or D- in D-BB6.
_LETTER_NUMBER = re.compile(r"([0-9]*|[A-Za-z0-9]+-)([A-Za-z]{1,3})([0-9]{1,3})")
_CCRR = re.compile(r"([0-9]{2})([0-9]{2})")
# Hex numbers have two digits for each coordinate on printed boards.
WIDEST = 120
_TURNED = "turned"
_APART = "apart"
HEXES_KEY = "hexes"
# Above the size of printed boards.
MOST_SPACES = 500
MOST_CORNERS = 60
# Each edge is compared with each edge of the areas nearby.
MOST_CORNERS_IN_ALL = 3_000
MOST_ACROSS = 10_000
_LETTERS = 26


def read_board(document: source.ValueMap, reports: DocumentProblems) -> source.Board:
    """Read `board:`."""
    kind = read_text(document.get("kind"), HEXES_KEY)
    _check_keys(document, kind, reports)
    numbering = _numbering(document.get("numbering"), document, reports)
    name = read_word(document.get("board"))
    connections = document.get("connections")
    ground = tuple(
        source.Ground(value.span, feature, read_hexes(value, reports))
        for feature, value in read_entries(document.get("terrain"))
    )
    return source.Board(
        document.span,
        name,
        read_text(document.get("title"), name.text),
        read_sources(document.get("cites"), reports),
        numbering,
        ground + _picture(document.get("picture"), numbering, reports),
        tuple(
            source.HexsideFeature(value.span, feature, _hexsides(read_words(value), reports))
            for feature, value in read_entries(document.get("sides"))
        ),
        _paths(document.get("paths")),
        _read_regions(document.get("regions"), reports),
        read_words(document.get("printed_so")),
        kind,
        _spaces(document.get("spaces"), kind, reports),
        None if connections is None and kind == "areas" else read_connections(connections, reports),
        _hexsides(read_words(document.get("closed")), reports),
        read_connections(document.get("links"), reports),
    )


# The keys that only boards of hexes have, and those that only the others have.
_OF_HEXES = ("numbering", "picture")
_OF_SPACES = ("spaces", "connections", "closed")


def _check_keys(document: source.ValueMap, kind: str, reports: DocumentProblems) -> None:
    """Report keys that belong to boards of another kind, and a missing key that defines the spaces of a board."""
    wrong, needed = (_OF_SPACES, "numbering") if kind == HEXES_KEY else (_OF_HEXES, "spaces")
    for key, _ in document.entries:
        if key.text in wrong or (key.text == "closed" and kind != "areas"):
            owners = "boards of hexes" if key.text in _OF_HEXES else "boards of areas"
            owners = (
                owners
                if key.text in _OF_HEXES or key.text == "closed"
                else "boards of areas or points, and this has no such `kind`"
            )
            reports.report_shape(key.span, f"keys that a board of {kind} has", f"`{key.text}`, which is for {owners}")
    if document.get(needed) is None:
        reports.problems.append(MissingKey(document.span, needed, "board"))


def _spaces(value: source.Value | None, kind: str, reports: DocumentProblems) -> tuple[source.Space, ...]:
    """Read the spaces of a board or of a small board in place: `{Fell: {is: hill, at: [3, 4]}, Gap: wood}`."""
    found = [_space(name, entry, kind, reports) for name, entry in read_entries(value)]
    for excess_space in found[MOST_SPACES : MOST_SPACES + 1]:
        reports.problems.append(TooLarge(excess_space.span, "spaces", MOST_SPACES))
    spaces, corners = found[:MOST_SPACES], 0
    for number, space in enumerate(spaces):
        corners += len(space.corners)
        if corners > MOST_CORNERS_IN_ALL:
            reports.problems.append(TooLarge(space.span, "corners in all", MOST_CORNERS_IN_ALL))
            return tuple(spaces[:number])
    return tuple(spaces)


def _space(name: source.Word, entry: source.Value, kind: str, reports: DocumentProblems) -> source.Space:
    if not isinstance(entry, source.ValueMap):
        if kind != HEXES_KEY:
            expected = "`at: [x, y]`" if kind == "points" else "`outline: [[x, y], ..]`"
            reports.report_shape(entry.span, f"where `{name.text}` lies, {expected}", "its features alone")
        return source.Space(name.span, name, read_words(entry), ())
    point, outline = entry.get("at"), entry.get("outline")
    needed = {"points": "`at`", "areas": "`outline`"}.get(kind)
    found_phrase = "`at`" if point is not None else "`outline`" if outline is not None else "neither `at` nor `outline`"
    if (needed and needed != found_phrase) or (point is not None and outline is not None):
        has_both = point is not None and outline is not None
        reports.report_shape(
            entry.span, f"{needed or '`at` or `outline`'} for `{name.text}`", "both" if has_both else found_phrase
        )
    corners = (
        (_corner(point, reports),)
        if point is not None
        else tuple(_corner(each, reports) for each in read_items(outline))
    )
    if outline is not None and not 3 <= len(corners) <= MOST_CORNERS:
        reports.report_shape(outline.span, f"an outline of 3 to {MOST_CORNERS} corners", f"{len(corners)}")
        corners = corners[:MOST_CORNERS]
    return source.Space(name.span, name, read_words(entry.get("is")), corners, read_text(entry.get("alone")) == "yes")


def _corner(value: source.Value, reports: DocumentProblems) -> tuple[int, int]:
    """Read `[30, 12]`: distances from the left and from the top."""
    x, y = (read_limited_number(each, "units across or down", MOST_ACROSS, reports) for each in read_items(value))
    return x, y


def read_connections(value: source.Value | None, reports: DocumentProblems) -> tuple[source.Connection, ...]:
    """Read `[A-B-C, D to E]`: connections between spaces, each once."""
    found = [connection for each in read_items(value) for connection in _connections(read_scalar(each), reports)]
    seen: set[frozenset[str]] = set()
    for connection in found:
        if connection.a.text == connection.b.text:
            reports.report_shape(connection.span, "a way between two spaces", f"`{connection.a.text}` twice")
        if (pair := frozenset((connection.a.text, connection.b.text))) in seen:
            expected = "each connection once; what lies on it stands under `sides`, and `A to B` alone leads one way"
            reports.report_shape(connection.span, expected, f"`{connection.a.text}` and `{connection.b.text}` again")
        seen.add(pair)
    return tuple(found)


def _connections(written: source.Scalar, reports: DocumentProblems) -> Iterator[source.Connection]:
    """Read `A-B-C`, or `A to B`."""
    match split_words(written):
        case (a, source.Word(text="to"), b) if "-" not in a.text + b.text:
            yield source.Connection(written.span, a, b, one_way=True)
        case (word,) if len(steps := _split_trail(word)) > 1:
            for a, b in pairwise(steps):
                yield source.Connection(word.span, a, b, one_way=False)
        case _:
            reports.report_shape(written.span, "connections such as `A-B-C`, or `A to B` for one that leads one way",
                          f"`{written.text}`")  # fmt: skip


def read_outline(document: source.ValueMap, reports: DocumentProblems) -> source.Outline:
    """Read `outline:`."""
    name = read_word(document.get("outline"))
    return source.Outline(
        document.span,
        name,
        read_text(document.get("title"), name.text),
        read_sources(document.get("cites"), reports),
        _numbering(document.get("numbering"), document, reports),
    )


def _read_regions(value: source.Value | None, reports: DocumentProblems) -> tuple[source.Region, ...]:
    """Read named groups of hexes."""
    return tuple(source.Region(hexes.span, region, read_hexes(hexes, reports)) for region, hexes in read_entries(value))


def _numbering(value: source.Value | None, document: source.ValueMap, reports: DocumentProblems) -> source.Numbering:
    """Read the numbering of hexes; a board without one has no rows."""
    if not isinstance(value, source.ValueMap):
        return source.Numbering(document.span, "", (0, 0), 0, "right", "")
    columns = [read_limited_number(each, "columns", WIDEST, reports) for each in read_items(value.get("columns"))]
    first = [read_limited_number(each, "numbers", WIDEST, reports) for each in read_items(value.get("first"))] or [1]
    style = read_text(value.get("style"))
    if style == "letter_number" and first[-1] < 1:
        reports.report_shape(value.span, "a first row from 1 on, as A is 1", "0")
        first = [first[0], 1]
    return source.Numbering(
        value.span,
        style,
        (columns[0], columns[-1]),
        read_limited_number(value.get("rows"), "rows", WIDEST, reports),
        read_text(value.get("shift"), "right"),
        read_text(value.get("prefix")),
        (first[0], first[-1]),
    )


# ---------------------------------------------------------------- hexes


def read_hexes(value: source.Value | None, reports: DocumentProblems) -> tuple[source.Word, ...]:
    """Read hex names; `B2..B5` denotes each hex of the run."""
    found: list[source.Word] = []
    for each in read_words(value):
        first, dots, last = each.text.partition("..")
        if not dots:
            found.append(each)
            continue
        run = _run(first, last)
        if not run:
            reports.report_shape(each.span, "a run of hexes in one row or column, such as `B2..B5`", f"`{each.text}`")
        found += (source.Word(each.span, name) for name in run)
    return tuple(found)


def _run(first: str, last: str) -> list[str]:
    """Return the names from one hex to another of the same row or column; empty if they have neither in common."""
    a, b = _LETTER_NUMBER.fullmatch(first), _LETTER_NUMBER.fullmatch(last)
    if a and b and a[1] == b[1] and a[2] == b[2]:
        return [f"{a[1]}{a[2]}{number}" for number in range(int(a[3]), int(b[3]) + 1)]
    if a and b and a[1] == b[1] and a[3] == b[3] and len(set(a[2])) == len(set(b[2])) == 1:
        return [f"{a[1]}{row_letters(number)}{a[3]}" for number in range(_row_number(a[2]), _row_number(b[2]) + 1)]
    a, b = _CCRR.fullmatch(first), _CCRR.fullmatch(last)
    if a and b and a[2] == b[2]:
        return [f"{number:02d}{a[2]}" for number in range(int(a[1]), int(b[1]) + 1)]
    if a and b and a[1] == b[1]:
        return [f"{a[1]}{number:02d}" for number in range(int(a[2]), int(b[2]) + 1)]
    return []


def row_letters(row: int) -> str:
    """Return the letters of a row, counted from zero: A to Z, AA to ZZ, and so on."""
    return chr(ord("A") + row % _LETTERS) * (row // _LETTERS + 1)


def _row_number(letters: str) -> int:
    return (len(letters) - 1) * _LETTERS + ord(letters[0].upper()) - ord("A")


# ---------------------------------------------------------------- hexsides, paths, pictures


def _hexside(side: source.Word) -> source.Hexside:
    """Read `A5/B5`."""
    slash = side.text.index("/")
    return source.Hexside(side.span, cut_word(side, 0, slash), cut_word(side, slash + 1, len(side.text)))


def _hexsides(sides: tuple[source.Word, ...], reports: DocumentProblems) -> tuple[source.Hexside, ...]:
    """Read the hexsides of one feature; a hexside that is listed again, from either of its hexes, is reported."""
    read = tuple(_hexside(each) for each in sides)
    seen: set[frozenset[str]] = set()
    for each, side in zip(sides, read, strict=True):
        pair = frozenset((side.a.text, side.b.text))
        if pair in seen:
            reports.report_shape(each.span, "each hexside once", f"`{each.text}` again")
        seen.add(pair)
    return read


def _paths(value: source.Value | None) -> tuple[source.PathSetting, ...]:
    """Read paths with their trails."""
    return tuple(
        source.PathSetting(word.span, path, _split_trail(word))
        for path, trails in read_entries(value)
        for word in read_words(trails)
    )


def _split_trail(word: source.Word) -> tuple[source.Word, ...]:
    """Split `A-B-C` into words."""
    return tuple(cut_word(word, each.start(), each.end()) for each in re.finditer(r"[^-]+", word.text))


def _picture(
    value: source.Value | None, numbering: source.Numbering, reports: DocumentProblems
) -> tuple[source.Ground, ...]:
    """Read a drawn board: one sign for each hex, row by row."""
    if not isinstance(value, source.ValueMap):
        return ()
    legend = {sign.text: read_words(features) for sign, features in read_entries(value.get("legend"))}
    hexes_by_feature: dict[str, list[source.Word]] = {}
    words_by_feature = {feature.text: feature for features in reversed(legend.values()) for feature in features}
    rows = read_items(value.get("rows"))
    if len(rows) != numbering.rows:
        excess_span = rows[numbering.rows].span if len(rows) > numbering.rows else value.span
        reports.report_shape(excess_span, f"{numbering.rows} rows of signs", f"{len(rows)}")
    for row_number, row in enumerate(rows[: numbering.rows]):
        signs = read_scalar(row)
        wide = numbering.columns[row_number % 2]
        # Where a row is missing, the next ones seem too long or too short.
        if len(signs.text) != wide and len(rows) == numbering.rows:
            reports.report_shape(signs.span, f"{wide} signs, one for each hex of the row", f"{len(signs.text)}")
        start = signs.start
        line = source.Word(replace(start, end_line=start.line, end_column=start.column + len(signs.text)), signs.text)
        for column, sign in enumerate(signs.text[:wide]):
            place = cut_word(line, column, column + 1).span if signs.start.line == signs.span.end_line else signs.span
            if sign not in legend and sign != ".":
                known = ", ".join(f"`{each}`" for each in (".", *legend))
                reports.report_shape(place, f"a sign of the legend ({known})", f"`{sign}`")
            for feature in legend.get(sign, ()):
                hexes_by_feature.setdefault(feature.text, []).append(
                    source.Word(place, hex_name(numbering, column, row_number))
                )
    return tuple(
        source.Ground(value.span, words_by_feature[feature], tuple(hexes))
        for feature, hexes in hexes_by_feature.items()
    )


def hex_name(numbering: source.Numbering, column: int, row: int) -> str:
    """Return the name of a hex by its column and row, both counted from zero, without the prefix of the board."""
    column_number, row_number = column + numbering.first[0], row + numbering.first[1]
    match numbering.style:
        case "letter_number":
            return f"{row_letters(row_number - 1)}{column_number}"
        case "rrcc":
            return f"{row_number:02d}{column_number:02d}"
        case _:
            return f"{column_number:02d}{row_number:02d}"


# ---------------------------------------------------------------- small boards and maps


def read_inline_board(value: source.ValueMap, reports: DocumentProblems) -> source.InlineBoard:
    """Read a small board written out row by row, or space by space."""
    return source.InlineBoard(
        value.span,
        tuple(
            tuple((written[0], written[1:]) for hex_ in read_items(row) if (written := split_words(read_scalar(hex_))))
            for row in read_items(value.get("rows"))
        ),
        tuple(
            source.SideSetting(side.span, _hexside(side).a, _hexside(side).b, read_words(features))
            for side, features in read_entries(value.get("sides"))
        ),
        _paths(value.get("paths")),
        _spaces(value.get("spaces"), HEXES_KEY, reports),
        read_connections(value.get("connections"), reports),
    )


def read_map(value: source.Value | None) -> tuple[source.BoardPlacement, ...]:
    """Read rows of boards, west to east, north to south; behind a row `[apart]` a separate map starts."""
    lines = read_items(value)
    ends = [index for index, line in enumerate(lines) if _is_separator(line)]
    return tuple(
        _placement(board, row, column, sum(end < row for end in ends))
        for row, line in enumerate(lines)
        if row not in ends
        for column, board in enumerate(read_items(line))
    )


def _is_separator(line: source.Value) -> bool:
    """Return whether a row of boards is the separator of two maps."""
    match read_items(line):
        case (source.Scalar(text=text_),):
            return text_ == _APART
        case _:
            return False


def _placement(board: source.Value, row: int, column: int, sheet: int) -> source.BoardPlacement:
    """Read `far_shore turned` or `{board: far_shore, turned: yes}`."""
    if isinstance(board, source.ValueMap):
        is_turned = read_text(board.get("turned")) == "yes"
        return source.BoardPlacement(
            board.span, read_word(board.get("board")), row, column, turned=is_turned, sheet=sheet
        )
    written = split_words(read_scalar(board))
    is_turned = len(written) > 1 and written[-1].text == _TURNED
    return source.BoardPlacement(board.span, written[0], row, column, turned=is_turned, sheet=sheet)
