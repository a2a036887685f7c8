"""`rulewright show SCENARIO|POSITION`: draw it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.arguments import Rules
from rulewright.cli.console import Reply


def show(
    what: Annotated[str, typer.Argument(metavar="SCENARIO|POSITION", help="A card by name, or a file.")],
    packages: list[Path],
    rules: Rules = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Draw a picture into this .svg or .png.")
    ] = None,
) -> Reply:
    """Draw a situation card or a position."""
    from rulewright.cli.findings import refusal, reply_with
    from rulewright.drawing import draw
    from rulewright.errors import UsageError
    from rulewright.picture import save_picture
    from rulewright.scenes import scene_of

    found = scene_of(what, rules, packages)
    if found.scene is None:
        return refusal(found.stack) if found.stack else reply_with(found.diagnostics, found.texts)
    scene = found.scene
    if out is not None:
        if scene.waits_for:
            raise UsageError(f"`{scene.name}` has no picture: it waits for {', '.join(scene.waits_for)}")
        save_picture(scene.opening(), out)
    data: dict[str, Any] = {
        "name": scene.name, "title": scene.title, "stack": scene.stack, "hexes": len(scene.board.hexes),
        "pieces": [dict(zip(("name", "counter", "side", "at"), piece, strict=True)) for piece in scene.pieces],
        "forces": [{"side": side, "title": title, "units": units, "where": where}
                   for side, title, units, where in scene.forces],
        "gaps": list(scene.gaps), "waits_for": list(scene.waits_for),
    }  # fmt: skip
    standing: dict[str, list[str]] = {}
    for _, _, side, at in scene.pieces:
        standing.setdefault(at, []).append(side)
    lines = [f"{scene.title or scene.name}  ({scene.stack})", ""]
    if scene.waits_for:
        lines += [f"at rest: waits for {', '.join(scene.waits_for)}; give a folder that has them with --path", ""]
    else:
        lines += [*draw(scene.board, standing), ""]
    for name, counter, side, at in scene.pieces:
        lines.append(f"{at}: {name}" + (f", {counter}" if counter != name else "") + (f", {side}" if side else ""))
    for side, title, units, where in scene.forces:
        listed = ", ".join(f"{count} {unit}" for unit, count in units.items())
        lines.append(f"{side}{f', {title}' if title else ''}: {listed}; {where}")
    lines += [f"not settled by the sources: {gap}" for gap in scene.gaps]
    if out is not None:
        lines += ["", f"drawn into {out}"]
    return Reply(data, "\n".join(lines))
