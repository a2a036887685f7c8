"""A check without findings is reused while only comments and layout change; otherwise it is run again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.analysis.budgets import MOST_PROOF_STEPS
from compiler.source.comments import without_comments
from rulewright.checks import checking
from rulewright.library.stacks import PackageSet, Stack, load_from
from tests.sample import sampled

RULE = """
rule cockles-slow [house] "A cockle bed costs two."
  cost is 2 steps
  exception to firm-sand
  when to is bed and to is not mud
"""
Check = Callable[[str], tuple[int, bool]]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Return a function that checks a variant with the given rules.

    It returns the number of findings, and whether the variant was compiled.
    """
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "mine" / "variant"
    folder.mkdir(parents=True)
    folder.joinpath("layer.yaml").write_text("layer: mine\ntitle: Mine\nkind: variant\non: [low_tide]\n")
    compiled: list[str] = []
    load = load_from

    def noting(package_set: PackageSet, name: str) -> Stack:
        compiled.append(name)
        return load(package_set, name)

    monkeypatch.setattr(checking, "load_from", noting)

    def checked(text: str, steps: int = MOST_PROOF_STEPS) -> tuple[int, bool]:
        folder.joinpath("mine.rules").write_text(text, encoding="utf-8")
        compiled.clear()
        return len(checking.check_stack("low_tide+mine", [tmp_path / "mine"], steps).diagnostics), bool(compiled)

    return checked


@sampled(0)
def test_an_edited_comment_reuses_the_check_and_an_edited_rule_does_not(check: Check) -> None:
    assert check(RULE) == (0, True)
    assert check(RULE) == (0, False)
    assert check(f"# one line more\n\n{RULE}  # and one here\n") == (0, False)
    assert check(RULE.replace("when to is bed and", "when")) == (1, True)  # Mud costs two already.
    assert check(RULE.replace("when to is bed and", "when")) == (1, True)  # A check with findings is run again.
    assert check(RULE.replace("2 steps", "4 steps").replace("two", "four")) == (0, True)


def test_an_edited_comment_with_a_finding_is_checked(check: Check) -> None:
    assert check(RULE) == (0, True)
    found, compiled = check(f"# c\u0430me\n{RULE}")
    assert (found > 0, compiled) == (True, True)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a # b\n\nc", "a c"),
        ("a# b", "a"),
        ('"a # b" c', '"a # b" c'),
        ("'a # b' c", "'a # b' c"),
        ("a   b", "a b"),
        ("# it's\nb", "b"),
        ("a # \u0430b\nc", "a # \u0430b\nc"),
        ("a # \x07\nc", "a # \x07\nc"),
    ],
)
def test_comments_and_layout_are_removed_unless_they_may_have_findings(text: str, left: str) -> None:
    assert without_comments(text) == left


@sampled(0)
def test_a_check_reports_the_cards_that_it_read_and_those_it_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    for _ in range(2):  # The second check is read from the cache.
        looked_at = checking.check_stack("low_tide", [], MOST_PROOF_STEPS).cards
        assert looked_at.cards == ("before_the_tide",)
        assert looked_at.others == ()
    record = checking.check_stack("panzer_grenadier", [], MOST_PROOF_STEPS).cards.record()
    assert record["looked_at"] == ["hazel_ford"]
    assert "easthay" in record["others"]["panzerblitz"]
