"""The commands on the pages of docs/ print the output that the pages show."""

from collections import Counter
from pathlib import Path

import pytest

from tests.docs.replay import SLOW, replay
from tests.sample import LONG, sampled

DOCS = Path(__file__).resolve().parents[2] / "docs"
LONG_LINE = 60  # Shorter prefixes may be equal by chance.


# Pages that go on in the folder of the one before them stand in one line.
PAGES = [
    "playing.md",
    "tutorial.md tutorial_questions.md tutorial_play.md",
    "variants.md variants_procedures.md variants_measured.md",
    "changing.md",
    "importing.md",
    "scenarios.md",
    "positions.md",
    "boards.md",
    "odds.md",
    "order_of_play.md",
    "preferring.md",
    "zones.md",
    "supply.md",
    "areas.md",
    "decks.md",
    "faces.md",
]
# Pages with a comparison of ten seconds, proofs of five seconds each, and a longer printing of the book.
LARGE = tuple(pages for pages in PAGES if pages.startswith("variants.md"))


@sampled(1)
@pytest.mark.parametrize("pages", PAGES)
def test_page(pages: str, tmp_path: Path) -> None:
    """Follow the pages in an empty folder."""
    slow = (*SLOW, "diff", "check", "reference") if pages in LARGE else SLOW
    differences = list(replay(joined_text(pages), tmp_path, slow))
    assert not differences, "\n".join(differences)


@LONG
@pytest.mark.parametrize("pages", LARGE)
def test_page_whole(pages: str, tmp_path: Path) -> None:
    """Follow pages of a large game, including its checks, its comparison and its book."""
    differences = list(replay(joined_text(pages), tmp_path))
    assert not differences, "\n".join(differences)


def joined_text(pages: str) -> str:
    return "\n".join((DOCS / page).read_text(encoding="utf-8") for page in pages.split())


def test_readme() -> None:
    """Follow the first page in the root of the clone."""
    assert list(replay((DOCS.parent / "README.md").read_text(encoding="utf-8"), DOCS.parent)) == []


@sampled(0)
@pytest.mark.parametrize("once", [("compare",), pytest.param((), marks=LONG)], ids=["the last", "all"])
def test_the_experiments_of_the_lab_page(once: tuple[str, ...], tmp_path: Path) -> None:
    """Run the last experiment of the page, or all; words are compared, numbers are not."""
    differences = list(replay((DOCS / "lab.md").read_text(encoding="utf-8"), tmp_path, (), once))
    assert not differences, "\n".join(differences)
    assert (tmp_path / "tide.jsonl").is_file()


@sampled(0)
def test_a_wrong_output_on_a_page_is_a_difference(tmp_path: Path) -> None:
    """A line that the command does not print is reported."""
    file = "`a/layer.yaml`:\n\n```yaml\nlayer: a\ntitle: A\nkind: base\n```\n"
    command = "```console\n$ python3 -m rulewright check a\n2 errors\n```"
    assert list(replay(f"{file}\n{command}", tmp_path)) == ["check a: does not show: 2 errors"]


def test_the_changelog_has_no_line_twice() -> None:
    """No two long lines have the same prefix; a merge repeats lines that both branches changed."""
    lines = [line for line in (DOCS / "changelog.md").read_text(encoding="utf-8").splitlines() if len(line) > LONG_LINE]
    starts = Counter(line[:LONG_LINE] for line in lines)
    assert [start for start, times in starts.items() if times > 1] == []
