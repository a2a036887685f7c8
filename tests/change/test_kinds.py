"""Changes of three games as layers: they compile, are formatted, their examples pass, and `diff` reports them."""

import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from compiler.format.rules import format_rules
from compiler.source.parse import parse_rules
from rulewright.checks.proofs import list_findings
from rulewright.lab.contrast.card_differences import cards_data, load_operand
from rulewright.lab.contrast.differences import difference_of
from rulewright.library.stacks import load_stack
from rulewright.serve.cli.change import WORDS
from rulewright.system.errors import UsageError
from rulewright.write.change.cells import find_cell, key_alternatives, key_words
from rulewright.write.change.change_form import ChangeForm, ChangeRequest
from rulewright.write.change.change_forms import KINDS
from rulewright.write.change.declared_names import listed_permissions
from rulewright.write.change.draft import NO_EXAMPLE, Draft, compiled_in, draft_layer
from rulewright.write.change.rule_numbers import amount_texts, rules_with_numbers, with_number
from rulewright.write.change.writing import cell_value_text
from tests.sample import LONG, sampled

WHY = "It is so in our game"


def request(stack: str, *changes: str) -> ChangeRequest:
    """Return a request of changes, each in the words of the command."""
    return ChangeRequest(stack, "trial_of_it", tuple(map(filled_in, changes)), kind="variant")


def filled_in(words: str) -> tuple[str, dict[str, list[str]]]:
    """Return the kind and the values of a change."""
    head, *options = words.split(" --")
    kind, *arguments = shlex.split(head)
    values: dict[str, list[str]] = {}
    for option in options:
        name, value = shlex.split(option)
        values.setdefault(name, []).append(value)
    values.setdefault("why", [WHY])
    if kind == "cell":
        chart, *keys, now = arguments
        return kind, {**values, "chart": [chart], "keys": keys, "now": [now]}
    return kind, {**values, **{name: [word] for name, word in zip(WORDS[kind], arguments, strict=True)}}


def drafted(stack: str, *changes: str) -> Draft:
    """Draft a layer with some changes."""
    return draft_layer(load_stack(stack), request(stack, *changes), packages=())


BOGGED = "status bogged --of unit --marker Mud --until own_turn --after entered --forbids may_go_on"
# By stack: changes, a part of the written text, and the name under which `diff` reports them (empty: not compared).
CHANGES: dict[str, list[tuple[tuple[str, ...], str, str]]] = {
    "two_clans": [
        (("cell orders_of drive 3",), "= 4 orders by 3 orders", "orders_of[drive]"),
        (("cell orders_of market|feast 2",), "expect: 1, now: 2", "orders_of[market|feast]"),
        (("cell orders_of market 2",), "[market] = 1 orders by 2", "orders_of[market]"),
        (("number towns-buy '2 herds' 3",), "replaces towns-buy expecting 2 herds", "worth"),
        (("printed guard strength 2",), "expect: 3, now: 2", "guard"),
        (("trait drovers hardy yes",), "when band.counter = drovers", "band.hardy"),
        (("forbid may_march --when 'to is crag' --when 'b is not hardy'",), "by", "forbid-march"),
        (("allow may_march --when 'b is hardy' --against two-to-an-area",), "two-to-an-area", "may_march"),
        (("status tired --of band --marker T --until own_turn --forbids may_march",), "mark X as tired", "tired"),
        (("status snowed --of hex --until 'end of turn' --forbids may_march",), "mark A as snowed", "snowed"),
        (("force before_winter ash guard 2",), "expect: 0, now: 2", "before_winter"),
        (("turns before_winter 7",), "expect: 6, now: 7", "before_winter"),
    ],
    "long_frost": [
        (("cell costs forest snow 5",), "costs[forest, snow] =", "costs[forest, snow]"),
        (("number rivers-cost '2 MP' 3",), "adds 3 MP", "entry_cost"),
        (("number rivers-cost 2 3",), "adds 3 MP", "entry_cost"),
        (("printed panzers movement 5",), "column: movement", "panzers"),
        (("forbid may_enter --when 'to is ridge' --when 'a is motorized'",), "by forbid-enter", "may_enter"),
        (("forbid may_entrain",), "forbidden by forbid-entrain", "may_entrain"),
        (("allow may_enter --when 'a is motorized' --against motors-keep-to-roads",), "= allowed", "may_enter"),
        (("status weary --of corps --until turn --forbids may_enter",), "(weary)", "may_enter"),
        (("turns first_snow 7",), "expect: 4, now: 7", "first_snow"),
        (("fact first_snow trains 4",), "fact: trains", "first_snow"),
    ],
    "panzer_leader": [
        (("cell tec slope truck 6",), "= 4 MP by 6 MP", "tec[slope, truck]"),
        (("cell crt 1 2-1 D",), 'column: "2-1", expect: X', "crt[1, 2-1]"),
        (("cell tec clear truck barred",), "by barred", "tec[clear, truck]"),
        (("number crowded-road 3 4",), ">= 4", "may_use_road"),
        (("printed m4 defense 10",), "ask X.defense = 10 factors", "m4"),
        (("printed m4 weapon H",), "expect: A, now: H", "m4"),
        (("forbid may_enter --when 'mover is dispersed' --when 'to is woods'",), "woods", "may_enter"),
        (("allow may_use_road --when 'mover is armored' --against crowded-road",), "= allowed", "may_use_road"),
        ((BOGGED,), "after entered", "may_go_on"),
        (("force bridge_at_millbrook german rifle 9",), "expect: 6, now: 9", "bridge_at_millbrook"),
        (("fact bridge_at_millbrook open_set_up no",), "fact: open_set_up", "bridge_at_millbrook"),
    ],
}  # fmt: skip
Case = tuple[str, tuple[str, ...], str, str]
ALL: list[Case] = [(stack, *each) for stack, changes in CHANGES.items() for each in changes]


@cache
def sound(stack: str, changes: tuple[str, ...], says: str) -> dict[str, str]:
    draft = drafted(stack, *changes)
    assert (draft.findings, draft.failed_titles) == ((), ())
    written = sum(line.startswith("example ") for line in draft.text.splitlines())
    assert written >= len(changes), draft.text
    assert NO_EXAMPLE not in draft.text, draft.text
    assert says in draft.text, draft.text
    for file, text in draft.files.items():
        assert not file.endswith(".rules") or format_rules(text, file) == (text, ())
    return dict(draft.files)


# Every run has each change of one small game, and the text of some changes of the others, whose proofs and comparisons
# take longer.
SAMPLED = ("by forbid-enter", "fact: trains", "= allowed", 'column: "2-1", expect: X')
EACH = [each if each[0] == "two_clans" or each[2] in SAMPLED else pytest.param(each, marks=LONG) for each in ALL]
COMPARED = [each if each[0] == "two_clans" else pytest.param(each, marks=LONG) for each in ALL]


@sampled(3)
@pytest.mark.parametrize("case", EACH, ids=str)
def test_a_drafted_layer_compiles_and_its_examples_pass(
    case: Case,
) -> None:
    stack, changes, says, _ = case
    sound(stack, changes, says)


@sampled(1)
@pytest.mark.parametrize("case", COMPARED, ids=str)
def test_check_has_no_error_and_diff_reports_the_change(case: Case, tmp_path: Path) -> None:
    stack, changes, says, expected = case
    folder = tmp_path / "trial_of_it"
    folder.mkdir()
    for file, text in sound(stack, changes, says).items():
        (folder / file).write_text(text, encoding="utf-8")
    below, changed = load_stack(stack), compiled_in(f"{stack}+trial_of_it", [tmp_path])
    assert [each for each in list_findings(changed) if each.severity.value == "error"] == []
    found = difference_of(below, changed)
    names = [each.change.name for each in found.changes] + [each.term for each in found.terms if each.groups]
    names += [each["a"] for each in cards_data(load_operand(below.name, []), load_operand(changed.name, [tmp_path]))]
    names += [each.counter for each in found.counters]
    assert not expected or any(expected in each for each in names), names


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("cell costs x 5", "there is no chart `costs`"),
        ("cell orders_of drivee 5", "did you mean `drive`"),
        ("cell orders_of market|drive 2", "has no card `market|drive`"),
        ("cell orders_of drive many", "`many` cannot stand in `orders_of`"),
        ("number towns-buy '7 herds' 3", "does not say `7 herds`"),
        ("printed guard speed 2", "there is no column `speed`"),
        ("printed guard strength two", "is no amount"),
        ("trait shepherds hardy yes", "`shepherds` has `hardy` already"),
        ("forbid may_fly", "there is no question of permission `may_fly`"),
        ("forbid may_march --why ' '", "give the reason"),
        ("allow march", "is an action"),
        ("status Wet! --of band --until turn", "is no name"),
        ("status wet --of band --until noon", "there is no moment `noon`"),
        ("trait guard hardy no", "`guard` lacks `hardy` already"),
        ("force before_winter ash guard 2 --group 'the vanguard'", "no group `the vanguard`; there are none"),
        ("force before_winter elm guard 2", "has no force of `elm`"),
        ("force before_winter ash drovers 2", "drovers there: it is 2 already"),
        ("force before_winter ash drovers 1", "places 2 drovers of ash in their hexes"),
        ("turns before_winter 6", "it is 6 already"),
        ("turns before_spring 6", "before_spring"),
    ],
)
def test_a_change_of_an_unknown_name_is_refused(change: str, says: str) -> None:
    with pytest.raises(UsageError, match=re.escape(says)):
        drafted("two_clans", change)


def test_another_piece_of_a_force_that_is_placed_is_refused_where_no_rule_lets_it_come() -> None:
    with pytest.raises(UsageError, match="no area where another elder of north could start"):
        drafted("low_tide", "force before_the_tide north elder 3")


def test_a_placed_force_is_counted_on_the_map_in_the_remark() -> None:
    """The remark gives two bands that start in areas of the game, although the card has no count of them."""
    files = sound("two_clans", ("force before_winter ash drovers 3",), "expect: 0, now: 3")
    assert "# under two_clans: 2\n" in files["changes.rules"]


def test_an_error_of_the_drafted_layer_has_its_line() -> None:
    draft = drafted("two_clans", "printed guard strength 9")
    assert not draft.is_sound
    assert draft.findings[0].startswith("trial_of_it/counters.yaml:5:")


def test_quotes_and_line_ends_of_a_sentence_are_replaced() -> None:
    draft = drafted("two_clans", "cell orders_of drive 5 --why 'He said \"no\"\nrule x [house] {'")
    assert draft.is_sound
    assert draft.files["changes.rules"].startswith("rule orders-of-drive [TOI.1] \"He said 'no' rule x [house] {.\"")


def test_the_name_of_a_column_that_begins_with_a_number_stands_whole_in_a_table() -> None:
    graph = load_stack("panzer_leader").graph
    assert graph is not None
    assert cell_value_text(graph.tables["flak_columns"], "'8 or less'") == "8 or less"
    assert cell_value_text(graph.tables["tec"], "barred") == "barred"


def test_every_cell_that_the_form_offers_is_found() -> None:
    graph = load_stack("panzer_leader").graph
    assert graph is not None
    offered_count = 0
    for table in graph.tables.values():
        for row in table.rows:
            labels = key_words(graph, table, row)
            for place, parts in enumerate(key_alternatives(table, row, graph.vocabulary)):
                for part in parts:
                    find_cell(graph, table, [*labels[:place], part, *labels[place + 1 :]])
                    offered_count += 1
    assert offered_count > 400


def test_a_long_list_of_verdicts_is_cut_after_a_name_with_a_count() -> None:
    graph = load_stack("panzer_leader").graph
    assert graph is not None
    verdicts = sum(each.form == "verdict" for each in graph.terms.values())
    text = listed_permissions(graph)
    assert re.fullmatch(r"`\w+`(, `\w+`)+ and \d+ more", text)
    assert text.count("`") // 2 + int(text.split()[-2]) == verdicts


@pytest.mark.parametrize("stack", ["low_tide", "two_clans"])
def test_rules_offered_for_another_number_are_those_that_have_one(stack: str) -> None:
    loaded = load_stack(stack, ())
    assert loaded.graph is not None
    with_amounts = {each.label for each in loaded.graph.rules.values() if each.terms and amount_texts(loaded, each)}
    offered = KINDS["number"].fields(ChangeForm(loaded, loaded.graph, {}))[0].choices
    assert {each.value for each in offered} == with_amounts
    assert 0 < len(with_amounts) < len(loaded.graph.rules)


@sampled(0)
def test_a_rule_with_another_number_keeps_its_parentheses() -> None:
    """The spans of expressions leave out the parentheses around them."""
    stack, tried = load_stack("panzer_leader"), 0
    assert stack.graph is not None
    for rule in rules_with_numbers(stack.graph):
        texts = amount_texts(stack, rule)
        for number in (each for each in texts if texts.count(each) == 1):
            text = with_number(stack, rule, number, "7", f'rule other [house] "{WHY}"')
            assert parse_rules(text, "other.rules")[1] == (), text
            tried += 1
    assert tried
