"""A server of the Language Server Protocol for a workspace, over standard input and output.

In: requests and notifications of an editor. Out: responses, and the diagnostics of each file.

https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
"""

import logging
import os
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

from cattrs import transform_error
from lsprotocol import types as lsp
from lsprotocol.converters import get_converter
from pygls import exceptions
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from compiler.index.occurrences import Occurrence
from compiler.report.bounded import truncated_text
from compiler.source.files import PackageFile, read_text
from rulewright import __version__
from rulewright.serve.editor.file_requests import add_file_requests
from rulewright.serve.editor.name_requests import REFUSED, add_completion, add_names, add_renaming
from rulewright.serve.editor.protocol_positions import column_at, path_of
from rulewright.serve.editor.proving import PAUSE, Prover
from rulewright.serve.editor.workspace import EditorWorkspace, Finding, IndexedStack
from rulewright.system.errors import UsageError

# A file, its text, its stack (None if it has none), and the names at a position.
UnderCursor = tuple[Path, str, IndexedStack | None, tuple[Occurrence, ...]]


class _RulesProtocol(LanguageServerProtocol):
    """The protocol with positions in UTF-16 units, which every client supports, and an answer to every request."""

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Generator[Any, Any, lsp.InitializeResult]:
        """Remove other encodings from the capabilities of the client before one is chosen."""
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Convert a message; one that is malformed or out of order is refused, where pygls only logs it."""
        if "jsonrpc" not in data:  # An object inside a message: JSON is decoded from the inside.
            return data
        method = data.get("method")
        try:
            if self._workspace is None and method not in (None, lsp.INITIALIZE, lsp.EXIT):
                raise exceptions.JsonRpcServerNotInitialized("the first request is `initialize`")
            if self._shutdown and method not in (None, lsp.EXIT):
                raise exceptions.JsonRpcInvalidRequest("nothing follows `shutdown` but `exit`")
            return super().structure_message(data)
        except exceptions.JsonRpcException as slip:
            refusal = slip
            if slip.__cause__:
                wrong = "; ".join(transform_error(slip.__cause__, path="message"))
                refusal = exceptions.JsonRpcInvalidParams(truncated_text(wrong))
            if {"id", "method"} <= data.keys():
                self._send_response(data["id"], error=refusal.to_response_error())
            raise refusal from slip

    def _send_response(self, msg_id: int | str, result: Any = None, error: lsp.ResponseError | None = None) -> None:
        """Send the response to a request; of an error of ours its message, without the traceback, which is logged."""
        if error is not None and error.code == exceptions.JsonRpcInternalError.CODE:
            error.data = None
        super()._send_response(msg_id, result, error)


class RulesServer(LanguageServer):
    """A server of one editor; its workspace has the open folders of the editor, and those of `--path`."""

    def __init__(self, packages: Sequence[Path], steps: int) -> None:
        """Start without a workspace: the open folders are reported later."""
        # Full synchronization: pygls counts form feeds as line ends, so that incremental changes could be misplaced.
        super().__init__("rulewright", __version__, lsp.TextDocumentSyncKind.Full, protocol_cls=_RulesProtocol)
        self.packages, self.steps = packages, steps
        self._workspace_of_rules: EditorWorkspace | None = None
        self._shown_findings: dict[Path, list[Finding]] = {}
        self._covered: dict[Path, frozenset[Path]] = {}  # the files of the stack of each open document
        self._findings_by_stack: dict[
            frozenset[Path], dict[Path, list[Finding]]
        ] = {}  # findings of a stack by its files
        self.prover = Prover(self.publish_findings)

    def current_workspace(self) -> EditorWorkspace:
        """Update the workspace to the open folders and texts, and return it."""
        uris = [each.uri for each in self.workspace.folders.values()] or [self.workspace.root_uri or ""]
        opened = [folder for each in uris if (folder := path_of(each))]
        packages = tuple(dict.fromkeys((*self.packages, *opened)))
        if self._workspace_of_rules is None or self._workspace_of_rules.packages != packages:
            self._workspace_of_rules = EditorWorkspace(packages, self.steps)
        documents = [
            (path, document.uri, document.source)
            for document in self.workspace.text_documents.values()
            if (path := path_of(document.uri))  # What has another scheme, as a text of an earlier commit, is no file.
        ]
        self._workspace_of_rules.buffers = {path: text for path, _, text in documents}
        folders = {folder: uri.rstrip("/") for uri in uris if (folder := path_of(uri))}
        self._workspace_of_rules.addresses = folders | {path: uri for path, uri, _ in documents}
        return self._workspace_of_rules

    def publish_findings(self, path: Path, found: Mapping[Path, list[Finding]]) -> None:
        """Show the findings in the stack of an open document, replacing earlier ones."""
        self._findings_by_stack[self._covered.get(path, frozenset((path,)))] = dict(found)
        for each in found:
            self._show(each)

    def _show(self, path: Path) -> None:
        """Publish the findings of all stacks of open documents in a file, without duplicates, if they have changed."""
        found: list[Finding] = []
        for stack in self._findings_by_stack.values():
            found += [each for each in stack.get(path, ()) if each not in found]
        if self._shown_findings.get(path) == found:
            return
        self._shown_findings[path] = found
        uri = self._workspace_of_rules.uri_of(path) if self._workspace_of_rules else path.as_uri()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, _diagnostics(found)))

    def published_diagnostics(self, uri: str, within: lsp.Range) -> list[lsp.Diagnostic]:
        """Return the diagnostics last published for a document that overlap a range or touch it."""
        path = path_of(uri)
        findings = self._shown_findings.get(path, []) if path else []
        return [
            each for each in _diagnostics(findings) if each.range.start <= within.end and within.start <= each.range.end
        ]

    def check(self, uri: str, pause: float = 0) -> None:
        """Show the findings of compiling an open document, and request proofs of it and of its dependents."""
        path = path_of(uri)
        if path is None:
            return
        self.prover.stop()
        self._compile(path)
        self.prover.begin([self._request(each) for each in (path, *self._dependents(path))], pause)

    @contextmanager
    def reporting_first_read(self, uri: str) -> Iterator[None]:
        """Report progress to the editor while a stack is read for the first time, which blocks other requests."""
        path, window = path_of(uri), self.client_capabilities.window
        known = path is None or any(path.resolve() in files for files in self._covered.values())
        if known or not (window and window.work_done_progress):
            yield
            return
        token = str(uuid4())
        self.work_done_progress.create(token)  # The response arrives only after this request.
        self.work_done_progress.begin(token, lsp.WorkDoneProgressBegin("Rulewright: reading the rules"))
        try:
            yield
        finally:
            self.work_done_progress.end(token, lsp.WorkDoneProgressEnd())

    def check_all(self) -> None:
        """Check every open document again, after a change of other files or of the open folders."""
        self.prover.stop()
        opened = self._opened()
        for path in self._covered.keys() - set(opened):
            self._cover(path, frozenset())
        for path in opened:
            self._compile(path)
        self.prover.begin([self._request(each) for each in self._one_a_stack(opened)], 0)

    def _compile(self, path: Path) -> None:
        found = self.current_workspace().read(path, self.current_workspace().buffers.get(path.resolve()))
        self._cover(path, frozenset(found))
        for stack in self._findings_by_stack.values():
            stack.pop(path, None)  # Findings of other files about the earlier text are computed again.
        self.publish_findings(path, found)

    def _cover(self, path: Path, files: frozenset[Path]) -> None:
        """Record the files that the findings of a document cover, and remove those of stacks without open documents."""
        self._covered.pop(path, None)
        if files:
            self._covered[path] = files
        for stack in self._findings_by_stack.keys() - set(self._covered.values()):
            for each in self._findings_by_stack.pop(stack):
                self._show(each)

    def _opened(self) -> list[Path]:
        """Return the open files in the order of opening."""
        return [path for document in self.workspace.text_documents.values() if (path := path_of(document.uri))]

    def _dependents(self, path: Path) -> list[Path]:
        """Return an open file of each other stack that contains a file."""
        covered_files = self._covered.get(path)
        others = [each for each in self._opened() if path.resolve() in self._covered.get(each, ())]
        return [each for each in self._one_a_stack(others) if self._covered[each] != covered_files]

    def _one_a_stack(self, paths: Sequence[Path]) -> list[Path]:
        """Return one file of each stack: files of one stack cover the same files."""
        return list({self._covered.get(path, frozenset()): path for path in paths}.values())

    def _request(self, path: Path) -> dict[str, Any]:
        """Return the request to the prover about a file."""
        workspace = self.current_workspace()
        buffers = {each.as_posix(): content for each, content in workspace.buffers.items()}
        addresses = {each.as_posix(): address for each, address in workspace.addresses.items()}
        packages = [package.as_posix() for package in workspace.packages]
        text = workspace.buffers.get(path.resolve())
        return {
            "path": path.as_posix(),
            "text": text,
            "packages": packages,
            "steps": self.steps,
            "buffers": buffers,
            "addresses": addresses,
        }

    def read(self, uri: str) -> tuple[Path, str]:
        """Return the path and the text of a document in the editor, or of a file that is not open."""
        path = path_of(uri) or Path(os.devnull)
        if document := self.workspace.text_documents.get(unquote(uri)):  # By such addresses pygls knows them.
            return path, document.source
        # The client names any file: a device has no end, and a pipe would block.
        return path, read_text(PackageFile(path, path.as_posix()))[0]

    @contextmanager
    def names_under_cursor(self, document: lsp.TextDocumentIdentifier, position: lsp.Position) -> Iterator[UnderCursor]:
        """Yield the file, its text, its stack and the names at a position."""
        path, text = self.read(document.uri)
        with self.current_workspace().index_of(path) as indexed:
            yield (
                path,
                text,
                indexed,
                indexed.names_at(path, position.line + 1, column_at(text, position) + 1) if indexed else (),
            )


def _diagnostics(found: list[Finding]) -> list[lsp.Diagnostic]:
    return get_converter().structure(found, list[lsp.Diagnostic])


def serve_editor(packages: Sequence[Path], steps: int) -> None:
    """Serve one editor until it disconnects; other output is redirected, so that it does not corrupt the protocol."""
    logging.getLogger().addHandler(_brief())
    requests, replies = os.dup(sys.stdin.fileno()), os.dup(sys.stdout.fileno())
    with os.fdopen(requests, "rb") as editor, os.fdopen(replies, "wb") as answers, redirect_stdout(sys.stderr):
        try:
            make_server(packages, steps).start_io(editor, answers)
        except MemoryError:
            raise UsageError("the editor announced more text than there is memory for") from None


class _Brief(logging.Formatter):
    """A formatter of errors in one line, since editors show the log to users."""

    def formatException(  # noqa: N802 -- the name that logging calls
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """Return the error in one line, without its traceback."""
        kind, slip, _ = ei
        return truncated_text(" ".join(f"{kind.__name__ if kind else ''}: {slip}".split()))


# Harmless warnings of libraries: an editor cancels a request that is answered already, which is frequent; a
# proving process ends after the server. The third is a traceback, followed by the error in one line.
_NOT_LOGGED = (
    "Cancel notification for unknown message id",
    "Loop %r that handles pid",
    "Unable to deserialize message",
)


def _brief() -> logging.Handler:
    handler = logging.StreamHandler()
    handler.addFilter(lambda record: not (str(record.msg).startswith(_NOT_LOGGED) or _is_refusal(record)))
    if not os.environ.get("RULEWRIGHT_DEBUG"):
        handler.setFormatter(_Brief())
    return handler


def _is_refusal(record: logging.LogRecord) -> bool:
    """Return whether a record is about a request that was refused with a reason, which the editor shows."""
    slip = record.exc_info[1] if record.exc_info else None
    return isinstance(slip, exceptions.JsonRpcException) and slip.code == REFUSED


def make_server(packages: Sequence[Path], steps: int) -> RulesServer:
    """Build a server with all requests; `steps` is the budget of the proofs of one place."""
    server = RulesServer(packages, steps)
    _add_findings(server)
    add_names(server)
    add_renaming(server)
    add_completion(server)
    add_file_requests(server)
    return server


def _add_findings(server: RulesServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        with server.reporting_first_read(params.text_document.uri):
            server.check(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        server.check(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.check(params.text_document.uri, PAUSE)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(_params: lsp.DidCloseTextDocumentParams) -> None:
        server.check_all()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(_params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        server.check_all()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(_params: lsp.DidChangeWatchedFilesParams) -> None:
        server.check_all()

    @server.feature(lsp.INITIALIZED)
    async def initialized(_params: lsp.InitializedParams) -> None:
        can = server.client_capabilities.workspace
        if can and can.did_change_watched_files and can.did_change_watched_files.dynamic_registration:
            watched = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*.{rules,yaml}")])
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registration = lsp.RegistrationParams([lsp.Registration("files", method, watched)])
            await server.client_register_capability_async(registration)

    @server.feature(lsp.SHUTDOWN)
    def shut_down(_params: None) -> None:
        server.prover.stop()
        server.prover.close()
