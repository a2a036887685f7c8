"""Positions written as lines of an example, and compiled again, are equal to the original ones."""

from pathlib import Path

from rulewright.library.stacks import load_stack
from rulewright.write.change.draft import compiled_in
from runtime.graph import nodes as graph
from runtime.witness.position_file import position_lines


def test_positions_of_several_rows_are_read_back(tmp_path: Path) -> None:
    """At most 60 positions of one stack, with several rows of hexes, are written and compiled again."""
    rules = load_stack("panzer_leader").graph
    assert rules
    positions = [each.position for each in rules.examples if not each.card and not each.names]
    multi_row_positions = [each for each in positions if len({row for _, row, _ in each.board.hexes.values()}) > 1]
    written = [(each, lines) for each in multi_row_positions if (lines := position_lines(each)) is not None][:60]
    assert sum(len({row for _, row, _ in each.board.hexes.values()}) > 2 for each, _ in written) > 3
    assert any(" from " in line for _, lines in written for line in lines)
    layer = tmp_path / "back"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: back\ntitle: Back\nkind: variant\non: [panzer_leader]\n")
    texts = [
        f'example "{number}" {{\n' + "\n".join(lines) + "\n  ask game.turn = 1\n}\n"
        for number, (_, lines) in enumerate(written)
    ]
    (layer / "back.rules").write_text("\n".join(texts), encoding="utf-8")
    stack = compiled_in("panzer_leader+back", [tmp_path])
    assert stack.graph, stack.diagnostics
    back = {each.title: each.position for each in stack.graph.examples if each.origin.layer == "back"}
    for number, (position, lines) in enumerate(written):
        assert position_content(back[str(number)]) == position_content(position), lines


def position_content(position: graph.Position) -> tuple[object, ...]:
    """Return hexes, sides, paths, pieces, pairs, facts, marks, player and turn of a position, in a canonical order."""
    board, parts = position.board, (position.pieces, position.pairs, position.facts, position.hex_marks)
    # In half hexes: odd rows are shifted by one.
    cells = {name: (row, 2 * column + row % 2, {*features}) for name, (column, row, features) in board.hexes.items()}
    top, left, _ = min(cells.values(), key=lambda cell: cell[:2])
    placed = {name: (row - top, half - left, features) for name, (row, half, features) in cells.items()}
    printed = {(frozenset((a, b)), feature) for a, b, features in board.sides for feature in features}
    paths = {(path, frozenset((a, b))) for path, a, b in board.paths}
    return placed, printed, paths, *(sorted(map(repr, part)) for part in parts), position.player, position.turn
