"""What the table says is printed where it is read, and is no answer of the engine."""

from dataclasses import replace

from compiler.rulebook.evidence import ExampleOutcome
from compiler.rulebook.examples import show_example
from runtime.graph import nodes as graph
from tests.books.fair import HERE, check, example, fair


def test_what_is_read_before_the_dice_stands_before_what_throws_them() -> None:
    shown = example("a throw", "", check("allowed"))
    drive = shown.lines[0]
    said = [graph.Narrated("previews", "A 3 does it.", HERE), graph.Narrated("chances", "5 in 9", HERE)]
    lines = (shown.lines[-1], drive, *said, shown.lines[-1])
    told = show_example(
        fair(), ExampleOutcome(replace(shown, names=(), rows=(), lines=lines), "", (), frozenset())
    ).lines
    places = [
        next(place for place, line in enumerate(told) if text in line.text) for text in ("A 3", "5 in 9", "drives")
    ]
    assert places == sorted(places)
    assert not any(told[place].answer for place in places[:2])
    assert [line.answer for line in (told[0], told[-1])] == [True, True]
