"""The tree of every construct of the language, compared with a stored dump."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from compiler.source.findings.unexpected_token import UnexpectedToken
from compiler.source.nodes import PathSetting, Rule, Word
from compiler.source.parse import parse_expression, parse_rules, parse_type
from compiler.source.span import NOWHERE, Span
from tests.stages.source.plain import plain

HERE = Path(__file__).parent
TOY = (HERE / "toy.rules").read_text(encoding="utf-8")


def test_the_tree_of_the_toy(reset: bool) -> None:
    parsed, problems = parse_rules(TOY, "toy.rules")
    assert problems == ()
    dump = "\n".join(line for statement in parsed.statements for line in plain(statement)) + "\n"
    golden = HERE / "toy.dump"
    if reset:
        golden.write_text(dump, encoding="utf-8")
    assert dump == golden.read_text(encoding="utf-8")


def test_the_span_of_a_word_contains_its_text() -> None:
    parsed, _ = parse_rules(TOY, "toy.rules")
    lines = TOY.split("\n")
    words = [node for node in nodes(parsed) if isinstance(node, Word)]
    assert len(words) > 300
    for word in words:
        written = lines[word.span.line - 1][word.span.column - 1 : word.span.end_column - 1]
        # A citation may be abbreviated or a range, and a quoted name has quotes in the text only.
        assert word.text in (written, written.strip("'")) or written.startswith(".") or "-." in written, word


def test_the_span_of_a_node_contains_those_of_its_children() -> None:
    parsed, _ = parse_rules(TOY, "toy.rules")
    for node in nodes(parsed):
        for below in children(node):
            if isinstance(node, PathSetting):
                # Several trails share the word of their path.
                continue
            start, end = (node.span.line, node.span.column), (node.span.end_line, node.span.end_column)
            inner = below.span
            assert start <= (inner.line, inner.column) <= (inner.end_line, inner.end_column) <= end, (node, below)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings_of_other_systems(ending: str) -> None:
    assert parse_rules(TOY.replace("\n", ending), "toy.rules") == parse_rules(TOY, "toy.rules")


def test_a_byte_order_mark_is_skipped() -> None:
    assert parse_rules("\ufeff" + TOY, "toy.rules") == parse_rules(TOY, "toy.rules")


def test_an_embedded_text_has_spans_of_its_file() -> None:
    parsed, problems = parse_rules('rule fen [T.1] "x"\n  cost is 1\nrule', "card.yaml", Span("card.yaml", 7, 3, 9, 1))
    [fen] = parsed.statements
    assert isinstance(fen, Rule)
    assert fen.label.span == Span("card.yaml", 7, 8, 7, 11)
    assert fen.conclusion is not None
    assert fen.conclusion.span == Span("card.yaml", 8, 5, 8, 14)
    [slip] = problems
    assert isinstance(slip, UnexpectedToken)
    assert slip.span == Span("card.yaml", 9, 7, 9, 7)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a + b - c", "Arithmetic op=- | left: Arithmetic op=+ | left: a | right: b | right: c"),
        ("a + b * c", "Arithmetic op=+ | left: a | right: Arithmetic op=* | left: b | right: c"),
        ("7/2 MP", "Amount value=7/2 measure=MP"),
        ("6 / 2", "Arithmetic op=/ | left: Amount value=6 | right: Amount value=2"),
        ("-x.y", "Minus | operand: Field name=y | base: x"),
        ("a or b and not c", "Either | parts: a | parts: Both | parts: b | parts: Not | operand: c"),
        ("(a or b).c", "Field name=c | base: Either | parts: a | parts: b"),
        ("x is not f|'g h'", "IsTest words=f,g h negated=True | subject: x"),
        ("x not in a..b", "InTest negated=True | element: x | collection: Range | low: a | high: b"),
        ("fare[a, 'b'].cost", "Field name=cost | base: Cell table=fare | keys: a | keys: Quoted text=b"),
        ("{}", "SetLiteral"),
        ("to", "to"),
        ("rule", "rule"),
        ("max(a, b)", "Call name=max | arguments: a | arguments: b"),
        ("max(a)", "Aggregate op=max | body: a"),
        ("none(x in s)", "Aggregate op=none | binder: Binder name=x | source: s"),
    ],
)  # fmt: skip
def test_expressions(text: str, tree: str) -> None:
    expression, problems = parse_expression(text, "q")
    assert problems == ()
    assert " | ".join(line.strip().replace("Name id=", "") for line in plain(expression)) == tree


def test_the_tree_of_a_type() -> None:
    type_, problems = parse_type("list of -3..12 MP", "t", start_span=NOWHERE)
    assert problems == ()
    assert [line.strip() for line in plain(type_)] == ["ManyType shape=list", "of: RangeType low=-3 high=12 measure=MP"]


@pytest.mark.parametrize("text", ["", "a b", "a +", "(", "rule fen", "1..", "x ="])
def test_an_invalid_expression_is_one_problem(text: str) -> None:
    expression, problems = parse_expression(text, "q")
    assert expression is None
    assert len(problems) == 1


@pytest.mark.parametrize(
    ("written", "ids"),
    [
        ("T.1", "T.1"),
        ("TQ.LANE.02 .03", "TQ.LANE.02 TQ.LANE.03"),
        ("TQ.LANE.02 .03, TS.DIG-OUT.04-.06", "TQ.LANE.02 TQ.LANE.03 TS.DIG-OUT.04 TS.DIG-OUT.05 TS.DIG-OUT.06"),
        ("TQ.1940.11 .13-.14", "TQ.1940.11 TQ.1940.13 TQ.1940.14"),
        ("T.9-.11", "T.9 T.10 T.11"),
        ("TS.DIG-OUT.9-TS.DIG-OUT.11", "TS.DIG-OUT.9 TS.DIG-OUT.10 TS.DIG-OUT.11"),
        ("T.VII.J", "T.VII.J"),
        ("house", "house"),
        ("T.1,\n   .2", "T.1 T.2"),
    ],
)
def test_abbreviated_citations_are_expanded(written: str, ids: str) -> None:
    parsed, problems = parse_rules(f'rule fen [{written}] "x" cost is 1', "f")
    assert problems == ()
    [fen] = parsed.statements
    assert isinstance(fen, Rule)
    assert [cite.text for cite in fen.cites] == ids.split()


def children(node: Any) -> Iterator[Any]:
    """Yield the nodes directly below a node."""
    waiting = [getattr(node, part.name) for part in fields(node) if part.name != "span"]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif is_dataclass(part):
            yield part


def nodes(root: Any) -> Iterator[Any]:
    """Yield the nodes of a tree, the root first."""
    yield root
    for below in children(root):
        yield from nodes(below)
