"""Code lenses: run an example, open it on the Table, and measure whether a paragraph is protected.

Failures of examples are also shown as findings, with those of proofs (proving.py). The protection of a paragraph takes
long to measure, so a separate process mutates the saved file and runs the examples.
"""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from lsprotocol import types as lsp

from compiler.rulebook.contents import example_anchor
from compiler.source.files import PackageFile, read_text, split_lines
from rulewright.editor.file_outline import OutlineEntry, list_headings
from rulewright.editor.protocol_positions import path_of, range_of
from rulewright.editor.workspace import RULES
from rulewright.failures import list_failures
from rulewright.progress import PROGRESS
from rulewright.worker import environment_of_child
from runtime.examples.run import run_examples

if TYPE_CHECKING:
    from rulewright.editor.server import RulesServer
    from rulewright.library.stacks import Stack
    from runtime.graph import nodes as graph

RUN, PROTECT, SHOW = "rulewright.runExample", "rulewright.protect", "rulewright.showExample"
# The arguments of `test --mutate --in`.
ALTERED = {"rule", "ruling", "action", "reaction", "resolution"}
# In seconds; a paragraph takes one to twenty.
TIMEOUT = 600


def add_examples(server: "RulesServer") -> None:
    """Register the lenses and their commands."""

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions())
    def lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        path, text = server.read(params.text_document.uri)
        if path.suffix != RULES:
            return []
        lines = split_lines(text)
        return [
            lsp.CodeLens(
                range_of(each.span, lines),
                command=lsp.Command(title, command, arguments=[params.text_document.uri, each.name]),
            )
            for each in _all_of(list_headings(text))
            for title, command in _lenses_of(each)
        ]

    @server.command(RUN)
    def run(uri: str, title: str) -> str:
        path = path_of(uri)
        message = _run_example(server, path, title) if path is not None else "this is no file"
        _show(server, message, good=message.endswith("as expected"))
        return message

    @server.command(PROTECT)
    async def protect(uri: str, label: str) -> str:
        path = path_of(uri)
        async with _work_progress(server, f"altering {label}"):
            message = await _protected(server, path, label) if path is not None else "this is no file"
        _show(server, message, good="notice" in message and "no example" not in message)
        return message

    @server.command(SHOW)
    async def show(uri: str, title: str) -> str:
        path = path_of(uri)
        async with _work_progress(server, "opening the table"):
            message = await _on_table(server, path, title) if path is not None else "this is no file"
        window = server.client_capabilities.window
        if message.startswith("http://") and window and window.show_document and window.show_document.support:
            server.window_show_document(lsp.ShowDocumentParams(message, external=True))
        else:  # An editor that opens no browser shows the link.
            _show(server, message, good=message.startswith("http://"))
        return message


@asynccontextmanager
async def _work_progress(server: "RulesServer", title: str) -> AsyncIterator[None]:
    """Report progress to the editor within the context, if it supports that."""
    window = server.client_capabilities.window
    if not (window and window.work_done_progress):
        yield
        return
    token = str(uuid4())
    await server.work_done_progress.create_async(token)
    server.work_done_progress.begin(token, lsp.WorkDoneProgressBegin(f"Rulewright: {title}", cancellable=False))
    try:
        yield
    finally:
        server.work_done_progress.end(token, lsp.WorkDoneProgressEnd())


async def _on_table(server: "RulesServer", path: Path, title: str) -> str:
    """Return the link that shows a saved example, or a sentence why there is none."""
    found = _examples(server, path, title)
    if isinstance(found, str):
        return found
    if not _is_saved(server, path):
        return "save the file first: the page shows examples as they are saved"
    stack, examples = found
    if examples[0].card:
        address = f"card.{examples[0].card}@{stack.name}"
    else:
        address = f"example.{stack.name}@{example_anchor(title, examples[0].origin)}"
    link = await server.table_page.link(tuple(server.current_workspace().packages), address)
    return link or "the page could not be started; `rulewright open` says why"


def _is_saved(server: "RulesServer", path: Path) -> bool:
    """Return whether a file equals its buffer, ignoring line ends."""
    buffer = server.current_workspace().buffers.get(path.resolve())
    text, unread = read_text(PackageFile(path, path.as_posix()))
    return not unread and buffer is not None and split_lines(buffer) == split_lines(text)


def _show(server: "RulesServer", message: str, *, good: bool) -> None:
    kind = lsp.MessageType.Info if good else lsp.MessageType.Warning
    server.window_show_message(lsp.ShowMessageParams(kind, message))


def _lenses_of(heading: OutlineEntry) -> Iterator[tuple[str, str]]:
    if heading.kind == "example":
        yield "run", RUN
        yield "open on the Table", SHOW
    elif heading.kind in ALTERED:
        yield "protected?", PROTECT


def _all_of(headings: tuple[OutlineEntry, ...]) -> Iterator[OutlineEntry]:
    for each in headings:
        yield each
        yield from _all_of(each.children)


def _examples(server: "RulesServer", path: Path, title: str) -> "tuple[Stack, tuple[graph.Example, ...]] | str":
    """Return the stack of a file with all cases of an example, or a sentence why it cannot be run."""
    stack = server.current_workspace().stack_of(path)
    if stack is None or stack.graph is None:
        return "the stack does not compile, so nothing was run"
    found = stack.library.texts.file
    examples = tuple(
        each for each in stack.graph.examples
        if each.title == title and (file := found(each.origin.file)) is not None and file.path == path.resolve()
    )  # fmt: skip
    if not examples:
        return f"`{title}` is for another stack, so it was not run under `{stack.name}`: `rulewright test` runs it"
    return stack, examples


def _run_example(server: "RulesServer", path: Path, title: str) -> str:
    """Run all cases of an example of a file, and return a sentence with the result."""
    found = _examples(server, path, title)
    if isinstance(found, str):
        return found
    stack, examples = found
    assert stack.graph is not None
    runs = tuple(run_examples(replace(stack.graph, examples=examples)))
    failed = list_failures([each for each in runs if not each.has_passed])
    if failed:
        return f"`{title}`: expected {failed[0].expected}, and it is {failed[0].actual}"
    cases = f" in {len(runs)} cases" if len(runs) > 1 else ""
    return f"`{title}` came out{cases} as expected"


async def _protected(server: "RulesServer", path: Path, label: str) -> str:
    """Mutate a saved paragraph, and return a sentence on the mutants that the examples of its stack detect."""
    with server.current_workspace().index_of(path) as found:
        stack = found.stack if found else ""
    if not stack:
        return "the file belongs to no stack, so nothing was altered"
    if not _is_saved(server, path):
        return "save the file first: it is altered as it is saved"
    options = [part for each in server.current_workspace().packages for part in ("--path", each.as_posix())]
    # -P: modules are not loaded from the folder that is open in the editor, which may be untrusted.
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "rulewright", "test", stack, "--mutate", "--in", label, "--alone", "--format",
        "json", *options, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL,
        env={**environment_of_child(), PROGRESS: "1"},
    )  # fmt: skip
    try:
        output, _ = await asyncio.wait_for(process.communicate(), TIMEOUT)
    except TimeoutError:
        process.kill()
        return f"`{label}`: not known after {TIMEOUT // 60} minutes, so it was given up"
    try:
        return _report_text(label, json.loads(output))
    except (ValueError, KeyError, TypeError):
        return f"`{label}`: nothing was altered; `rulewright test {stack} --mutate --in {label}` says why"


def _report_text(label: str, report: dict[str, Any]) -> str:
    """Format a report of mutation testing as a sentence."""
    altered, noticed = sum(report["altered"].values()), sum(report["noticed"].values())
    if report["failed"]:
        return f"`{label}`: {report['failed']} examples fail as it stands, so nothing was altered"
    if not altered:
        return f"`{label}`: nothing of it could be altered"
    if cut := report["untried"] + report["unsettled"]:
        return f"`{label}`: time was up before {cut} alterations were tried everywhere; examples notice {noticed}"
    if not report["unprotected"]:
        return f"`{label}`: examples notice each of {altered} alterations"
    survivors = "; ".join(f"`{each['was']}` made `{each['now']}`" for each in report["unprotected_at"][:3])
    return f"`{label}`: no example notices {altered - noticed} of {altered} alterations: {survivors}"
