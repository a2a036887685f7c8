"""The Tree-sitter grammar against the parser of the compiler: the same texts, the same trees.

Both differ where `accepts` of concrete_trees.py is lenient, and nowhere else.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from compiler.source.grammar import parser_tables
from compiler.source.scanner import LANGUAGE_TOKEN
from editors.compact_parser import compact, header
from editors.highlights import LEAVES
from editors.tree_sitter import NODES
from editors.write import PARSER, QUERY, STALE, TREE_SITTER_GRAMMAR, main, texts
from tests.editors.concrete_trees import accepts, binding, compiled_language, tree_of_node, tree_of_text
from tests.sample import first_of_each, sampled
from tests.stages.source.check import cases
from tests.tidy.check import ROOT

SHIPPED = sorted((ROOT / "rules").rglob("*.rules"))
TOY = ROOT / "tests" / "stages" / "format" / "toy.rules"
MALFORMED = ("authors.rules", "broken.rules", "slips.rules")
INSERTED = ["x", "one-hex", "3", "1/2", '"text"', "'Q'", "[T.1]", "#", "§"]
MUTANTS = 200


@pytest.fixture(scope="module")
def language(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Any:
    cache = getattr(pytestconfig, "cache", None)
    return compiled_language(cache.mkdir("tree-sitter") if cache else tmp_path_factory.mktemp("tree-sitter"))


@pytest.fixture(scope="module")
def parser(language: Any) -> Any:
    return binding().Parser(language)


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def test_up_to_date(reset: bool) -> None:
    if reset:
        main()
    files = texts()
    assert {file: read(file) for file in files} == files, "run `python3 -m editors.write`"


def test_the_parser_is_that_of_the_grammar() -> None:
    assert read(PARSER).startswith(header(read(TREE_SITTER_GRAMMAR))), STALE


def test_a_parser_is_shortened() -> None:
    generated = """enum ts_symbol_identifiers {
  sym_label = 1,
  anon_sym_in = 2,
};

#define TWO 2
static const char * const ts_symbol_names[] = {
  [sym_label] = "label",
  [anon_sym_in] = "in",
};
  [0] = 3,
    ACTIONS(7), 1,
      anon_sym_in,
"""
    first, *lines = compact(generated, "{}").splitlines()
    assert f"{first}\n" == header("{}")
    assert lines == [
        "#define TWO 2",
        'static const char * const ts_symbol_names[] = {[1] = "label",[2] = "in",}; [0] = 3,7, 1,2,',
    ]


def test_every_word_and_sign_is_in_the_grammar_and_in_the_query() -> None:
    vocabulary = parser_tables().vocabulary
    fixed = {*vocabulary.words, *vocabulary.symbols}
    assert {*re.findall(r'"STRING", "value": "([^"]*)"', read(TREE_SITTER_GRAMMAR))} == fixed
    assert {*re.findall(r'"([^"]*)"', read(QUERY))} == fixed
    assert {*LEAVES} | {"identifier"} == {*NODES.values()}


def test_shipped_rules_have_no_errors(parser: Any) -> None:
    assert [file for file in (TOY, *SHIPPED) if parser.parse(file.read_bytes()).root_node.has_error] == []


@pytest.mark.parametrize(
    "file",
    [TOY, *first_of_each(SHIPPED, lambda file: file.relative_to(ROOT / "rules").parts[0])],
    ids=lambda file: file.relative_to(ROOT).as_posix(),
)
def test_trees_are_those_of_the_compiler(file: Path, parser: Any) -> None:
    assert tree_of_node(parser.parse(file.read_bytes()).root_node) == tree_of_text(read(file))


@pytest.mark.parametrize(
    "text",
    [
        "rule a cost is 3MP",
        "rule a cost is 1/0",
        "rule a cost is 12345678901",
        "rule a [T..1] cost is 1",
        'rule a "<b>" cost is 1',
        "rule a cost is '<b>'",
        "rule a cost is 3\nMP",
        'example "a" { ask b = 8 joins }',
    ],
)
def test_what_only_the_compiler_refuses(text: str, parser: Any) -> None:
    assert not accepts(text)
    assert accepts(text, lenient=True)
    assert not parser.parse(text.encode()).root_node.has_error


@pytest.mark.parametrize("file", MALFORMED)
def test_malformed_texts_are_refused(file: str, parser: Any) -> None:
    paragraphs = [
        each for case in cases(file) for each in (case.text, *re.split(r"^(?=\w)", case.text, flags=re.MULTILINE))
    ]
    accepted = [*compared(parser, paragraphs)]
    assert accepted.count(False) > len(cases(file)) / 2


@sampled(2)
@pytest.mark.parametrize("seed", range(24))
def test_mutants_are_accepted_by_both_or_refused_by_both(seed: int, parser: Any) -> None:
    dice = random.Random(seed)
    paragraphs = [each for file in SHIPPED for each in re.split(r"^(?=[a-z])", read(file), flags=re.MULTILINE)]
    changed = [mutant(dice.choice(paragraphs), dice) for _ in range(MUTANTS)]
    accepted = [*compared(parser, changed)]
    assert accepted.count(True) > MUTANTS / 20
    assert accepted.count(False) > MUTANTS / 2


def compared(parser: Any, many: list[str]) -> Iterator[bool]:
    """Compare what both parsers make of texts; return which of them Tree-sitter accepts."""
    for text in many:
        root = parser.parse(text.encode()).root_node
        if accepts(text):
            assert not root.has_error, text
            assert root.child_count == 0 or tree_of_node(root) == tree_of_text(text)
        else:
            assert root.has_error or accepts(text, lenient=True), text
        yield not root.has_error


def mutant(text: str, dice: random.Random) -> str:
    """Remove, add, replace or exchange one token of a text."""
    spans = [found.span(found.lastgroup or 0) for found in LANGUAGE_TOKEN.finditer(text)]
    at = dice.randrange(len(spans))
    (start, end), (later, last) = spans[at], spans[min(at + 1, len(spans) - 1)]
    other = dice.choice([*parser_tables().vocabulary.words, *parser_tables().vocabulary.symbols, *INSERTED * 8])
    return dice.choice(
        [
            text[:start] + text[end:],
            f"{text[:start]}{other} {text[start:]}",
            text[:start] + other + text[end:],
            text[:start] + text[later:last] + text[end:later] + text[start:end] + text[last:],
        ]
    )


def test_every_word_and_sign_has_one_capture(language: Any, parser: Any) -> None:
    query = binding().Query(language, read(QUERY))
    vocabulary = parser_tables().vocabulary
    for file in (TOY, *SHIPPED[::40]):
        captured: dict[tuple[int, str], list[str]] = {}
        root = parser.parse(file.read_bytes()).root_node
        for name, nodes in binding().QueryCursor(query).captures(root).items():
            for node in nodes:
                captured.setdefault((node.start_byte, node.type), []).append(name)
        assert [each for each, names in captured.items() if len(names) > 1] == []
        waiting = [root]
        while waiting:
            node = waiting.pop()
            waiting += node.children
            if node.child_count == 0 and node.type != "identifier":
                assert (node.start_byte, node.type) in captured, node
                assert node.is_named == (node.type not in {*vocabulary.words, *vocabulary.symbols})
