"""Terms that are special to what is known where they are asked: which there are, and that they answer the same."""

from dataclasses import replace
from itertools import pairwise

import pytest

from bench.playing import situation
from runtime.answer.generate import GeneratedEvaluator, module
from runtime.answer.specialization import MARK, Specialization
from runtime.answer.written_out import folded
from runtime.graph import nodes as graph

RED, BLUE = graph.Member("color", "red"), graph.Member("color", "blue")
YES, NO, OPEN = graph.Truth(value=True), graph.Truth(value=False), graph.Var("x")


@pytest.mark.parametrize(
    ("op", "parts", "left"),
    [
        ("=", (RED, BLUE), NO),
        ("!=", (RED, BLUE), YES),
        ("in", (RED, graph.SetOf((BLUE, RED))), YES),
        ("not", (NO,), YES),
        ("if", (NO, RED, BLUE), BLUE),
        ("and", (YES, OPEN), OPEN),
        ("and", (OPEN, NO), NO),
        ("or", (NO, OPEN, NO), OPEN),
        ("or", (OPEN, YES), YES),
        ("and", (YES, YES), YES),
        ("=", (RED, OPEN), graph.Op("=", (RED, OPEN))),
    ],
)
def test_what_is_written_out_is_settled(op: str, parts: tuple[graph.Expr, ...], left: graph.Expr) -> None:
    assert folded(op, parts) == left


def test_rules_that_cannot_speak_are_gone() -> None:
    rules = situation("bridge_at_millbrook")
    special = Specialization(rules)
    asked = special.of(graph.Ask("struck", (graph.Var("attack"), graph.Member("part", "chosen"))))
    assert asked == graph.Ask("struck@chosen", (graph.Var("attack"),))
    left = special.rules.terms["struck@chosen"]
    assert 0 < len(left.rules) < len(rules.terms["struck"].rules)
    assert [p.name for p in left.parameters] == ["attack"]
    assert "struck@chosen" in special.made


def test_what_settles_nothing_makes_no_term() -> None:
    rules = situation("bridge_at_millbrook")
    special = Specialization(rules)
    written = graph.Ask("observers", (graph.Member("side", "german"), graph.Var("h")))
    assert special.of(written) == written
    assert not [name for name in special.rules.terms if name.startswith("observers" + MARK)]


def test_special_functions_can_be_read_and_name_no_rule_that_nobody_wrote() -> None:
    text = module(situation("bridge_at_millbrook"), ["may_make"])
    assert "def struck_chosen(s, attack):" in text
    assert "def struck_chosen_why" not in text
    assert MARK not in text
    compile(text, "module", "exec")


def test_terms_as_they_stand_keep_their_rules() -> None:
    rules = situation("bridge_at_millbrook")
    special = GeneratedEvaluator(rules).special
    for name, term in rules.terms.items():
        assert special.of_term(name).rules == term.rules


def test_terms_that_ask_each_other_however_deep_are_written_anew() -> None:
    rules = situation("bridge_at_millbrook")
    model = rules.terms["terrain_price"]
    names = [model.name, *(f"deep{number}" for number in range(2_000))]
    arguments = tuple(graph.Var(parameter.name) for parameter in model.parameters)
    deep = {
        name: replace(model, name=name, rules=(), otherwise=graph.Ask(asked, arguments))
        for asked, name in pairwise(names)
    }
    special = Specialization(replace(rules, terms={**rules.terms, **deep}))
    assert special.of_term(names[-1]).otherwise == graph.Ask(names[-2], arguments)
    assert special.standing >= deep.keys()
