"""Findings about a variant of a shipped game begin with the variant, and their help text names no file of the game."""

from pathlib import Path

import pytest

from compiler.report.diagnostic import Diagnostic
from rulewright.library.stacks import load_stack
from rulewright.proofs import list_findings
from tests.sample import first_of_each, sampled

# Variants of a small shipped game, with the code that each must produce, if one is named.
PLANTED = Path(__file__).parent / "planted" / "variants.rules"
EDITS = {
    head.partition(":")[0]: (text, head.partition(":")[2].strip())
    for head, _, text in (part.partition("\n") for part in PLANTED.read_text("utf-8").split("--- ")[1:])
}
# Phrases of help texts that advise a change of the game.
REPAIR_WORDS = ("delete the", "where the term is declared")


def check_variant(folder: Path, text: str, more: str = "") -> tuple[list[Diagnostic], frozenset[str]]:
    """Check a variant with one text; return the findings and the names of the game's files."""
    place = folder / "mine"
    place.mkdir()
    (place / "layer.yaml").write_text("layer: mine\ntitle: Mine\nkind: variant\non: [low_tide]\n" + more, "utf-8")
    (place / "mine.rules").write_text(text + "\n", encoding="utf-8")
    stack = load_stack("low_tide+mine", [folder])
    files = frozenset(file.name for layer in ("low_tide",) for file in stack.library.files[layer])
    return list_findings(stack), files


@sampled(8)
@pytest.mark.parametrize("name", first_of_each(EDITS, lambda name: EDITS[name][1] or name))
def test_a_finding_begins_with_the_variant_and_advises_no_change_of_the_game(name: str, tmp_path: Path) -> None:
    """The first label of each finding is in the variant, and its help advises no change of the game."""
    text, code = EDITS[name]
    found, files = check_variant(tmp_path, text)
    assert not code or code in {each.code for each in found}, [each.message for each in found]
    for each in found:
        assert each.spans, each
        assert each.spans[0].span.file.endswith("mine/mine.rules"), (each.code, each.message, each.spans)
        if any(place.span.file in files for place in each.spans):
            assert not any(word in each.help for word in REPAIR_WORDS), each.help
        assert not any(file in each.help for file in files), each.help


def test_the_option_that_causes_a_finding_is_named(tmp_path: Path) -> None:
    """A finding begins with the option that causes it, also where another option is loaded above it."""
    for name, text in (
        ("first", 'rule no-baskets [house] "Nobody gathers." withdraws action gather'),
        ("second", "always some-water [house] every(w in all walker where w.pace > 0 steps)"),
    ):
        (tmp_path / name).mkdir()
        manifest = f"layer: {name}\ntitle: {name.title()}\nkind: optional\non: [low_tide]\n"
        (tmp_path / name / "layer.yaml").write_text(manifest, "utf-8")
        (tmp_path / name / "mine.rules").write_text(text + "\n", encoding="utf-8")
    every = list_findings(load_stack("low_tide+first+second", [tmp_path]))
    found = [each for each in every if each.code == "R0510"]
    assert found, [(each.code, each.message) for each in every]
    for each in found:
        assert each.spans[0].span.file.endswith("first/mine.rules")
        assert each.help.startswith("this is so without `second` as well; look at this change of `first` again")


def test_an_error_in_an_example_is_not_blamed_on_an_option_that_the_example_names(tmp_path: Path) -> None:
    """The option loaded last has no part in a column that an example of another option does not use."""
    example = 'example "idle" under low_tide+first+second for (idle) in (1) {\n  row A\n  ask count(walker at A) = 0\n}'
    for name, text in (("first", example), ("second", 'rule no-baskets [house] "None." withdraws action gather')):
        (tmp_path / name).mkdir()
        manifest = f"layer: {name}\ntitle: {name.title()}\nkind: optional\non: [low_tide]\n"
        (tmp_path / name / "layer.yaml").write_text(manifest, "utf-8")
        (tmp_path / name / "mine.rules").write_text(text + "\n", encoding="utf-8")
    (found,) = (each for each in load_stack("low_tide+first+second", [tmp_path]).diagnostics if each.code == "R0411")
    assert found.spans[0].span.file.endswith("first/mine.rules")
    assert "second" not in found.help


def test_an_unused_resolution_of_the_game_is_not_reported(tmp_path: Path) -> None:
    found, _ = check_variant(
        tmp_path,
        'rule still-water [house] "The water stands still." replaces step do tide of phase tide by { do swell() }\n'
        'resolution swell() [house] "The water swells." { set game.water to 1 }\n'
        'rule deep-water [house] "The water is deep."'
        " inserts { set game.water to 2 } before step set game.water of resolution swell\n",
    )
    assert "R0514" not in {each.code for each in found}


def test_a_resolution_of_the_variant_that_is_never_started_is_reported(tmp_path: Path) -> None:
    found, _ = check_variant(
        tmp_path,
        'resolution swell() [house] "The water swells." { set game.water to 1 }\n'
        'rule deep-water [house] "The water is deep."'
        " inserts { set game.water to 2 } before step set game.water of resolution swell\n",
    )
    (idle,) = (each for each in found if each.code == "R0514")
    assert "swell" in idle.message


def test_a_finding_about_a_card_of_the_game_does_not_name_the_variant(tmp_path: Path) -> None:
    game, package = tmp_path / "game", tmp_path / "mine"
    heads = {game: "layer: game\ntitle: G\nkind: base\n", package: "layer: mine\ntitle: M\nkind: variant\non: [game]\n"}
    for folder, head in heads.items():
        folder.mkdir()
        (folder / "layer.yaml").write_text(head, encoding="utf-8")
    (game / "game.rules").write_text(GAME, encoding="utf-8")
    (game / "card.yaml").write_text(CARD, encoding="utf-8")
    (package / "mine.rules").write_text(GENTLE, encoding="utf-8")
    for name in ("game", "mine"):
        (each,) = [one for one in list_findings(load_stack(name, [tmp_path])) if one.code == "R0583"]
        assert each.spans[0].span.file.endswith("game/card.yaml")
        assert "brings this about" not in str(each)


def test_a_finding_names_no_change_where_the_game_below_does_not_compile(tmp_path: Path) -> None:
    """An example of the game, which only the game itself runs, is wrong: nobody knows what the game without it has."""
    game, package = tmp_path / "game", tmp_path / "mine"
    heads = {game: "layer: game\ntitle: G\nkind: base\n", package: "layer: mine\ntitle: M\nkind: variant\non: [game]\n"}
    for folder, head in heads.items():
        folder.mkdir()
        (folder / "layer.yaml").write_text(head, encoding="utf-8")
    (game / "game.rules").write_text(GAME + 'status unit: idle\nexample "x" { row A ask 1 = red }\n', encoding="utf-8")
    (package / "mine.rules").write_text(GENTLE, encoding="utf-8")
    assert {each.code for each in list_findings(load_stack("game", [tmp_path]))} == {"R0401"}
    found = [each for each in list_findings(load_stack("mine", [tmp_path])) if "idle" in each.message]
    assert found
    assert not any("brings this about" in str(each) or "mine" in each.help for each in found)


GENTLE = """
rule gentle [house] "Only what is shaken is lost."
  wraps resolution lose by { if v is shaken { proceed } }
"""
GAME = """
side red, blue
kind unit has pull: 0..9
status unit: shaken until end of turn
action go by player in work [house] "Go." reads "go" {
  choose u from {u in all unit where u.side = player} preferring 1
  do lose(u)
}
sequence s [house] {
  each turn in 1..scenario.turns { each player in scenario.order { phase work "Work" { offer go until yes } } }
}
define held(of: side): number [house] = count(u in all unit where u.side = of)
  reads "what {of} holds"
outcome held
resolution lose(v: unit) [house] "A unit is lost." { remove v }
"""
CARD = """
board: field
title: Field
numbering: {style: ccrr, columns: 3, rows: 1, shift: right}
picture:
  legend: {}
  rows: ["..."]
---
scenario: one
title: One
uses: game
cites: house
map: [[field]]
turns: 2
order: [red, blue]
forces:
  - {side: red, placed: [{unit: man, at: "0101"}, {unit: man, at: "0101"}]}
  - {side: blue, placed: [{unit: man, at: "0301"}]}
---
pieces: unit
cites: house
columns: [id, pull]
rows: [[man, 2]]
"""
