"""`explain` shows the page of a code, or a named paragraph with its source text and its meaning in the stack."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.cli.app import run
from tests.sample import sampled
from tests.toys.plain_game import plain_game

Capture = pytest.CaptureFixture[str]

TIRED = """\
1.1a Tired legs
  A tired unit pays one point more.
  In exact words: When the mover is tired, this holds:
    - What the mover pays to enter the end hex from the start hex is the price of the ground of the end hex the
      mover's gait plus 1 movement point.
  Exception to 1.1 Price of ground. See Price; the ground of the hex. TOY.2

rule tired-legs
  layer                 toy (base)
  file                  set/toy/moving.rules:16
  answers the question  entry_cost

rule tired-legs [TOY.2] "A tired unit pays one point more."
  entry_cost is price[ground_of(to), mover.gait] + 1 MP
  exception to price-of-ground
  when mover is tired
"""
DISPUTE = """\
dispute legs [TOY.2] "Whose legs?" {
  reading all-legs [TOY.2] default "So it says." { }
  reading own-legs [TOY.2] {
    rule own-legs-only [TOY.2] "Only one's own."
      exception to tired-legs
      when mover.gait = wheel
  }
}
resolution fight(u: unit) [TOY.6] "Fight." { mark u as tired }
resolution moving(u: unit) [TOY.6] "Move." { do fight(u) }
case resting "Resting" { rule rest [TOY.3] "Rest." may_enter forbidden when mover is tired and mover.spent > 7 MP }
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a small game, extended by a dispute, two resolutions and a case."""
    plain_game("toy", tmp_path / "set")
    (tmp_path / "set" / "toy" / "more.rules").write_text(DISPUTE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def explained(command: str, capsys: Capture) -> dict[str, Any]:
    """Return the JSON of `explain`."""
    assert run(["explain", *command.split(), "--path", "set", "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def test_a_rule(capsys: Capture) -> None:
    assert run(["explain", "toy", "tired-legs", "--path", "set"]) == 0
    assert capsys.readouterr().out == TIRED


def test_a_ruling_and_its_rule(capsys: Capture) -> None:
    page = explained("toy always-one-hex", capsys)
    assert page["rule"] == "always-one-hex"
    assert page["asks"].startswith("Can a slow walker")
    assert page["relations"] == "exception to pay-your-way"
    assert page["paragraph"].startswith("ruling always-one-hex [TOY.5] correction, minor\n  asks ")
    assert explained("toy pay-your-way", capsys)["defeated by"] == "always-one-hex"


def test_a_dispute_and_a_case(capsys: Capture) -> None:
    page = explained("toy legs", capsys)
    assert page["paragraph"].endswith("  }\n}")
    assert page["read here as"] == "All legs (all-legs)"
    assert explained("toy+legs=own-legs own-legs-only", capsys)["reading of"] == "legs: Whose legs?"
    assert explained("toy resting", capsys)["rules"] == "rest"


def test_a_code(capsys: Capture) -> None:
    assert explained("r0101", capsys)["page"].startswith("# R0101: ")


@pytest.mark.parametrize(
    ("name", "is_a", "key", "message"),
    [
        ("entry_cost", "question", "answered by", "tired-legs"),
        ("price", "chart", "asked by", "price-of-ground and tired-legs"),
        ("march", "action", "called by", "toy"),
        ("tired", "status", "read by", "tired-legs"),
        ("TOY.2", "source", "rules", "tired-legs"),
        ("sequence", "sequence", "file", "set/toy/playing.rules"),
        ("runner", "counter", "gait", "foot"),
        ("unit", "kind", "counters", "cart and runner"),
        ("hedge", "feature", "read by", "hedges-stop-wheels"),
        ("north", "member", "counters", "runner"),
        ("gait", "enumeration", "members", "foot and wheel"),
        ("MP", "measure", "reads", "movement points"),
        ("success", "scale", "places", "the goal"),
    ],
)
def test_names_of_all_kinds_are_explained(name: str, is_a: str, key: str, message: str, capsys: Capture) -> None:
    page = explained(f"toy {name}", capsys)
    assert is_a in page
    assert message in page[key]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("entry_cost", "value entry_cost(mover: unit, from: hex, to: hex): 0..12 MP\n  reads"),
        ("march", 'action march by player in movement [TOY.3] "Move one unit one hex."'),
        ("tired", 'status unit: tired marker "tired" until end of turn'),
        ("unit", "kind unit has movement: 0..12 MP, gait: gait"),
        ("runner", "[runner, north, 6, foot]"),
        ("gait", 'enum gait: foot "on foot", wheel "on wheels"'),
        ("goal", "track scenario.goal: hex"),
        ("ground_of", "define ground_of(h: hex) [house] = if h is marsh"),
    ],
)
def test_the_source_text_is_shown(name: str, text: str, capsys: Capture) -> None:
    assert explained(f"toy {name}", capsys)["paragraph"].startswith(text)


def test_a_chart_is_printed_as_a_table(capsys: Capture) -> None:
    assert run(["explain", "toy", "price", "--path", "set"]) == 0
    assert "ground \\ gait  foot  wheel\nmeadow         1     1" in capsys.readouterr().out
    assert {"cell": "price[marsh, wheel]", "is": "6"} in explained("toy price", capsys)["cells"]


def test_a_procedure_is_shown_as_written_and_in_words(capsys: Capture) -> None:
    assert run(["explain", "toy", "march", "--path", "set"]) == 0
    out = capsys.readouterr().out
    assert out.index("choose to from neighbors(mover.hex)") < out.index("This is allowed only if")
    assert explained("toy fight", capsys)["parameters"] == "u: unit"


@pytest.mark.parametrize("name", ["mire", "bog-holds", "swampy"])
def test_the_layer_that_declares_a_missing_name_is_named(name: str, here: Path, capsys: Capture) -> None:
    layer = here / "set" / "mire"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: mire\ntitle: Mire\nkind: optional\non: [toy]\n")
    text = 'rule bog-holds [house] "x" may_enter forbidden when to is marsh\nstatus unit: swampy until end of game\n'
    (layer / "mire.rules").write_text(text)
    assert run(["explain", "toy", name, "--path", "set"]) == 2
    assert f"has nothing with the label or name `{name}`; the layer `mire` has it" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_words_are_searched_for_in_the_book(capsys: Capture) -> None:
    assert run(["explain", "toy", "--path", "set", "tired", "units", "pay"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("“tired units pay” in toy")
    assert "A tired unit pays one point more." in " ".join(output.split())
    assert "rulewright explain toy tired-legs" in output


@pytest.mark.parametrize(
    ("stack", "name", "key", "found"),
    [
        ("low_tide", "walker.walked", "in procedures", "gather and walk"),
        ("low_tide", "picked", "in procedures", "gather"),
        ("low_tide", "LT.4", "preconditions", "steps-are-allowed"),
        ("two_clans", "TC.1", "layers", "two_clans"),
    ],
)
def test_uses_outside_of_rules_are_listed(stack: str, name: str, key: str, found: str, capsys: Capture) -> None:
    assert run(["explain", stack, name, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[key] == found


@pytest.mark.usefixtures("here")
def test_a_rule_is_found_by_its_number(capsys: Capture) -> None:
    assert run(["explain", "toy", "--path", "set", "1.1a"]) == 0
    assert "rulewright explain toy tired-legs" in capsys.readouterr().out


@sampled(0)
@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("wrecks", "Three wrecks in a hex at most"),
        ("mines", "\n  book   9.33 The odds of mines"),
    ],
)
def test_names_of_the_rules_are_words_of_the_book_too(query: str, message: str, capsys: Capture) -> None:
    assert run(["explain", "panzer_leader", *query.split()]) == 0
    assert message in capsys.readouterr().out


def test_the_tree_lists_rules_below_the_stages_of_their_question(capsys: Capture) -> None:
    assert run(["tree", "panzer_leader", "strength_as"]) == 0
    out = capsys.readouterr().out
    assert (
        out.index("stage printed") < out.index("stage weapon") < out.index("weapon-effect") < out.index("stage height")
    )
