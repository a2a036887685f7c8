"""Situation cards are imported with forces, areas and victory conditions, and played to the end."""

from pathlib import Path

import pytest

from rulewright.exchange import ImportReport, NoteSeverity, import_package
from rulewright.games.scenarios import load_scenario, play_to_end, players_of
from rulewright.serve.cli.app import run
from runtime.graph import nodes as graph
from tests.importing.invented import CARD, facts

NAME = "opb_panzer_leader_01"


def imported(folder: Path, card: str = CARD) -> tuple[ImportReport, graph.Graph | None]:
    """Import the invented package with another card; return the report and the compiled graph."""
    source = facts(folder / "from")
    (source / "scenarios" / "one.yaml").write_text(card)
    done = import_package(source, folder / "out")
    if not done.cards:
        return done, None
    stack = load_scenario(NAME, None, [folder / "out"])
    assert not stack.is_broken, [each.message for each in stack.diagnostics]
    return done, stack.graph


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[ImportReport, graph.Graph]:
    """Import the unchanged card."""
    done, rules = imported(tmp_path_factory.mktemp("whole"))
    assert rules is not None
    return done, rules


def test_forces_and_areas_are_imported(whole: tuple[ImportReport, graph.Graph]) -> None:
    done, rules = whole
    card = rules.scenario
    assert card is not None
    assert (card.stack, card.turns, card.order) == ("panzer_leader", 2, ("allied", "german"))
    column, garrison = card.forces
    assert column.units == (("m5", 2),)
    # The second board is inverted: the south edge is C1 and C2 of the first board, A1 and A2 of the second.
    assert (set(column.area), column.turn) == ({"1C1", "1C2", "A-A1", "A-A2"}, 1)
    assert garrison.units == (("rifle", 2), ("pak75", 1))
    # In the zone, without its high border, and no swamp. 1B3 is the half hex that both boards print.
    assert set(garrison.area) == {"1A1", "1A2", "1B1", "1B2", "1C2"}
    assert done.layers == ()


def test_victory_conditions_are_imported(whole: tuple[ImportReport, graph.Graph]) -> None:
    done, rules = whole
    # The condition to keep the other side from winning needs all levels of that side, and one cannot be imported.
    labels = {label for label in rules.rules if label.startswith("victory-")}
    assert labels == {"victory-allied-marginal", "victory-allied-tactical"}
    assert {"allied decisive", "german outright"} <= {note.subject for note in done.notes}


def test_the_condition_to_keep_the_other_side_from_winning(tmp_path: Path) -> None:
    _, rules = imported(tmp_path, CARD.replace("objective: prettier", "objective: killed"))
    assert rules is not None
    assert "victory-german-outright" in rules.rules


FIRE = """{unbroken_line_of_fire:
        {by: BY, include_field_of_sight: true, break_through: THROUGH, width: WIDE, vertical: DOWN}}"""


@pytest.mark.parametrize(
    ("by", "through", "wide", "down", "message"),
    [
        ("own", "false", 1, "false", "line_of_fire(allied, scenario.west_edge, scenario.east_edge)"),
        ("enemy", "true", 3, "true", "way_through(german, scenario.south_edge, scenario.north_edge)"),
        ("enemy", "true", 4, "true", ""),
        ("own", "false", 2, "false", ""),
    ],
)
def test_a_line_of_fire_is_imported(tmp_path: Path, by: str, through: str, wide: int, down: str, message: str) -> None:
    fire = FIRE.replace("BY", by).replace("THROUGH", through).replace("WIDE", str(wide)).replace("DOWN", down)
    done, rules = imported(tmp_path, CARD.replace("{furthest-advance-objective: ..}", fire))
    assert rules is not None
    text = (tmp_path / "out" / "scenarios" / f"{NAME}.yaml").read_text()
    assert ("victory-allied-decisive" in rules.rules) == bool(message)
    assert message in text
    assert ((NoteSeverity.LOST, "allied decisive") in {(note.weight, note.subject) for note in done.notes}) == (
        not message
    )
    if message:
        assert rules.scenario is not None
        edges = {key: value for key, value in rules.scenario.facts if key.endswith("_edge")}
        assert len(edges) == 2


ALL = "count(u in all unit where u.side = german) - count(u in reserve(unit) where u.side = german)"
STAYED = "{count_units: {of: enemy, where: WHERE}}"
LOST, BY = "{status: destroyed}", "{exited_by: west}"


@pytest.mark.parametrize(
    ("where", "message", "is_possible"),
    [
        (f"{{any_of: [{LOST}, {{not: {BY}}}]}}", "(3 - german.departures) >= 1", True),
        (f"{{not: {BY}}}", "(3 - german.departures) >= 1", True),
        (BY, "german.departures >= 1", True),
        (LOST, f"(3 - {ALL}) >= 1", False),
        # Other conditions on departed pieces cannot be imported; then no piece can leave, and another level counts
        # losses.
        (f"{{any_of: [{LOST}, {BY}]}}", "", False),
        ("{all_of: [{exited_by: west}, {unit: rifle-platoon-german-42-west}]}", "", False),
    ],
)
def test_conditions_on_departed_units_are_imported(tmp_path: Path, where: str, message: str, is_possible: bool) -> None:
    card = CARD.replace("{furthest-advance-objective: ..}", STAYED.replace("WHERE", where))
    done, rules = imported(tmp_path, card)
    assert rules is not None
    text = (tmp_path / "out" / "scenarios" / f"{NAME}.yaml").read_text()
    assert ("victory-allied-decisive" in rules.rules) == bool(message)
    assert message in text
    # A card on which no piece can leave has no `ways_out`, and its conditions count no departures.
    assert ("ways_out:" in text) == ("departures" in text) == is_possible
    assert ((NoteSeverity.LOST, "allied decisive") in {(note.weight, note.subject) for note in done.notes}) == (
        not message
    )


def test_parts_of_a_card_that_cannot_be_imported_are_reported(whole: tuple[ImportReport, graph.Graph]) -> None:
    done, _ = whole
    labels = {(note.weight, note.subject) for note in done.notes if note.span.file == "scenarios/one.yaml"}
    assert {
        (NoteSeverity.LOST, "allied decisive"),
        (NoteSeverity.LOST, "glider"),
        (NoteSeverity.CHANGED, "Column"),
    } <= labels
    place = next(note.span for note in done.notes if note.subject == "glider")
    assert "glider: 1" in CARD.splitlines()[place.line - 1]


@pytest.mark.parametrize("players", ["random", "greedy"])
def test_an_imported_card_is_played(whole: tuple[ImportReport, graph.Graph], players: str) -> None:
    _, rules = whole
    played = play_to_end(rules, players_of(rules, players), "1", others=None)
    assert played.data is not None, played.problem
    assert played.data["turns"] == 2


def test_the_commands_find_imported_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imported(tmp_path)
    path = ["--path", str(tmp_path / "out")]
    assert run(["show", NAME, *path]) == 0
    assert "sets up:" in capsys.readouterr().out
    assert run(["play", NAME, "--rules", "panzer_leader+opportunity_fire", *path]) == 0
    assert "2 turns" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "weight", "message"),
    [
        ("faction: german", "faction: martian", NoteSeverity.LOST, "do not know this nation"),
        ("faction: german", "faction: british", NoteSeverity.LOST, "two sides"),
        ("turns: 2", "turns: 0", NoteSeverity.BROKEN, "turns are none"),
        ("{board: a,", "{board: q,", NoteSeverity.BROKEN, "not in the package"),
        ("m-5: 2, walker: 1, glider: 1", "m-5: 0", NoteSeverity.BROKEN, "a number of units"),
        ("rifle-platoon-german-42-west: 2, 75mm-at: 1", "dragon: 1", NoteSeverity.LOST, "has no counter for this unit"),
        ("{region: old-mill}", "{legion: old-mill}", NoteSeverity.LOST, "`legion` are not known"),
        ("[american, german]", "{random_each_turn: [american, german]}", NoteSeverity.LOST, "not an order"),
        ("[[0, 0], [2, 0], [2, 3], [0, 3]]", "[[0, 0], [2]]", NoteSeverity.BROKEN, "pairs of column and row"),
        ("level: tactical-victory", "level: glory", NoteSeverity.LOST, "does not know this level"),
    ],
)
def test_errors_of_a_card_are_located(tmp_path: Path, old: str, new: str, weight: NoteSeverity, message: str) -> None:
    assert old in CARD
    text = CARD.replace(old, new, 1)
    done, _ = imported(tmp_path, text)
    found = [note for note in done.notes if note.weight is weight and message in note.text]
    assert found, done.notes
    assert all(note.span.file == "scenarios/one.yaml" and note.span.line > 0 for note in found)
