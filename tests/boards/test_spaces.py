"""Maps without hexes: errors of spaces are reported, distances are counted, and lines of sight are refused."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from compiler.question import type_question
from compiler.report.diagnose import diagnose
from compiler.source import nodes as source
from compiler.source.package import read_document
from compiler.source.reading.boards import read_board, read_connections, read_map
from compiler.source.reading.values import DocumentProblems
from compiler.source.shape import check_shape
from compiler.source.yaml_reader import read_yaml
from compiler.typed.situations.maps import check_connections, join_boards
from rulewright.library.stacks import Stack, open_packages
from runtime.board.board import FAR, Board
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import NoGeometryError
from runtime.graph.outlines import center_of, crosses_itself, interiors_intersect, share_edge, shared_edges
from runtime.witness.position_file import position_file

LAYER = {
    "layer.yaml": "layer: fells\ntitle: Fells\nkind: base\nplayable: yes\n",
    "world.rules": "side one, two\nfeature space: hill\nfeature connection: river\npath road\nkind band\n",
}
AREAS = """board: fells
kind: areas
spaces:
  Fell: {is: hill, outline: [[0, 0], [40, 0], [40, 30], [0, 30]]}
  Gap: {outline: [[0, 30], [20, 30], [20, 60], [0, 60]]}
  Moor: {is: [hill], outline: [[20, 30], [40, 30], [40, 60], [20, 60]]}
sides: {river: [Gap/Moor]}
paths: {road: [Fell-Gap]}
"""
POINTS = "board: boxes\nkind: points\nspaces: {Camp: {at: [0, 0]}}\n"
HEXES = "board: west\nnumbering: {style: letter_number, columns: 4, rows: 2}\n"
EAST = "board: east\nnumbering: {style: letter_number, columns: 3, rows: 2, prefix: E}\n"


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Stack:
    """Compile a stack with few words, once."""
    folder = tmp_path_factory.mktemp("fells")
    for name, text in LAYER.items():
        (folder / name).write_text(text)
    return open_packages((folder,)).compiled("fells")


def board_in(text: str) -> tuple[source.Board, list[str]]:
    """Read a board; return it with the messages of its problems."""
    found, problems = read_yaml(text, "board.yaml")
    document = found[0]
    assert isinstance(document, source.ValueMap)
    reports = DocumentProblems()
    board = read_board(document, reports)
    wrong = [*problems, *check_shape(document, "board"), *reports.problems]
    return board, [each.message for each in diagnose(wrong, {"board.yaml": text})]


def joined(stack: Stack, areas: str, rows: str = "[[fells]]", links: str = "[]") -> tuple[graph.Board, list[str]]:
    """Join boards to a map; return it with the messages of its problems."""
    assert stack.env is not None
    env = replace(stack.env, problems=[])
    boards, wrong = {}, []
    for text in (areas, POINTS, HEXES, EAST):
        board, problems = board_in(text)
        boards[board.name.text] = board
        wrong += problems
    card = f"map: {rows}\nlinks: {links}\n"
    (document, *_), _ = read_yaml(card, "card.yaml")
    assert isinstance(document, source.ValueMap)
    placed, reports = read_map(document.get("map")), DocumentProblems()
    scenario_board = join_boards(env, "raid", placed, boards, read_connections(document.get("links"), reports))
    check_connections(env, scenario_board, [boards[each.board.text] for each in placed])
    texts = {"board.yaml": areas, "card.yaml": card}
    return scenario_board.board, wrong + [each.message for each in diagnose([*reports.problems, *env.problems], texts)]


def test_areas_that_share_an_edge_are_connected(stack: Stack) -> None:
    board, wrong = joined(stack, AREAS)
    assert wrong == []
    assert board.links == (("Fell", "Gap", False), ("Fell", "Moor", False), ("Gap", "Moor", False))
    assert board.sides == (("Gap", "Moor", ("river",)),)
    assert board.paths == (("road", "Fell", "Gap"),)


def test_areas_with_a_closed_edge_are_not_connected(stack: Stack) -> None:
    board, wrong = joined(stack, AREAS + "closed: [Fell/Moor]\n")
    assert wrong == []
    assert ("Fell", "Moor", False) not in board.links


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("connections: [Fell-Gap-Moor, Fell-Muir]\n", "Muir"),
        ("connections: [Fell-Gap-Moor]\n", "`Fell` and `Moor` share an edge, but are not connected"),
        ("connections: [Fell-Gap-Moor, Moor to Fell, Fell-Moor]\n", "each connection once"),
        ("closed: [Fell/Gap, Fell/Moor]\nlinks: [Fell-Gap]\nconnections: [Gap-Moor, Fell-Gap]\n", "are connected"),
        ("links: [Fell-Gap]\n", "`Fell` and `Gap` are already connected"),
        ("links: [Fell-Fell]\n", "a way between two spaces"),
        ("links: [Fell by Gap]\n", "connections such as `A-B-C`"),
        ("picture: {legend: {w: hill}, rows: [w]}\n", "for boards of hexes"),
    ],
)
def test_wrong_connections_are_errors(stack: Stack, change: str, message: str) -> None:
    _, wrong = joined(stack, AREAS + change)
    assert any(message in each for each in wrong), wrong


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[[20, 30], [40, 30], [40, 60], [20, 60]]", "[[20, 30], [40, 60], [40, 30], [20, 60]]", "crosses itself"),
        ("[[20, 30], [40, 30], [40, 60], [20, 60]]", "[[10, 30], [40, 30], [40, 60], [10, 60]]", "overlap"),
        ("[[20, 30], [40, 30], [40, 60], [20, 60]]", "[[80, 30], [90, 30], [90, 60], [80, 60]]", "has no connection"),
        ("[[20, 30], [40, 30], [40, 60], [20, 60]]", "[[80, 30], [90, 30]]", "an outline of 3 to"),
        ("  Moor: {is: [hill], outline:", "  Gap_: {is: [hill], outline:", "`Gap_` and `Gap` look alike"),
        ("  Moor: {is: [hill], outline:", "  Moor: {is: [fen], outline:", "fen"),
        (
            "  Moor: {is: [hill], outline: [[20, 30], [40, 30], [40, 60], [20, 60]]}",
            "  Moor: hill",
            "where `Moor` lies",
        ),
        ("sides: {river: [Gap/Moor]}", "sides: {river: [Gap/Muir]}", "Muir"),
        ("kind: areas", "kind: points", "`at` for `Fell`"),
    ],
)
def test_wrong_spaces_are_errors(stack: Stack, old: str, new: str, message: str) -> None:
    assert old in AREAS
    text = AREAS.replace(old, new)
    if "river" not in new:
        text = text.replace("sides: {river: [Gap/Moor]}\n", "")
    _, wrong = joined(stack, text)
    assert any(message in each for each in wrong), wrong


def test_a_space_without_a_connection_is_an_error_until_a_card_links_it(stack: Stack) -> None:
    _, wrong = joined(stack, AREAS, "[[fells], [boxes]]")
    assert wrong == ["`Camp` has no connection"]
    board, wrong = joined(stack, AREAS, "[[fells], [boxes]]", "[Camp to Gap]")
    assert wrong == []
    assert ("Camp", "Gap", True) in board.links


def test_separate_maps_are_joined_by_links_only(stack: Stack) -> None:
    joined_boards, wrong = joined(stack, AREAS, "[[west], [apart], [east], [boxes]]", "[A4-EA1, EB3 to Camp]")
    assert wrong == []
    board = Board(joined_boards)
    at = board.index
    assert board.distance(at["A1"], at["EB3"]) == 3 + 1 + board.distance(at["EA1"], at["EB3"])
    assert board.distance(at["A1"], at["Camp"]) == board.distance(at["A1"], at["EB3"]) + 1
    assert at["EA1"] in board.around[at["A4"]]
    assert at["Camp"] in board.around[at["EB3"]]
    assert at["EB3"] not in board.around[at["Camp"]]
    assert board.adjacent(at["Camp"], at["EB3"])
    for other in ("EA1", "Camp"):
        with pytest.raises(NoGeometryError):
            board.line(at["A1"], at[other])
    assert board.line(at["EA1"], at["EA3"])
    assert board.is_edge(at["EA1"])


def test_distance_is_the_number_of_connections() -> None:
    """A breadth-first search on random maps gives the same; off the map the distance is `FAR` or more."""
    chance = Random(5)
    for _ in range(20):
        names = [f"S{number}" for number in range(9)]
        pairs = [(a, b) for a in names for b in names if a < b and chance.random() < 0.2]
        links = tuple((a, b, chance.random() < 0.3) for a, b in pairs)
        spaces: dict[str, tuple[int, int, tuple[str, ...]]] = {name: (place, 0, ()) for place, name in enumerate(names)}
        board = Board(graph.Board("s", spaces, (), (), {}, dict.fromkeys(names, ()), links))
        for start in range(board.size):
            steps = {start: 0}
            ring = [start]
            while ring:
                ring = [n for h in ring for n in board.beside[h] if steps.setdefault(n, steps[h] + 1) == steps[h] + 1]
                ring = list(dict.fromkeys(ring))
            assert [board.distance(start, other) for other in range(board.size)] == [
                steps.get(other, FAR) for other in range(board.size)
            ]
            assert board.distance(start, -1) >= FAR


def test_outlines_share_edges_intersect_and_have_a_center() -> None:
    square, beside = ((0, 0), (4, 0), (4, 4), (0, 4)), ((4, 1), (8, 1), (8, 9), (4, 9))
    corner, inner = ((4, 4), (8, 4), (8, 8), (4, 8)), ((1, 1), (2, 1), (2, 2), (1, 2))
    assert share_edge(square, beside)
    assert shared_edges(square, beside) == [((4, 1), (4, 4))]
    assert not share_edge(square, corner)
    assert not interiors_intersect(square, beside)
    assert interiors_intersect(square, inner)
    assert interiors_intersect(square, square)
    assert crosses_itself(((0, 0), (4, 4), (4, 0), (0, 4)))
    assert not crosses_itself(square)
    assert center_of(square) == (2, 2)


def test_spaces_of_a_position_are_written_and_read_back(stack: Stack, tmp_path: Path) -> None:
    assert stack.env is not None
    assert stack.graph is not None
    file = tmp_path / "asked.yaml"
    file.write_text(
        "position: asked\nstack: fells\nboard:\n  rows: [[X, Y hill]]\n"
        "  spaces: {A: {is: hill, at: [3, 4]}, B: {outline: [[9, 9], [19, 9], [19, 19]]}, C: hill}\n"
        "  connections: [A to B, B-C, C-X]\n  sides: {A/B: river}\npieces: [{name: P, type: band, side: one, at: A}]\n"
    )
    first = read(stack, file)
    file.write_text(position_file(first, stack.graph.vocabulary))
    second_read = read(stack, file)
    assert (second_read.board.hexes, second_read.board.shapes, second_read.board.links, second_read.board.sides) == (
        first.board.hexes, first.board.shapes, first.board.links, first.board.sides
    )  # fmt: skip
    assert first.board.links == (("A", "B", True), ("B", "C", False), ("C", "X", False))


def read(stack: Stack, file: Path) -> graph.Position:
    """Read a position file of the stack."""
    position, problems = read_document(file, source.Position)
    assert position is not None, problems
    assert stack.env is not None
    question = type_question(stack.env, stack.library.boards, position, "yes")
    assert question.problems == ()
    return question.position
