"""Small changes of known effect, judged by `compare`, among them rules that break late in a game.

Tested are the verdict, the cause, the use, and the exit code.
"""

from pathlib import Path

import pytest

from tests.commands.planting import CommandReply, say
from tests.lab.bench import without_sizes
from tests.lab.test_designers_changes import KNOWN
from tests.sample import sampled

DOUBLE = """rule ash-strikes-twice [house] "Bands of the Ash clan attack with twice their strength."
  might adds b.strength
  when b.side = ash
"""
AGAIN = """rule a-strength-of-ones-own [house] "A band attacks with its printed strength."
  might adds b.strength
  replaces own-strength
"""
BAR = """rule nobody-climbs-at-night [house] "After the last turn nobody climbs."
  may_march forbidden
  when game.turn > scenario.turns and to is crag
"""
# Two rules conclude a value and neither defeats the other: in the last turn, for a side that has scored before.
LATE = """rule late-luck [house] "In the last turn a five scores for whoever has scored."
  need is 5
  when game.turn = 3 and s.score > 0
"""
EVEN = """rule level-enough [house] "Who has scored is as good as any other."
  tally is min(1, s.score)
  exception to hits-count
"""
SPLIT = """rule north-on-five [house] "The north scores on a five."
  need is 5
  exception to a-six
  when s = north

rule south-on-six [house] "The south on a six, as ever."
  need is 6
  exception to a-six
  when s = south
"""


def judged(folder: Path, base: str, card: str, rules: str, *words: str) -> tuple[CommandReply, str]:
    """Compare a game with and without a layer of these rules; return the reply, and its text in one line."""
    layer = folder / "mine"
    layer.mkdir()
    (layer / "layer.yaml").write_text(f"layer: mine\ntitle: Mine\nkind: variant\non: [{base}]\n")
    (layer / "mine.rules").write_text(rules)
    paths = ["--path", str(folder), "--path", str(KNOWN)]
    done = say(["compare", card, *paths, "--rules", base, "--rules", f"{base}+mine", "-j", "1", "--all", *words])
    return done, " ".join(done.out.split())


@sampled(0)
def test_a_side_with_double_strength_wins_more_often(tmp_path: Path) -> None:
    done, text = judged(tmp_path, "two_clans", "before_winter", DOUBLE, "-n", "960")
    assert done.code == 0
    assert "the Ash clan wins more often; the Birch clan wins less often" in without_sizes(text)
    assert "changed: 1 rule; 1 of 1 used" in text


def test_the_same_rule_under_another_label_changes_no_game(tmp_path: Path) -> None:
    done, text = judged(tmp_path, "two_clans", "before_winter", AGAIN, "-n", "20")
    assert done.code == 0
    assert "all 20 pairs of games have the same winner" in text
    assert "nothing that is changed was used" in text or "no difference was found" in text


def test_a_rule_that_never_applies_is_reported_unused(tmp_path: Path) -> None:
    _, text = judged(tmp_path, "two_clans", "before_winter", BAR, "-n", "10")
    assert "nothing that is changed was used" in text
    assert "asked, never applied: nobody-climbs-at-night" in text


@sampled(0)
def test_a_change_that_causes_draws_is_reported_by_its_draws(tmp_path: Path) -> None:
    done, text = judged(tmp_path, "toss", "yard", EVEN, "-n", "400")
    assert done.code == 0
    assert "the south side wins less often and more games are drawn" in without_sizes(text)


def test_rules_that_break_late_remove_their_pairs_and_exit_with_one(tmp_path: Path) -> None:
    done, text = judged(tmp_path, "toss", "yard", LATE, "-n", "40")
    assert done.code == 1
    assert " of 40 pairs are left out, as the rules broke in one of their games" in text
    assert "broken under toss+mine, seed " in text


@sampled(1)
@pytest.mark.parametrize("players", ["random", "greedy"])
def test_a_change_without_effect_is_settled_as_equal(tmp_path: Path, players: str) -> None:
    rules = SPLIT.replace("five", "six").replace("need is 5", "need is 6")
    done, text = judged(
        tmp_path, "toss", "yard", rules, "-n", "400", "--until", "same", "--players", players
    )  # fmt: skip
    assert done.code == 0
    assert "no difference of 5 percentage points or more" in text


def test_a_single_pair_has_singular_wording(tmp_path: Path) -> None:
    """The text has no plural for one game."""
    _, text = judged(tmp_path, "two_clans", "before_winter", BAR, "-n", "1")
    assert "the only pair of games has the same winner" in text
    assert " all 1 " not in text
    assert " of 1 games" not in text


@pytest.mark.parametrize(
    ("option", "value", "bounds"),
    [("--margin", "300%", "from 0.005 to below 1"), ("--until", "3", "from 0.001 to below 2")],
)
def test_the_error_on_a_share_has_both_bounds(option: str, value: str, bounds: str) -> None:
    """A share above the upper bound is refused with both bounds."""
    done = say(["compare", "yard", "--path", str(KNOWN), "--rules", "toss", option, value])
    assert done.code
    assert bounds in done.err
