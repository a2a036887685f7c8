"""Every shipped stack: no errors, every example passes; the situations play, the same seed the same game."""

import pytest

from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Severity
from compiler.report.render.line import line
from rulewright import proofs
from rulewright.examples import clarified_elsewhere, run_stack, unplayed_rulings
from rulewright.library.stacks import Shelves, open_shelves
from rulewright.library.wanted import Wanted, everything, on_cards
from rulewright.proofs import prove_stack
from runtime.answer.generate import Compiled
from runtime.graph.codec import decode, encode
from runtime.play.game import Game
from runtime.players.named import PLAYERS
from runtime.players.player import play_out, seat
from tests.soak.stacks import options, together

SHELVES = open_shelves()
STACKS = [wanted.name for wanted in everything(SHELVES) if not wanted.scenario]
ON_CARDS = on_cards(SHELVES)
GAMES = ("low_tide", "panzer_grenadier", "panzer_leader", "panzerblitz")
TOGETHER = [together(SHELVES, game, options(SHELVES, game)) for game in GAMES]
SITUATIONS = [wanted for wanted in everything(SHELVES) if wanted.scenario]


@pytest.fixture(scope="module")
def shelves() -> Shelves:
    """The rules as they stand."""
    return SHELVES


@pytest.mark.parametrize("name", STACKS)
def test_a_stack_compiles_and_its_examples_pass(shelves: Shelves, name: str) -> None:
    stack = shelves.compiled(name)
    assert stack.graph is not None, [line(each) for each in stack.diagnostics]
    runs = run_stack(stack.graph)
    failed = [failure for run in runs for failure in run.failures]
    assert not failed, failed[0]
    assert not clarified_elsewhere(stack.graph, runs)
    assert not unplayed_rulings(stack.graph, runs)


@pytest.mark.parametrize("wanted", ON_CARDS, ids=lambda wanted: wanted.name)
def test_examples_on_a_card_pass(shelves: Shelves, wanted: Wanted) -> None:
    laid = wanted.compiled(shelves)
    assert laid.graph is not None, [line(each) for each in laid.diagnostics]
    runs = run_stack(laid.graph)
    assert runs
    assert all(run.passed for run in runs), [failure for run in runs for failure in run.failures]


@pytest.fixture
def by_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave arithmetic to the games alone: with every option it would take minutes."""
    monkeypatch.setattr(proofs, "available", lambda: None)


@pytest.mark.parametrize("name", [name for name in STACKS if "+" not in name])
def test_nothing_can_be_proved_wrong(shelves: Shelves, name: str) -> None:
    stack = shelves.compiled(name)
    assert stack.graph is not None
    found = diagnose(prove_stack(stack.graph), stack.texts)
    assert not [line(each) for each in found if each.severity is Severity.ERROR]


@pytest.mark.usefixtures("by_cases")
@pytest.mark.parametrize("name", [name for name in STACKS if "+" in name])
def test_nothing_can_be_proved_wrong_by_cases(shelves: Shelves, name: str) -> None:
    stack = shelves.compiled(name)
    assert stack.graph is not None
    found = diagnose(prove_stack(stack.graph), stack.texts)
    assert not [line(each) for each in found if each.severity is Severity.ERROR]


@pytest.mark.usefixtures("by_cases")
@pytest.mark.parametrize("name", TOGETHER)
def test_all_options_at_once(shelves: Shelves, name: str) -> None:
    stack = shelves.compiled(name)
    assert stack.graph is not None, [line(each) for each in stack.diagnostics]
    assert not [line(each) for each in diagnose(prove_stack(stack.graph), stack.texts)]


# What stands in an option's graph alone stands in that of all options together.
@pytest.mark.parametrize("name", [*dict.fromkeys((*GAMES, *TOGETHER))])
def test_a_graph_survives_being_written_down(shelves: Shelves, name: str) -> None:
    stack = shelves.compiled(name)
    assert stack.graph is not None
    text = encode(stack.graph)
    assert encode(decode(text)) == text


@pytest.mark.parametrize("players", ["random", "greedy"])
@pytest.mark.parametrize("wanted", SITUATIONS, ids=lambda wanted: wanted.scenario)
def test_a_situation_plays_to_its_end(shelves: Shelves, wanted: Wanted, players: str) -> None:
    card = shelves.library.scenarios[wanted.scenario]
    stack = shelves.compiled(wanted.stack, card)
    assert stack.graph is not None, [line(each) for each in stack.diagnostics]
    assert stack.graph.scenario is not None
    sides = dict.fromkeys(stack.graph.scenario.order, PLAYERS[players])
    ends = []
    for _ in range(2 if players == "random" else 1):
        game = Game(stack.graph, Compiled(stack.graph))
        course = game.start("golden")
        finished = play_out(game, course, seat(sides, "golden"))
        ends.append((finished, course.digest()))
        assert finished.turn == stack.graph.scenario.turns or players == "greedy"
    assert ends[0] == ends[-1]
