"""Text on narrow screens: words stay whole, all text and styles are kept, and wide tables become lists."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from rulewright.cli import console
from rulewright.cli.console import Reply, ReplyFormat, print_reply
from rulewright.cli.wrapping import table_by_rows, wrapped, wrapped_styled

# The time of a case depends on the load of the machine.
BUSY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

LINES = st.text("abcdefgh ,;:.\n", max_size=300)


@BUSY
@given(LINES, st.integers(20, 90))
def test_words_are_not_broken(text: str, width: int) -> None:
    wrapped_text = wrapped(text, width)
    assert wrapped_text.split() == text.split()
    assert all(len(line) <= width or len(line.split()) < 2 for line in wrapped_text.splitlines())
    assert wrapped_styled(Text(text), width).plain == wrapped_text


def screen(width: int, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Print replies to a screen of the given width; return its text."""
    screen_text = io.StringIO()
    monkeypatch.setattr(console, "_OUT", Console(file=screen_text, force_terminal=True, width=width, no_color=True))
    return screen_text


@pytest.mark.parametrize("width", [60, 80])
def test_a_wide_table_is_printed_as_a_list(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(box=None, title="cards")
    for heading in ("scenario", "title", "waits for"):
        table.add_column(heading)
    table.add_row("a_situation_with_a_long_name_indeed", "A long title of a situation", "")
    table.add_row("b", "Short", "a board")
    assert table_by_rows(table).plain.startswith("cards\na_situation_with_a_long_name_indeed\n  title A long title")
    screen_text = screen(width, monkeypatch)
    print_reply(
        Reply({}, Group(table, "a sentence behind the table that is far longer than sixty or eighty columns are")),
        ReplyFormat.TEXT,
    )
    wrapped_text = screen_text.getvalue()
    assert "a_situation_with_a_long_name_indeed" in wrapped_text
    assert "…" not in wrapped_text
    assert ("waits for a board" in wrapped_text) == (width == 60)
    assert "eighty columns" in " ".join(wrapped_text.split())
