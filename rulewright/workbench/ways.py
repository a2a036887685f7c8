"""What a click on a piece or a space leads to: the choices that follow, up to the other end of a move or an attack.

In: a game, a course at a decision, and a piece or a space. Out: `Way`s: each the options to take, one decision after
the other, and what is chosen in the end. Options are taken in copies, never past a die or another side's choice. Where an
action goes on step by step, whole routes are found, the shortest to each space. At most `BUDGET` options are tried;
`Ways.cut` says whether that was too few.
"""

from collections import deque
from typing import NamedTuple

from rulewright.table.offering import told
from runtime.answer.answer import Unanswered
from runtime.answer.saying import say
from runtime.graph import nodes as graph
from runtime.play.broken import BrokenRules
from runtime.play.choices import END, PICK, STOP, TAKE, Decision, Option
from runtime.play.course import Course
from runtime.play.game import Game
from runtime.play.obligations import TryoutCourse, UnthrownDie

BUDGET = 400
# The sequence of play, and an action that it offers.
NESTED = 2


class Clicked(NamedTuple):
    """A piece or a space, by its number."""

    kind: type[graph.Piece] | type[graph.Hex]
    number: int


class Way(NamedTuple):
    """Options to take; what is done; the space, piece or other choice it ends with ("" for the others); its steps."""

    options: tuple[int, ...]
    doing: str
    space: str
    piece: str
    choice: str
    steps: int


class Ways(NamedTuple):
    """All that follows from a click; `cut`: there may be more."""

    found: tuple[Way, ...]
    cut: bool


class _Node(NamedTuple):
    """A course on the way: the options taken, what is done, the other end if that is chosen first, steps on the map.

    `chosen`: what was clicked is a member of a set that is being chosen.
    """

    course: Course
    decision: Decision
    options: tuple[int, ...]
    doing: str
    other: tuple[str, str]  # A space and a piece that are chosen first.
    steps: int
    chosen: bool = False


def ways_of(game: Game, course: Course, decision: Decision, clicked: Clicked) -> Ways:
    """Find what can be done with a piece or a space."""
    return _Search(game, course, decision, clicked).ways()


def involves(game: Game, course: Course, clicked: Clicked) -> bool:
    """Say whether a piece or space has been chosen in the actions that run."""
    for call in course.calls:
        program = game.programs.of[call.key]
        types = {p.name: p.type for p in program.procedure.parameters}
        for step, member in zip(program.code, program.members, strict=True):
            if isinstance(step, graph.Choose) and member is not None and not step.how:
                types[step.name] = member
        for name, type_ in types.items():
            if isinstance(type_, clicked.kind) and call.names.get(name) == clicked.number:
                return True
    return False


class _Search:
    """Looks through the choices, those with fewer steps first."""

    def __init__(self, game: Game, course: Course, decision: Decision, clicked: Clicked) -> None:
        self.game, self.clicked, self.side = game, clicked, decision.side
        self.machine, self.state = game.unheard(), course.state
        self.todo = deque([_Node(course, decision, (), "", ("", ""), 0)])
        self.found: dict[tuple[str, str, str, str], Way] = {}
        self.left, self.cut = BUDGET, False

    def ways(self) -> Ways:
        while self.todo:
            self.open(self.todo.popleft())
        return Ways(tuple(self.found.values()), self.cut)

    def open(self, node: _Node) -> None:
        """Note or follow every option of a decision."""
        chosen = node.chosen or involves(self.game, node.course, self.clicked)
        if chosen and any(node.other):
            self.note(node, *node.other, "")
            return
        for index, option in enumerate(node.decision.options):
            match option.what:
                case "take" if self.concerns(option):
                    self.follow(node, index, node.doing or told(self.procedure(option)), node.other)
                case "pick" if self.is_clicked(node.decision, option) and any(node.other):
                    self.note(node._replace(options=(*node.options, index)), *node.other, "")
                case "pick" if self.is_clicked(node.decision, option):
                    self.follow(node, index, node.doing, node.other, chosen=True)
                case "pick" if chosen:
                    self.end(node, index, option)
                case "pick" if not any(node.other):
                    self.follow(node, index, node.doing, self.named(node.decision, option))
                case _:
                    pass

    def procedure(self, option: Option) -> graph.Procedure:
        return self.game.programs.of[f"action:{option.name}"].procedure

    def concerns(self, option: Option) -> bool:
        """Say whether an action may be about what was clicked: it is not about other pieces."""
        types = [p.type for p in self.procedure(option).parameters]
        given = [
            value for type_, value in zip(types, option.value or (), strict=False) if isinstance(type_, graph.Piece)
        ]
        return not given or self.clicked.kind is not graph.Piece or self.clicked.number in given

    def is_clicked(self, decision: Decision, option: Option) -> bool:
        return isinstance(decision.member, self.clicked.kind) and option.value == self.clicked.number

    def named(self, decision: Decision, option: Option) -> tuple[str, str]:
        """Name a space or a piece that is chosen before what was clicked."""
        match decision.member:
            case graph.Hex():
                return self.state.board.names[option.value], ""
            case graph.Piece():
                return "", self.state.sheets[option.value].name
            case _:
                return "", ""

    def end(self, node: _Node, index: int, option: Option) -> None:
        """Note what is chosen after what was clicked; a step on the map may go on."""
        space, piece = self.named(node.decision, option)
        other = "" if space or piece or node.decision.member is None else say(
            node.course.state, option.value, node.decision.member
        )  # fmt: skip
        reached = node._replace(options=(*node.options, index), steps=node.steps + bool(space))
        # Only an action within another, such as a step of a march, can be followed by more of the same.
        inner = len(node.course.calls) > NESTED
        if self.note(reached, space, piece, other) and space and inner and self.clicked.kind is graph.Piece:
            self.go_on(node, index, reached)

    def note(self, node: _Node, space: str, piece: str, choice: str) -> bool:
        """Keep the first way to each end; say whether this was it."""
        key = (node.doing, space, piece, choice)
        if key in self.found:
            return False
        self.found[key] = Way(node.options, node.doing, space, piece, choice, node.steps)
        return True

    def go_on(self, node: _Node, index: int, reached: _Node) -> None:
        """Follow a step on the map where the same piece may go on afterwards."""
        then = self.taken(node, index)
        if then is None:
            return
        course, decision = then
        if involves(self.game, course, self.clicked):
            self.todo.append(reached._replace(course=course, decision=decision))

    def follow(
        self, node: _Node, index: int, doing: str, other: tuple[str, str], *, chosen: bool = False
    ) -> None:  # fmt: skip
        """Take an option that is on the way."""
        then = self.taken(node._replace(doing=doing), index)
        if then is None:
            return
        course, decision = then
        then_at = _Node(course, decision, (*node.options, index), doing, other, node.steps, chosen)
        if chosen and any(found := self.already(course)):
            self.note(then_at, *found, "")  # The other end was no choice: there was one candidate.
        else:
            self.todo.append(then_at)

    def already(self, course: Course) -> tuple[str, str]:
        """Name the space or piece that the innermost procedure has bound by a choice besides what was clicked."""
        call = course.calls[-1]
        program = self.game.programs.of[call.key]
        for step, member in zip(program.code[: call.at], program.members, strict=False):
            if isinstance(step, graph.Choose) and not step.how and step.name in call.names:
                value = call.names[step.name]
                if isinstance(member, graph.Hex):
                    return self.state.board.names[value], ""
                if isinstance(member, graph.Piece) and value != self.clicked.number:
                    return "", self.state.sheets[value].name
        return "", ""

    def taken(self, node: _Node, index: int) -> tuple[Course, Decision] | None:
        """Take an option in a copy; None where a die, another side or the end comes next."""
        if self.left <= 0:
            self.cut = True
            return None
        self.left -= 1
        trial = TryoutCourse.copy_of(node.course)
        try:
            self.machine.take(trial, node.decision.options[index])
            now = self.machine.run(trial)
        except UnthrownDie:
            if self.is_among_chosen(trial):
                found = (*node.options, index)
                self.note(node._replace(options=found), *(node.other if any(node.other) else self.already(trial)), "")
            return None
        except (BrokenRules, Unanswered):
            return None
        if now is None or now.side != self.side:
            return None
        return None if len(trial.calls) < len(node.course.calls) and not self.deeper(trial, node.course) else (trial, now)

    def is_among_chosen(self, course: Course) -> bool:
        """Say whether what was clicked has been chosen, by itself or in a set, in the actions that run."""
        if involves(self.game, course, self.clicked):
            return True
        for call in course.calls:
            program = self.game.programs.of[call.key]
            for step, member in zip(program.code, program.members, strict=True):
                if isinstance(step, graph.Choose) and step.how and isinstance(member, self.clicked.kind):
                    if self.clicked.number in call.names.get(step.name, ()):
                        return True
        return False

    @staticmethod
    def deeper(twin: Course, before: Course) -> bool:
        """Say whether an action that has ended has only handed back to the one that offered it."""
        return len(twin.calls) > 1 and twin.calls[-1].key == before.calls[len(twin.calls) - 1].key


class FirstChoices(NamedTuple):
    """What can be chosen next on the map, by name, and everything else as (label, option)."""

    pieces: tuple[str, ...]
    spaces: tuple[str, ...]


def first_choices(game: Game, course: Course, decision: Decision) -> FirstChoices:
    """Find what lights up: the pieces and spaces that a decision, or an action that it offers, asks for first."""
    pieces: dict[str, None] = {}
    spaces: dict[str, None] = {}
    for then in _asked_first(game, course, decision):
        for option in then.options:
            if option.what == PICK and isinstance(then.member, graph.Piece):
                pieces[course.state.sheets[option.value].name] = None
            elif option.what == PICK and isinstance(then.member, graph.Hex):
                spaces[course.state.board.names[option.value]] = None
            elif option.what == TAKE:
                pieces |= dict.fromkeys(_arguments(game, course, option))
    return FirstChoices(tuple(pieces), tuple(spaces))


def _asked_first(game: Game, course: Course, decision: Decision) -> list[Decision]:
    """List the decision itself, and those that its actions begin with."""
    found = [decision]
    for index, option in enumerate(decision.options):
        if option.what == TAKE and not _arguments(game, course, option):
            twin = course.copy()
            game.apply(twin, decision, index)
            now = game.advance(twin)
            if isinstance(now, Decision) and now.side == decision.side and len(twin.dice) == len(course.dice):
                found.append(now)
    return found


def _arguments(game: Game, course: Course, option: Option) -> list[str]:
    """Name the pieces that an offered action is about."""
    types = [p.type for p in game.programs.of[f"action:{option.name}"].procedure.parameters]
    given = zip(types, option.value or (), strict=False)
    return [course.state.sheets[value].name for type_, value in given if isinstance(type_, graph.Piece)]


def ends(decision: Decision) -> list[int]:
    """List the options that end or stop."""
    return [index for index, option in enumerate(decision.options) if option.what in (END, STOP)]
