"""Tell an example: its position, what is done, what is asked, and the answer that play gives.

In: an example of the graph, which the tests run. Out: a drawing and sentences for the page.
"""

from dataclasses import dataclass

from compiler.rulebook.diagrams import Drawing, draw_position
from compiler.rulebook.steps import read_step
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.wording import Wording


@dataclass(frozen=True, slots=True)
class Told:
    """One line: something given or done (`answer` false), or an answer with the labels that give it."""

    text: str
    answer: bool = False
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """An example ready to print; `rows` is the table of its cases."""

    title: str
    stack: str
    drawing: Drawing
    dice: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[Told, ...]


def show_example(book: graph.Graph, example: graph.Example) -> Shown:
    """Tell an example from its position to its answers."""
    speaker = Wording(book, {name: words.spaced(name) for name in example.names})
    return Shown(
        words.sentence(example.title).removesuffix("."),
        example.stack,
        draw_position(book, example.position),
        words.listed([str(die) for die in example.dice]),
        tuple(words.spaced(name) for name in example.names),
        tuple(tuple(speaker.phrase(value) for value in row) for row in example.rows) if example.names else (),
        tuple(_told(speaker, line) for line in example.lines),
    )


def _told(speaker: Wording, line: graph.ExampleLine) -> Told:
    match line:
        case graph.Given(term, arguments, value):
            said = speaker.phrase(graph.Ask(term, arguments))
            return Told(words.sentence(f"say that {said.removeprefix('whether ')} is {speaker.phrase(value)}"))
        case graph.Perform():
            return Told(_performed(speaker, line), answer=line.refused)
        case graph.Order(stations):
            return Told(_ordered(speaker, stations), answer=True)
        case graph.Check():
            return Told(
                words.sentence(_answer(speaker, line)),
                answer=True,
                reasons=tuple(dict.fromkeys((*line.by, *line.because))),
            )
        case _:
            return Told(read_step(speaker, line).text)


def _performed(speaker: Wording, line: graph.Perform) -> str:
    action = speaker.rules.procedures.get(f"action:{line.action}")
    choices = {name: speaker.phrase(value) for name, value in line.choices}
    template = action.reads if action else ""
    said = template
    for name, value in choices.items():
        said = said.replace(f"{{{name}}}", value)
    if not template or "{" in said:
        said = f"{words.spaced(line.action)} ({', '.join(f'{words.spaced(n)} {v}' for n, v in choices.items())})"
    return words.sentence(f"{said}{': this is refused' if line.refused else ''}")


def _ordered(speaker: Wording, stations: tuple[graph.Station, ...]) -> str:
    """Say what the game comes by."""
    return words.sentence(f"in this order come {words.listed([station(speaker, each) for each in stations])}")


def station(speaker: Wording, here: graph.Station) -> str:
    """Say what the game comes by at a station."""
    name = words.spaced(here.name)
    of = f" of {speaker.phrase(graph.Member('side', here.side))}" if here.side else ""
    match here.what:
        case "turn":
            return f"turn {here.name}"
        case "phase":
            return f"the phase “{name}”{of}"
        case "offer":
            return f"the chance to “{name}”{of}"
        case _:
            return f"“{name}”{of}"


def _answer(speaker: Wording, check: graph.Check) -> str:
    question, expected = check.question, check.expected
    if check.verdict:
        return speaker.said(question, holds=check.verdict == "allowed")
    match question, expected:
        case _, None:
            return speaker.phrase(question)
        case _, graph.Truth(value):
            return speaker.said(question, holds=value)
        case _:
            return f"{speaker.phrase(question)}: {speaker.phrase(expected)}"
