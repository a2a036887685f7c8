"""A session with the language server: a process of its own that is driven through its standard streams."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from rulewright.write.new_packages import new_game
from tests.sample import sampled
from tests.started import start

JsonRpcException = pytest.importorskip("pygls.exceptions", reason="EDITOR NOT TRIED: no pygls").JsonRpcException
pytest.importorskip("pygls", reason="EDITOR NOT TRIED: no pygls, the extra `editor`")


INVALID_REQUEST, INVALID_PARAMS, INTERNAL_ERROR, NOT_INITIALIZED = -32600, -32602, -32603, -32002


class Session:
    """A client that sends requests one after another."""

    def __init__(self, folder: Path, capabilities: dict[str, Any] | None = None, address: str = "") -> None:
        """Start the server and initialize it; `address` is how the client calls the folder."""
        self.process = start(["editor"])
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.progress: list[dict[str, Any]] = []
        self.number = 0
        # A server that never sends an expected message is killed, which ends the test.
        self.patience = Timer(300, self.process.kill)
        self.patience.daemon = True
        self.patience.start()
        early = self.ask_and_fail("textDocument/hover", {"textDocument": {"uri": folder.as_uri()}})
        assert early["code"] == NOT_INITIALIZED
        self.tell("textDocument/didClose", {"textDocument": {"uri": folder.as_uri()}})  # Ignored without an answer.
        opened = [{"uri": address or folder.as_uri(), "name": "set"}]
        self.can = self.ask(
            "initialize",
            {"processId": None, "rootUri": None, "capabilities": capabilities or {}, "workspaceFolders": opened},
        )
        self.tell("initialized", {})

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification, which has no reply."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: dict[str, Any] | None) -> Any:
        """Send a request, store the notifications that arrive meanwhile, and return the result."""
        self.number += 1
        self._send({"id": self.number, "method": method, "params": params})
        while (reply := self._next_message()).get("id") != self.number:
            self._note(reply)
        assert "error" not in reply, reply
        return reply["result"]

    def ask_and_fail(self, method: str, params: object) -> Any:
        """Send a request that is refused; return the error."""
        self.number += 1
        self._send({"id": self.number, "method": method, "params": params})
        while (reply := self._next_message()).get("id") != self.number:
            self._note(reply)
        return reply["error"]

    def wait_for(self, name: str, code: str) -> None:
        """Wait until the server publishes a finding with this code for a file."""
        while code not in {each["code"] for each in self.diagnostics.get(name, ())}:
            self._note(self._next_message())

    def _note(self, notification: dict[str, Any]) -> None:
        if "id" in notification and "method" in notification:
            self._send({"id": notification["id"], "result": None})
        if notification.get("method") == "$/progress":
            self.progress.append(notification["params"]["value"])
        if notification.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[Path(notification["params"]["uri"]).name] = notification["params"]["diagnostics"]

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _next_message(self) -> dict[str, Any]:
        assert self.process.stdout
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server hung up"
        return json.loads(self.process.stdout.read(length))  # type: ignore[no-any-return]


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Write a small game; return its rules of movement."""
    new_game("toy", tmp_path / "set")
    return tmp_path / "set" / "toy" / "moving.rules"


@pytest.fixture
def session(rules: Path) -> Iterator[Session]:
    """Open the folder of the game in a session, and close it after the test."""
    session = Session(rules.parent.parent)
    yield session
    session.ask("shutdown", None)
    assert session.ask_and_fail("workspace/symbol", {"query": "a"})["code"] == INVALID_REQUEST
    session.tell("exit", {})
    assert session.process.wait(60) == 0
    session.patience.cancel()


def test_a_session(session: Session, rules: Path) -> None:
    text = rules.read_text()
    document = {"uri": rules.as_uri()}
    line = next(number for number, each in enumerate(text.splitlines()) if "exception to price-of-ground" in each)
    there = {"textDocument": document, "position": {"line": line, "character": 20}}
    assert session.can["capabilities"]["hoverProvider"]

    session.tell(
        "textDocument/didOpen", {"textDocument": {**document, "languageId": "rules", "version": 1, "text": text}}
    )
    hover = session.ask("textDocument/hover", there)
    assert "rule price-of-ground" in hover["contents"]["value"]
    assert session.diagnostics["moving.rules"] == session.diagnostics["world.rules"] == []

    [place] = session.ask("textDocument/definition", there)
    assert "rule price-of-ground" in text.splitlines()[place["range"]["start"]["line"]]
    mentions = session.ask("textDocument/references", {**there, "context": {"includeDeclaration": True}})
    assert len(mentions) == text.count("price-of-ground")
    offered = session.ask("textDocument/completion", there)
    [chosen] = [each for each in offered if each["label"] == "hedges-stop-wheels"]
    assert chosen["textEdit"]["range"] == {
        "start": {"line": line, "character": 17},
        "end": {"line": line, "character": 32},
    }
    symbols = session.ask("textDocument/documentSymbol", {"textDocument": document})
    assert "tired-legs" in [inner["name"] for each in symbols for inner in each.get("children", [])]

    broken = text.replace("exception to price-of-ground", "exception to", 1)
    change = {"textDocument": {**document, "version": 2}, "contentChanges": [{"text": broken}]}
    session.tell("textDocument/didChange", change)
    assert (
        session.ask(
            "textDocument/formatting", {"textDocument": document, "options": {"tabSize": 2, "insertSpaces": True}}
        )
        is None
    )
    assert [each["severity"] for each in session.diagnostics["moving.rules"]] == [1]

    misspelled = text.replace("exception to price-of-ground", "exception to prise-of-ground", 1)
    rules.write_text(misspelled)
    session.tell("textDocument/didChange", {**change, "contentChanges": [{"text": misspelled}]})
    session.tell("textDocument/didSave", {"textDocument": document})
    session.ask("textDocument/documentSymbol", {"textDocument": document})
    [finding] = session.diagnostics["moving.rules"]
    assert "did you mean `price-of-ground`" in finding["message"]
    assert finding["range"]["start"] == {"line": line, "character": 17}


@sampled(0)
def test_edits_are_compiled_at_once_and_proved_in_a_pause(session: Session, rules: Path) -> None:
    text = rules.read_text()
    document = {"uri": rules.as_uri()}
    opened = {**document, "languageId": "rules", "version": 1, "text": text}
    session.tell("textDocument/didOpen", {"textDocument": opened})
    second = '\nrule more [TOY.2] "Rest first." entry_cost is 9 MP exception to price-of-ground when mover is tired\n'

    def type_in(version: int, typed: str) -> list[str]:
        changes = {"textDocument": {**document, "version": version}, "contentChanges": [{"text": typed}]}
        session.tell("textDocument/didChange", changes)
        session.ask("textDocument/documentSymbol", {"textDocument": document})
        return [each["code"] for each in session.diagnostics["moving.rules"]]

    assert type_in(2, text + second.replace("is tired", "is tire")) == ["R0203"]
    assert type_in(3, text + second) == []
    session.wait_for("moving.rules", "R0312")
    assert type_in(4, text) == []


def test_long_work_is_reported_as_progress(rules: Path) -> None:
    session = Session(rules.parent.parent, {"window": {"workDoneProgress": True}})
    document = {"uri": rules.as_uri(), "languageId": "rules", "version": 1, "text": f"{rules.read_text()}# not saved\n"}
    session.tell("textDocument/didOpen", {"textDocument": document})
    session.ask("shutdown", None)
    assert session.ask_and_fail("workspace/symbol", {"query": "a"})["code"] == INVALID_REQUEST
    session.tell("exit", {})
    session.patience.cancel()
    assert [(each["kind"], each.get("title")) for each in session.progress] == [
        ("begin", "Rulewright: reading the rules"),
        ("end", None),
    ]


def test_malformed_parameters_are_answered(session: Session, rules: Path) -> None:
    document = {"uri": rules.as_uri()}
    missing = session.ask_and_fail("textDocument/hover", {"textDocument": document})
    assert missing["code"] == INVALID_PARAMS
    assert missing["message"] == "required field missing @ message.params.position"
    nothing = session.ask_and_fail("textDocument/hover", 17)
    assert nothing["code"] == INVALID_PARAMS
    assert (
        session.ask("textDocument/hover", {"textDocument": document, "position": {"line": 0, "character": 0}}) is None
    )


def test_a_fault_of_the_server_is_answered_without_its_traceback(session: Session) -> None:
    document = {"uri": "file://["}  # An invalid address.
    error = session.ask_and_fail("textDocument/documentSymbol", {"textDocument": document})
    assert error["code"] == INTERNAL_ERROR
    assert "data" not in error


def test_a_cursor_behind_the_end_of_a_text_is_answered(session: Session, rules: Path) -> None:
    for name in (rules.name, "gone.rules"):
        document = {"uri": rules.with_name(name).as_uri()}
        for line, character in ((len(rules.read_text().split("\n")), 0), (2**31 - 1, 2**31 - 1), (0, 10**6)):
            there = {"textDocument": document, "position": {"line": line, "character": character}}
            for method in ("hover", "definition", "completion", "prepareRename"):
                assert not session.ask(f"textDocument/{method}", there) or (line, method) == (0, "completion")


def test_the_definition_of_a_citation_is_where_the_sources_register_it(session: Session, rules: Path) -> None:
    lines = rules.read_text().splitlines()
    line, column = next((number, each.index("[TOY.")) for number, each in enumerate(lines) if "[TOY." in each)
    there = {"textDocument": {"uri": rules.as_uri()}, "position": {"line": line, "character": column + 5}}
    [place] = session.ask("textDocument/definition", there)
    assert place["uri"] == rules.with_name("sources.yaml").as_uri()
    registered = rules.with_name("sources.yaml").read_text().splitlines()[place["range"]["start"]["line"]]
    assert "TOY." in registered[place["range"]["start"]["character"] :]


def test_files_are_called_as_the_client_calls_them(tmp_path: Path) -> None:
    """It opened the folder by a link, and escapes no signs but blanks; line ends and a mark stay as they were."""
    real, link = tmp_path / "real #1;2?", tmp_path / "my [set]"
    new_game("toy", real)
    link.symlink_to(real)
    folder = "file://" + link.as_posix().replace(" ", "%20")
    session = Session(link, address=folder)
    for address in (folder, "file://" + real.as_posix().replace(" ", "%20")):
        document = {"uri": f"{address}/toy/moving.rules"}
        text = (real / "toy" / "moving.rules").read_text().replace("\n", "\r\n").replace("ruling ", "ruling  ", 1)
        session.tell(
            "textDocument/didOpen",
            {"textDocument": {**document, "languageId": "rulewright", "version": 1, "text": text}},
        )
        [edit] = session.ask(
            "textDocument/formatting", {"textDocument": document, "options": {"tabSize": 2, "insertSpaces": True}}
        )
        assert edit["newText"] == text.replace("ruling  ", "ruling ")
        line = next(number for number, each in enumerate(text.splitlines()) if "entry_cost is price[" in each)
        there = {
            "textDocument": document,
            "position": {"line": line, "character": 6},
            "context": {"includeDeclaration": True},
        }
        places = {each["uri"] for each in session.ask("textDocument/references", there)}
        assert document["uri"] in places
        assert places <= {
            f"{each}/toy/{name}"
            for each in (folder, address)
            for name in ("moving.rules", "playing.rules", "field.yaml")
        }
        edits = session.ask("textDocument/rename", {**there, "newName": "cost_of"})["changes"]
        assert document["uri"] in edits
        session.tell("textDocument/didClose", {"textDocument": document})
    session.process.kill()
    session.patience.cancel()


def test_harmless_messages_and_refusals_are_not_logged() -> None:
    server = pytest.importorskip("rulewright.serve.editor.server")
    reports = [
        'Cancel notification for unknown message id "%s"',
        "Something else %s",
        "Loop %r that handles pid %r is closed",
    ]
    records = [logging.LogRecord("pygls", logging.WARNING, "", 1, each, ("4",), None) for each in reports]
    assert [bool(server._brief().filter(each)) for each in records] == [False, True, False]
    for slip, logged in ((JsonRpcException("`a` is declared already", server.REFUSED), False), (ValueError("x"), True)):
        about = (type(slip), slip, None)
        record = logging.LogRecord("pygls", logging.ERROR, "", 1, "Exception for %s", ("4",), about)
        assert bool(server._brief().filter(record)) is logged


def test_requests_about_a_missing_file_have_empty_results(session: Session, tmp_path: Path) -> None:
    document = {"uri": (tmp_path / "gone.rules").as_uri()}
    here = {"textDocument": document, "position": {"line": 0, "character": 0}}
    assert session.ask("textDocument/hover", here) is None
    assert session.ask("textDocument/documentSymbol", {"textDocument": document}) == []
