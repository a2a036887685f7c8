"""Rendering of an imported module as files: the layer with declarations and a chart, positions, scenario cards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from compiler.source.reading.positions import MOST_POSITION_PIECES
from rulewright.adapters.vassal.atlas import Atlas, AtlasPlacement
from rulewright.adapters.vassal.board_conversion import ConvertedBoard, yaml_text
from rulewright.adapters.vassal.counter_conversion import CounterChart, piece_faces
from rulewright.adapters.vassal.grids import HexGrid, PixelPoint
from rulewright.adapters.vassal.identifiers import NamePool
from rulewright.adapters.vassal.mapping import BACK, OMITTED
from rulewright.adapters.vassal.setup_conversion import PlacedPiece, Setup
from rulewright.exchange.notes import Notes
from rulewright.exchange.package_files import IMPORTED_COMMENT
from runtime.graph.frozen_dataclass import frozen_dataclass

SOURCE = "VMOD"
MOST_TURNS_LISTED = 10
# The largest distance of the middles of neighbors in hexes: less than that of hexes with one between them.
REACH = 1.25
MOST_LINKS = 2_000


@frozen_dataclass
class PositionPiece:
    """A piece of a position: its name, counter and space, its marks and tracks, and the imported piece."""

    name: str
    counter: str
    side: str
    space: str
    marks: tuple[str, ...]
    tracks: tuple[tuple[str, int], ...]
    source: PlacedPiece


@frozen_dataclass
class MapText:
    """The map of a position or a card: rows of boards, and links between their hexes."""

    rows: list[list[str]]
    links: list[str]

    def rows_text(self) -> str:
        """Format the rows."""
        return "[" + ", ".join(f"[{', '.join(row)}]" for row in self.rows) + "]"

    def links_text(self) -> list[str]:
        """Format the links; empty if there are none."""
        return [f"links: [{', '.join(self.links)}]"] if self.links else []


def layer_files(chart: CounterChart, title: str) -> dict[str, str]:
    """Return the files of a layer that declares the vocabulary of the counters, so that positions can be evaluated."""
    mapping = chart.mapping
    kind = mapping.kind
    sides = {side: module_name for module_name, side in mapping["sides"].items() if side != OMITTED}
    lines = [f"# The words of {_escaped_text(title)}. The rules of the game are still to be written.", ""]
    if sides:
        lines += [f"side {', '.join(f'{side} {yaml_text(module_name)}' for side, module_name in sides.items())}"]
    factors = ", ".join(f"{name}: {low}..{high}" for name, (low, high) in sorted(chart.factors.items()))
    lines += [f"kind {kind}{f' has {factors}' if factors else ''}"]
    if traits := sorted(chart.traits()):
        lines += [f"trait {kind}: {', '.join(traits)}"]
    markers = NamePool()
    lines += [
        f'status {kind}: {status} marker "{markers.marker(status)}" until end of game'
        for status in sorted(chart.statuses())
    ]
    tracks = sorted(chart.tracks.items())
    lines += [f"track {kind}.{name}: {low}..{max(high, 1)} = {low}" for name, (low, high) in tracks]
    rows = [_row(chart, name) for name in chart.counters]
    counters = [f"pieces: {kind}", f"cites: {SOURCE}.COUNTERS", "rows:", *rows]
    titles = _titles(chart)
    counters += ["titles:", *(f"  {name}: {yaml_text(each)}" for name, each in titles.items())] if titles else []
    return {
        "layer.yaml": f"layer: {mapping.stack}\ntitle: {yaml_text(title)}\nkind: base\ncites: {SOURCE}.COUNTERS\n",
        "words.rules": "\n".join([*lines, ""]),
        **({"counters.yaml": "\n".join([*counters, ""])} if rows else {}),
        "sources.yaml": f"sources:\n  - {{prefix: {SOURCE}, title: A module of VASSAL, items: [{SOURCE}.COUNTERS]}}\n",
    }


def _titles(chart: CounterChart) -> dict[str, str]:
    """Return a title for each counter; duplicates are numbered from the second on."""
    count: dict[str, int] = {}
    found: dict[str, str] = {}
    for name, counter in chart.counters.items():
        title = _escaped_text(counter.title)
        count[title] = count.get(title, 0) + 1
        found[name] = f"{title} ({count[title]})" if count[title] > 1 else title
    return found


def _row(chart: CounterChart, name: str) -> str:
    counter = chart.counters[name]
    cells = [f"id: {name}"]
    cells += [f"side: {counter.side}"] if counter.side else []
    known = dict(counter.factors)
    cells += [f"{factor}: {known.get(factor, 0)}" for factor in sorted(chart.factors)]
    cells += [f"back: {counter.back}"] if counter.back else []
    cells += [f"traits: [{', '.join(counter.traits)}]"] if counter.traits else []
    return f"  - {{{', '.join(cells)}}}"


def place_pieces(
    setup: Setup, chart: CounterChart, spaces: Mapping[tuple[str, str], str], notes: Notes
) -> list[PositionPiece]:
    """Convert the pieces of a set-up to pieces of a position, with names, marks and tracks."""
    pool = NamePool([*spaces.values(), *chart.counters])
    count: dict[str, int] = {}
    placed: list[PositionPiece] = []
    for piece in setup.placed:
        counter = chart.counters_by_slot.get(piece.slot.gpid, OMITTED)
        if counter == OMITTED or counter not in chart.counters:
            notes.add_changed(piece.span, piece.slot.name, "left out, as the mapping says")
            continue
        marks = _marks(piece, chart, notes)
        shown_counter = (BACK in marks and chart.counters[counter].back) or counter
        count[counter] = count.get(counter, 0) + 1
        name = pool.word(f"{counter}_{count[counter]}", "piece")
        space = spaces[piece.board.name, piece.space]
        statuses = tuple(mark for mark in marks if mark != BACK)
        placed.append(
            PositionPiece(
                name, shown_counter, chart.counters[counter].side, space, statuses, _tracks(piece, chart), piece
            )
        )
    if len(placed) > MOST_POSITION_PIECES:
        loss = f"has {len(placed):,} pieces: those after {MOST_POSITION_PIECES:,} are left out"
        notes.add_omission(setup.span, setup.name, f"{loss}; `-` in the mapping leaves out others")
    return placed[:MOST_POSITION_PIECES]


def _marks(placed: PlacedPiece, chart: CounterChart, notes: Notes) -> tuple[str, ...]:
    found: list[str] = []
    for face in piece_faces(placed.piece):
        mapped_name = chart.mapping["faces"].get(face, "")
        if mapped_name == OMITTED or not mapped_name:
            remark = (
                "left out, as the mapping says" if mapped_name else "the mapping has no name for this face: left out"
            )
            (notes.add_changed if mapped_name else notes.add_omission)(placed.span, face, remark)
        else:
            found.append(mapped_name)
    return tuple(dict.fromkeys(found))


def _tracks(placed: PlacedPiece, chart: CounterChart) -> tuple[tuple[str, int], ...]:
    """Return the tracks of a piece with values other than their initial ones."""
    tracks: list[tuple[str, int]] = []
    for name, (_, value) in placed.piece.notes().items():
        track = chart.mapping["tracks"].get(name, OMITTED)
        if track != OMITTED and track in chart.tracks and value.isdecimal() and len(value) < 5:
            low, high = chart.tracks[track]
            if low < int(value) <= high:
                tracks.append((track, int(value)))
    return tuple(tracks)


def space_labels(boards: Iterable[ConvertedBoard]) -> dict[tuple[str, str], str]:
    """Return the label of each space of a map; a name that several boards have is prefixed with the board."""
    boards = list(boards)
    seen: dict[str, int] = {}
    for board in boards:
        for space in board.pixels:
            seen[space] = seen.get(space, 0) + 1
    labels: dict[tuple[str, str], str] = {}
    for board in boards:
        for space in board.pixels:
            is_shared = seen[space] > 1
            labels[board.name, space] = f"{board.name}.{space}" if is_shared else space
    return labels


def map_rows(setup: Setup, atlas: Atlas, board_names: set[str]) -> list[list[str]]:
    """Arrange boards in separate rows: adjacent boards share the hexes of their seam here, but not always in VASSAL."""
    hexes: list[list[str]] = []
    others: list[list[str]] = []
    for board in setup.boards(atlas):
        if board.name not in board_names:
            continue
        if board.kind == "hexes":
            hexes += [["apart"], [board.name]] if hexes else [[board.name]]
        else:
            others.append([board.name])
    return hexes + others


def board_links(setup: Setup, atlas: Atlas, labels: Mapping[tuple[str, str], str], notes: Notes) -> list[str]:
    """Return links between the hexes of adjacent boards of a map whose middles are a hex apart."""
    links: list[str] = []
    for name, placements in setup.placements.items():
        boards = list(_hex_boards(placements, atlas))
        if len(boards) > 1:
            links += _links_of_map(boards, labels)
            remark = (
                f"its boards stand apart here; {len(links)} links join their hexes, and no line leads from one to "
                "another"
            )
            notes.add_changed(setup.span, name, remark)
    if len(links) > MOST_LINKS:
        remark = f"{len(links):,} hexes of boards touch; those after {MOST_LINKS:,} are left out"
        notes.add_omission(setup.span, "links", remark)
    return links[:MOST_LINKS]


def _links_of_map(
    boards: Sequence[tuple[AtlasPlacement, ConvertedBoard, float]], labels: Mapping[tuple[str, str], str]
) -> Iterator[str]:
    """Yield the links between boards of one map.

    Hexes are sorted into boxes as wide as the greatest distance of two that touch, which are then in adjacent boxes.
    """
    wide = max(size for _, _, size in boards) * REACH
    hexes_by_box: dict[tuple[int, int], list[tuple[AtlasPlacement, str, PixelPoint]]] = {}
    for placement, board, _ in boards:
        for space, local in board.pixels.items():
            if (board.name, space) not in labels:
                continue
            label = labels[board.name, space]
            x, y = placement.map_pixel(local)
            column, row = int(x // wide), int(y // wide)
            for box in product(range(column - 1, column + 2), range(row - 1, row + 2)):
                for other, other_label, (other_x, other_y) in hexes_by_box.get(box, ()):
                    if other is not placement and (x - other_x) ** 2 + (y - other_y) ** 2 <= wide**2:
                        yield f"{other_label}-{label}"
            hexes_by_box.setdefault((column, row), []).append((placement, label, (x, y)))


def _hex_boards(
    placements: Iterable[AtlasPlacement], atlas: Atlas
) -> Iterator[tuple[AtlasPlacement, ConvertedBoard, float]]:
    """Yield the boards of hexes on a map, each with the larger side of a hex."""
    for placement in placements:
        board = atlas.grids.get(id(placement.module_board))
        if board is None:
            continue
        grid = board.grid
        if isinstance(grid, HexGrid):
            yield placement, board, max(grid.width, grid.height)


def position_text(name: str, stack: str, ground: MapText, pieces: Iterable[PositionPiece]) -> str:
    """Format a position; the side of a piece follows from its counter."""
    lines = [IMPORTED_COMMENT, f"position: {name}", f"stack: {stack}", f"board: {ground.rows_text()}"]
    lines += ground.links_text()
    written = [_piece(piece) for piece in pieces]
    return "\n".join([*lines, *(["pieces:", *written] if written else []), ""])


def _piece(piece: PositionPiece) -> str:
    cells = [f"name: {piece.name}", f"type: {piece.counter}"]
    cells += [f'at: "{piece.space}"', *(f"{mark}: yes" for mark in piece.marks)]
    cells += [f"{track}: {value}" for track, value in piece.tracks]
    return f"  - {{{', '.join(cells)}}}"


def card_text(
    name: str, title: str, stack: str, ground: MapText, pieces: list[PositionPiece], order: list[str]
) -> tuple[str, int]:
    """Format a scenario card, and count the pieces of no side, which it omits."""
    forces: list[str] = []
    for side in order:
        side_pieces = [piece for piece in pieces if piece.side == side]
        if side_pieces:
            placed = [
                f'      - {{unit: {piece.counter}, at: "{piece.space}", name: {piece.name}}}' for piece in side_pieces
            ]
            forces += [f"  - side: {side}", "    placed:", *placed]
    lines = [
        IMPORTED_COMMENT,
        f"scenario: {name}",
        f"title: {yaml_text(title)}",
        f"uses: {stack}",
        f"cites: {SOURCE}.COUNTERS",
        f"map: {ground.rows_text()}",
        *ground.links_text(),
        f"turns: {MOST_TURNS_LISTED}",
        f"order: [{', '.join(order)}]",
        "gaps: [How many turns are played and who wins is not in a module.]",
    ]
    text = "\n".join([*lines, *(["forces:", *forces] if forces else []), ""])
    return text, sum(piece.side not in order for piece in pieces)


def _escaped_text(text: str) -> str:
    return yaml_text(text)[1:-1]
