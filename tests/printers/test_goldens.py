"""A small book in all its printers, and the text and data of every command, are as they were; `--reset` records them.

What a printer shows is decided in several places, and a line that one of them adds or drops is seen here.
"""

import re
import shutil
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import pytest

from compiler.rulebook.book import write_site
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.markdown import write_wiki
from rulewright.serve.cli.app import COMMANDS, run
from rulewright.write.new_packages import new_game
from tests.books.compared import compared_fair, older_fair
from tests.books.fair import fair, fair_with_gaps
from tests.books.site import site
from tests.printers.printed import command_data, html_pages, site_pages, typeset_pages, typst_sources

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
POSITION = """position: edge
stack: toy
board: {rows: [[A, B marsh, C]]}
pieces:
  - {name: R, type: runner, side: north, at: A, tired: yes}
  - {name: W, type: cart, side: south, at: C}
"""
MANIFEST = "layer: slow_marsh\ntitle: Slow Marsh\nkind: variant\non: [toy]\n"
CHANGES = """rule dear-marsh [house] "Marshes are dearer."
  replaces cell price[marsh, foot] = 3 MP by 5 MP
"""
# One line for each command whose reply is data; FILE is a file beside the package.
LINES = {
    "check": "check toy --alone",
    "test": "test toy --here",
    "ask": "ask toy -p HERE/edge.yaml entry_cost(R,A,B) may_enter(R,A,B)",
    "ask-explained": "ask toy -p HERE/edge.yaml may_enter(R,A,B) --explain",
    "explain-rule": "explain toy tired-in-the-marsh",
    "explain-chart": "explain toy price",
    "explain-ruling": "explain toy always-one-hex",
    "explain-code": "explain R0312",
    "diff": "diff toy slow_marsh",
    "disputes": "disputes toy",
    "errata": "errata toy",
    "tree": "tree toy entry_cost",
    "tree-all": "tree toy",
    "scenarios": "scenarios",
    "show-card": "show first_toy",
    "show-position": "show HERE/edge.yaml",
    "play": "play first_toy --seed 3 --players greedy",
    "replay": "replay HERE/game.trial --rules slow_marsh",
    "audit": "audit toy",
    "compare": "compare first_toy --rules toy --rules slow_marsh -n 4 -j 1",
    "graph": "graph toy --term entry_cost",
    "coverage": "coverage toy",
}
# Commands that reply with nothing but what they wrote or serve, with what differs from machine to machine, or with what
# has golden files of its own (tests/stages).
WITHOUT = set("new change fmt number editor open import export demo version reference dump".split())


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Write the small game, a variant of it, a position and a recorded game, in place of the shipped rules."""
    here = tmp_path_factory.mktemp("small")
    folder = here / "packages"
    new_game("toy", folder)
    shutil.copy(HERE / "disputed.rules", folder / "toy")
    (folder / "slow_marsh").mkdir()
    (folder / "slow_marsh" / "layer.yaml").write_text(MANIFEST)
    (folder / "slow_marsh" / "slow.rules").write_text(CHANGES)
    (here / "edge.yaml").write_text(POSITION)
    play = ["play", "first_toy", "--seed", "3", "--players", "greedy", "--record", str(here / "game.trial")]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("rulewright.library.shipped_folders.rules_folder", lambda: folder)
        assert run(play) == 0
        yield folder


def compare(pages: dict[str, str], prefix: str, *, reset: bool) -> None:
    """Compare pages with the golden files of their prefix, or record them."""
    if reset:
        for file in GOLDEN.glob(f"{prefix}*"):
            file.unlink()
        for name, text in pages.items():
            (GOLDEN / name).write_text(text, encoding="utf-8")
    recorded = {file.name: file.read_text(encoding="utf-8") for file in GOLDEN.glob(f"{prefix}*")}
    assert sorted(recorded) == sorted(pages)
    for name, text in pages.items():
        difference = "\n".join(unified_diff(recorded[name].splitlines(), text.splitlines(), name, "now", lineterm=""))
        assert not difference, f"\n{difference}\n`--reset` records this, if it is meant"


def test_the_pages_of_the_site_and_the_wiki(packages: Path, reset: bool) -> None:
    book = packages.parent / "book"
    assert run(["reference", "toy", "--out", str(book), "--markdown"]) == 0
    pages = site_pages(book)
    compare({name: text for name, text in pages.items() if name.startswith("site-")}, "site-", reset=reset)
    compare({name: text for name, text in pages.items() if name.startswith("wiki-")}, "wiki-", reset=reset)


def test_the_site_of_a_game_with_all_parts_of_a_book(reset: bool) -> None:
    texts = {path: content.decode() for path, content in site("fair").items() if path.endswith(".html")}
    compare(html_pages(texts, "fair"), "fair-", reset=reset)


def test_the_wiki_and_the_paper_of_a_game_with_all_parts_of_a_book(reset: bool) -> None:
    book = fair()
    contents = Contents(book, unplayed_outcomes(book), None)
    wiki = {f"printed-{Path(path).name}": text.decode() for path, text in write_wiki(contents).items()}
    compare({**wiki, **typst_sources(contents, "printed")}, "printed-", reset=reset)


def test_the_changes_of_a_game_in_site_wiki_and_on_paper(reset: bool) -> None:
    contents = compared_fair(older_fair())
    files = {path: text.decode() for path, text in (write_site(contents, None) | write_wiki(contents)).items()}
    pages = html_pages({"changes.html": files["changes.html"]}, "compared")
    pages["compared-wiki.md"] = files["wiki/Errata.md"]
    pages["compared-changes.typ"] = typst_sources(contents, "compared")["compared-changes.typ"]
    compare(pages, "compared-", reset=reset)


def test_what_the_sources_leave_open_is_on_every_title_page(reset: bool) -> None:
    book = fair_with_gaps()
    contents = Contents(book, unplayed_outcomes(book), None)
    files = {path: text.decode() for path, text in (write_site(contents, None) | write_wiki(contents)).items()}
    pages = html_pages({"index.html": files["index.html"]}, "open")
    pages["open-wiki.md"] = files["wiki/Home.md"]
    pages |= {
        f"open-{edition}.typ": "\n".join(re.findall(r"(?m)^#show: look.*", text)) + "\n"
        for edition, text in typst_sources(contents, "").items()
        if edition in ("-player.typ", "-umpire.typ")
    }
    compare(pages, "open-", reset=reset)


def test_the_editions_on_paper(packages: Path, reset: bool) -> None:
    compare(typeset_pages(packages), "paper-", reset=reset)


def test_the_replies_of_commands(packages: Path, reset: bool, capsys: pytest.CaptureFixture[str]) -> None:
    lines = {name: line.replace("HERE", str(packages.parent)) for name, line in LINES.items()}
    compare(command_data(lines, packages, capsys), "command-", reset=reset)


def test_every_command_has_a_golden_reply() -> None:
    names = {command.__name__.removesuffix("_") for command in COMMANDS}
    assert names == {line.split()[0] for line in LINES.values()} | WITHOUT, "add a line to LINES above, and `--reset`"
