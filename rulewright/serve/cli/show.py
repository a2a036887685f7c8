"""`rulewright show SCENARIO|POSITION|BOARD`: draw it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.serve.cli.arguments import Rules
from rulewright.serve.cli.console import Reply
from rulewright.system.shell_words import shell_word
from runtime.graph.document import BlockRole, DocumentBlock
from runtime.graph.document_lines import headed_line, reply_block
from runtime.graph.records.findings import FindingsRecord
from runtime.graph.records.playing import (
    ShownForceRecord,
    ShownPieceRecord,
    ShownSceneRecord,
    WrittenCardRecord,
)
from runtime.graph.words import counted_noun

if TYPE_CHECKING:
    from rulewright.explain.views.shown_scenes import Scene

WIDER = "the map is wider than this screen; `--out map.svg` draws all of it"
# The most pieces and forces that are listed.
MOST_LINES = 150
# The largest board, of the size of those in examples, whose hexsides and paths are listed.
SMALL = 60


def show(
    what: Annotated[
        str, typer.Argument(metavar="SITUATION|POSITION|BOARD", help="A situation or a board by name, or a file.")
    ],
    packages: list[Path],
    rules: Rules = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write a picture to this .svg or .png file.")
    ] = None,
) -> Reply[WrittenCardRecord] | Reply[ShownSceneRecord] | Reply[FindingsRecord]:
    """Draw a situation, a position, or a board.

    A situation is shown as it is written; with `--rules STACK`, its own for example, as it is under these rules: all
    that is printed on its map, and who wins in sentences. A board is drawn in the words of the rules that `--rules`
    names.

    Example: rulewright show ridge_farm
    """
    if rules is None and out is None and (reply := _written_card(what, packages)):
        return reply
    from rulewright.explain.views.picture import save_picture
    from rulewright.explain.views.shown_scenes import load_scene
    from rulewright.serve.cli.findings import reply_with
    from rulewright.system.environment import require_extra
    from rulewright.system.errors import UsageError

    if out is not None and out.suffix.lower() == ".png":
        require_extra("pictures")
    found = load_scene(what, rules, packages)
    if found.scene is None:
        return reply_with(found.diagnostics, found.texts)
    scene = found.scene
    if out is not None:
        if scene.waits_for:
            raise UsageError(f"`{scene.name}` has no picture: it waits for {', '.join(scene.waits_for)}")
        save_picture(scene.opening(), out)
    record: ShownSceneRecord = {
        "name": scene.name, "title": scene.title, "stack": scene.stack, "hexes": len(scene.board.hexes),
        "pieces": [{"name": name, "counter": counter, "side": side, "at": place}
                   for name, counter, side, place in scene.pieces],
        "forces": [{"side": side, "title": title, "units": units, "where": entry}
                   for side, title, units, entry in scene.forces],
        "victory_conditions": list(scene.aims), "gaps": list(scene.gaps), "waits_for": list(scene.waits_for),
        "file": str(out) if out else None,
    }  # fmt: skip
    return Reply(record, lambda record: _scene_block(record, scene))


def _written_card(what: str, packages: list[Path]) -> Reply[WrittenCardRecord] | None:
    """Show a card without compiling its rules; None if there is none of the name, or if it cannot be read."""
    from rulewright.explain.views.written_card import board_lines, written_card_record
    from rulewright.library.package_index import MISSHAPEN, list_packages

    listed, name = list_packages(packages), what
    if what not in listed.files["scenario"] and Path(what).is_file():
        listed, name = listed.with_card(Path(what))
    if name not in listed.files["scenario"]:
        return None
    try:
        record, boards = written_card_record(listed, name), [*board_lines(listed, name)]
    except MISSHAPEN:
        return None

    def block(record: WrittenCardRecord) -> DocumentBlock:
        hint = f"with the roads and hexsides of its map: `rulewright show {shell_word(what)} --rules {record['stack']}`"
        turns = f"{counted_noun(record['turns'], 'turn')}; {', then '.join(record['sides'])} in each"
        facts = (f"{fact.replace('_', ' ')}: {value}" for fact, value in record["facts"].items())
        blocks = [reply_block(*board) for board in boards]
        blocks.append(reply_block(*map(_force_text, record["forces"]), *map(_piece_text, record["pieces"])))
        blocks.append(reply_block(*facts, *record["aims"], *_gap_lines(record["gaps"])))
        head = headed_line(record["title"], f"  ({record['stack']})")
        return reply_block(head, turns, blocks=[*(part for part in blocks if part.lines), reply_block(hint)])

    return Reply(record, block)


def _scene_block(record: ShownSceneRecord, scene: "Scene") -> DocumentBlock:
    """Show the map, with the places of pieces and the entries of forces, and who wins when."""
    from rulewright.explain.views.chart import draw_chart, hexside_lines

    blocks = []
    if record["waits_for"]:
        missing = ", ".join(record["waits_for"])
        blocks.append(reply_block(f"at rest: waits for {missing}; give a folder that has them with --path"))
    else:
        state = scene.opening()
        blocks.append(DocumentBlock(BlockRole.MAP, data=lambda width: draw_chart(state, width, more=WIDER)))
        if record["hexes"] <= SMALL:
            blocks.append(reply_block(*hexside_lines(state)))
    listed = [*map(_piece_text, record["pieces"]), *map(_force_text, record["forces"])]
    more = len(listed) - MOST_LINES
    hidden = f"and {more} more pieces and forces: `--format json` lists them" if more > 0 else ""
    blocks.append(reply_block(*listed[:MOST_LINES], hidden))
    blocks.append(reply_block(*record["victory_conditions"], *_gap_lines(record["gaps"])))
    blocks.append(reply_block(f"drawn into {record['file']}" if record["file"] else ""))
    head = headed_line(record["title"] or record["name"], f"  ({record['stack']})")
    return reply_block(head, blocks=(part for part in blocks if part.lines or part.data))


def _gap_lines(gaps: list[str]) -> list[str]:
    return [f"not settled by the sources: {gap}" for gap in gaps]


def _piece_text(piece: ShownPieceRecord) -> str:
    """Format the place, the name, the counter and the side of a piece."""
    counter = "" if piece["counter"] == piece["name"] else piece["counter"]
    return f"{piece['at']}: {', '.join(filter(None, (piece['name'], counter, piece['side'])))}"


def _force_text(force: ShownForceRecord) -> str:
    """Format a force, and where and when it is set up or enters."""
    counted = ", ".join(f"{count} {unit}" for unit, count in force["units"].items())
    title = f", {force['title']}" if force["title"] else ""
    return f"{force['side']}{title}: {counted}; {force['where']}"
