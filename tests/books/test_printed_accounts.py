"""Narrated lines of an example are printed before the dice they are about, and are not answers of the engine."""

from dataclasses import replace

from compiler.rulebook.evidence import ExampleOutcome
from compiler.rulebook.examples import show_example
from runtime.graph import nodes as graph
from tests.books.fair import HERE, check, example, fair


def test_narrated_lines_precede_the_action_and_are_no_answers() -> None:
    example_node = example("a throw", "", check("allowed"))
    drive = example_node.lines[0]
    narrated = [graph.Narrated("previews", "A 3 does it.", HERE), graph.Narrated("chances", "5 in 9", HERE)]
    lines = (example_node.lines[-1], drive, *narrated, example_node.lines[-1])
    shown_example = show_example(
        fair(), ExampleOutcome(replace(example_node, names=(), rows=(), lines=lines), "", (), frozenset())
    ).lines
    places = [
        next(place for place, line in enumerate(shown_example) if text in line.text)
        for text in ("A 3", "5 in 9", "drives")
    ]
    assert places == sorted(places)
    assert not any(shown_example[place].answer for place in places[:2])
    assert [line.answer for line in (shown_example[0], shown_example[-1])] == [True, True]
