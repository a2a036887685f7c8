"""Positions outside of games: of examples, and of position files.

In: an address such as `example.STACK@ANCHOR`, with the anchors of the book, or `position.FILE`, a file in the user's
folder of positions or of witnesses. Out: a playthrough at a decision. Such a position rarely specifies its decision:
it is the offer of its phase, otherwise of one in which an example acts, otherwise the first of the sequence.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import count, takewhile
from pathlib import Path
from typing import NamedTuple

from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.rulebook.contents import example_anchor
from compiler.source import nodes as source
from compiler.source.files import reading_unsaved
from compiler.source.package import read_document
from rulewright.explain.position_questions import set_up_question
from rulewright.library import cache
from rulewright.library.stacks import Stack, load_stack
from rulewright.system.atomic_files import save_text
from rulewright.system.errors import UsageError
from runtime.examples.expectations import types_of_row
from runtime.examples.run import ExampleRun
from runtime.examples.set_up import set_up
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.witness.position_file import position_file
from runtime.witness.snapshot import take_snapshot

# The folders of the cache from which position files are read.
SAVED, FOUND = "positions", "witnesses"
POSITION_NAME = re.compile(r"[A-Za-z_][\w-]*")
LARGEST = 60_000
# The names of pieces in examples, which are not descriptive.
LETTERED = re.compile(r"[A-Z][A-Za-z]?\d?")
# The lines of an example that end its set-up.
ASKING = (graph.Check, graph.Perform, graph.Order, graph.Printed, graph.Narrated, graph.LetOnly, graph.Draws)


class _PositionSetup(NamedTuple):
    """A position with its rules and title, the questions and acts in it, as nodes, and what ended as it was set up."""

    stack: Stack
    title: str
    state: State
    about: tuple[object, ...]
    ended: str = ""


def example_at(rest: str, packages: Sequence[Path]) -> _PositionSetup:
    """Set up the position of the first question or act of an example, of its first case if it has several."""
    name, _, anchor = rest.partition("@")
    stack = load_stack(name, packages)
    rules = stack.rules
    found = [example for example in rules.examples if example_anchor(example.title, example.origin) == anchor]
    if not found:
        raise UsageError(f"there is no such example in `{name}` any more; print the book again")
    if found[0].card:
        raise UsageError(f"this example belongs to the situation `{found[0].card}`: open that")
    playing = ExampleRun(rules, found[0], 0)
    playthrough, names = set_up(playing.rules, playing.example, 0)
    types = types_of_row(found[0], 0, rules)
    for line in takewhile(lambda each: not isinstance(each, ASKING), found[0].lines):
        if not isinstance(line, graph.Given):  # Assumed facts hold only in the example.
            names = playing.play_line(playthrough, line, names, types)
    about = tuple(line for line in found[0].lines if isinstance(line, graph.Check | graph.Perform | graph.Let))
    _name_by_counters(playthrough.state)
    return _PositionSetup(stack, found[0].title, playthrough.state, about)


def _name_by_counters(state: State) -> None:
    """Rename pieces with single-letter names like those of a card: `truck-1`, `truck-2`."""
    used_names = {sheet.name for sheet in state.sheets}
    renamed = []
    for sheet in state.sheets:
        if LETTERED.fullmatch(sheet.name) and sheet.counter in state.graph.counters:
            name = next(each for number in count(1) if (each := f"{sheet.counter}-{number}") not in used_names)
            used_names.add(name)
            renamed.append(sheet._replace(name=name))
        else:
            renamed.append(sheet)
    state.sheets = tuple(renamed)


def file_at(rest: str, packages: Sequence[Path]) -> _PositionSetup:
    """Set up the position of a file, under its stack or the one after `@`; `UsageError` with its problems."""
    directory = cache.own_folder()
    rest, _, on = rest.partition("@")
    file = directory / rest if rest.endswith(".yaml") else directory / SAVED / f"{rest}.yaml"
    if not any(file.resolve().is_relative_to((directory / each).resolve()) for each in (SAVED, FOUND)):
        raise UsageError("this is not the link of a position")
    if not file.is_file():
        raise UsageError(f"there is no position `{rest}` any more")
    return _position_in(file, on, packages)


def _position_in(file: Path, on: str, packages: Sequence[Path]) -> _PositionSetup:
    """Set up the position of a file or of the text that replaces it, under its stack or `on`."""
    position, problems = read_document(file, source.Position)
    if position is None or problems:
        raise UsageError(
            f"this position file is invalid: {first_finding_text(diagnose(problems, {})) or 'it is empty'}"
        )
    name = on or position.stack.text
    stack = load_stack(name, packages)
    _ = stack.rules  # A broken stack is refused.
    found = set_up_question(stack, position, {})
    if found.state is None:
        raise UsageError(f"this position does not fit `{name}`: {first_finding_text(found.diagnostics)}")
    _name_by_counters(found.state)
    return _PositionSetup(stack, position.name.text.replace("_", " "), found.state, (), found.ended)


def first_finding_text(diagnostics: Iterable[Diagnostic]) -> str:
    """Format the first finding, with its line; "" if there is none."""
    found = next(iter(diagnostics), None)
    if found is None:
        return ""
    line_prefix = f"line {found.spans[0].span.line}: " if found.spans else ""
    return f"{line_prefix}{found.message}{f'; {found.help}' if found.help else ''}"


def position_file_text(state: State, name: str) -> tuple[str, tuple[str, ...]]:
    """Return a state as the text of a position file, and what the file omits."""
    position, _, left_out = take_snapshot(state, state.board.source, name)
    if position is None:
        raise UsageError(
            "a position file cannot contain this map, which is not made of plain rows of hexes; copy the link instead"
        )
    return position_file(position, state.graph.vocabulary), left_out


def save_position(name: str, text: str, packages: Sequence[Path]) -> tuple[str, str]:
    """Save a position file, and return its address, and which pairs of it end; `UsageError` if it is invalid."""
    if not POSITION_NAME.fullmatch(name):
        raise UsageError("the name of a position has letters, digits, - and _, and begins with a letter")
    if len(text) > LARGEST:
        raise UsageError("this is too long for a position file")
    file = cache.own_folder() / SAVED / f"{name}.yaml"
    with reading_unsaved({file: text}):
        setup = _position_in(file, "", packages)
    save_text(file, text)
    return f"position.{name}", setup.ended
