"""Who asks for a status, track, relation or record, and who sets it.

In: a stack. Out: parties by thing, each party once. Rules read; procedures read and set; a rule that
overrules a status sets it too.
"""

from collections.abc import Iterator
from typing import NamedTuple

from compiler.analysis.problems import Party
from compiler.analysis.walk import asked_by, asked_by_rule, parts, steps
from compiler.analysis.words import Writer
from runtime.graph import nodes as graph


class Thing(NamedTuple):
    """What: status, track, relation or record. Statuses and tracks are named `owner.name`."""

    what: str
    name: str


Users = dict[Thing, tuple[Party, ...]]


def is_whole_game(stack: graph.Graph) -> bool:
    """Tell whether a stack can be played: it has a sequence."""
    return any(procedure.what == "sequence" for procedure in stack.procedures.values())


def party_of(procedure: graph.Procedure) -> Party:
    """Introduce a procedure."""
    return Party(f"{procedure.what} {procedure.name}", procedure.prose, procedure.cites, procedure.origin)


def readers_of(stack: graph.Graph) -> Users:
    """List who reads what."""
    found: Users = {}
    writer = Writer(stack.vocabulary)
    for rule in stack.rules.values():
        _note(found, writer.party(rule), (thing for expr in asked_by_rule(rule) for thing in _read_in(expr)))
    for term in stack.terms.values():
        if term.otherwise is not None:
            _note(found, Party(term.name, "", term.cites, term.origin), _read_in(term.otherwise))
    for fact in stack.always:
        _note(found, Party(fact.label, "", fact.cites, fact.origin), _read_in(fact.condition))
    for procedure in stack.procedures.values():
        asked = (expr for step in steps(procedure.body) for expr in asked_by(step))
        _note(found, party_of(procedure), (thing for expr in asked for thing in _read_in(expr)))
    return found


def setters_of(stack: graph.Graph) -> Users:
    """List who sets what."""
    found: Users = {}
    writer = Writer(stack.vocabulary)
    for rule in stack.rules.values():
        ruled = (Thing("status", name) for name in rule.terms if name in stack.vocabulary.flags)
        _note(found, writer.party(rule), ruled)
    for procedure in stack.procedures.values():
        _note(found, party_of(procedure), (thing for step in steps(procedure.body) for thing in _set_by(step)))
    return found


def _note(found: Users, party: Party, things: Iterator[Thing]) -> None:
    for thing in dict.fromkeys(things):
        found[thing] = (*found.get(thing, ()), party)


def _read_in(expr: graph.Expr) -> Iterator[Thing]:
    """List what an expression looks at."""
    for part in parts(expr):
        match part:
            case graph.Is(_, tests):
                yield from (Thing("status", f"{test.owner}.{test.name}") for test in tests if test.what == "status")
            case graph.Get(_, "track", owner, name) | graph.Has(_, "track", owner, name) | graph.GameTrack(owner, name):
                yield Thing("track", f"{owner}.{name}")
            case graph.Get(_, "partner" | "partners", owner) | graph.Has(_, "partner", owner):
                yield Thing("relation", owner)
            case graph.Get(_, "record", owner) | graph.Has(_, "record", owner) | graph.All(graph.RecordOf(owner)):
                yield Thing("record", owner)
            case graph.Op("payload" | "related", (graph.Member(_, name), *_)):
                yield Thing("relation", name)
            case _:
                pass


def _set_by(step: graph.Step) -> Iterator[Thing]:
    """List what a step sets; a record made for a question counts as written."""
    match step:
        case graph.Mark(_, owner, status, on=True):
            yield Thing("status", f"{owner}.{status}")
        case graph.Assign(graph.GameTrack(owner, name)) | graph.Add(_, graph.GameTrack(owner, name)):
            yield Thing("track", f"{owner}.{name}")
        case graph.Assign(graph.Get(_, "track", owner, name)) | graph.Add(_, graph.Get(_, "track", owner, name)):
            yield Thing("track", f"{owner}.{name}")
        case graph.Pair(relation, on=True):
            yield Thing("relation", relation)
        case _:
            pass
    for expr in asked_by(step):
        yield from (Thing("record", part.record) for part in parts(expr) if isinstance(part, graph.New))
