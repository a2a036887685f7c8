"""Errors of people who know other games or other languages: each diagnostic has a message and a correction."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.report.diagnose import diagnose
from compiler.source.parse import parse_rules
from tests.analysis.planted import library_of

RULES = """side north, south
kind cart has room: 0..4
record order {by: side}
feature hex: bog
verdict may_go(c: cart) default allowed
verdict may_rest(c: cart) default allowed
rule stuck "Stuck."  may_go forbidden  when CONDITION
"""
CARTS = "pieces: cart\ncites: house\ncolumns: [id, room]\nrows: [[dray, 4]]\n"
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"


@pytest.mark.parametrize(
    ("condition", "message", "help_"),
    [
        ("c is dray", "a cart cannot be `dray`", "write `c.counter = dray`"),
        ("c is not dray", "a cart cannot be `dray`", "write `c.counter != dray`"),
        ("c.hex = bog", "`bog` is a feature of hex, not a value", "write `.. is bog`"),
        (
            "c has load|freight",
            "`|` is only possible between words after `is`",
            "repeat the test, with `or` in between",
        ),
        (
            "c.side in [north, south]",
            "brackets are for sources, not for sets",
            "write `{north, south}`",
        ),
        (
            "may_rest(c) = forbidden",
            "`forbidden` is not a value: answers are `yes` or `no`",
            "write `no`, or `not` before the question",
        ),
        (
            "cart at c.hex >= 3",
            "`cart at c.hex` is set of cart, not a number",
            "count its members, `count(cart at c.hex) >= 3`",
        ),
        (
            "none(cart)",
            "`cart` is a kind, but a set is needed here",
            "write `all cart`",
        ),
        (
            "some(o in order where o.by = north)",
            "`order` is a kind, but a set is needed here",
            "write `all order`",
        ),
        (
            "count(hex) > 3",
            "`hex` is a kind, but a set is needed here",
            "write `all hex`",
        ),
    ],
)
def test_an_error_of_a_condition(condition: str, message: str, help_: str, tmp_path: Path) -> None:
    files = {"layer.yaml": LAYER, "rules.rules": RULES.replace("CONDITION", condition), "carts.yaml": CARTS}
    library = library_of(files, tmp_path)
    found = diagnose(compile_stack(library, "planted").problems, library.texts)
    assert [(each.message, each.help) for each in found] == [(message, help_)]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ('rule lazy "Nobody goes."', "`lazy` has no effect, as it has neither a conclusion nor a relation"),
        (
            'rule lazy "Nobody goes."  when c.room > 3',
            "`lazy` has no effect, as it has neither a conclusion nor a relation",
        ),
    ],
)
def test_a_rule_that_does_nothing(rule: str, message: str, tmp_path: Path) -> None:
    text = RULES.replace("CONDITION", "c.room > 3")
    library = library_of({"layer.yaml": LAYER, "rules.rules": f"{text}{rule}\n", "carts.yaml": CARTS}, tmp_path)
    found = diagnose(compile_stack(library, "planted").problems, library.texts)
    assert [(each.code, each.message) for each in found] == [("R0411", message)]


def test_a_replacement_that_expects_a_number_of_a_verdict(tmp_path: Path) -> None:
    text = RULES.replace("CONDITION", "c.room > 3")
    above = 'rule held "Held."  may_go forbidden  replaces stuck expecting 3\n'
    files = {
        "planted/layer.yaml": LAYER, "planted/rules.rules": text, "planted/carts.yaml": CARTS,
        "over/layer.yaml": "layer: over\ntitle: Over\nkind: variant\non: [planted]\ncites: house\n",
        "over/a.rules": above,
    }  # fmt: skip
    library = library_of(files, tmp_path)
    found = diagnose(compile_stack(library, "planted+over").problems, library.texts)
    assert [each.message for each in found] == ["`stuck` is `forbidden`, not `3` as this change expects"]


def test_a_name_with_a_wrong_value_is_reported_once(tmp_path: Path) -> None:
    text = RULES.replace("CONDITION", "third > 3").replace(
        "  when third",
        "  with first = c.rom  with second = first + 1  with third = second + first  when third",
    )
    library = library_of({"layer.yaml": LAYER, "rules.rules": text, "carts.yaml": CARTS}, tmp_path)
    found = diagnose(compile_stack(library, "planted").problems, library.texts)
    assert [each.code for each in found] == ["R0201"], [each.message for each in found]


def test_a_wrong_declaration_is_reported_once_and_not_at_each_use(tmp_path: Path) -> None:
    uses = "".join(f"define use{n}(): yes_no [house] = taken() = {n} coins\n" for n in range(3))
    text = f"measure coins, miles\ndefine taken(): 0..9 miles [house] = 2 miles\n{uses}"
    library = library_of({"layer.yaml": LAYER, "rules.rules": text}, tmp_path)
    [found] = diagnose(compile_stack(library, "planted").problems, library.texts)
    assert [label.text for label in found.spans] == ["here", "also here", "also here"]


@pytest.mark.parametrize(("value", "advice"), [("count(all cart)", "`1 coins`"), ("3", "`3 coins`")])
def test_a_count_in_the_place_of_an_amount_is_multiplied_by_one(value: str, advice: str, tmp_path: Path) -> None:
    text = f"measure coins\nkind cart\ndefine wealth(): 0..99 coins [house] = 2 coins + {value}\n"
    library = library_of({"layer.yaml": LAYER, "rules.rules": text}, tmp_path)
    found = diagnose(compile_stack(library, "planted").problems, library.texts)
    assert [each.code for each in found] == ["R0402"], [each.message for each in found]
    assert advice in found[0].help


@pytest.mark.parametrize(
    ("text", "message", "help_"),
    [
        (
            'rule a [T.1] "A."\n  replaces b expecting 5\n  length adds 4\n',
            "the conclusion of a rule comes before its relations and conditions",
            "put it right after the text",
        ),
        (
            "sum t(b: unit): MP capped -2 MP..2 MP\n",
            "the measure of a range comes after its second end",
            "write `LOW..HIGH MP`",
        ),
        (
            "define t(u: unit): leader? [T.1] = u\n",
            "`?` is only possible for fields of records",
            "write `otherwise ..`",
        ),
        ("relation r(a: unit?, b: unit)\n", "`?` is only possible for fields of records", "write `otherwise ..`"),
        (
            'rule a [T.1] "A."\n  t holds\n  when a is b ? c : d\n',
            "`?` is not a sign of the language",
            "write `if CONDITION then A else B`",
        ),
        (
            'example "a" {\n  row A\n  for each h in {A} { mark h as x }\n}\n',
            "an example cannot have a loop",
            "a row for each case",
        ),
        (
            'example "a" {\n  row A\n  ask 3 = if A is x then 3 else 4\n}\n',
            "`if` needs parentheses here",
            "write `(if CONDITION then VALUE else VALUE)`",
        ),
        ("define t(): 0..9 = 1 + if yes then 1 else 2\n", "`if` needs parentheses here", "write `(if"),
        (
            'example "a" {\n  row A\n  if A is x { mark A as x }\n}\n',
            "an example cannot have a branch",
            "write the line that applies",
        ),
        (
            "define t(u: unit): yes_no [T.1] = some(f in unit within 1 of u.hex where f is tired)\n",
            "`within` cannot stand after `unit` in `define t`",
            "write `for`",
        ),
    ],
)
def test_a_syntax_error(text: str, message: str, help_: str) -> None:
    found = diagnose(parse_rules(text, "a.rules")[1], {"a.rules": text})
    assert found
    assert message in found[0].message
    assert help_ in found[0].help


@pytest.mark.parametrize(
    "declaration", ["event gone(c: cart)", "record note {by: side}", 'requires side.toll "to pay"']
)
def test_a_declaration_after_an_unfinished_paragraph_is_read(declaration: str) -> None:
    text = f'action go by player in moving [house] "Go." {{\n  tell gone(c\n{declaration}\nmeasure miles\n'
    read, problems = parse_rules(text, "x.rules")
    assert len(problems) == 1
    assert [statement.span.line for statement in read.statements][-2:] == [3, 4]
