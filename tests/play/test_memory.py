"""What is remembered across events is what would be answered afresh, and pieces taken for one another are alike."""

from functools import cache

import pytest

from rulewright.games import game_of, load_scenario
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.answer.reads import Reads
from runtime.experiment.outcome import outcome
from runtime.graph import nodes as graph
from runtime.play.choices import Decision
from runtime.play.game import Game
from runtime.play.obligations import TryoutCourse, UnthrownDie
from runtime.play.symmetry import SymmetryAnalysis, SymmetryClasses
from runtime.players.named import PLAYERS
from runtime.players.player import answer, seat
from runtime.state import change
from runtime.state.answers import LONGEST
from runtime.state.memory import MANY, DependencySet, Question, wholly
from runtime.state.parts import gathered, present, standing, written
from runtime.state.record import Sheet
from tests.toys.build import ask, given, op
from tests.toys.hares import hares

GRAPH = hares()
WHERE, TIRED, SPENT = standing("hare"), "hare.tired", "hare.spent"
FORGETFUL = Question()


@cache
def shipped(name: str) -> Game:
    """A shipped situation, ready to play."""
    found = load_scenario(name, None).graph
    assert found is not None
    return game_of(found)


@pytest.mark.parametrize("name", ["bridge_at_millbrook", "ridge_farm"])
@pytest.mark.parametrize("player", ["random", "greedy"])
def test_who_remembers_is_asked_the_same_as_who_does_not(name: str, player: str) -> None:
    game = shipped(name)
    course = game.start("7")
    assert game.graph.scenario is not None
    seats = seat(dict.fromkeys(game.graph.scenario.order, PLAYERS[player]), "7")
    for number in range(250):
        if number % 3 == 0:
            afresh = course.copy()
            asked = game.advance(course)
            assert game.advance(afresh) == asked
            assert course.digest() == afresh.digest()
        else:
            asked = game.advance(course)
        if not isinstance(asked, Decision):
            break
        game.apply(course, asked, answer(game, course, asked, seats))


def test_a_game_leaves_nothing_behind() -> None:
    rules = load_scenario("before_the_tide", None).graph
    assert rules is not None
    made = GeneratedEvaluator(rules)
    game = Game(rules, made)
    players = dict.fromkeys(game.graph.scenario.order, PLAYERS["greedy"]) if game.graph.scenario else {}
    held = []
    for seed in ("1", "1", "1"):
        outcome(game, players, seed)
        held.append((len(made.expressions), len(made.streams), len(made.namespace)))
    assert held[1] == held[2]


def test_an_event_lets_go_only_what_reads_what_it_changes() -> None:
    state = Game(GRAPH, Interpreter(GRAPH)).set_up()
    places, moods = Question(wholly({WHERE})), Question(wholly({TIRED, SPENT}))
    for question in (places, moods, FORGETFUL):
        state.answers[question]["asked"] = True
    change.move(state, 0, 3)
    assert "asked" not in state.answers[places]
    assert "asked" in state.answers[moods]
    assert "asked" not in state.answers[FORGETFUL]
    state.answers[places]["asked"] = True
    change.undo(state, change.mark(state, TIRED, 0))
    assert "asked" in state.answers[places]
    assert "asked" not in state.answers[moods]


def test_a_new_piece_is_one_more_and_its_number_is_free_again_once_it_never_came() -> None:
    state = Game(GRAPH, Interpreter(GRAPH)).set_up()
    moods, there = Question(wholly({TIRED})), Question(wholly({present("hare")}))
    state.answers[moods]["asked"] = state.answers[there]["asked"] = True
    came = change.create(state, Sheet("late", "hare", "", "red", {}, frozenset()))
    assert "asked" in state.answers[moods]
    assert "asked" not in state.answers[there]
    change.undo(state, came)
    assert "asked" not in state.answers[moods]


def test_what_rests_on_one_outlasts_what_happens_to_another() -> None:
    state = Game(GRAPH, Interpreter(GRAPH)).set_up()
    change.move(state, 0, 3)
    change.move(state, 1, 4)
    rests = DependencySet(
        frozenset(), {WHERE: ((0, ()),), gathered("hare"): ((1, ()),), TIRED: ((1, (("standing", ""),)),)}
    )
    question = Question(lambda _: rests)
    for to in (5, 6):
        state.answers[question].update(dict.fromkeys(range(MANY), "blunt"))
        change.move(state, 0, to)
        assert not state.answers[question]  # What has never cost many answers is not noted.
    state.answers[question].update(dict.fromkeys(range(MANY), "blunt"))
    change.mark(state, TIRED, 0)
    assert not state.answers[question]
    memory = state.answers[question]
    for key in ((0, 3), (1, 3), (1, 4), (2, 5)):
        memory.keep(state, key, "asked")
    change.mark(state, TIRED, 1)
    assert set(state.answers[question]) == {(0, 3), (1, 3), (2, 5)}
    change.move(state, 0, 3)
    assert set(state.answers[question]) == {(2, 5)}


def test_a_set_is_doubted_only_for_the_members_that_have_changed() -> None:
    state = Game(GRAPH, Interpreter(GRAPH)).set_up()
    question = Question(lambda _: DependencySet(frozenset({SPENT}), each=frozenset({TIRED})))
    state.answers[question].keep(state, (), (1, 2, 3))
    change.mark(state, TIRED, 2)
    change.mark(state, TIRED, 4)
    memory = state.answers[question]
    assert () not in memory
    assert memory.doubts(()) == ((1, 2, 3), {2, 4})
    memory.keep(state, (), (1, 3, 4))
    change.set_track(state, SPENT, 1, 1)
    assert state.answers[question].doubts(()) is None


def test_many_events_let_everything_go() -> None:
    state = Game(GRAPH, Interpreter(GRAPH)).set_up()
    moods = Question(wholly({TIRED}))
    state.answers[moods]["asked"] = True
    for _ in range(LONGEST + 1):
        state.answers.happened(((WHERE, (0,)),))
    assert state.answers.count <= LONGEST
    assert "asked" not in state.answers[moods]


def test_a_question_reads_what_the_questions_it_asks_read() -> None:
    reads = Reads(GRAPH)
    assert reads.of(given("u", "side")) == frozenset()
    assert WHERE in (reads.of(given("u", "hex")) or ())
    assert {WHERE, SPENT} <= (reads.of(ask("may_enter", "u", given("u", "hex"))) or set())
    assert reads.of(graph.All(graph.RecordOf("snatch"))) == frozenset((written("snatch"),))


def test_a_record_made_anew_is_kept_for_one_position_only() -> None:
    made = graph.New("snatch", (("by", graph.Member("side", "red")), ("at", graph.Place("", "", 3))))
    assert Reads(GRAPH).of(made) is None
    assert Reads(GRAPH).of(op("=", made, made)) is not None


def test_alike_are_those_of_whom_nothing_is_known() -> None:
    game = Game(GRAPH, Interpreter(GRAPH))
    state = game.set_up()
    alike = SymmetryAnalysis(GRAPH, game.evaluator.reads)
    counters = {state.sheets[piece].counter for piece in range(len(state.sheets))}
    waiting = [piece for piece in state.reserve(("hare",)) if state.side[piece] == "red"]
    likes = [SymmetryClasses(alike, state, {}).likeness(piece) for piece in waiting]
    assert len(waiting) > len(set(likes))
    assert None not in likes
    assert counters
    one, other = next((a, b) for a in waiting for b in waiting if a < b and likes[a] == likes[b])
    named = SymmetryClasses(alike, state, {"u": one})
    assert named.likeness(one) is None
    assert named.likeness(other) is not None
    change.mark(state, TIRED, one)
    assert SymmetryClasses(alike, state, {}).likeness(one) is None
    change.move(state, other, 0)
    assert SymmetryClasses(alike, state, {}).likeness(other) is None
    fresh = game.set_up()
    change.relate(fresh, "chases", one, other)
    assert SymmetryClasses(alike, fresh, {}).likeness(other) is None


@pytest.mark.parametrize("name", ["bridge_at_millbrook", "ridge_farm", "first_snow"])
def test_a_branch_answers_as_a_copy_that_remembers_nothing(name: str) -> None:
    """Branches of branches, which are asked and changed in turn, and share what they remember with the game."""
    game = shipped(name)
    course = game.start("5")
    assert game.graph.scenario is not None
    seats = seat(dict.fromkeys(game.graph.scenario.order, PLAYERS["random"]), "5")
    for number in range(60):
        asked = game.advance(course)
        if not isinstance(asked, Decision):
            break
        branch = course
        for turn in range(4):
            branch = TryoutCourse.copy_of(branch)
            try:
                now = game.run(branch)
                assert now == game.run(branch.copy())
                if now is None:
                    break
                game.take(branch, now.options[(number + turn) % len(now.options)])
            except UnthrownDie:
                break
        game.apply(course, asked, answer(game, course, asked, seats))
        assert game.advance(course) == game.advance(course.copy())


def test_what_a_state_shared_is_not_spoilt_by_what_happens_there() -> None:
    """The parent changes after a branch was made: each has its own answers from then on."""
    game = shipped("bridge_at_millbrook")
    course = game.start("5")
    before = game.advance(course)
    assert isinstance(before, Decision)
    branch, pure = TryoutCourse.copy_of(course), course.copy()
    assert game.run(branch) == before
    game.apply(course, before, 0)
    game.advance(course)
    assert game.run(branch) == game.advance(pure) == before
