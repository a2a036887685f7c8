"""The grammar has no conflicts, each of its rules has a builder, and keywords remain usable as names."""

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from lark import Lark, logger

from compiler.source import grammar
from compiler.source.building import builders, whole_grammar
from compiler.source.grammar import STARTS, parser_tables
from compiler.source.parse import parse_expression, parse_rules
from tests.sample import sampled

T = TypeVar("T")

# Words that start an expression cannot be names in one.
RESERVED = {
    *"if not yes no all count some none every sum min max trailing leading least greatest".split(),
    *"reachable cheapest_cost cheapest_way linked".split(),
}


@sampled(0)
def test_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    # lark resolves a shift/reduce conflict silently, and logs it only at the level DEBUG.
    logger.addHandler(caplog.handler)
    before = logger.level
    logger.setLevel(logging.DEBUG)
    try:
        Lark(whole_grammar(), parser="lalr", start=list(STARTS), debug=True)
    finally:
        logger.setLevel(before)
        logger.removeHandler(caplog.handler)
    assert [each for each in caplog.messages if "conflict" in each.lower()] == []


@sampled(0)
def test_parser_tables_are_stored_and_rebuilt_if_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    toy = Path(__file__).with_name("toy.rules").read_text(encoding="utf-8")
    fresh = parse_rules(toy, "toy.rules")
    named = grammar._tables_file()
    assert named is not None
    Path(named).parent.mkdir(parents=True, exist_ok=True)
    Path(named).write_bytes(b"torn")
    for _ in range(2):
        parser_tables.cache_clear()
        assert parse_rules(toy, "toy.rules") == fresh
        assert [*tmp_path.rglob("*.tables")] == [Path(named)]
        assert Path(named).read_bytes() != b"torn"
    parser_tables.cache_clear()


def test_every_rule_has_a_builder() -> None:
    transparent = {str(rule.origin.name) for rule in parser_tables().lark.rules if rule.options.expand1}
    names = {rule.alias or rule.origin.name for rule in parser_tables().lark.rules}
    plain = {name for name in names if not name.startswith("_")} - transparent
    assert [name for name in sorted(plain) if not hasattr(builders(), name)] == []


def test_every_symbol_is_scanned() -> None:
    for sign in parser_tables().vocabulary.symbols:
        _, [slip] = parse_rules(sign, "signs.rules")
        assert "UnexpectedToken" in type(slip).__name__, sign


@pytest.mark.parametrize("word", sorted(set(parser_tables().vocabulary.words) - RESERVED))
def test_a_keyword_may_name_a_parameter(word: str) -> None:
    _, problems = parse_rules(f"define f({word}: unit) = g({word}) + {word}.{word}", "names.rules")
    assert problems == ()


def test_a_word_with_a_keyword_as_prefix_is_no_keyword() -> None:
    _, [slip] = parse_rules("rulebook fen cost is 1", "words.rules")
    assert "rulebook" in str(slip)
    expression, problems = parse_expression("iffy and nothing", "q")
    assert (expression is None, problems) == (False, ())


@sampled(0)
def test_an_archive_stores_the_parser_tables() -> None:
    stored: dict[str, Any] = {}
    built: list[str] = []

    class Memory:
        def find(self, name: str, digest: str, make: Callable[[], T]) -> T:
            if (key := f"{name} {digest}") not in stored:
                built.append(name)
                stored[key] = make()
            found: T = stored[key]
            return found

    first, second_archive = grammar._archived(Memory()), grammar._archived(Memory())
    assert built == ["grammar"]
    states = [each.parse_interactive(start="start").parser_state.parse_conf.states for each in (first, second_archive)]
    assert {key: sorted(row) for key, row in states[0].items()} == {key: sorted(row) for key, row in states[1].items()}
