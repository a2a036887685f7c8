"""`diff` tells a play that gets stuck in one stack only."""

from pathlib import Path

import pytest

from tests.commands.planting import say
from tests.sample import sampled

WADE = """event waded(w: walker)
resolution wade(w: walker) [house] "A walker wades." {
  mark w as laden
  tell waded(w)
}
"""
EXAMPLE = """example "wading" {
  row A, B mud
  piece W: elder of north at A
  do wade(W)
  ask (W is laden) = yes
}
"""
# A value that no rule gives for dry hexes, and a hook that asks for it.
HOOK = """value depth(h: hex): 0..8
rule depth-is-water [house] "It is as deep as the water." depth is game.water when h is mud
after waded(w) [house] "It gets wet." { if depth(w.hex) > 4 { remove w } }
"""
NO_DEPTH = "no answer (no rule answers depth)"
WASH = """resolution wash(w: walker, h: hex) [house] "A walker washes." {
  mark w as laden
  CHOICE
}
"""
CHOICE = """if game.water = 7 and w.walked = 3 steps and h is mud {
    choose n from {n in neighbors(w.hex) where n is bed and n is picked} by w.side
    mark n as picked
  }"""
TIDE = """resolution tide() [house] "The water takes one that is under it."
  replaces resolution tide
{
  roll d: die
  choose w from {w in all walker where under_water(w.hex)} by north
  remove w
}
"""


def compared(tmp_path: Path, first: str, second: str) -> str:
    """Return the report on two variants of one game."""
    for name, text in (("first", first), ("second", second)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "layer.yaml").write_text(f"layer: {name}\ntitle: Wading\nkind: variant\non: [low_tide]\n")
        (tmp_path / name / "wading.rules").write_text(text)
    return say(["diff", "first", "second", "--path", str(tmp_path)]).out


@sampled(2)
@pytest.mark.parametrize(
    ("first", "second", "line"),
    [
        pytest.param(
            WADE + EXAMPLE, WADE + HOOK + EXAMPLE,
            f"wade(W): taken under first, {NO_DEPTH} under second",
            id="a question of a hook without an answer",
        ),
        pytest.param(
            WADE + HOOK + EXAMPLE,
            WADE + HOOK.replace("if depth(w.hex) > 4 { remove w }", "mark w as laden") + EXAMPLE,
            f"wade(W): {NO_DEPTH} under first, taken under second",
            id="the first gets stuck",
        ),
        pytest.param(
            WASH.replace("CHOICE", ""), WASH.replace("CHOICE", CHOICE),
            "): taken under first, there is nothing to choose `n` from under second",
            id="a choice that only a search reaches",
        ),
        pytest.param("", TIDE, "tide(): taken under first, there is nothing to choose `w` from under second",
                     id="a choice in the examples of the base"),
    ],
)  # fmt: skip
def test_a_play_that_gets_stuck_in_one_stack_is_a_difference(
    tmp_path: Path, first: str, second: str, line: str
) -> None:
    output = compared(tmp_path, first, second)
    assert line in output
    assert "not known whether" not in output


def test_plays_that_get_stuck_in_both_agree(tmp_path: Path) -> None:
    """What stops a play alike in both is no difference, and no witness of a change beside it."""
    wet = WADE + HOOK + EXAMPLE
    output = compared(tmp_path, wet, wet.replace("> 4", "> 5"))
    assert NO_DEPTH not in output
    assert "is gone under first" in output
