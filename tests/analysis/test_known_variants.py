"""`diff` reports variants of shipped games with one change of known effect, with a witness."""

from pathlib import Path

import pytest

from tests.analysis.edited import Edit, compare_edited
from tests.sample import sampled

NO_ANSWER_DIFFERS = "No question is answered differently: "
# By name: the game, its edits, and texts that `diff` prints.
VARIANTS: dict[str, tuple[str, tuple[Edit, ...], tuple[str, ...]]] = {
    "one key of a line of a chart has gone to another line": (
        "two_clans",
        (("bands.yaml", "{card: drive, is: 4}", "{card: [drive, scouts], is: 4}"),
         ("bands.yaml", "[ford, frost, muster, scouts]", "[ford, frost, muster]")),
        ("  orders_of[drive|scouts]              none      4 orders\n",
         "play_card(): orders of ash is 2 orders under A, orders of ash is 4 orders under B"),
    ),
    "a scale has a place more at its end": (
        "low_tide",
        (("words.rules", "'a feast' = 4", "'a feast' = 4, 'a harvest' = 5"),
         ("play.rules", "'nothing', 'a feast')\n", "'nothing', 'a harvest')\n")),
        ("catch(north): a feast under A, a harvest under B",),
    ),
    "a die of eight sides": (
        "low_tide",
        (("words.rules", "domain die = 1..6", "domain die = 1..8"),),
        ("  Under A [LT.12], ", "Roll 1 to 6.", "Roll 1 to 8.", " with dice 3 under A, ", " with dice 4 under B"),
    ),
    "branches that exclude each other not come in another order": (
        "low_tide",
        (("flats.rules", "  else if h is bed then 2\n  else if h is mud then 3\n",
          "  else if h is mud then 3\n  else if h is bed then 2\n"),),
        ("height(B): 2 under A, 3 under B",),
    ),
    "branches that exclude each other come in another order": (
        "long_frost",
        (("battle.rules", "if defense = 0 then '4-1' else if attack < defense then '1-2' else min",
          "if attack < defense then '1-2' else if defense = 0 then '4-1' else min"),),
        ("ratio: every question that depends on it was asked with all possible arguments", NO_ANSWER_DIFFERS),
    ),
    "a tie drives off": (
        "two_clans",
        (("fights.rules", "when might(b) + d > hold", "when might(b) + d >= hold"),),
        ("drives_off(G, There, 2): no under A, yes under B",
         "Same move, different result: march(b: G, to: There)"),
    ),
    "the greater victory takes a herd less": (
        "two_clans",
        (("fights.rules", "lead(owner) < 10 herds", "lead(owner) < 9 herds"),
         ("fights.rules", "lead(owner) >= 10 herds", "lead(owner) >= 9 herds")),
        ("result(ash): ahead under A, lords of the fells under B", "\nfar-in-front and in-front\n"),
    ),
    "a phase is there a second time": (
        "two_clans",
        (("sequence.rules", 'phase marching "Marching" [TC.7] { offer march until yes }\n',
          'phase marching "Marching" [TC.7] { offer march until yes }\n'
          '      phase marching_on "Marching on" [TC.7] { offer march until yes }\n'),
         ("play.rules", "player in marching [TC.7]", "player in marching, marching_on [TC.7]")),
        ("  Phases under B: Cards, Marching, Marching on, Counting\n",
         "the sequence of play: phase cards of birch under A, offer march of ash under B"),
    ),
    "what one side has written down is known to both": (
        "two_clans",
        (("words.rules", "record held secret {", "record held {"),),
        ("held: known to both sides instead of known to its side alone",),
    ),
    "one army less may attack together": (
        "long_frost",
        (("battle.rules", "choose any armies of 1..6", "choose any armies of 1..5"),),
        ("attack(target: B, armies: {F, G, H, I, J, K}, pursuers: {F, G, H}): ", ", refused under B"),
    ),
    "the cards are shuffled when as many are left as are dealt": (
        "two_clans",
        (("play.rules", "if count(deck()) < many", "if count(deck()) <= many"),),
        ("resolution deal\n", "discards is none under B"),
    ),
    "the water takes its toll before it rises": (
        "low_tide",
        (("play.rules",
          "  set game.water to min(8, game.water + rise(d))\n"
          "  for each w in {w in all walker where under_water(w.hex)} { remove w }\n",
          "  for each w in {w in all walker where under_water(w.hex)} { remove w }\n"
          "  set game.water to min(8, game.water + rise(d))\n"),),
        ("tide(): W is gone under A, W is at A under B",),
    ),
    "both sides starve at the end of each side's turn": (
        "long_frost",
        (("play.rules", "where a.side = of and not in_supply(a)} { do", "where not in_supply(a)} { do"),),
        ("attrition(raiders): S shows rifle army under A, S shows worn rifle army under B",),
    ),
}  # fmt: skip


@sampled(1)
@pytest.mark.parametrize("case", VARIANTS)
def test_the_change_of_a_variant_is_reported(tmp_path: Path, case: str) -> None:
    game, edits, lines = VARIANTS[case]
    data, text = compare_edited(game, edits, tmp_path)
    assert [line for line in lines if line not in text] == [], text
    assert (NO_ANSWER_DIFFERS in text) == (NO_ANSWER_DIFFERS in lines)
    assert {each["status"] for each in data["changes"]} <= {"witness", "same", "only"}
