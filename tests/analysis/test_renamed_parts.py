"""Rules and charts that are only renamed are reported as renamed; their other changes are reported as well."""

from pathlib import Path

import pytest

from runtime.graph import nodes as graph
from runtime.witness.alike_graphs import with_names_of
from runtime.witness.behavioral_diff import behavioral_diff
from runtime.witness.structural_difference import structural_difference
from tests.analysis.edited import Edit, compare_edited
from tests.analysis.planted import compiled
from tests.sample import sampled

NOTHING_ELSE = "No question is answered differently: "
RENAMED: dict[str, tuple[tuple[Edit, ...], tuple[str, ...]]] = {
    "a rule": ((("*", r"\btowns-buy\b", "fells-buy"),), ("towns-buy: it is now called fells-buy",)),
    "a rule that others overrule": (
        (("*", r"\bcrags-take-more\b", "steep"),), ("crags-take-more: it is now called steep",)
    ),
    "a chart": ((("*", r"\borders_of\b", "orders_on"),), ("chart orders_of: it is now called orders_on",)),
}  # fmt: skip


@sampled(1)
@pytest.mark.parametrize("case", RENAMED)
def test_a_renamed_part_is_one_change_without_effect(tmp_path: Path, case: str) -> None:
    edits, lines = RENAMED[case]
    data, text = compare_edited("two_clans", edits, tmp_path)
    assert text.startswith(NOTHING_ELSE)
    assert all(f"  {line}\n" in f"{text}\n" for line in lines)
    assert not [each for each in data["changes"] if each["operation"] in {"new", "gone", "changed"} and each["kind"] in
                {"rule", "question", "procedure", "chart", "counter", "record", "track"}]  # fmt: skip


def test_a_moved_exception_to_a_renamed_rule_is_a_difference(tmp_path: Path) -> None:
    """The rule has another label, and a rule that overruled it overrules another one."""
    edits = (
        ("*", "frozen-crags", "icy-crags"),
        ("steps.rules", "    exception to icy-crags\n", "    exception to two-to-an-area\n"),
        ("steps.rules", "because hardy-in-frost\n", "because orders-run-out\n"),
    )
    _, text = compare_edited("two_clans", edits, tmp_path)
    assert "may_march(S, Here, Peak): allowed under A, forbidden under B" in text
    assert "\nhardy-in-frost\n" in text
    assert "1 more change is proved to change no answer" in text


def test_another_citation_of_a_renamed_rule_is_reported_as_well(tmp_path: Path) -> None:
    edits = (("*", "frozen-crags", "icy-crags"), ("steps.rules", "icy-crags [TC.10]", "icy-crags [TC.9]"))
    _, text = compare_edited("two_clans", edits, tmp_path)
    assert "  frozen-crags: it is now called icy-crags\n" in text
    assert "  icy-crags: it differs only in its citations, from which nothing is computed" in text
    assert text.startswith(NOTHING_ELSE)


def test_a_rule_with_another_law_is_not_renamed(tmp_path: Path) -> None:
    edits = (("*", "towns-buy", "fells-buy"), ("fights.rules", "worth adds 2 herds", "worth adds 3 herds"))
    _, text = compare_edited("two_clans", edits, tmp_path)
    assert "2 herds under A, 3 herds under B" in text
    assert "it is now called" not in text


GAME = """
side north, south
kind cart has speed: 0..9
verdict may_go(c: cart) default allowed
{rules}
"""


def stack(folder: Path, rules: str) -> graph.Graph:
    files = {
        "layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n",
        "game.rules": GAME.format(rules=rules),
    }
    return compiled(files, folder)


SLOW = 'rule slow "The slow stay."  may_go forbidden  when c.speed < 3'


def test_two_rules_with_equal_laws_are_not_matched_by_name(tmp_path: Path) -> None:
    twice = f"{SLOW}\n{SLOW.replace('rule slow', 'rule tired')}"
    one = stack(tmp_path / "a", twice)
    other = stack(tmp_path / "b", twice.replace("slow ", "lazy ").replace("tired ", "weary "))
    assert with_names_of(one, other)[1] == ()


def test_the_first_graph_with_new_names_equals_the_second(tmp_path: Path) -> None:
    rules = f'{SLOW}\nrule fast "The fast go."  exception to slow  when c.speed = 0'
    one = stack(tmp_path / "a", rules)
    other = stack(tmp_path / "b", rules.replace("slow", "lazy").replace("The lazy", "The slow"))
    renamed, found = with_names_of(one, other)
    assert [(each.kind, each.old, each.new) for each in found] == [("rule", "slow", "lazy")]
    assert {each.operation for each in structural_difference(renamed, other)} <= {"printed"}
    assert {each.status for each in behavioral_diff(one, other).changes} == {"same"}
