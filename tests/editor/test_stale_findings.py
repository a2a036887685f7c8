"""Findings follow the texts of the editor and of the disk: closed, renamed and repaired files have none."""

import os
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from rulewright.write.new_packages import new_game
from tests.editor.test_session import Session, rules, session
from tests.sample import sampled

__all__ = ["rules", "session"]
BROKEN = "\nrule broken [\n"


def opened(session: Session, path: Path, text: str) -> dict[str, str]:
    """Open a file with the given text, which may differ from the disk."""
    document = {"uri": path.as_uri()}
    session.tell("textDocument/didOpen", {"textDocument": {**document, "languageId": "r", "version": 1, "text": text}})
    return document


def typed(session: Session, document: dict[str, str], text: str) -> None:
    """Replace the text of an open file."""
    changes = {"textDocument": {**document, "version": 2}, "contentChanges": [{"text": text}]}
    session.tell("textDocument/didChange", changes)


def reported_codes(session: Session) -> dict[str, list[str]]:
    """Return the codes by file, after all earlier messages are processed."""
    session.ask("workspace/symbol", {"query": "no such name"})
    return {name: [each["code"] for each in found] for name, found in session.diagnostics.items() if found}


def closed(session: Session, document: dict[str, str], _path: Path) -> None:
    session.tell("textDocument/didClose", {"textDocument": document})


def renamed(session: Session, document: dict[str, str], path: Path) -> None:
    path.rename(path.with_name("other.rules"))
    session.tell("textDocument/didClose", {"textDocument": document})


def mended_outside(session: Session, document: dict[str, str], path: Path) -> None:
    session.tell("textDocument/didClose", {"textDocument": document})
    session.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})


@sampled(1)
@pytest.mark.parametrize(("leave", "beside"), [(closed, False), (renamed, True), (mended_outside, True)])
def test_findings_of_an_abandoned_text_are_removed(
    session: Session, rules: Path, leave: Callable[..., None], *, beside: bool
) -> None:
    if beside:
        opened(session, rules.with_name("world.rules"), rules.with_name("world.rules").read_text())
    document = opened(session, rules, rules.read_text() + BROKEN)
    assert reported_codes(session) == {"moving.rules": ["R0102"]}
    leave(session, document, rules)
    assert "moving.rules" not in reported_codes(session)


@sampled(0)
def test_findings_of_an_open_file_follow_edits_of_another_layer(session: Session, rules: Path) -> None:
    """A rule of the lower layer is renamed: the open upper layer has a finding until it is renamed back."""
    above = rules.parent.parent / "above"
    above.mkdir()
    (above / "layer.yaml").write_text("layer: above\ntitle: Above\nkind: optional\non: [toy]\n")
    file = above / "more.rules"
    file.write_text('rule more [TOY.2] "Rest first." entry_cost is 9 MP exception to tired-legs when mover is tired\n')
    opened(session, file, file.read_text())
    assert "R0307" not in {code for codes in reported_codes(session).values() for code in codes}
    text = rules.read_text()
    document = opened(session, rules, text)
    typed(session, document, text.replace("tired-legs", "weary-legs"))
    session.wait_for("more.rules", "R0307")
    typed(session, document, text)
    while any(each["code"] == "R0307" for each in session.diagnostics["more.rules"]):
        session._note(session._next_message())


def test_a_change_on_disk_is_compiled(session: Session, rules: Path) -> None:
    opened(session, rules, rules.read_text())
    world = rules.with_name("world.rules")
    world.write_text(world.read_text().replace("tired", "weary"))
    session.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": world.as_uri(), "type": 2}]})
    assert reported_codes(session)["moving.rules"][0] == "R0203"


def test_folders_that_are_opened_and_closed(session: Session, rules: Path, tmp_path: Path) -> None:
    field = new_game("other", tmp_path / "two").folder / "field.yaml"
    field.write_text(field.read_text().replace("other_field", "toy_field"))
    opened(session, rules, rules.read_text())
    folder = {"uri": (tmp_path / "two").as_uri(), "name": "two"}
    assert reported_codes(session) == {}
    session.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    assert reported_codes(session) == {"field.yaml": ["R0125"]}  # Both games have a board of this name.
    session.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
    assert reported_codes(session) == {}


def test_texts_that_are_no_files(session: Session, rules: Path) -> None:
    """Unsaved texts and texts of commits are not compiled, whatever their path."""
    opened(session, rules, rules.read_text())
    for uri in ("untitled:moving.rules", f"git:{rules.as_posix()}?HEAD"):
        text = {"uri": uri, "languageId": "r", "version": 1, "text": BROKEN}
        session.tell("textDocument/didOpen", {"textDocument": text})
        there = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}}
        assert session.ask("textDocument/hover", there) is None
    opened(session, rules.with_name("world.rules"), rules.with_name("world.rules").read_text())
    assert reported_codes(session) == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="NOT CHECKED: no pipes here")
def test_files_that_cannot_be_read_are_empty(session: Session, rules: Path) -> None:
    """A path that no file has spoils no other request, and a pipe or a device does not stop the server."""
    text = {"uri": "file:///%00.rules", "languageId": "r", "version": 1, "text": BROKEN}
    session.tell("textDocument/didOpen", {"textDocument": text})
    pipe, circle = rules.with_name("pipe.rules"), rules.with_name("circle.rules")
    os.mkfifo(pipe)
    circle.symlink_to(circle.name)
    for uri in ("file:///%00.rules", "file:///dev/zero", pipe.as_uri(), circle.as_uri()):
        there = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}}
        assert session.ask("textDocument/hover", there) is None
    opened(session, rules, rules.read_text())
    assert reported_codes(session) == {}


def test_positions_follow_the_protocol(session: Session, rules: Path) -> None:
    """Lines end at line feeds and carriage returns only, and columns count UTF-16 units."""
    document = opened(session, rules, "")
    for ends, before in product(("\n", "\r\n", "\r"), ("", "# \U0001f600\n", "# a\fb\n", "# a\u2028b\n", "# a\x85b\n")):
        text = before + rules.read_text().replace("is tired", "is tire")
        typed(session, document, text.replace("\n", ends))
        symbols = session.ask("textDocument/documentSymbol", {"textDocument": document})
        lines = text.split("\n")
        assert symbols
        for each in symbols:
            start = each["range"]["start"]
            assert each["name"].split("-")[0] in lines[start["line"]][start["character"] :]
        [line] = [number for number, each in enumerate(lines) if "is tire" in each]
        lines_by_code = {each["code"]: each["range"]["start"]["line"] for each in session.diagnostics["moving.rules"]}
        assert lines_by_code in (
            {"R0203": line},
            {"R0104": 0},
        )  # A text with a character that cannot be printed is not compiled.


def test_positions_are_utf_16_whatever_the_client_offers(rules: Path) -> None:
    offered = {"general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]}}
    session = Session(rules.parent.parent, offered)
    assert session.can["capabilities"]["positionEncoding"] == "utf-16"
    session.ask("shutdown", None)
    session.tell("exit", {})
    assert session.process.wait(60) == 0
    session.patience.cancel()
