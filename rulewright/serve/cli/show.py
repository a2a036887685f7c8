"""`rulewright show SCENARIO|POSITION|BOARD`: draw it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from rulewright.serve.cli.arguments import Rules
from rulewright.serve.cli.console import Reply
from rulewright.system.shell_words import shell_word

if TYPE_CHECKING:
    from rulewright.explain.views.shown_scenes import Scene

WIDER = "the map is wider than this screen; `--out map.svg` draws all of it"
# The largest board, of the size of those in examples, whose hexsides and paths are listed.
# The most pieces and forces that are listed.
MOST_LINES = 150
SMALL = 60


def show(
    what: Annotated[
        str, typer.Argument(metavar="SCENARIO|POSITION|BOARD", help="A card or a board by name, or a file.")
    ],
    packages: list[Path],
    rules: Rules = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write a picture to this .svg or .png file.")
    ] = None,
) -> Reply:
    """Draw a situation card, a position, or a board.

    A card is shown as it is written; with `--rules STACK`, its own for example, as it is under these rules: all that
    is printed on its map, and who wins in sentences. A board is drawn with the words of the rules that `--rules` names.

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
    data: dict[str, Any] = {
        "name": scene.name, "title": scene.title, "stack": scene.stack, "hexes": len(scene.board.hexes),
        "pieces": [dict(zip(("name", "counter", "side", "at"), piece, strict=True)) for piece in scene.pieces],
        "forces": [{"side": side, "title": title, "units": units, "where": entry}
                   for side, title, units, entry in scene.forces],
        "victory_conditions": list(scene.aims), "gaps": list(scene.gaps), "waits_for": list(scene.waits_for),
    }  # fmt: skip
    return Reply(data, _text(scene, f"drawn into {out}" if out else ""))


def _written_card(what: str, packages: list[Path]) -> Reply | None:
    """Show a card without compiling its rules; None if there is none of the name, or if it cannot be read."""
    from rulewright.explain.views.written_card import written_card_data, written_card_lines
    from rulewright.library.package_index import MISSHAPEN, list_packages

    listed, name = list_packages(packages), what
    if what not in listed.files["scenario"] and Path(what).is_file():
        listed, name = listed.with_card(Path(what))
    if name not in listed.files["scenario"]:
        return None
    try:
        data = written_card_data(listed, name)
        lines = [*written_card_lines(listed, data), ""]
    except MISSHAPEN:
        return None
    hint = f"with the roads and hexsides of its map: `rulewright show {shell_word(what)} --rules {data['stack']}`"
    return Reply(data, Text("\n".join([*lines, hint])))


def _text(scene: "Scene", last: str) -> Text:
    """Format the map, with the places of pieces and the entries of forces."""
    from rulewright.explain.views.chart import draw_chart, hexside_lines
    from rulewright.serve.cli.console import reply_width

    text = Text(f"{scene.title or scene.name}  ({scene.stack})\n\n")
    if scene.waits_for:
        text.append(f"at rest: waits for {', '.join(scene.waits_for)}; give a folder that has them with --path\n\n")
    else:
        state = scene.opening()
        text.append_text(draw_chart(state, reply_width(), more=WIDER)).append("\n")
        if len(scene.board.hexes) <= SMALL:
            text.append("".join(f"{line}\n" for line in hexside_lines(state)))
        text.append("\n")
    listed = [
        f"{place}: {name}" + (f", {counter}" if counter != name else "") + (f", {side}" if side else "")
        for name, counter, side, place in scene.pieces
    ]
    for side, title, units, entry in scene.forces:
        counted = ", ".join(f"{count} {unit}" for unit, count in units.items())
        listed.append(f"{side}{f', {title}' if title else ''}: {counted}; {entry}")
    text.append("".join(f"{line}\n" for line in listed[:MOST_LINES]))
    if len(listed) > MOST_LINES:
        text.append(f"and {len(listed) - MOST_LINES} more pieces and forces: `--format json` lists them\n")
    text.append("".join(["\n", *(f"{aim}\n" for aim in scene.aims)]) if scene.aims else "")
    text.append("".join(f"not settled by the sources: {gap}\n" for gap in scene.gaps))
    text.append(f"\n{last}\n" if last else "")
    text.rstrip()
    return text
