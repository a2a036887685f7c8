"""Changes of three games as layers: they compile, are formatted, their examples pass, and `diff` reports them."""

import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from compiler.format.rules import format_rules
from compiler.source.parse import parse_rules
from rulewright.change import change_kinds
from rulewright.change.cells import find_cell, key_alternatives, key_words
from rulewright.change.change_forms import KINDS, ChangeForm
from rulewright.change.change_kinds import (
    AddOption,
    AddRuling,
    AddStatus,
    Allow,
    Change,
    ChangeRequest,
    Condition,
    Forbid,
    SetCell,
    SetDefault,
    SetFact,
    SetForce,
    SetNumber,
    SetPrinted,
    SetTrait,
    SetTurns,
)
from rulewright.change.declared_names import listed_permissions
from rulewright.change.draft import compiled_in, draft_layer
from rulewright.change.rule_numbers import amount_texts, rules_with_numbers, with_number
from rulewright.change.writing import cell_value_text
from rulewright.contrast.card_differences import cards_data, load_operand
from rulewright.contrast.differences import difference_of
from rulewright.errors import UsageError
from rulewright.library.stacks import load_stack
from rulewright.proofs import list_findings
from tests.sample import LONG, sampled

WHY = "It is so in our game"
MIST = Condition("scenario.mist", "", "")


def is_(subject: str, word: str, *, negated: bool = False) -> Condition:
    return Condition(subject, "is", word, negated)


# By stack: changes, a part of the written text, and the name under which `diff` reports them (empty: not compared).
CHANGES: dict[str, list[tuple[tuple[Change, ...], str, str]]] = {
    "two_clans": [
        ((SetCell("orders_of", ("drive",), "3", WHY),), "= 4 orders by 3 orders", "orders_of[drive]"),
        ((SetCell("orders_of", ("market|feast",), "2", WHY),), "expect: 1, now: 2", "orders_of[market|feast]"),
        ((SetCell("orders_of", ("market",), "2", WHY),), "[market] = 1 orders by 2", "orders_of[market]"),
        ((SetNumber("towns-buy", "2 herds", "3", WHY),), "replaces towns-buy expecting 2 herds", "worth"),
        ((SetPrinted("guard", "strength", "2", WHY),), "expect: 3, now: 2", "guard"),
        ((SetTrait("drovers", "hardy", is_present=True, prose=WHY),), "when band.counter = drovers", "band.hardy"),
        ((Forbid("may_march", (is_("to", "crag"), is_("b", "hardy", negated=True)), WHY),), "by", "forbid-march"),
        ((Allow("may_march", (is_("b", "hardy"),), WHY, ("two-to-an-area",)),), "two-to-an-area", "may_march"),
        ((SetDefault("may_march", "forbidden", WHY),), "forbidden by march-by-default", "march-by-default"),
        ((AddStatus("tired", "band", "T", "own_turn", WHY, "", "may_march"),), "mark X as tired", "tired"),
        ((AddStatus("snowed", "hex", "", "end of turn", WHY, "", "may_march"),), "mark A as snowed", "snowed"),
        ((AddOption("mist", WHY), Forbid("may_march", (MIST,), WHY)), "set scenario.mist to yes", "forbid-march"),
        ((AddOption("mist", WHY), Forbid("play_card", (MIST,), WHY)), "in which it is `refused`", "play_card"),
        ((AddRuling("Does a town count", "Two", "towns-buy"),), "because towns-buy", ""),
        ((SetForce("before_winter", "ash", "guard", 2, WHY),), "expect: 0, now: 2", "before_winter"),
        ((SetTurns("before_winter", 7, WHY),), "expect: 6, now: 7", "before_winter"),
    ],
    "long_frost": [
        ((SetCell("costs", ("forest", "snow"), "5", WHY),), "costs[forest, snow] =", "costs[forest, snow]"),
        ((SetNumber("rivers-cost", "2 MP", "3", WHY),), "adds 3 MP", "entry_cost"),
        ((SetPrinted("panzers", "movement", "5", WHY),), "column: movement", "panzers"),
        ((Forbid("may_enter", (is_("to", "ridge"), is_("a", "motorized")), WHY),), "by forbid-enter", "may_enter"),
        ((Forbid("may_entrain", (), WHY),), "write an example of your own", "may_entrain"),
        ((Allow("may_enter", (is_("a", "motorized"),), WHY, ("motors-keep-to-roads",)),), "= allowed", "may_enter"),
        ((SetDefault("on_rail", "yes", WHY),), "on_rail holds", "on_rail"),
        ((AddStatus("weary", "corps", "", "turn", WHY, "", "may_enter"),), "(weary)", "may_enter"),
        ((AddRuling("Do rivers cost", "They do", "rivers-cost"),), "because rivers-cost", ""),
        ((SetTurns("first_snow", 7, WHY),), "expect: 4, now: 7", "first_snow"),
        ((SetFact("first_snow", "trains", "4", WHY),), "fact: trains", "first_snow"),
    ],
    "panzer_leader": [
        ((SetCell("tec", ("slope", "truck"), "6", WHY),), "= 4 MP by 6 MP", "tec[slope, truck]"),
        ((SetCell("crt", ("1", "2-1"), "D", WHY),), 'column: "2-1", expect: X', "crt[1, 2-1]"),
        ((SetCell("tec", ("clear", "truck"), "barred", WHY),), "by barred", "tec[clear, truck]"),
        ((SetNumber("crowded-road", "3", "4", WHY),), ">= 4", "may_use_road"),
        ((SetPrinted("m4", "defense", "10", WHY),), "ask X.defense = 10 factors", "m4"),
        ((SetPrinted("m4", "weapon", "H", WHY),), "expect: A, now: H", "m4"),
        ((Forbid("may_enter", (is_("mover", "dispersed"), is_("to", "woods")), WHY),), "woods", "may_enter"),
        ((Allow("may_use_road", (is_("mover", "armored"),), WHY, ("crowded-road",)),), "= allowed", "may_use_road"),
        ((AddStatus("bogged", "unit", "Mud", "own_turn", WHY, "entered", "may_go_on"),), "after entered", "may_go_on"),
        ((AddRuling("Do three trucks end it", "They do", "crowded-road"),), "by crowded-road", ""),
        ((SetForce("bridge_at_millbrook", "german", "rifle", 9, WHY),), "expect: 6, now: 9", "bridge_at_millbrook"),
        ((SetFact("bridge_at_millbrook", "open_set_up", "no", WHY),), "fact: open_set_up", "bridge_at_millbrook"),
    ],
}  # fmt: skip
Case = tuple[str, tuple[Change, ...], str, str]
ALL: list[Case] = [(stack, *each) for stack, changes in CHANGES.items() for each in changes]


@cache
def sound(stack: str, changes: tuple[Change, ...], says: str) -> dict[str, str]:
    draft = draft_layer(load_stack(stack), ChangeRequest(stack, "trial_of_it", changes, kind="variant"), packages=())
    assert (draft.findings, draft.failed_titles) == ((), ())
    assert draft.example_count == len(changes), draft.text
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
        (SetCell("costs", ("x",), "5", WHY), "there is no chart `costs`"),
        (SetCell("orders_of", ("drivee",), "5", WHY), "did you mean `drive`"),
        (SetCell("orders_of", ("market|drive",), "2", WHY), "has no card `market|drive`"),
        (SetCell("orders_of", ("drive",), "many", WHY), "`many` cannot stand in `orders_of`"),
        (SetNumber("towns-buy", "7 herds", "3", WHY), "does not say `7 herds`"),
        (SetDefault("may_march", "allowed", WHY), "is allowed by default already"),
        (SetDefault("worth", "3", WHY), "`worth` is a value; write a rule of it in a layer"),
        (SetDefault("may_march", "maybe", WHY), "no default of `may_march` `maybe`"),
        (SetPrinted("guard", "speed", "2", WHY), "there is no column `speed`"),
        (SetPrinted("guard", "strength", "two", WHY), "is no amount"),
        (SetTrait("shepherds", "hardy", is_present=True, prose=WHY), "`shepherds` has `hardy` already"),
        (Forbid("may_fly", (), WHY), "there is no question of permission `may_fly`"),
        (Forbid("may_march", (is_("to", "wet"),), WHY), "cannot be asked here"),
        (Forbid("may_march", (), " "), "give the reason"),
        (Allow("march", (), WHY, prohibitions=()), "is an action"),
        (AddStatus("Wet!", "band", "", "turn", WHY), "is no name"),
        (AddStatus("wet", "band", "", "noon", WHY), "there is no moment `noon`"),
        (AddRuling("a", "b", "no-rule"), "there is no rule `no-rule`"),
        (SetTrait("guard", "hardy", is_present=False, prose=WHY), "`guard` lacks `hardy` already"),
        (SetForce("before_winter", "ash", "guard", 2, WHY, "the vanguard"), "no group `the vanguard`; there are none"),
        (SetForce("before_winter", "elm", "guard", 2, WHY), "has no force of `elm`"),
        (SetForce("before_winter", "ash", "drovers", 2, WHY), "drovers there: it is 2 already"),
        (SetForce("before_winter", "ash", "drovers", 1, WHY), "places 2 drovers of ash in their hexes"),
        (SetTurns("before_winter", 6, WHY), "it is 6 already"),
        (SetTurns("before_spring", 6, WHY), "before_spring"),
    ],
)
def test_a_change_of_an_unknown_name_is_refused(change: Change, says: str) -> None:
    with pytest.raises(UsageError, match=r"\w") as refused:
        draft_layer(
            load_stack("two_clans"), ChangeRequest("two_clans", "trial_of_it", (change,), kind="variant"), packages=()
        )
    assert says in str(refused.value)


def test_another_piece_of_a_force_that_is_placed_is_refused_where_no_rule_lets_it_come() -> None:
    change = SetForce("before_the_tide", "north", "elder", 3, WHY)
    with pytest.raises(UsageError, match="no area where another elder of north could start"):
        draft_layer(
            load_stack("low_tide"), ChangeRequest("low_tide", "trial_of_it", (change,), kind="variant"), packages=()
        )


def test_a_placed_force_is_counted_on_the_map_in_the_remark() -> None:
    """The remark gives two bands that start in areas of the game, although the card has no count of them."""
    files = sound("two_clans", (SetForce("before_winter", "ash", "drovers", 3, WHY),), "expect: 0, now: 3")
    assert "# under two_clans: 2\n" in files["changes.rules"]


def test_an_error_of_the_drafted_layer_has_its_line() -> None:
    draft = draft_layer(
        load_stack("two_clans"),
        ChangeRequest("two_clans", "trial_of_it", (SetPrinted("guard", "strength", "9", WHY),), kind="variant"),
        packages=(),
    )
    assert not draft.is_sound
    assert draft.findings[0].startswith("trial_of_it/counters.yaml:5:")


def test_quotes_and_line_ends_of_a_sentence_are_replaced() -> None:
    why = 'He said "no"\nrule x [house] {'
    draft = draft_layer(
        load_stack("two_clans"),
        ChangeRequest("two_clans", "trial_of_it", (SetCell("orders_of", ("drive",), "5", why),), kind="variant"),
        packages=(),
    )
    assert draft.is_sound
    assert draft.files["changes.rules"].startswith("rule orders-of-drive [TOI.1] \"He said 'no' rule x [house] {.\"")


def test_every_kind_of_change_has_a_form() -> None:
    forms = (Path(change_kinds.__file__).parent / "change_forms.py").read_text(encoding="utf-8")
    assert [each.__name__ for each in get_args(Change) if f"kinds.{each.__name__}(" not in forms] == []


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
