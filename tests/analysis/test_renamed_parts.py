"""Parts that are only renamed are reported as renamed; other changes of these parts are reported as well."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from runtime.graph import nodes as graph
from runtime.witness.behavior_difference import Play
from runtime.witness.behavioral_diff import behavioral_diff
from runtime.witness.renaming import NameChange, NameChanges, with_files_in_own_names, with_names_of
from runtime.witness.structural_difference import structural_difference
from tests.analysis.edited import Edit, compare_edited
from tests.analysis.planted import compiled
from tests.sample import sampled

NOTHING_ELSE = "changed, and proved to change no answer\n"
RENAMED: dict[str, tuple[tuple[Edit, ...], tuple[str, ...]]] = {
    "a rule": ((("*", r"\btowns-buy\b", "fells-buy"),), ("towns-buy: it is called fells-buy now",)),
    "a rule that others overrule": (
        (("*", r"\bcrags-take-more\b", "steep"),), ("crags-take-more: it is called steep now",)
    ),
    "an action": (
        (("*", r"\baction march\b", "action trek"), ("*", r"\b(act|offer) march\b", r"\1 trek"),
         ("*", r"\n  march: (March with|\[)", r"\n  trek: \1")),
        ("action march: it is called trek now",),
    ),
    "a resolution": ((("*", r"\bfill_up\b", "replenish"),), ("resolution fill_up: it is called replenish now",)),
    "a question": ((("*", r"\bworth\b", "wealth"),), ("question worth: it is called wealth now",)),
    "a definition": (
        (("*", r"\bincome\b", "yields"),), ("income and question income: it is called yields now",)
    ),
    "a track": ((("*", r"\bfording\b", "wading"),), ("track side.fording: it is called side.wading now",)),
    "a feature": ((("*", r"\bcrag\b", "tor"),), ("feature hex.crag: it is called hex.tor now",)),
    "a member of a list, and a rule": (
        (("*", r"\bscouts\b", "rangers"),),
        ("member card.scouts: it is called card.rangers now", "scouts-help: it is called rangers-help now"),
    ),
    "a chart": ((("*", r"\borders_of\b", "orders_on"),), ("chart orders_of: it is called orders_on now",)),
    "a phase": (
        (("*", r"\bcounting\b", "reckoning"),), ("member phase.counting: it is called phase.reckoning now",)
    ),
    "a record": ((("*", r"\bheld\b(?! with)", "owned"),), ("record held: it is called owned now",)),
    "a side": ((("*", r"\bbirch\b", "elm"),), ("member side.birch: it is called side.elm now",)),
    "a counter": ((("*", r"\bshepherds\b", "herdsmen"),), ("counter shepherds: it is called herdsmen now",)),
    "a kind": ((("*", r"\bband\b", "troop"),), ("kind band: it is called troop now",)),
}  # fmt: skip


@sampled(1)
@pytest.mark.parametrize("case", RENAMED)
def test_a_renamed_part_is_one_change_without_effect(tmp_path: Path, case: str) -> None:
    edits, lines = RENAMED[case]
    data, text = compare_edited("two_clans", edits, tmp_path)
    # Openings and headings may have the word, too.
    text = re.sub(r"^in the book alone: .*\n", "", text, flags=re.MULTILINE)
    assert text.startswith(NOTHING_ELSE)
    assert text.endswith("no questions are answered differently")
    assert all(f"  {line}\n" in text for line in lines)
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
    assert "forbidden instead of allowed (hardy-in-frost: " in text
    assert "  frozen-crags: it is called icy-crags now\n" in text


def test_another_citation_of_a_renamed_rule_is_reported_as_well(tmp_path: Path) -> None:
    edits = (("*", "frozen-crags", "icy-crags"), ("steps.rules", "icy-crags [TC.10]", "icy-crags [TC.9]"))
    _, text = compare_edited("two_clans", edits, tmp_path)
    assert "  frozen-crags: it is called icy-crags now\n" in text
    assert "  icy-crags: people read it, nothing is computed from it: cites\n" in text
    assert text.endswith("no questions are answered differently")


def test_a_rule_with_another_law_is_not_renamed(tmp_path: Path) -> None:
    edits = (("*", "towns-buy", "fells-buy"), ("fights.rules", "worth adds 2 herds", "worth adds 3 herds"))
    _, text = compare_edited("two_clans", edits, tmp_path)
    assert "3 herds instead of 2 herds (fells-buy" in text
    assert "it is called" not in text


GAME = """
side north, south
kind cart has speed: 0..9
{words}
verdict may_go(c: cart) default allowed
{rules}
"""


def stack(folder: Path, words: str, rules: str) -> graph.Graph:
    files = {
        "layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n",
        "game.rules": GAME.format(words=words, rules=rules),
    }
    return compiled(files, folder)


SLOW = 'rule slow "The slow stay."  may_go forbidden  when c.speed < 3'


def test_a_removed_word_and_a_new_one_with_other_rules_are_not_renamed(tmp_path: Path) -> None:
    """Both have equal declarations, but the rules that read them differ."""
    one = stack(tmp_path / "a", "status cart: dizzy", 'rule ill "No."  may_go forbidden  when c is dizzy')
    other = stack(
        tmp_path / "b", "status cart: frozen", 'rule cold "No."  may_go forbidden  when c is frozen and c.speed < 5'
    )
    assert with_names_of(one, other)[1] == ()
    ill = stack(tmp_path / "c", "status cart: frozen", 'rule ill "No."  may_go forbidden  when c is frozen')
    assert [(each.old, each.new) for each in with_names_of(one, ill)[1]] == [("cart.dizzy", "cart.frozen")]


def test_two_rules_with_equal_laws_are_not_matched_by_name(tmp_path: Path) -> None:
    twice = f"{SLOW}\n{SLOW.replace('rule slow', 'rule tired')}"
    one = stack(tmp_path / "a", "", twice)
    other = stack(tmp_path / "b", "", twice.replace("slow ", "lazy ").replace("tired ", "weary "))
    assert with_names_of(one, other)[1] == ()


def test_the_first_graph_with_new_names_equals_the_second(tmp_path: Path) -> None:
    rules = f'{SLOW}\nrule fast "The fast go."  exception to slow  when c is keen'
    words = "trait cart: keen"
    one = stack(tmp_path / "a", words, rules)
    changed = rules.replace("slow", "lazy").replace("keen", "eager").replace("The lazy", "The slow")
    other = stack(tmp_path / "b", words.replace("keen", "eager"), changed)
    renamed, found = with_names_of(one, other)
    assert sorted((each.kind, each.old, each.new) for each in found) == [
        ("rule", "slow", "lazy"), ("trait", "cart.keen", "cart.eager")
    ]  # fmt: skip
    assert {each.operation for each in structural_difference(renamed, other)} <= {"printed"}
    assert {each.status for each in behavioral_diff(one, other).changes} == {"same"}


def test_chained_renamings_are_translated_in_one_pass() -> None:
    renamings = NameChanges((NameChange("rule", "ford", "pass"), NameChange("rule", "crag", "ford")))
    assert renamings.to_first_names("ask: ford, pass-2, pass of the fords") == "ask: crag, pass-2, ford of the fords"
    assert NameChanges().to_first_names("ford") == "ford"


def test_the_question_of_a_play_gets_the_names_of_the_first_stack() -> None:
    """It is an expression; a play of a procedure has none, which ended `diff` of two such games with a bug."""
    renamings = NameChanges((NameChange("question", "cost", "price"),))
    place = graph.Origin("base", "base.rules", 1, 1, 1, 1)
    file = "position: p\nstack: base\n# price(A)\n"
    play = Play("price(A)", file, "", place, "a", "b", (), (), is_reversion=False, question=None)
    questioned_play = replace(play, question=graph.Ask("price", ()))
    without, with_question = with_files_in_own_names((play, questioned_play), "base", renamings)
    assert (without.act, without.question) == ("cost(A)", None)
    assert with_question.question == graph.Ask("cost", ())
