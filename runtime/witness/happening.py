"""What happens otherwise in two stacks: the sequence of play, actions, resolutions, hooks, and what comes of choices.

In: two graphs and what differs between them. Out: where the sequences part; every procedure that stands in one
stack only or goes otherwise, with a play that shows it; and the plays in which changed rules lead to another position.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from runtime.graph import nodes as graph
from runtime.witness.changed import Changed
from runtime.witness.conduct import Couple, couples
from runtime.witness.played import Case, Plays
from runtime.witness.position_file import position_file
from runtime.witness.sequence import SequenceDifference, sequences
from runtime.witness.swift import Swift


@dataclass(frozen=True, slots=True)
class Play:
    """A play that leads to two positions: `act` in the position `file` ("" where it cannot be written down).

    `example` and `origin` say whose position it is, `a` and `b` how things stand afterwards. `lacks` are words
    that one of the stacks does not have.
    """

    act: str
    file: str
    example: str
    origin: graph.Origin
    a: str
    b: str
    lacks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProcedureDifference:
    """A procedure that stands in one stack only (the other is None) or goes otherwise.

    It ran in `of` of the plays that both stacks can make, and `differs` of those led to two positions because of it.
    """

    what: str
    name: str
    here: graph.Procedure | None
    there: graph.Procedure | None
    differs: int
    of: int
    play: Play | None

    @property
    def only(self) -> str:
        """Say in which stack alone it stands, "" if in both."""
        return "a" if self.there is None else "b" if self.here is None else ""


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """Plays that lead to two positions because a question on the way is answered differently, by these rules."""

    rules: tuple[str, ...]
    differs: int
    play: Play


@dataclass(frozen=True, slots=True)
class Happening:
    """All of it; `plays` counts the plays made in both stacks."""

    sequence: SequenceDifference
    procedures: tuple[ProcedureDifference, ...]
    rules: tuple[RuleDifference, ...]
    plays: int


NOTHING = Happening(SequenceDifference(), (), (), 0)


def happening(a: graph.Graph, b: graph.Graph, quick: tuple[Swift, Swift], changes: Changed) -> Happening:
    """Compare what happens."""
    pairs = couples(a, b)
    plays = Plays((a, b), quick, pairs, changes.every())
    if changes.every() or any(not pair.same for pair in pairs):
        plays.run()
    by_rules = (
        RuleDifference(labels, len(cases), _play(_smallest(cases), (a, b)))
        for labels, cases in sorted(plays.by_rules.items())
    )
    return Happening(sequences(a, b), tuple(_procedures(a, b, pairs, plays)), tuple(by_rules), plays.made)


def _procedures(
    a: graph.Graph, b: graph.Graph, pairs: tuple[Couple, ...], plays: Plays
) -> Iterator[ProcedureDifference]:
    for pair in pairs:
        if pair.same or "sequence" in pair[:2]:
            continue
        here, there = a.procedures.get(pair.here), b.procedures.get(pair.there)
        one = here or there
        assert one is not None
        cases = plays.by_procedure.get(pair, [])
        play = _play(_smallest(cases), (a, b)) if cases else None
        yield ProcedureDifference(
            one.what, _named(one, b if pair.there else a), here, there, len(cases), plays.ran[pair], play
        )


def _named(procedure: graph.Procedure, rules: graph.Graph) -> str:
    """Name a procedure; a hook by what it hears, or by the task that counts in it."""
    if procedure.what != "hook":
        return procedure.name
    origins = rules.vocabulary.origins
    task = next((name for name in rules.vocabulary.records if origins.get(f"record {name}") == procedure.origin), "")
    return f"{f'task {task}, ' if task else ''}after {procedure.event}"


def _smallest(cases: list[Case]) -> Case:
    """Take the plainest case: one that both have words for, and can be opened; then a small one."""
    return min(cases, key=lambda case: (bool(case.lacks), case.position is None, len(case.a) + len(case.b)))


def _play(case: Case, graphs: tuple[graph.Graph, graph.Graph]) -> Play:
    file = position_file(case.position, graphs[case.which].vocabulary) if case.position else ""
    return Play(case.act, file, case.example.title, case.example.origin, case.a, case.b, case.lacks)
