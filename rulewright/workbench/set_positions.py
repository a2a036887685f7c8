"""Positions that are no moment of a game: of an example, of a position file.

In: an address such as `example.STACK@ANCHOR`, as the book names its examples, or `position.FILE`, a file that lies in
the user's folder of positions or of witnesses. Out: a course at a decision. Such a position says seldom what is asked
in it: it is the offer of the phase it names, else of one in which an example acts, else the first of the sequence.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from compiler.question import type_question
from compiler.rulebook.contents import example_anchor
from compiler.source.package import read_position
from rulewright.errors import UsageError
from rulewright.library import cache
from rulewright.library.stacks import Stack, load_stack
from rulewright.saving import make_folder, save_text
from runtime.answer.answer import Unanswered
from runtime.examples.run import Playing
from runtime.graph import nodes as graph
from runtime.graph.type_of import SIDE
from runtime.play.broken import BrokenRules
from runtime.play.choices import Decision
from runtime.play.course import Call, Course
from runtime.play.game import SEQUENCE, Game
from runtime.play.instructions import Enter
from runtime.state import change
from runtime.state.position import State
from runtime.state.setup import from_position
from runtime.witness.position_file import position_file
from runtime.witness.snapshot import snapshot

# Folders of the cache from which position files are read.
SAVED, FOUND = "positions", "witnesses"
NAME = re.compile(r"[A-Za-z_][\w-]*")
LARGEST = 60_000


class SetUp(NamedTuple):
    """A position as set up: its rules, what it is called, and the actions that are looked at in it first."""

    stack: Stack
    title: str
    state: State
    actions: tuple[str, ...]


def example_at(rest: str, packages: Sequence[Path]) -> SetUp:
    """Set up the position of an example, of its first case if it has several."""
    name, _, anchor = rest.partition("@")
    stack = load_stack(name, packages)
    if stack.broken or stack.graph is None:
        raise UsageError(f"`{name}` has errors; `rulewright check` says which")
    found = [each for each in stack.graph.examples if example_anchor(each.title, each.origin) == anchor]
    if not found:
        raise UsageError(f"there is no such example in `{name}` any more; print the book anew")
    if found[0].card:
        raise UsageError(f"this example is on a situation: look at `{found[0].card}`")
    course, _ = Playing(stack.graph, found[0], 0).set_up()
    acts = tuple(line.action for line in found[0].lines if isinstance(line, graph.Perform))
    return SetUp(stack, found[0].title, course.state, acts)


def file_at(rest: str, packages: Sequence[Path]) -> SetUp:
    """Set up what a position file says; what is wrong in it is told."""
    house = cache.own_folder()
    file = house / rest if rest.endswith(".yaml") else house / SAVED / f"{rest}.yaml"
    if not any(file.resolve().is_relative_to((house / each).resolve()) for each in (SAVED, FOUND)):
        raise UsageError("this link leads to no position")
    if not file.is_file():
        raise UsageError(f"there is no position `{rest}` any more")
    position, problems = read_position(file)
    if position is None or problems:
        raise UsageError(f"{file} is no sound position file; `rulewright show` says why")
    stack = load_stack(position.stack.text, packages)
    if stack.broken or stack.graph is None or stack.env is None:
        raise UsageError(f"`{position.stack.text}` has errors; `rulewright check` says which")
    asked = type_question(stack.env, stack.library.boards, position, "yes")
    if asked.problems:
        raise UsageError(f"{file} does not fit its rules; `rulewright show` says where")
    return SetUp(stack, position.name.text.replace("_", " "), from_position(stack.graph, asked.position), ())


def begun(game: Game, setting: SetUp) -> tuple[Course, Decision]:
    """Stand before what is asked in a position."""
    state = setting.state
    for key, at in offers(game, state.phase, setting.actions):
        twin = state.copy()
        if not twin.player:
            change.set_player(twin, first_side(twin))
        if not twin.phase and (phase := phase_at(game, key, at)):
            change.set_phase(twin, phase)
        course = Course(twin, "1")
        course.calls.append(Call(key, at, {"player": twin.player}))
        try:
            now = game.run(course)
        except (BrokenRules, Unanswered, KeyError):
            continue
        if now is not None:
            return course, now
    raise UsageError("nothing is asked in this position: no action of any phase is open in it")


def offers(game: Game, phase: str, actions: Sequence[str]) -> Iterator[tuple[str, int]]:
    """List the offers of the sequence of play: first those of a phase, then those of some actions, then all."""
    code = game.programs.of[SEQUENCE].code if SEQUENCE in game.programs.of else ()
    found = [(at, step) for at, step in enumerate(code) if isinstance(step, graph.Offer)]

    def rank(each: tuple[int, graph.Offer]) -> tuple[bool, bool, int]:
        at, step = each
        takes = any(name in actions for name, _ in step.actions)
        return phase_at(game, SEQUENCE, at) != phase if phase else False, not takes, at

    yield from ((SEQUENCE, at) for at, _ in sorted(found, key=rank))


def phase_at(game: Game, key: str, at: int) -> str:
    """Name the phase in which an instruction stands, "" outside of any."""
    entered = (step.phase for step in reversed(game.programs.of[key].code[:at]) if isinstance(step, Enter))
    return next(entered, "")


def first_side(state: State) -> str:
    """Name the side of the first piece that has one, else the first side there is."""
    sides = [word.name for word in state.graph.vocabulary.enums[SIDE.name].members]
    return next((side for side in state.side if side), sides[0] if sides else "")


def written(state: State, name: str) -> tuple[str, tuple[str, ...]]:
    """Write a state as a position file; also say what the file does not hold."""
    position, _, left_out = snapshot(state, state.board.source, name)
    if position is None:
        raise UsageError("no position file can hold this map: it is no plain rows of hexes; keep the link instead")
    return position_file(position, state.graph.vocabulary), left_out


def save(name: str, text: str, packages: Sequence[Path]) -> str:
    """Keep a position file; gives its address. One that is wrong is not kept."""
    if not NAME.fullmatch(name):
        raise UsageError("the name of a position has letters, digits, - and _, and begins with a letter")
    if len(text) > LARGEST:
        raise UsageError("this is too long for a position file")
    folder = cache.own_folder() / SAVED
    make_folder(folder)
    file = folder / f"{name}.yaml"
    before = file.read_text(encoding="utf-8") if file.is_file() else None
    save_text(file, text)
    try:
        file_at(name, packages)
    except UsageError:
        if before is None:
            file.unlink()
        else:
            save_text(file, before)
        raise
    return f"position.{name}"
