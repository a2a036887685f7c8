"""The reference of the language is generated from the grammar and the operators, and names all of them."""

import re
from pathlib import Path
from typing import Any, get_args

from compiler.source import nodes as source
from compiler.source.building import whole_grammar
from compiler.source.parse import parse_rules
from compiler.typed.declarations import DECLARATIONS
from docs.reference.productions import missing_examples
from docs.reference.vocabulary import SECTIONS
from docs.reference.write import HERE, main, pages, toy
from runtime.graph.operators import OPERATORS
from tests.sample import sampled

LANGUAGE = Path(__file__).parents[2] / "docs" / "language.md"
# Operators that are not written by name: signs, forms of the language, and results of elaboration.
UNWRITTEN = {"neg", "flat", "span", "related", "payload", "union", "without"}


@sampled(0)
def test_up_to_date(reset: bool) -> None:
    if reset:
        main()
    wanted = pages()
    there = {file.name: file.read_text(encoding="utf-8") for file in HERE.glob("*.md")}
    old = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
    assert old == [], "run `python3 -m docs.reference.write`"


def test_every_production_has_an_example() -> None:
    assert missing_examples(toy()) == [], "use each in tests/stages/format/toy.rules"


# Declarations that say more of what is declared elsewhere; questions have a table of their own.
SAYING_MORE = {
    source.ExtendKind, source.Always, source.Outcome, source.Aim, source.Wording, source.Stage,
    source.StandsBeside, source.Term, source.Define,
}  # fmt: skip


def test_the_vocabulary_of_a_package_lists_every_declaration() -> None:
    for kind in get_args(source.Declaration):
        text = DECLARATIONS[kind].forms[0].replace("{ .. }", "{ }").replace("LABEL", "a-b")
        node: Any = parse_rules(text, "")[0].statements[0]
        rows = [cells for section in SECTIONS for cells in section.rows(node)]
        assert bool(rows) == (kind not in SAYING_MORE), (
            f"{kind.__name__}: add a section to docs/reference/vocabulary.py"
        )


def code_of(page: str) -> str:
    """Return the code on a page, without its strings and comments: a word of the prose is no keyword."""
    fence = re.compile(r"^```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    blocks = (re.sub(r'"[^"\n]*"|#.*', "", each) for each in fence.findall(page))
    return "\n".join((*blocks, *re.findall(r"`([^`\n]+)`", fence.sub("", page))))


def test_the_language_page_names_every_keyword() -> None:
    page = code_of(LANGUAGE.read_text(encoding="utf-8"))
    grammar = whole_grammar()
    keywords = set(re.findall(r'"([a-z][a-z_]*)"', grammar))
    for choice in re.findall(r"(?m)^[A-Z_]+: +/\(([a-z_|]+)\)", grammar):
        keywords.update(choice.split("|"))
    assert {"measure", "strike", "cheapest_way"} <= keywords
    missing = {word for word in keywords if not re.search(rf"(?<!\w){word}(?!\w)", page)}
    assert not missing, f"docs/language.md does not name {missing}"


def test_the_language_page_names_every_operator() -> None:
    page = code_of(LANGUAGE.read_text(encoding="utf-8"))
    assert {name for name in OPERATORS if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", page)} == UNWRITTEN
