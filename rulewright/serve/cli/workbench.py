"""`rulewright open`: the page for playing games and inspecting positions."""

import re
from pathlib import Path
from typing import Annotated

import typer

from rulewright.serve.cli.arguments import Rules
from rulewright.serve.cli.console import print_note
from rulewright.serve.cli.termination import terminated_as_interrupted
from rulewright.serve.cli.work_line import work_line

FIRST = "first_snow"


def open_(
    packages: list[Path],
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="SITUATION|POSITION|LAYER|TRIAL",
            help="A situation, a layer or a game by its name, or a position file.  [default: all there is]",
        ),
    ] = None,
    rules: Rules = None,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Listen on this port; 0: the usual port, or a free one.")
    ] = 0,
    quiet: Annotated[bool, typer.Option("--no-browser", help="Print the link, and start no browser.")] = False,
) -> None:
    """Open a page in your browser: play, look at positions, ask why.

    Ctrl-C stops it.

    Example: rulewright open ridge_farm
    """
    from rulewright.system.environment import command_for, require_extra
    from rulewright.system.errors import UsageError

    require_extra("workbench")
    try:
        from rulewright.serve.workbench.server import serve_page
    except ImportError:
        raise UsageError(
            f"the page is served with starlette and uvicorn, which are not here: {command_for('workbench')}"
        ) from None
    with terminated_as_interrupted():  # The server closes its games, and stops its jobs.
        serve_page(view_address(what, rules, packages), packages, port, _told, browser=not quiet)


def view_address(subject: str | None, rules: str | None, packages: list[Path]) -> str:
    """Return the address of the view to open, with its content."""
    from compiler.report.diagnose import diagnose
    from compiler.source.files import PackageFile, read_text
    from rulewright.games.scenarios import load_scenario
    from rulewright.library.stacks import open_packages
    from rulewright.serve.terminal.game_setup import games_folder
    from rulewright.serve.workbench.changeable_layers import layers_in
    from rulewright.serve.workbench.set_positions import first_finding_text, save_position
    from rulewright.system.errors import UsageError

    if subject is None:
        return f"/table/card.{FIRST}"
    if subject.endswith((".yaml", ".yml", ".json")):
        name = re.sub(r"\W", "_", re.sub(r"^[^A-Za-z_]+", "p", Path(subject).stem))
        text, unread = read_text(PackageFile(Path(subject), subject))
        if unread:
            raise UsageError(f"this is no sound position file: {first_finding_text(diagnose(unread, {}))}")
        address, ended = save_position(name, text, packages)
        if ended:
            print_note(ended)
        return f"/table/{address}"
    name = Path(subject).stem if subject.endswith(".trial") else subject
    if (games_folder() / f"{name}.trial").is_file():
        return f"/play/game.{name}"
    library = open_packages((*packages, *layers_in(Path.cwd()))).library
    if subject in library.layers and library.scenarios.get(subject) is None:
        return f"/change/{subject}"
    load_scenario(subject, rules, packages)  # Errors are reported here instead of in the browser.
    return f"/table/card.{subject}" + (f"@{rules}" if rules else "")


def _told(link: str) -> None:
    work_line.end()
    print_note(
        f"the page is at {link}\n  Keep this link private: it contains the secret of the page. "
        "Ctrl-C stops the server; games are saved."
    )
