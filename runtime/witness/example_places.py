"""Positions of examples in which two stacks can run the same.

The input is two graphs; the output is the position of each example of either as each stack sets it up, with the facts
of every situation card. Positions with names for several values, and those of cards, are excluded.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from runtime.answer.interpreter import Interpreter
from runtime.examples.set_up import set_up
from runtime.graph import nodes as graph
from runtime.witness.card_facts import facts_by_card, with_facts
from runtime.witness.instance import NO_ANSWER, may_be_set_up
from runtime.witness.snapshot import position_of
from runtime.witness.translated_position import translated_position, with_printed_values


@dataclass(frozen=True, slots=True)
class PlayDifference:
    """A play in a position with its result in each stack.

    `example` is the one whose position it is, None for a constructed one. `position` is in the words of the stack
    `which`, None if it cannot be written. `missing_words` are names that only one of the stacks declares, `remarks` the
    parts of the position that cannot be set up. `is_reversion`: `a` is the result in the second stack without the
    change, as the first one cannot follow. `question` is a question that is no single term, with values in place of
    names (`composed_question`).
    """

    example: graph.Example | None
    which: int
    act: str
    a: str
    b: str
    position: graph.Position | None
    missing_words: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    is_reversion: bool = False
    question: graph.Expr | None = None


def could_stand(found: PlayDifference, answers: tuple[Interpreter, ...]) -> bool:
    """Return whether the position of a play could stand on a table in both stacks, as far as each can express it."""
    if found.position is None:
        return True
    other = translated_position(found.position, answers[1 - found.which].graph)
    return may_be_set_up(answers[found.which], found.position) and (
        other is None or found.is_reversion or may_be_set_up(answers[1 - found.which], other)
    )


@dataclass(frozen=True, slots=True)
class PairedPosition:
    """A position that both stacks can set up, as each sets it up.

    `example` is the one whose position it is, None for one that was made; `common`: both stacks have it.
    """

    example: graph.Example | None
    which: int
    positions: tuple[graph.Position, graph.Position]
    common: bool = False

    @property
    def name(self) -> str:
        """Return a distinct name."""
        return f"{self.example.title} {self.example.origin.line}" if self.example else "made"


class ExamplePositions:
    """The positions of two stacks."""

    def __init__(self, graphs: tuple[graph.Graph, graph.Graph]) -> None:
        """Store two stacks; their positions are set up on demand."""
        self.graphs = graphs
        self.shared = frozenset(graphs[0].counters.keys() & graphs[1].counters.keys())

    @cached_property
    def all_places(self) -> tuple[PairedPosition, ...]:
        """List the positions, those of the first stack first, and last those that both have: not what differs."""
        return tuple(sorted(self._places(), key=lambda place: place.common))

    def _places(self) -> Iterator[PairedPosition]:
        known = set()
        common = set.intersection(*({_key(each) for each in stack.examples} for stack in self.graphs))
        for which, stack in enumerate(self.graphs):
            for example in stack.examples:
                key = _key(example)
                if key in known or example.card or not example.position.pieces:
                    continue
                known.add(key)
                position = _first_row(example, stack)
                if position is None:
                    continue
                spelled = with_printed_values(position, stack, self.shared)
                other = translated_position(spelled, self.graphs[1 - which])
                if other is not None:
                    facts = facts_by_card(stack)
                    own_position, other_position = with_facts(spelled, facts), with_facts(other, facts)
                    yield PairedPosition(
                        example,
                        which,
                        (own_position, other_position) if which == 0 else (other_position, own_position),
                        key in common,
                    )


def _key(example: graph.Example) -> tuple[str, str, int]:
    return example.title, example.origin.file, example.origin.line


def _first_row(example: graph.Example, rules: graph.Graph) -> graph.Position | None:
    """Return the position of an example with the values of its first row; None if it cannot be expressed."""
    if not example.names:
        return example.position
    try:
        playthrough, _ = set_up(rules, example, 0)
    except NO_ANSWER:
        return None
    return position_of(playthrough.state, example.position)
