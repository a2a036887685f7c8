"""Examples in an editor: a lens above each that runs it.

What an example finds otherwise than expected is shown as a finding as well, with what is proved (proving.py).
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from rulewright.editor.outline import Heading, outline
from rulewright.editor.wire import path_of, range_of
from rulewright.editor.workspace import RULES
from rulewright.failures import failures
from runtime.examples.run import run_examples

if TYPE_CHECKING:
    from rulewright.editor.server import Rules

RUN = "rulewright.runExample"


def add_examples(server: "Rules") -> None:
    """Add lenses, and the command behind them."""

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions())
    def lenses(given: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        path, text = server.read(given.text_document.uri)
        if path.suffix != RULES:
            return []
        lines = text.splitlines()
        return [
            lsp.CodeLens(
                range_of(each.span, lines),
                command=lsp.Command("run", RUN, arguments=[given.text_document.uri, each.name]),
            )
            for each in _examples(outline(text))
        ]

    @server.command(RUN)
    def run(uri: str, title: str) -> str:
        path = path_of(uri)
        said = _ran(server, path, title) if path is not None else "this is no file"
        kind = lsp.MessageType.Info if said.endswith("as expected") else lsp.MessageType.Warning
        server.window_show_message(lsp.ShowMessageParams(kind, said))
        return said


def _examples(headings: tuple[Heading, ...]) -> Iterator[Heading]:
    for each in headings:
        if each.what == "example":
            yield each
        yield from _examples(each.inside)


def _ran(server: "Rules", path: Path, title: str) -> str:
    """Run an example of a file in the stack of its layer, all its cases, and say how that came out."""
    stack = server.desk.stack_of(path)
    if stack is None or stack.graph is None:
        return "the stack does not compile, so nothing was run"
    found = stack.library.texts.file
    wanted = tuple(
        each for each in stack.graph.examples
        if each.title == title and (file := found(each.origin.file)) is not None and file.path == path.resolve()
    )  # fmt: skip
    if not wanted:
        return f"`{title}` is for another stack, so it was not run under `{stack.name}`: `rulewright test` runs it"
    runs = tuple(run_examples(replace(stack.graph, examples=wanted)))
    failed = failures([each for each in runs if not each.passed])
    if failed:
        return f"`{title}`: expected {failed[0].expected}, and it is {failed[0].actual}"
    cases = f" in {len(runs)} cases" if len(runs) > 1 else ""
    return f"`{title}` came out{cases} as expected"
