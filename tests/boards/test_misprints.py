"""Suspected misprints of boards are reported at their places; shipped boards and declared exceptions have none."""

from dataclasses import replace
from pathlib import Path

import pytest

from compiler.source import nodes as source
from compiler.source.span import NOWHERE
from compiler.typed.findings.misprints import SuspectedMisprint
from compiler.typed.situations.maps import hexes_by_number
from compiler.typed.situations.misprints import board_misprints
from rulewright.checks.card_library import problems_of_card
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import open_packages

BOARDS = open_packages().library.boards


def board(name: str) -> source.Board:
    found = BOARDS.get(name)
    assert found is not None
    return found


def misprint_messages(found: source.Board) -> list[str]:
    return [each.message for each in board_misprints(found, hexes_by_number(found))]


def word(text: str) -> source.Word:
    return source.Word(NOWHERE, text)


def side(text: str) -> source.Hexside:
    one, other = text.split("/")
    return source.Hexside(NOWHERE, word(one), word(other))


def with_side(found: source.Board, feature: str, text: str) -> source.Board:
    """Add a hexside to those of a feature."""
    sides = (
        replace(each, sides=(*each.sides, side(text))) if each.feature.text == feature else each for each in found.sides
    )
    return replace(found, sides=tuple(sides))


def blank(found: source.Board, hex_: str) -> source.Board:
    """Remove all terrain from a hex."""
    ground = (replace(each, hexes=tuple(h for h in each.hexes if h.text != hex_)) for each in found.terrain)
    return replace(found, terrain=tuple(ground))


@pytest.mark.parametrize("name", sorted(BOARDS))
def test_shipped_boards_have_no_misprint(name: str) -> None:
    assert misprint_messages(board(name)) == []


def test_a_hexside_with_two_features_is_suspect() -> None:
    twice = with_side(board("reed_water"), "gray", "0201/0301")
    assert misprint_messages(twice) == ["the hexside `0201/0301` is the only one that is both `green` and `gray`"]
    assert misprint_messages(replace(twice, printed_so=(word("0301/0201"),))) == []


def test_a_hexside_far_from_its_terrain_is_suspect() -> None:
    [misprints] = misprint_messages(with_side(board("reed_water"), "green", "1601/1701"))
    assert misprints == "the hexside `1601/1701` is the only `green` without `woods` on either side"


def test_a_hex_without_the_terrain_of_its_hexsides_is_suspect() -> None:
    [misprints] = misprint_messages(blank(board("reed_water"), "0303"))
    assert misprints == "`0303` is the only hex with `green` hexsides (here 4) that is not `woods`"


def test_two_sides_in_one_area_are_reported_once(tmp_path: Path) -> None:
    """The three pieces of two sides are in an area, and not in a hex."""
    copy = tmp_path / "mine"
    copy.mkdir()
    text = (rules_folder() / "games" / "two_clans" / "before_winter.yaml").read_text(encoding="utf-8")
    there = "{unit: drovers, at: Westmoor}, {unit: guard, at: Westmoor}"
    now = text.replace("before_winter", "mine").replace(
        "{unit: drovers, at: Rushmere}, {unit: drovers, at: Lower_Lea}", there
    )
    assert there in now
    (copy / "mine.yaml").write_text(now, encoding="utf-8")
    package_set = open_packages((copy,))
    card = package_set.library.scenarios.get("mine")
    assert card is not None
    messages = [each.message for each in problems_of_card(package_set, card) if isinstance(each, SuspectedMisprint)]
    assert messages == ["`drovers` of birch begins in `Westmoor` together with `drovers` of ash"]


def without_side(found: source.Board, feature: str, pair: source.Hexside) -> source.Board:
    """Remove a hexside from those of a feature."""
    sides = (
        replace(each, sides=tuple(one for one in each.sides if one is not pair))
        if each.feature.text == feature
        else each
        for each in found.sides
    )
    return replace(found, sides=tuple(sides))


def test_a_river_without_one_hexside_is_suspect() -> None:
    whole = board("frost_valley")
    [river] = [each for each in whole.sides if each.feature.text == "river"]
    # At the edge of the board, and at the first and last corner, the river does not continue behind the gap.
    for pair in river.sides[2:-2]:
        name = f"{pair.a.text}/{pair.b.text}"
        [misprints] = misprint_messages(without_side(whole, "river", pair))
        assert f"has a gap at the hexside `{name}`" in misprints
