"""What is remembered is what would be answered: games come out the same with any evaluator."""

import pytest

from runtime.answer.answer import Answer
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.free import free
from runtime.play.choices import Decision
from runtime.play.game import Game
from runtime.play.memoizing_evaluator import Asking, Evaluator, Recall, Streaming
from runtime.players.named import PLAYERS
from runtime.players.player import play_out, seat
from runtime.state import change
from runtime.state.position import State
from runtime.state.record import Value
from tests.toys.build import fold, op, pieces
from tests.toys.hares import BOG_BARS, MINE, hares

GRAPH = hares(BOG_BARS)


@pytest.mark.parametrize("player", ["random", "greedy"])
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_every_evaluator_plays_the_same_game(player: str, seed: str) -> None:
    digests = set()
    for evaluator in (Interpreter(GRAPH), GeneratedEvaluator(GRAPH)):
        game = Game(GRAPH, evaluator)
        course = game.start(seed)
        play_out(game, course, seat(dict.fromkeys(("red", "blue"), PLAYERS[player]), seed))
        digests.add(course.digest())
    assert len(digests) == 1


class Counting:
    """Counts how often it is asked."""

    def __init__(self, evaluator: Evaluator) -> None:
        """Begin at nothing."""
        self.evaluator = evaluator
        self.asked = 0

    def evaluate(self, state: State, expr: graph.Expr, names: dict[str, Value]) -> Value:
        """Count and pass on."""
        self.asked += 1
        return self.evaluator.evaluate(state, expr, names)

    def asking(self, expr: graph.Expr) -> Asking:
        """Count and pass on when it is evaluated."""
        return lambda state, names: self.evaluate(state, expr, names)

    def streaming(self, expr: graph.Expr) -> Streaming:
        """Count and pass on when it is passed over."""
        return lambda state, names: iter(self.evaluate(state, expr, names))

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Count and pass on."""
        self.asked += 1
        return self.evaluator.ask(state, name, arguments)

    def price(self, expr: graph.Expr) -> int:
        """Pass on."""
        return self.evaluator.price(expr)


def test_an_answer_is_worked_out_once_between_two_events() -> None:
    counting = Counting(Interpreter(GRAPH))
    recall = Recall(counting, GRAPH)
    state = Game(GRAPH, counting).set_up()
    assert recall.evaluate(state, MINE, {"player": "red", "other": 1}) == ()
    assert recall.evaluate(state, MINE, {"player": "red", "other": 2}) == ()
    assert counting.asked == 1
    event = change.move(state, 0, 3)
    assert recall.evaluate(state, MINE, {"player": "red"}) == (0,)
    assert recall.evaluate(state, MINE, {"player": "blue"}) == ()
    change.undo(state, event)
    assert recall.evaluate(state, MINE, {"player": "red"}) == ()
    change.redo(state, event)
    assert recall.evaluate(state, MINE, {"player": "red"}) == (0,)
    # Of a set that is known only the piece that moved is asked about, and not once it is off the map.
    assert counting.asked == 4


def test_copies_remember_for_themselves() -> None:
    recall = Recall(Interpreter(GRAPH), GRAPH)
    state = Game(GRAPH, Interpreter(GRAPH)).set_up()
    recall.evaluate(state, MINE, {"player": "red"})
    twin = state.copy()
    change.move(twin, 0, 3)
    assert recall.evaluate(twin, MINE, {"player": "red"}) == (0,)
    assert recall.evaluate(state, MINE, {"player": "red"}) == ()


def test_remembering_changes_no_option() -> None:
    plain, quick = Game(GRAPH, Interpreter(GRAPH)), Game(GRAPH, GeneratedEvaluator(GRAPH))
    one, other = plain.start("9"), quick.start("9")
    while isinstance(now := plain.advance(one), Decision):
        assert quick.advance(other) == now
        index = len(one.journal) % len(now.options)
        plain.apply(one, now, index)
        quick.apply(other, now, index)
    assert quick.advance(other) == now
    assert one.digest() == other.digest()


def test_free_names() -> None:
    assert free(fold("count", "u", pieces("h"), where=op("=", "u", "v"))) == {"h", "v"}
    assert free(fold("min", "u", "u", body="u", otherwise="w")) == {"u", "w"}
