"""The procedures of a graph as play executes them: their steps as they are written, numbered in preorder.

In: the procedures of a graph. Out: a `Program` for each. Numbers stand for steps in everything that a running game
stores, so that it is plain data. Every choice and loop is annotated with its member type: pieces and hexes are both
indexes at run time, so that a loop could not tell which members may have been removed.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.operators.numbers import BARE
from runtime.graph.predeclared_types import SIDE, member_of
from runtime.graph.steps import count_head_steps, inner_bodies, nested_steps
from runtime.graph.type_of import bound_types, type_of
from runtime.state.record import Value

# The pending items of a procedure, the next one first: `(item, rest)`, and `()` behind the last. An item is the number
# of a step, or a step in progress (pending_items.py). As it is immutable, a snapshot of it is a reference.
PendingItems = tuple[Any, ...]


@frozen_dataclass
class Program:
    """A procedure as it is executed.

    `steps` are its steps, the nested ones included, in preorder, and a `Stop` where it ends; `members` is parallel to
    them and holds the member type of each choice and loop, `blocks` the numbers of the steps directly inside, block by
    block. `body` is what is pending when it begins. `head_length` is the number of steps before the first effect of an
    action, the first ones. `subject` is the name of its subject. `offers`: it is a hook with a reaction. `parameters`
    are names. `account_starts` are the steps at which its account may begin; without them it begins after the head.
    """

    key: str
    procedure: graph.Procedure
    parameters: tuple[str, ...]
    steps: tuple[graph.Step, ...]
    members: tuple[graph.Type | None, ...]
    blocks: Mapping[int, tuple[tuple[int, ...], ...]]
    body: PendingItems
    head_length: int
    subject: str
    offers: bool
    account_starts: frozenset[int]

    def bind_parameters(self, values: tuple[Value, ...], player: Value) -> dict[str, Value]:
        """Return the bindings with which the procedure begins."""
        names: dict[str, Value] = {"player": player}
        if values:
            names.update(zip(self.parameters, values, strict=True))
        return names

    def choices(self) -> Iterator[tuple[graph.Choose, graph.Type]]:
        """Yield its choices with their member types."""
        for step, member in zip(self.steps, self.members, strict=True):
            if isinstance(step, graph.Choose) and member is not None:
                yield step, member

    def pending_at(self, number: int) -> PendingItems:
        """Return what is pending at a step: with what follows it, or the step alone if it is nested."""
        pending = self.body
        while pending and pending[0] != number:
            pending = pending[1]
        return pending or (number, (len(self.steps) - 1, ()))

    def begins_account(self, number: int) -> bool:
        """Return whether its account may begin at a step."""
        return number in self.account_starts if self.account_starts else number >= self.head_length


@frozen_dataclass
class Programs:
    """The programs of a graph by the key of their procedure, hooks by event, and the offers with `must` by step."""

    entries: dict[str, Program]
    hooks: dict[str, tuple[str, ...]]
    obligations: dict[tuple[str, int], graph.Offer]


# Successive examples create games of the same graph.
@memoized_by_identity()
def programs_of(rules: graph.Graph) -> Programs:
    """Return the program of every procedure of a graph. Hooks on one event run in the order of their keys."""
    programs = {key: program_of(key, rules.procedures[key], rules) for key in sorted(rules.procedures)}
    hooks: dict[str, tuple[str, ...]] = {}
    for key, program in programs.items():
        if program.procedure.what == "hook":
            event = program.procedure.event
            hooks[event] = (*hooks.get(event, ()), key)
    obligations = {
        (key, offset): step
        for key, program in programs.items()
        for offset, step in enumerate(program.steps)
        if isinstance(step, graph.Offer) and step.must
    }
    return Programs(programs, hooks, obligations)


def program_of(
    key: str, procedure: graph.Procedure, rules: graph.Graph, names: Mapping[str, graph.Type] | None = None
) -> Program:
    """Return the program of a procedure; `names` are the types of names bound before it begins."""
    steps = (*nested_steps(procedure.body), graph.Stop())
    parameter_types = {part.name: part.type for part in procedure.parameters}
    members = tuple(_member_types(steps, {"player": SIDE, **(names or {}), **parameter_types}, rules))
    blocks: dict[int, tuple[tuple[int, ...], ...]] = {}
    body, end = _number_block(procedure.body, 0, blocks)
    is_action = procedure.what == "action"
    return Program(
        key,
        procedure,
        tuple(parameter_types),
        steps,
        members,
        blocks,
        pushed(body, (end, ())),
        count_head_steps(procedure.body) if is_action else 0,
        _subject(procedure, steps, members) if is_action else "",
        procedure.what == "hook" and any(isinstance(step, graph.Offer) for step in steps),
        frozenset(number for number, step in enumerate(steps) if isinstance(step, graph.BeginAccount)),
    )


def pushed(block: Sequence[int], pending: PendingItems) -> PendingItems:
    """Return pending items with the steps of a block before them."""
    for number in reversed(block):
        pending = (number, pending)
    return pending


def _number_block(
    block: Sequence[graph.Step], number: int, blocks: dict[int, tuple[tuple[int, ...], ...]]
) -> tuple[tuple[int, ...], int]:
    """Return the numbers of a block's steps, the first of which is `number`, and the next number; fills `blocks`."""
    numbers: list[int] = []
    for step in block:
        numbers.append(number)
        inner, next_number = [], number + 1
        for inner_block in inner_bodies(step):
            inner_numbers, next_number = _number_block(inner_block, next_number, blocks)
            inner.append(inner_numbers)
        if inner:
            blocks[number] = tuple(inner)
        number = next_number
    return tuple(numbers), number


def _member_types(
    steps: Sequence[graph.Step], names: dict[str, graph.Type], rules: graph.Graph
) -> list[graph.Type | None]:
    """Return the member type of each choice and loop, None for other steps; extends `names` by what the steps bind."""
    members: list[graph.Type | None] = []
    for step in steps:
        member = None
        match step:
            case graph.Choose():
                member = member_of(type_of(step.source, names, rules))
                names[step.name] = graph.Many("list" if step.how == "order" else "set", member) if step.how else member
            case graph.Loop() | graph.Each():
                member = names[step.name] = member_of(type_of(step.source, names, rules))
            case graph.Let(name, value):
                names[name] = type_of(value, names, rules)
            case graph.Roll(name):
                names[name] = BARE
            case _ if isinstance(step, graph.Draw | graph.ChangingStep):
                names.update(bound_types(step))
            case _:
                pass
        members.append(member)
    return members


def _subject(procedure: graph.Procedure, steps: Sequence[graph.Step], members: Sequence[graph.Type | None]) -> str:
    """Return the name of the subject of an action: its first piece, among the parameters or chosen on every path."""
    for parameter in procedure.parameters:
        if isinstance(parameter.type, graph.Piece):
            return parameter.name
    for step, member in zip(steps, members, strict=True):
        is_always_chosen = any(step is each for each in procedure.body)
        if isinstance(step, graph.Choose) and not step.how and isinstance(member, graph.Piece) and is_always_chosen:
            return step.name
    return ""
