"""The workspace in the Language Server Protocol, spoken over standard input and output.

https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
"""

import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import TracebackType

from lsprotocol import types as lsp
from lsprotocol.converters import get_converter
from pygls.lsp.server import LanguageServer

from compiler.analysis.budgets import MOST_STEPS
from compiler.index.occurrences import Occurrence
from compiler.report.bounded import shortened
from rulewright import __version__
from rulewright.editor.lenses import add_examples
from rulewright.editor.lists import add_lists
from rulewright.editor.names import add_names, add_renaming, add_typing
from rulewright.editor.proving import PAUSE, Prover
from rulewright.editor.symbols import names_at
from rulewright.editor.table_page import TablePage
from rulewright.editor.wire import column_at, path_of
from rulewright.editor.workspace import EditorWorkspace, Finding, IndexedStack
from rulewright.errors import UsageError

# A file, its text, its stack as far as it is in one, and the names at a position.
UnderCursor = tuple[Path, str, IndexedStack | None, tuple[Occurrence, ...]]


class Rules(LanguageServer):
    """A server for one editor; its workspace sees the folders that the editor has open, and those of `--path`."""

    def __init__(self, packages: Sequence[Path], steps: int) -> None:
        """Begin without a workspace: which folders are open is told later."""
        super().__init__("rulewright", __version__)
        self.packages, self.steps = packages, steps
        self._rules_workspace: EditorWorkspace | None = None
        self._shown: dict[Path, list[Finding]] = {}
        self.prover = Prover(self.tell_all)
        self.table_page = TablePage()

    @property
    def rules_workspace(self) -> EditorWorkspace:
        """Return the workspace for the folders that are open now."""
        opened = [folder for each in self.workspace.folders.values() if (folder := path_of(each.uri))]
        packages = tuple(dict.fromkeys((*self.packages, *opened)))
        if self._rules_workspace is None or self._rules_workspace.packages != packages:
            self._rules_workspace = EditorWorkspace(packages, self.steps)
        documents = self.workspace.text_documents.values()
        self._rules_workspace.buffers = {Path(each.path).resolve(): each.source for each in documents}
        return self._rules_workspace

    def tell(self, path: Path, found: list[Finding]) -> None:
        """Show the findings of a file in place of those shown before, if they are others."""
        if self._shown.get(path) == found:
            return
        self._shown[path] = found
        shown = get_converter().structure(found, list[lsp.Diagnostic])
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(path.as_uri(), shown))

    def tell_all(self, found: Mapping[Path, list[Finding]]) -> None:
        """Show the findings of several files."""
        for path, each in found.items():
            self.tell(path, each)

    def check(self, uri: str, pause: float = 0) -> None:
        """Show what compiling tells at once, and have the rest proved."""
        path, text = self.read(uri)
        self.prover.stop()
        self.tell_all(self.rules_workspace.read(path, text))
        packages = [each.as_posix() for each in self.rules_workspace.packages]
        buffers = {each.as_posix(): said for each, said in self.rules_workspace.buffers.items()}
        asked = {"path": path.as_posix(), "text": text, "packages": packages, "steps": self.steps, "buffers": buffers}
        self.prover.begin(asked, pause)

    def read(self, uri: str) -> tuple[Path, str]:
        """Return the place and the text of a document, as it is in the editor."""
        document = self.workspace.get_text_document(uri)
        return Path(document.path), document.source

    @contextmanager
    def under(self, document: lsp.TextDocumentIdentifier, at: lsp.Position) -> Iterator[UnderCursor]:
        """Yield the file, its text, its stack and the names at a position."""
        path, text = self.read(document.uri)
        with self.rules_workspace.index_of(path) as found:
            yield path, text, found, names_at(found, path, at.line + 1, column_at(text, at) + 1) if found else ()


def serve(packages: Sequence[Path], steps: int) -> None:
    """Answer one editor until it hangs up; whatever else is printed meanwhile must not come between."""
    logging.getLogger().addHandler(_brief())
    heard, said = os.dup(sys.stdin.fileno()), os.dup(sys.stdout.fileno())
    with os.fdopen(heard, "rb") as editor, os.fdopen(said, "wb") as answers, redirect_stdout(sys.stderr):
        try:
            make(packages, steps).start_io(editor, answers)
        except MemoryError:
            raise UsageError("the editor announced more text than there is memory for") from None


class _Brief(logging.Formatter):
    """Writes what went wrong in one line: an editor shows the log to people."""

    def formatException(  # noqa: N802 -- the name that logging calls
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """Return the error in one line, without its traceback."""
        kind, slip, _ = ei
        return shortened(" ".join(f"{kind.__name__ if kind else ''}: {slip}".split()))


def _brief() -> logging.Handler:
    handler = logging.StreamHandler()
    if not os.environ.get("RULEWRIGHT_DEBUG"):
        handler.setFormatter(_Brief())
    return handler


def make(packages: Sequence[Path], steps: int = MOST_STEPS) -> Rules:
    """Make a server with all it can be asked; the proofs of one place may take so many steps."""
    server = Rules(packages, steps)
    _add_findings(server)
    add_names(server)
    add_renaming(server)
    add_typing(server)
    add_lists(server)
    add_examples(server)
    return server


def _add_findings(server: Rules) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(given: lsp.DidOpenTextDocumentParams) -> None:
        server.check(given.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(given: lsp.DidSaveTextDocumentParams) -> None:
        server.check(given.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(given: lsp.DidChangeTextDocumentParams) -> None:
        server.check(given.text_document.uri, PAUSE)

    @server.feature(lsp.SHUTDOWN)
    def shut_down(_given: None) -> None:
        server.prover.stop()
        server.prover.close()
        server.table_page.close()
