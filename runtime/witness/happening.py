"""What happens otherwise in two stacks: the sequence of play, actions, resolutions, hooks, and what comes of choices.

In: two graphs and what differs between them. Out: where the sequences part; every procedure that stands in one
stack only or goes otherwise, with a play that shows it; and the plays in which changed rules lead to another position.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from runtime.graph import nodes as graph
from runtime.witness.changed import Changed, counter_label
from runtime.witness.conduct import Couple, couples
from runtime.witness.counter_plays import CounterPlays
from runtime.witness.note_plays import NotePlays
from runtime.witness.places import Places, Walked
from runtime.witness.played import Case, Plays
from runtime.witness.position_file import position_file
from runtime.witness.sequence import SequenceDifference, sequences
from runtime.witness.swift import Swift
from runtime.witness.walks import Walks

Graphs = tuple[graph.Graph, graph.Graph]
# Counters that are looked into; where two games share a hundred, most are printed differently.
MOST_COUNTERS = 24


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

    It ran in `of` of the examples' plays that both stacks can make, and `differs` of those led to two positions because
    of it. Where none did it was begun in `tried` more positions, of which one may be the play.
    """

    what: str
    name: str
    here: graph.Procedure | None
    there: graph.Procedure | None
    differs: int
    of: int
    play: Play | None
    tried: int = 0

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
    """All of it; `plays` counts the plays made in both stacks.

    `asked` are questions of the examples that are answered differently, by the changes responsible; `order` is a
    position in which the two sequences of play come by something else.
    """

    sequence: SequenceDifference
    procedures: tuple[ProcedureDifference, ...]
    rules: tuple[RuleDifference, ...]
    plays: int
    asked: tuple[RuleDifference, ...] = ()
    order: Play | None = None


NOTHING = Happening(SequenceDifference(), (), (), 0)


def happening(a: graph.Graph, b: graph.Graph, quick: tuple[Swift, Swift], changes: Changed) -> Happening:
    """Compare what happens."""
    pairs = couples(a, b)
    plays = Plays((a, b), quick, pairs, changes.every())
    if changes.every() or plays.attribution.notes or any(not pair.same for pair in pairs):
        plays.run()
    places = Places((a, b))
    shown = {pair: (play, tried) for pair, play, tried in _shown(plays, places)}
    order = next((play for pair, (play, _) in shown.items() if "sequence" in pair[:2]), None)
    return Happening(
        sequences(a, b),
        tuple(_procedures(a, b, pairs, plays, shown)),
        (*_by_rules(plays.by_rules, (a, b)), *_noted(plays, places, (a, b))),
        plays.made,
        (*_by_rules(plays.asked, (a, b)), *_counters(plays, places, quick, changes)),
        order,
    )


def _shown(plays: Plays, places: Places) -> Iterator[tuple[Couple, Play | None, int]]:
    """Give a play for each procedure that goes otherwise: of an example, else one looked for, in so many positions."""
    walks = Walks(places, plays.machines)
    for pair in plays.pairs:
        if cases := plays.by_procedure.get(pair):
            yield pair, _play(_smallest(cases), places.graphs), 0
            continue
        found, tried = walks.find(pair)
        yield pair, _found(found, places.graphs) if found else None, tried


def _noted(plays: Plays, places: Places, graphs: Graphs) -> Iterator[RuleDifference]:
    """Show what both stacks keep differently, where no play of an example does."""
    shown = {label for labels in plays.by_rules for label in labels}
    found = ((label, NotePlays(places).find(label)) for label in sorted(plays.attribution.notes - shown))
    yield from (RuleDifference((label,), 1, _found(each, graphs)) for label, each in found if each is not None)


def _counters(plays: Plays, places: Places, quick: tuple[Swift, Swift], changes: Changed) -> Iterator[RuleDifference]:
    """Show that a counter is printed differently by a question about it, where no example does."""
    shown = {label for labels in (*plays.by_rules, *plays.asked) for label in labels}
    altered = [name for name in sorted(places.shared) if counter_label(name) in changes.altered - shown]
    found = ((name, CounterPlays(places, quick).find(name)) for name in altered[:MOST_COUNTERS])
    yield from (
        RuleDifference((counter_label(name),), 1, _found(each, places.graphs))
        for name, each in found
        if each is not None
    )


def _found(walked: Walked, graphs: Graphs) -> Play:
    """Write down a play that was looked for."""
    file = position_file(walked.position, graphs[walked.which].vocabulary) if walked.position else ""
    return Play(walked.act, file, walked.example.title, walked.example.origin, walked.a, walked.b, ())


def _by_rules(
    found: dict[tuple[str, ...], list[Case]], graphs: tuple[graph.Graph, graph.Graph]
) -> tuple[RuleDifference, ...]:
    return tuple(
        RuleDifference(labels, len(cases), _play(_smallest(cases), graphs)) for labels, cases in sorted(found.items())
    )


def _procedures(
    a: graph.Graph,
    b: graph.Graph,
    pairs: tuple[Couple, ...],
    plays: Plays,
    shown: dict[Couple, tuple[Play | None, int]],
) -> Iterator[ProcedureDifference]:
    for pair in pairs:
        if pair.same or "sequence" in pair[:2]:
            continue
        here, there = a.procedures.get(pair.here), b.procedures.get(pair.there)
        one = here or there
        assert one is not None
        cases = plays.by_procedure.get(pair, [])
        name = _named(one, b if pair.there else a)
        yield ProcedureDifference(one.what, name, here, there, len(cases), plays.ran[pair], *shown[pair])


def _named(procedure: graph.Procedure, rules: graph.Graph) -> str:
    """Name a procedure; a hook by what it hears, or by the task that counts in it."""
    if procedure.what != "hook":
        return procedure.name
    origins = rules.vocabulary.origins
    task = next((name for name in rules.vocabulary.records if origins.get(f"record {name}") == procedure.origin), "")
    return f"{f'task {task}, ' if task else ''}after {procedure.event}"


def shown_in_play(found: Happening) -> Iterator[tuple[str, Play]]:
    """List the changes that a play shows, by the labels of the rules, or of the procedure."""
    yield from ((label, each.play) for each in (*found.rules, *found.asked) for label in each.rules)
    if found.order is not None:
        yield procedure_label("sequence", ""), found.order
    for each in found.procedures:
        if each.play is not None:
            yield procedure_label(each.what, each.name), each.play


def procedure_label(what: str, name: str) -> str:
    """Name a procedure as an account of changes does; a hook is named by what it hears already."""
    return f"after {name.rpartition('after ')[2]}" if what == "hook" else f"{what} {name}".strip()


def _smallest(cases: list[Case]) -> Case:
    """Take the plainest case: one that both have words for, and can be opened; then a small one."""
    return min(cases, key=lambda case: (bool(case.lacks), case.position is None, len(case.a) + len(case.b)))


def _play(case: Case, graphs: tuple[graph.Graph, graph.Graph]) -> Play:
    file = position_file(case.position, graphs[case.which].vocabulary) if case.position else ""
    return Play(case.act, file, case.example.title, case.example.origin, case.a, case.b, case.lacks)
