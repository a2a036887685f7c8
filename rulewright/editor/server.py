"""The desk in the Language Server Protocol, spoken over standard input and output.

https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
"""

import logging
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from types import TracebackType

from lsprotocol import types as lsp
from lsprotocol.converters import get_converter
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from compiler.analysis.budgets import MOST_STEPS
from compiler.report.bounded import shortened
from compiler.source.span import Span
from rulewright import __version__
from rulewright.editor.cursor import Token, units, word_at
from rulewright.editor.outline import Heading, outline
from rulewright.editor.proving import PAUSE, Prover
from rulewright.editor.workspace import EditorWorkspace, Finding, formatted
from rulewright.errors import UsageError

KINDS = {
    "case": lsp.SymbolKind.Namespace,
    "rule": lsp.SymbolKind.Key,
    "ruling": lsp.SymbolKind.Key,
    "dispute": lsp.SymbolKind.Key,
    "reading": lsp.SymbolKind.Key,
    "example": lsp.SymbolKind.Event,
    "term": lsp.SymbolKind.Function,
    "record": lsp.SymbolKind.Struct,
    "task": lsp.SymbolKind.Struct,
}
OFFERED = {
    "question": lsp.CompletionItemKind.Function,
    "chart": lsp.CompletionItemKind.Struct,
    "rule": lsp.CompletionItemKind.Reference,
    "ruling": lsp.CompletionItemKind.Reference,
    "case": lsp.CompletionItemKind.Module,
    "action": lsp.CompletionItemKind.Method,
    "resolution": lsp.CompletionItemKind.Method,
}


class Rules(LanguageServer):
    """A server for one editor; its desk sees the folders that the editor has open, and those of `--path`."""

    def __init__(self, packages: Sequence[Path], steps: int) -> None:
        """Begin without a desk: which folders are open is told later."""
        super().__init__("rulewright", __version__)
        self.packages, self.steps = packages, steps
        self._desk: EditorWorkspace | None = None
        self._shown: dict[Path, list[Finding]] = {}
        self.prover = Prover(self.tell_all)

    @property
    def desk(self) -> EditorWorkspace:
        """Give the desk for the folders that are open now."""
        opened = [folder for each in self.workspace.folders.values() if (folder := _path(each.uri))]
        packages = tuple(dict.fromkeys((*self.packages, *opened)))
        if self._desk is None or self._desk.packages != packages:
            self._desk = EditorWorkspace(packages, self.steps)
        return self._desk

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
        self.tell_all(self.desk.read(path, text))
        packages = [each.as_posix() for each in self.desk.packages]
        self.prover.begin({"path": path.as_posix(), "text": text, "packages": packages, "steps": self.steps}, pause)

    def read(self, uri: str) -> tuple[Path, str]:
        """Give the place and the text of a document, as it is in the editor."""
        document = self.workspace.get_text_document(uri)
        return Path(document.path), document.source


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
        """Leave the trace to whoever debugs."""
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
    _add_words(server)
    _add_layout(server)
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


def _add_words(server: Rules) -> None:
    def under(document: lsp.TextDocumentIdentifier, at: lsp.Position) -> tuple[Path, str, Token | None]:
        path, text = server.read(document.uri)
        return path, text, word_at(text, at.line, at.character)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(given: lsp.HoverParams) -> lsp.Hover | None:
        path, text, word = under(given.text_document, given.position)
        said = word and server.desk.meaning(path, word.text)
        if not word or not said:
            return None
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, f"```\n{said}\n```")
        return lsp.Hover(content, _range(word, text))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(given: lsp.DefinitionParams) -> lsp.Location | None:
        path, _, word = under(given.text_document, given.position)
        place = word and server.desk.written(path, word.text)
        if not place:
            return None
        start = lsp.Position(place.line, 0)
        return lsp.Location(place.path.as_uri(), lsp.Range(start, start))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(given: lsp.ReferenceParams) -> list[lsp.Location]:
        path, _, word = under(given.text_document, given.position)
        found = server.desk.mentions(path, word.text) if word else []
        return [lsp.Location(file.as_uri(), _range(token, text)) for file, text, token in found]

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION)
    def completion(given: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        path, text, word = under(given.text_document, given.position)
        here = _range(word, text) if word else lsp.Range(given.position, given.position)
        return [
            lsp.CompletionItem(
                offer.word,
                kind=OFFERED.get(offer.what, lsp.CompletionItemKind.Keyword),
                detail=offer.what,
                documentation=offer.reads or None,
                text_edit=lsp.TextEdit(here, offer.word),
            )
            for offer in server.desk.offers(path)
        ]


def _add_layout(server: Rules) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def layout(given: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        path, text = server.read(given.text_document.uri)
        after = formatted(path, text)
        if after is None:
            return None
        end = lsp.Position(len(text.splitlines()) + 1, 0)
        return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), after)]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(given: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        path, text = server.read(given.text_document.uri)
        lines = text.splitlines()
        return [_symbol(each, lines) for each in outline(text)] if path.suffix == ".rules" else []


def _symbol(heading: Heading, lines: list[str]) -> lsp.DocumentSymbol:
    here = _span(heading.span, lines)
    inside = [_symbol(each, lines) for each in heading.inside]
    kind = KINDS.get(heading.what, lsp.SymbolKind.Method)
    return lsp.DocumentSymbol(heading.name, kind, here, here, detail=heading.what, children=inside)


def _span(span: Span, lines: list[str]) -> lsp.Range:
    def position(line: int, column: int) -> lsp.Position:
        return lsp.Position(line - 1, units(lines[line - 1], column - 1) if line <= len(lines) else 0)

    return lsp.Range(position(span.line, span.column), position(span.end_line, span.end_column))


def _range(token: Token, text: str) -> lsp.Range:
    line = text.splitlines()[token.line]
    start, end = units(line, token.start), units(line, token.end)
    return lsp.Range(lsp.Position(token.line, start), lsp.Position(token.line, end))


def _path(uri: str) -> Path | None:
    place = to_fs_path(uri)
    return Path(place) if place else None
