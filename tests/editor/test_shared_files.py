"""A file of two open stacks shows the findings of both, whichever stack reported last."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="EDITOR NOT TRIED: no pygls, the extra `editor`")

from rulewright.serve.editor.server import RulesServer

SHARED, BASE, OPTION = Path("/set/shared.rules"), Path("/set/base.rules"), Path("/set/option.rules")


def finding(line: int, message: str) -> dict[str, Any]:
    start = {"line": line, "character": 0}
    return {"range": {"start": start, "end": start}, "message": message}


@pytest.fixture
def server_and_findings(monkeypatch: pytest.MonkeyPatch) -> tuple[RulesServer, dict[str, list[str]]]:
    """Return a server with two open documents, and the messages that it publishes, by file."""
    server, there = RulesServer((), 1), dict[str, list[str]]()

    def publish(given: Any) -> None:
        there[Path(given.uri).name] = [each.message for each in given.diagnostics]

    monkeypatch.setattr(server, "text_document_publish_diagnostics", publish)
    server._cover(BASE, frozenset((SHARED, BASE)))
    server._cover(OPTION, frozenset((SHARED, BASE, OPTION)))
    return server, there


def test_findings_of_one_stack_stay_when_the_other_has_none(
    server_and_findings: tuple[RulesServer, dict[str, list[str]]],
) -> None:
    server, there = server_and_findings
    overlap, gap = finding(1, "overlap"), finding(2, "gap")
    server.publish_findings(BASE, {SHARED: [gap], BASE: []})
    server.publish_findings(OPTION, {SHARED: [overlap, gap], BASE: [], OPTION: []})
    assert there["shared.rules"] == ["gap", "overlap"]  # A finding of both stacks is published once.
    server.publish_findings(BASE, {SHARED: [], BASE: []})
    assert there["shared.rules"] == ["overlap", "gap"]
    server.publish_findings(OPTION, {SHARED: [], BASE: [], OPTION: []})
    assert there["shared.rules"] == []


def test_findings_of_a_closed_document_are_removed(
    server_and_findings: tuple[RulesServer, dict[str, list[str]]],
) -> None:
    server, there = server_and_findings
    server.publish_findings(BASE, {SHARED: [finding(1, "gap")], BASE: []})
    server.publish_findings(OPTION, {SHARED: [finding(2, "overlap")], BASE: [], OPTION: [finding(3, "slip")]})
    server._cover(OPTION, frozenset())
    assert there == {"shared.rules": ["gap"], "base.rules": [], "option.rules": []}
