"""Text on narrow screens: words stay whole, styles of short lines stay, and names are not truncated."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from rulewright.serve.cli import console
from rulewright.serve.cli.console import Reply, ReplyFormat, print_reply, wrapped
from runtime.graph.document_lines import reply_block, table_lines

# The time of a case depends on the load of the machine.
BUSY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

LINES = st.text("abcdefgh ,;:.\n", max_size=300)


@BUSY
@given(LINES, st.integers(20, 90))
def test_words_are_not_broken(text: str, width: int) -> None:
    wrapped_text = wrapped(text, width).plain
    assert wrapped_text.split() == text.split()
    assert all(len(line.strip()) <= width or len(line.split()) < 2 for line in wrapped_text.splitlines())


def test_styles_of_short_lines_stay() -> None:
    styled = wrapped(Text("one\n").append("two\n", "bold").append("  three four five six"), 14)
    assert styled.plain.splitlines() == ["one", "two", "  three four", "    five six"]
    assert [styled.plain[span.start : span.end] for span in styled.spans if span.style == "bold"] == ["two"]


def test_a_wide_table_has_whole_names(monkeypatch: pytest.MonkeyPatch) -> None:
    screen_text = io.StringIO()
    monkeypatch.setattr(console, "_OUT", Console(file=screen_text, force_terminal=True, width=60, no_color=True))
    row = ("a_situation_with_a_long_name_indeed", "A long title of a situation", "a board of another package")
    sentence = "a sentence behind the table that is far longer than sixty or eighty columns are"
    block = reply_block(*table_lines(("situation", "title", "waits for"), [row]), sentence)
    print_reply(Reply({}, lambda _: block), ReplyFormat.TEXT)
    output = screen_text.getvalue()
    assert "…" not in output
    assert sentence in " ".join(output.split())
