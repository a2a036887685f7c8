"""The scenes that `show` renders: a scenario card, a position file, or a single board."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from compiler.question import type_question
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.source import nodes as source
from compiler.source.files import PackageFile, read_text
from compiler.source.heads import document_heads
from compiler.source.nodes import BoardPlacement, Position, Word
from compiler.source.package import read_document
from rulewright.explain.position_questions import quotable_texts
from rulewright.explain.views.victory_conditions import victory_text
from rulewright.games.scenarios import enclosing_folder, load_card
from rulewright.library.stacks import Stack, load_stack, open_packages
from rulewright.system.errors import UsageError
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.state.position import State
from runtime.state.setup import from_card, from_position

PieceRow = tuple[str, str, str, str]
ForceRow = tuple[str, str, dict[str, int], str]


@frozen_dataclass
class Scene:
    """A board, pieces as (name, counter, side, hex), and forces as (side, title, units, area or entry).

    `aims` are the victory conditions. `opening` returns the initial state, for a picture; it requires all boards.
    """

    name: str
    title: str
    stack: str
    board: graph.Board
    pieces: tuple[PieceRow, ...]
    forces: tuple[ForceRow, ...]
    opening: Callable[[], State]
    aims: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    waits_for: tuple[str, ...] = ()


@frozen_dataclass
class RenderedScene:
    """A scene, or the problems that prevented its loading."""

    scene: Scene | None
    diagnostics: list[Diagnostic]
    texts: Mapping[str, str]


def load_scene(subject: str, rules: str | None, packages: Sequence[Path]) -> RenderedScene:
    """Load a scene by the name of a card or board, or from the file of a position, board or card."""
    file = Path(subject)
    if file.is_file() and _begins(file, "position"):
        return _position_scene(file, rules, (*packages, *enclosing_folder(subject)))
    if file.is_file() and not _begins(file, "scenario") and (name := _begins(file, "board")):
        return _board_scene(name, rules, (*packages, file.parent))
    library = open_packages(packages).library
    if subject in library.boards.places and subject not in library.scenarios.places:
        return _board_scene(subject, rules, packages)
    stack = load_card(subject, rules, packages)
    assert stack.rules.scenario
    return RenderedScene(_card(stack.rules, stack.rules.scenario, stack.name), [], {})


def _begins(file: Path, key: str) -> str:
    """Return the value of the key that identifies a position, board or card file; "" if the file has no such key."""
    text, _ = read_text(PackageFile(file, file.as_posix()))
    return next((name for kind, name, _ in document_heads(text, file.as_posix()) if kind == key), "")


def _board_scene(name: str, rules: str | None, packages: Sequence[Path]) -> RenderedScene:
    """Load a single board, with the features that a stack declares."""
    if rules is None:
        raise UsageError(f"a board is drawn with the words of a stack: `rulewright show {name} --rules STACK`")
    stack = load_stack(rules, packages).require_usable()
    boards = stack.library.boards
    if boards.get(name) is None or boards.problems_with(name):
        return RenderedScene(None, diagnose(boards.problems_with(name), stack.texts), stack.texts)
    span = boards[name].span
    word = Word(span, name)
    placed = (BoardPlacement(span, word, row=0, column=0, turned=False),)
    position = Position(span, word, Word(span, stack.name), (), placed, (), (), (), ())
    return _position_on(stack, position, stack.texts, boards[name].title)


def _position_scene(file: Path, rules: str | None, packages: Sequence[Path]) -> RenderedScene:
    """Load a position under a specified stack, by default its own."""
    position, problems = read_document(file, source.Position)
    if position is None or problems:
        texts = open_packages(packages).texts(file)
        return RenderedScene(None, diagnose(problems, texts), texts)
    # The stack in a position file is a name; only the caller may specify folders.
    package_set = open_packages(packages)
    if rules is None:
        package_set.require_layers(position.stack.text)
    stack = load_stack(rules, packages) if rules else package_set.compiled(position.stack.text)
    return _position_on(stack.require_usable(), position, quotable_texts(stack, file))


def _position_on(stack: Stack, position: Position, texts: Mapping[str, str], title: str = "") -> RenderedScene:
    """Type-check a position with the declarations of a stack that compiles."""
    assert stack.env
    assert stack.graph
    typed_question = type_question(stack.env, stack.library.boards, position, "yes")
    if typed_question.problems:
        return RenderedScene(None, diagnose(typed_question.problems, texts), texts)
    return RenderedScene(_position(typed_question.position, stack.graph, stack.name, title), [], {})


def _position(position: graph.Position, rules: graph.Graph, stack: str, title: str) -> Scene:
    pieces = tuple((piece.name, piece.counter or piece.kind, piece.owner, piece.at) for piece in position.pieces)
    return Scene(position.name, title, stack, position.board, pieces, (), partial(from_position, rules, position))


def _card(rules: graph.Graph, card: graph.Scenario, stack: str) -> Scene:
    pieces = tuple((each.counter, each.counter, force.side, each.at) for force in card.forces for each in force.placed)
    forces = tuple((force.side, force.title, dict(force.units), _where(force)) for force in card.forces if force.units)
    opening = partial(from_card, rules)
    about = tuple(victory_text(rules))
    return Scene(card.name, card.title, stack, card.board, pieces, forces, opening, about, card.gaps, card.waits_for)


def _where(force: graph.Force) -> str:
    """Format where and when a force is set up or enters."""
    if not force.area:
        return "waits off the map" if not force.turn else f"enters in turn {force.turn}"
    hexes = f"{len(force.area)} hexes" if len(force.area) > 6 else ", ".join(force.area)
    return f"enters in turn {force.turn} at {hexes}" if force.turn else f"sets up in {hexes}"
