"""What a builder adds to a rule in one place is in every rendering, whatever its role; no printer leaves a line out."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.rulebook.book import write_site
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.headings import RuleEntry
from compiler.rulebook.line_builder import LineBuilder, cells_of, row_line, text_line
from compiler.rulebook.markdown import write_wiki
from compiler.rulebook.paper.player_edition import write_player_text
from compiler.rulebook.paper.typst_writer import write_book_text
from compiler.rulebook.printed_rules import PrintedRule
from compiler.rulebook.rule_blocks import RuleBlockBuilder
from rulewright.serve.workbench import block_encoding
from runtime.graph.document import BookEdition, DocumentBlock, DocumentForm, DocumentLine, DocumentRole
from runtime.graph.document_text import block_text
from tests.books.fair import fair

PANEL = Path(block_encoding.__file__).parent / "assets" / "blocks.js"
# Elements as their texts, and what the page shows of blocks in JSON.
SCRIPT = """
const h = (name, attributes, ...children) => ({ tagName: name.toUpperCase(), children,
  append(...more) { this.children.push(...more); },
  get text() { return this.children.flat(4).filter(Boolean).map((one) => one.text ?? one).join(" "); } });
MODULE
console.log(blocksShown(JSON.parse(require("fs").readFileSync(0))).map((one) => one.text).join(" "));
"""
CELLS = {DocumentForm.HEAD, DocumentForm.CELL, DocumentForm.PICTURE}
ADDED = {role: f"Added{role.name.replace('_', '')}" for role in DocumentRole if role.form is not DocumentForm.ROW}


def added_lines() -> Iterator[DocumentLine]:
    """Yield a line of every role with one below it; cells stand in rows."""
    for role, word in ADDED.items():
        if role.form in CELLS:
            yield row_line(cells_of(DocumentRole.COLUMN, ("head", "other")))
            yield row_line((text_line(role, word), text_line(DocumentRole.GIVEN, "given")))
        else:
            yield text_line(role, word, items=[text_line(DocumentRole.ITEM, f"{word}Below")], mark="1.")


def panel_text(block: DocumentBlock) -> str:
    """Return what the page shows of a block."""
    module = PANEL.read_text(encoding="utf-8").split('"./dom.js";')[1].replace("export ", "")
    data = json.dumps(block_encoding.blocks_data([block]))
    return subprocess.check_output(["node", "-e", SCRIPT.replace("MODULE", module)], input=data, text=True)


@pytest.fixture(scope="module")
def renderings() -> Iterator[dict[str, tuple[BookEdition, str]]]:
    """Print a game in all renderings with a line of every role at each rule."""
    before = RuleBlockBuilder._notes

    def with_lines(self: RuleBlockBuilder, rule: PrintedRule) -> Iterator[DocumentLine]:
        yield from before(self, rule)
        yield from added_lines()

    book = fair()
    contents = Contents(book, unplayed_outcomes(book), None)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(RuleBlockBuilder, "_notes", with_lines)
        lines = LineBuilder(contents, BookEdition.TERMINAL, contents.titles.__contains__)
        block = RuleBlockBuilder(lines).entry(RuleEntry("pay-your-way", "3.1", ()))
        site, wiki = write_site(contents, None), write_wiki(contents)
        printed = {
            "site": (BookEdition.SITE, site["cases/going.html"].decode()),
            "wiki": (BookEdition.WIKI, wiki["wiki/3-Going.md"].decode()),
            "umpire": (BookEdition.UMPIRE, write_book_text(contents, "The Fair")["main"].decode()),
            "player": (BookEdition.PLAYER, write_player_text(contents, "The Fair")["main"].decode()),
            "terminal": (BookEdition.TERMINAL, block_text(block)),
        }
        if shutil.which("node"):
            printed["panel"] = (BookEdition.TERMINAL, panel_text(block))
        yield printed


@pytest.mark.parametrize("name", "site wiki umpire player terminal panel".split())
def test_a_line_of_every_role_is_in_every_rendering(name: str, renderings: dict[str, tuple[BookEdition, str]]) -> None:
    edition, text = renderings.get(name) or pytest.skip("PANEL NOT SHOWN: there is no node")
    for role, word in ADDED.items():
        for added in (word, *([] if role.form in CELLS else [f"{word}Below"])):
            assert (added in text) == (edition in role.editions), f"{added} in {name}"
