"""Rows of docs/strength.md follow from the stored games, and its sentences count its rows."""

import re

from tests.lab.stored_ladders import PAGE, page_row, stored_files

NUMBERS = ("no", "one", "two", "three", "four", "five")
HEADING = "| situation | player | against | games | won-lost-drawn | pairs won-lost-drawn | gain in points | verdict |"


def ladder_rows() -> list[str]:
    """Return the rows of the first table."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    first = lines.index(HEADING) + 2
    return lines[first : lines.index("", first)]


def test_rows_with_stored_games_follow_from_them() -> None:
    rows = [page_row(path) for path in stored_files()]
    assert rows
    assert [row for row in rows if row not in ladder_rows()] == []


def test_a_row_of_other_results_is_noticed() -> None:
    [first, *_] = stored_files()
    assert re.sub(r"\d+-\d+-\d+", "9-9-9", page_row(first)) not in ladder_rows()


def test_the_sentences_count_the_rows() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    rows = ladder_rows()
    settled = [row for row in rows if "not settled" not in row]
    assert f"{len(settled)} of the {len(rows)} rows are settled" in text
    # A verdict is false with a chance of 5 percent.
    assert f"Of {len(rows)} rows {NUMBERS[round(len(rows) / 20)]} may be wrong" in text
