"""The head of an action: the choices, bindings and conditions that decide whether it is legal.

In: a program. Out: its head as written, and in the order of the completion search.

`reorder_conditions` hoists each conjunct to the first step after which all its names are bound, and preserves the order
of conjuncts: a piece that may not act at all is rejected once, and not once for each hex around it.
"""

from collections.abc import Container, Sequence

from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.free_names import free_names
from runtime.graph.steps import HEAD_STEPS
from runtime.play.instructions import Program
from runtime.state.record import Value

HeadStep = graph.Let | graph.Legal | graph.Choose


class HeadOrder:
    """The steps of a head in one order; `starts[n]` is the index after the first n choices."""

    __slots__ = ("starts", "steps")

    def __init__(self, steps: Sequence[HeadStep]) -> None:
        """Index the choices."""
        self.steps = tuple(steps)
        self.starts = (0, *(number + 1 for number, step in enumerate(steps) if isinstance(step, graph.Choose)))

    def is_complete(self, choice_count: int) -> bool:
        """Return whether no step is left after `choice_count` choices."""
        return self.starts[choice_count] == len(self.steps)


class HeadAnalysis:
    """The head of an action, as written and in search order; both have the choices in written order."""

    __slots__ = (
        "_reordered",
        "last",
        "names_by_count",
        "program",
        "secret",
        "steps",
        "written",
    )  # fmt: skip

    def __init__(self, program: Program, secret: Container[graph.Type | None] = ()) -> None:
        """Analyze the head; `secret` are the types of secret records."""
        kinds = zip(program.code[: program.head_length], program.members, strict=False)
        chosen = [(step.name, kind) for step, kind in kinds if isinstance(step, graph.Choose)]
        self.secret = frozenset(name for name, kind in chosen if kind in secret)
        self.steps = tuple(step for step in program.code[: program.head_length] if isinstance(step, HEAD_STEPS))
        self.program = program
        self.written = HeadOrder(self.steps)
        # Before each choice, the names that determine all others: parameters and earlier choices.
        names = ["player", *(parameter.name for parameter in program.procedure.parameters)]
        self.names_by_count = tuple(
            [(*names, *(name for name, _ in chosen[:count])) for count in range(len(chosen) + 1)]
        )
        self._reordered: HeadOrder | None = None
        self.last: dict[str, Value] = {}  # The value of each choice in the last completion that was found.

    @property
    def search_order(self) -> HeadOrder:
        """Return the head in search order, computed at the first use, as an example searches few actions."""
        if self._reordered is None:
            self._reordered = HeadOrder(reorder_conditions(self.steps))
        return self._reordered


def reorder_conditions(steps: Sequence[HeadStep]) -> tuple[HeadStep, ...]:
    """Hoist every conjunct as far as its names allow, in written order."""
    binders = [step.name for step in steps if not isinstance(step, graph.Legal)]
    if len(set(binders)) < len(binders):
        return tuple(steps)  # With a name bound twice a conjunct could be moved to the wrong binding.
    rounds: list[list[HeadStep]] = [[]]
    rounds += [[step] for step in steps if not isinstance(step, graph.Legal)]
    place = 0
    for part in (part for step in steps if isinstance(step, graph.Legal) for part in conjuncts(step.condition)):
        place = max(place, binder_count(part, binders))
        rounds[place].append(graph.Legal(part))
    return tuple([step for group in rounds for step in group])


def binder_count(condition: graph.Expr, binders: Sequence[str]) -> int:
    """Return the number of binders after which all names of a condition are bound."""
    return max([0, *(binders.index(name) + 1 for name in free_names(condition) if name in binders)])
