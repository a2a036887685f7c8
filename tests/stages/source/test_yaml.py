"""YAML keeps source locations and the text of scalars, and is checked against the schema of its kind."""

from typing import TypeVar

from compiler.source.documents import read_documents
from compiler.source.nodes import (
    Area,
    Board,
    InlineBoard,
    Match,
    PieceChart,
    PiecePatch,
    Position,
    Row,
    Rule,
    Scalar,
    Scenario,
    Table,
    TablePatch,
    ValueList,
    Word,
)
from compiler.source.span import Span
from compiler.source.yaml_reader import read_yaml
from tests.stages.source.check import Case, check, each

T = TypeVar("T")


@each("charts.yaml", "cards.yaml")
def test_reports(case: Case) -> None:
    _, problems = read_documents(case.text, "toy.yaml")
    check(case, problems)


def test_scalars_stay_text() -> None:
    [value], problems = read_yaml("[6:1, 0203, NO, 1e3, ~, 2026-01-01, '', \"a\\tb\", .5]", "f")
    assert problems == ()
    assert isinstance(value, ValueList)
    texts = [item.text for item in value.items if isinstance(item, Scalar)]
    assert texts == ["6:1", "0203", "NO", "1e3", "~", "2026-01-01", "", "a\tb", ".5"]


def test_a_grid_becomes_rows() -> None:
    table = one(
        Table,
        """
table: fare
cites: T.3 .4
keys: {row: ground, column: gait}
cell: {cost: MP, barred: word}
columns: [paw, hoof]
grid:
  fen: [1, {is: barred, cites: T.5}]
  0..3: {hoof: 2}
""",
    )
    assert [name.text for name, _ in table.cells] == ["cost", "barred"]
    assert [type_ is None for _, type_ in table.cells] == [False, True]
    assert [row_text(row) for row in table.rows] == [
        "row=fen column=paw: 1 [T.3 T.4]",
        "row=fen column=hoof: barred [T.5]",
        "row=0..3 column=hoof: 2 [T.3 T.4]",
    ]
    assert table.rows[1].value.span == Span("f.yaml", 8, 17, 8, 23)
    assert (table.hit, table.operator) == ("unique", None)


def test_rows_may_omit_keys() -> None:
    table = one(
        Table,
        "{table: x, keys: {a: b, c: 0..9}, cell: pips, hit: collect sum, rows: [{a: [d, e], is: 1/2}, "
        "{c: 2..4, is: x}]}",
    )
    assert [row_text(row) for row in table.rows] == ["a=d|e: 1/2 []", "c=2..4: x []"]
    assert (table.hit, table.operator, table.cells[0][0].text) == ("collect", "sum", "")


def test_a_grid_of_one_key() -> None:
    table = one(
        Table,
        "{table: x, keys: {a: b}, cell: pips, grid: {d: 1, e: {is: 2, cites: T.1}}}",
    )
    assert [row_text(row) for row in table.rows] == ["a=d: 1 []", "a=e: 2 [T.1]"]


def test_counters() -> None:
    chart = one(
        PieceChart,
        "{pieces: unit, cites: T.9, columns: [id, speed, traits], rows: [[imp, 3, [sly, small]], "
        "{id: ogre, speed: 1, cites: T.10}]}",
    )
    assert [(row.id.text, [value.text for _, value in row.values]) for row in chart.rows] == [
        ("imp", ["3"]),
        ("ogre", ["1"]),
    ]
    assert [[trait.text for trait in row.traits] for row in chart.rows] == [["sly", "small"], []]
    assert [[cite.text for cite in row.cites] for row in chart.rows] == [["T.9"], ["T.10"]]


def test_titles_of_counters() -> None:
    chart = one(PieceChart, "{pieces: unit, columns: [id, speed], titles: {imp: The imp}, rows: [[imp, 3], [ogre, 1]]}")
    assert [[(word.text, value.text) for word, value in row.values] for row in chart.rows] == [
        [("speed", "3"), ("title", "The imp")],
        [("speed", "1")],
    ]


def test_patches() -> None:
    patch = one(
        TablePatch,
        "{patch: fare, cites: V.1, set: [{row: fen, expect: 3, now: 2}], "
        "add columns: {wing: {cites: V.2, fen: 1, heath: {is: 2, cites: V.3}}}, add rows: [{row: tarn, "
        "is: 9}]}",
    )
    assert [(change.expects.text, change.now.text) for change in patch.set] == [("3", "2")]
    [wing] = patch.lines
    assert [(key and key.text, cell.text, [cite.text for cite in cites]) for key, cell, cites in wing.cells] == [
        ("fen", "1", ["V.2"]),
        ("heath", "2", ["V.3"]),
    ]
    assert [row_text(row) for row in patch.add] == ["row=tarn: 9 [V.1]"]


def test_a_patch_of_counters_is_recognized_by_its_keys() -> None:
    patch = one(
        PiecePatch,
        "{patch: unit, set: [{id: imp, column: speed, expect: 3, now: 4}], add counters: [{id: elf}]}",
    )
    assert [(change.id.text, change.column.text, change.now.text) for change in patch.set] == [("imp", "speed", "4")]
    assert [counter.id.text for counter in patch.add] == ["elf"]
    assert isinstance(
        one(
            PiecePatch,
            "{patch: unit, set: [{id: imp, column: speed, expect: 3, now: 4}]}",
        ),
        PiecePatch,
    )


def test_a_patch_has_values_of_added_factors() -> None:
    patch = one(
        PiecePatch,
        "{patch: unit, cites: V.1, add factors: {mood: {cites: V.2, imp: 7, elf: {is: 3, cites: V.3}}, "
        "fuel: {imp: 1}}}",
    )
    assert [
        (each.column.text, each.id.text, each.now.text, [cite.text for cite in each.cites]) for each in patch.values
    ] == [("mood", "imp", "7", ["V.2"]), ("mood", "elf", "3", ["V.3"]), ("fuel", "imp", "1", ["V.1"])]


def test_a_board() -> None:
    board = one(
        Board,
        """
board: near_shore
numbering: {style: letter_number, columns: [3, 4], rows: 2, shift: left, prefix: "1"}
terrain: {fen: A1..A3 B2, heath: [B1]}
picture: {legend: {m: [moor, high]}, rows: [m.., ...m]}
sides: {hedge: [A1/A2]}
paths: {lane: [A1-B1-B2, A3]}
regions: {Old Mill: [A1, A2]}
""",
    )
    assert {ground.feature.text: [hex_.text for hex_ in ground.hexes] for ground in board.terrain} == {
        "fen": ["A1", "A2", "A3", "B2"],
        "heath": ["B1"],
        "moor": ["A1", "B4"],
        "high": ["A1", "B4"],
    }
    moor = next(ground.feature for ground in board.terrain if ground.feature.text == "moor")
    assert moor.span == Span("f.yaml", 5, 24, 5, 28), "in the legend, where it is written"
    assert (board.numbering.columns, board.numbering.shift, board.numbering.prefix) == ((3, 4), "left", "1")
    [hedge] = board.sides
    assert [(side.a.text, side.b.span) for side in hedge.sides] == [("A1", Span("f.yaml", 6, 20, 6, 22))]
    assert [[word.text for word in path.trail] for path in board.paths] == [["A1", "B1", "B2"], ["A3"]]
    assert board.regions[0].name.text == "Old Mill"


def test_a_scenario() -> None:
    card = one(
        Scenario,
        """
scenario: mill
uses: toy+frost
map: [[near_shore, far_shore turned], [{board: third, turned: yes}]]
turns: 8
set_up: [dwarves, elves]
order: [elves, dwarves]
facts: {frost: yes, shore: {board: third, around: C1, up_to: brook}}
regions: {mill: [1C8..1C10]}
gaps: ["Whether the mill burns: no."]
forces:
  - {side: elves, units: {imp: 3}, sets_up: [{board: near_shore, columns: 1..4}, {within: 2, beyond: 1, of: mill}]}
  - {side: dwarves, placed: [{unit: ogre, name: guard, at: 1C9, in: den}], enters: {edge: east, turn: 2}}
victory: {elves: {narrow: "count(u in all unit) = 0"}}
special: |
  rule fen [T.1] "x"
    cost is 1
""",
    )
    assert [(each_.board.text, each_.row, each_.column, each_.turned) for each_ in card.map] == [
        ("near_shore", 0, 0, False),
        ("far_shore", 0, 1, True),
        ("third", 1, 0, True),
    ]
    assert [word.text for word in (*card.set_up, *card.order)] == ["dwarves", "elves", "elves", "dwarves"]
    assert isinstance(card.facts[1][1], tuple)
    [shore] = card.facts[1][1]
    assert isinstance(shore, Area)
    assert shore.bounded is not None
    assert (shore.bounded.around.text, [word.text for word in shore.bounded.up_to]) == ("C1", ["brook"])
    assert [word.text for region in card.regions for area in region.areas for word in area.hexes] == [
        "1C8",
        "1C9",
        "1C10",
    ]
    assert card.gaps == ("Whether the mill burns: no.",)
    near = card.forces[0].sets_up[1].near
    assert near is not None
    assert (near.most, near.more_than, [word.text for word in near.of]) == (2, 1, ["mill"])
    assert [area.columns and (area.columns.low, area.columns.high) for area in card.forces[0].sets_up] == [(1, 4), None]
    assert card.forces[1].placed[0].at.text == "1C9"
    assert card.victory[0].condition.span == Span("f.yaml", 14, 28, 14, 52)
    [fen] = card.special
    assert isinstance(fen, Rule)
    assert fen.conclusion is not None
    assert fen.conclusion.span == Span("f.yaml", 17, 5, 17, 14)


def test_a_position() -> None:
    position = one(
        Position,
        """
position: here
stack: toy
board: {rows: [[A, B fen], [C]], sides: {A/B: hedge}, paths: {lane: [A-B]}}
pieces: [{name: L, type: imp, side: elves, at: A, in: den, path: [{from: A, to: B}], sleepy: yes}]
relations: {rides: [{mount: M, rider: L}]}
records: {patrol: [{unit: L}]}
hexes: {B: {misty: yes}}
""",
    )
    assert isinstance(position.board, InlineBoard)
    assert [
        [(hex_.text, [word.text for word in features]) for hex_, features in row] for row in position.board.rows
    ] == [
        [("A", []), ("B", ["fen"])],
        [("C", [])],
    ]
    assert [name.text for name, _ in position.pieces[0].properties] == ["path", "sleepy"]
    assert [entry.name.text for entry in (*position.relations, *position.records)] == ["rides", "patrol"]
    assert position.hexes[0].hex.text == "B"


def one(kind: type[T], text: str) -> T:
    """Read a text that must be one document of this kind without problems."""
    [node], problems = read_documents(text, "f.yaml")
    assert problems == ()
    assert isinstance(node, kind)
    return node


def row_text(row: Row) -> str:
    """Return a row as one line."""
    keys = [f"{name.text}={'|'.join(match(each_) for each_ in accepted)}" for name, accepted in row.keys]
    return f"{' '.join(keys)}: {row.value.text} [{' '.join(cite.text for cite in row.cites)}]"


def match(accepted: Match) -> str:
    """Return an accepted key as text."""
    return accepted.text if isinstance(accepted, Word) else f"{accepted.low}..{accepted.high}"
