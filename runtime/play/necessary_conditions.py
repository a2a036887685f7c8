"""The head of an action: the choices, names and conditions that decide whether it is legal.

In: a program. Out: its head as written, and in the order in which a search for completions goes through it.

`hasten` moves each part of a condition up to the first step after which all it names is bound,
keeping the parts in their order, so that a piece which may not act at all is refused once and not
once for each hex around it.

`opened` writes records out in the conditions behind the steps that give them a name: what is said of one then rests
on what it was made of, and is remembered with that, while a record is another one each time.
"""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from runtime.answer.conditions import conjuncts
from runtime.answer.written_out import only_value
from runtime.graph import nodes as graph
from runtime.graph.free import binds, filled, free
from runtime.play.instructions import Program
from runtime.play.needs import Head, needs, together
from runtime.play.symmetry import SymmetryAnalysis
from runtime.state.record import Value

HEADS = (graph.Let, graph.Legal, graph.Choose)


class NecessaryCondition(NamedTuple):
    """A condition that holds wherever the rest can: it may be asked, and need not be."""

    condition: graph.Expr


Step = Head | NecessaryCondition


class Row:
    """Steps in one order; `starts[n]` is where they go on after the first n choices."""

    __slots__ = ("starts", "steps")

    def __init__(self, steps: Sequence[Step]) -> None:
        """Find the choices."""
        self.steps = tuple(steps)
        self.starts = (0, *(number + 1 for number, step in enumerate(steps) if isinstance(step, graph.Choose)))

    def ends(self, done: int) -> bool:
        """Say whether nothing is left to do or to ask after so many choices."""
        return self.starts[done] == len(self.steps)


class Prefix:
    """The head of an action, as written and in searching order; both keep the choices in their order."""

    __slots__ = (
        "_alike", "_hastened", "_looked", "given", "head", "last", "pieces", "program", "rules", "secret", "written",
    )  # fmt: skip

    def __init__(self, program: Program, alike: SymmetryAnalysis, secret: Container[graph.Type | None] = ()) -> None:
        """Order the steps for searching; `secret` are the types of what only one side knows."""
        kinds = zip(program.code[: program.prefix], program.members, strict=False)
        chosen = [(step.name, kind) for step, kind in kinds if isinstance(step, graph.Choose)]
        self.secret = frozenset(name for name, kind in chosen if kind in secret)
        self.pieces = frozenset(name for name, kind in chosen if isinstance(kind, graph.Piece))
        self.head = tuple(step for step in program.code[: program.prefix] if isinstance(step, HEADS))
        self.program = program
        self.written = Row(self.head)
        # Before each choice, the names that decide all others: parameters, and what has been chosen.
        names = ["player", *(parameter.name for parameter in program.procedure.parameters)]
        self.given = tuple([(*names, *(name for name, _ in chosen[:done])) for done in range(len(chosen) + 1)])
        self._alike: SymmetryAnalysis | None = alike
        self._looked = False
        self._hastened: Row | None = None
        self.rules = alike.rules
        self.last: dict[str, Value] = {}  # Whom of a choice something could be finished with, when last one was sought.

    @property
    def hastened(self) -> Row:
        """Put the steps in searching order when somebody searches: an example opens few of all actions."""
        if self._hastened is None:
            steps = opened(self.head, self.rules)
            self._hastened = Row(hasten(steps, needs(steps, self.rules)))
        return self._hastened

    @property
    def alike(self) -> SymmetryAnalysis | None:
        """Tell pieces that are alike, if a search may; found out when it is asked: most actions never are."""
        if not self._looked:
            self._looked = True
            if self._alike is not None and not self._alike.applies(self.head):
                self._alike = None
        return self._alike


def opened(steps: Sequence[Head], rules: graph.Graph) -> list[Head]:
    """Write out the records that steps give a name to, and leave out those names that nothing needs any more."""
    left: list[Head] = []
    made: dict[str, graph.Expr] = {}
    for step in steps:
        if isinstance(step, graph.Let):
            value = written_out(step.value, made)
            if is_record(value, rules):
                made[step.name] = value
                continue
            left.append(graph.Let(step.name, value))
        elif isinstance(step, graph.Legal):
            left.append(graph.Legal(written_out(step.condition, made)))
        else:
            left.append(step)
    needed = free(tuple(left))
    return list(steps) if needed & made.keys() else left


def written_out(expr: graph.Expr, made: Mapping[str, graph.Expr]) -> graph.Expr:
    """Put records in place of their names, if no pass inside binds a name that they use."""
    named = {name: value for name, value in made.items() if name in free(expr)}
    if not named or binds(expr) & free(tuple(named.values())):
        return expr
    written: graph.Expr = filled(expr, named)
    return written


def is_record(value: graph.Expr, rules: graph.Graph) -> bool:
    """Say whether a value is a new record, itself or as what it is short for."""
    match value:
        case graph.New():
            return True
        case graph.Ask(term, _):
            return isinstance(only_value(rules.terms[term], rules), graph.New)
        case _:
            return False


def hasten(steps: Sequence[Head], needed: Sequence[graph.Expr]) -> tuple[Step, ...]:
    """Put every part of a condition as early as its names allow, parts in their written order; then what is needed."""
    binders = [step.name for step in steps if not isinstance(step, graph.Legal)]
    if len(set(binders)) < len(binders):
        return tuple(steps)  # A name bound twice would tie a part to the wrong one.
    rounds: list[list[Step]] = [[]]
    rounds += [[step] for step in steps if not isinstance(step, graph.Legal)]
    place = 0
    for part in (part for step in steps if isinstance(step, graph.Legal) for part in conjuncts(step.condition)):
        place = max(place, bound_at(part, binders))
        rounds[place].append(graph.Legal(part))
    for number, group in enumerate(rounds):
        if here := [condition for condition in needed if bound_at(condition, binders) == number]:
            group.append(NecessaryCondition(together(here)))
    return tuple([step for group in rounds for step in group])


def bound_at(condition: graph.Expr, binders: Sequence[str]) -> int:
    """Say after how many names have been given all those of a condition have."""
    return max([0, *(binders.index(name) + 1 for name in free(condition) if name in binders)])
