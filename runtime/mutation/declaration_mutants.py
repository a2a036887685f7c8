"""Mutate what is printed on counters, what layers add to kinds, and the state that play records.

In: a graph. Out: mutants of figures, traits and backs of counters, of first values of added factors, of the initial
value and the duration of tracks, of the duration of statuses, and of the conditions that end relations.
"""

from collections.abc import Iterator
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.mutation.altered_graph import Path, PathChange, omissions
from runtime.mutation.expression_mutants import REMOVED, Alterations
from runtime.mutation.mutant import FIGURE, FIRST, NOTE, TRAIT, Mutant, MutatedPart


def other_values(rules: graph.Graph, value: graph.Expr) -> Iterator[graph.LiteralExpr]:
    """Return other values of the same type: all other members and truths; for numbers and places the adjacent ones."""
    if isinstance(value, graph.Member) and (members := members_of(rules.vocabulary, value.enum)):
        yield from (replace(value, name=name) for name in members if name != value.name)
    else:
        yield from Alterations(rules).other_values(value)


def counter_mutants(rules: graph.Graph, counter: graph.Counter) -> Iterator[Mutant]:
    """Generate the mutants of what is printed on a counter: each figure, each trait that it has or lacks."""
    path = ("counters", counter.id)
    part = MutatedPart(
        rules, counter.id, counter.cites, counter.origin,
        lambda record: _uses_counter(rules, record.run.example, counter.id), counter.singled_out,
    )  # fmt: skip
    yield from _figure_mutants(rules, counter, part)
    for trait, traits in omissions(counter.traits):
        yield replace(part, key=trait).mutant(TRAIT, (trait, REMOVED), ((*path, "traits"), traits))
    backs = [other.id for other in rules.counters.values() if _can_be_back(counter, other) and other.id != counter.back]
    for back in ("", *backs) if counter.back else ():
        yield replace(part, key="back").mutant(FIGURE, (counter.back, back or REMOVED), ((*path, "back"), back))
    for flag in rules.vocabulary.flags.values():
        if flag.what == "trait" and flag.owner == counter.kind and flag.name not in counter.traits:
            edit = (*path, "traits"), (*counter.traits, flag.name)
            yield replace(part, key=flag.name).mutant(TRAIT, (REMOVED, flag.name), edit)


def _figure_mutants(rules: graph.Graph, counter: graph.Counter, counter_part: MutatedPart) -> Iterator[Mutant]:
    """Generate other values of the factors of a counter, each cited by the layer that added it."""
    added = {factor.name: factor for factor in counter.added}
    for index, (name, value) in enumerate(counter.printed):
        if name in counter.first:
            continue  # It is altered for all counters at once.
        part = replace(counter_part, key=name)
        if source := added.get(name):
            part = replace(part, cites=source.cites, origin=source.origin, singled_out=bool(source.cites))
        for other in _printable(rules, counter.kind, name, value):
            yield part.mutant(FIGURE, (value, other), (("counters", counter.id, "printed", index, 1), other))


def _printable(rules: graph.Graph, kind: str, name: str, value: graph.Expr) -> Iterator[graph.Expr]:
    """List what else may stand in a column; in one that a layer added nothing that `check` refuses there."""
    declared = rules.vocabulary.kinds[kind]
    types = {part.name: part.type for part in declared.printed if part.name in dict(declared.first)}
    for other in other_values(rules, value):
        if name not in types or _can_hold(types[name], other):
            yield other


def first_value_mutants(rules: graph.Graph) -> Iterator[Mutant]:
    """List the mutants of what layers added to kinds: all that show a first value show another one."""
    for kind in rules.vocabulary.kinds.values():
        for index, (name, value) in enumerate(kind.first):
            part = MutatedPart(rules, f"{kind.name}.{name}", (), _declared_at(rules, f"factor {kind.name}.{name}"))
            paths: list[Path] = [("vocabulary", "kinds", kind.name, "first", index, 1)]
            paths += (
                ("counters", counter.id, "printed", [*dict(counter.printed)].index(name), 1)
                for counter in rules.counters.values()
                if counter.kind == kind.name and name in counter.first
            )
            for other in _printable(rules, kind.name, name, value):
                yield part.mutant(FIRST, (value, other), *((path, other) for path in paths))


def _can_be_back(counter: graph.Counter, other: graph.Counter) -> bool:
    """Return whether another counter could be on the back of one that has a back."""
    return counter.back != "" and (counter.kind, counter.owner) == (other.kind, other.owner) and counter.id != other.id


def _uses_counter(rules: graph.Graph, example: graph.Example, counter: str) -> bool:
    """Return whether a counter is in an example: placed there, on its card, or in a chart that it draws."""
    if any(isinstance(line, graph.Printed) and line.counter == counter for line in example.lines):
        return True
    if any(piece.counter == counter for piece in example.position.pieces):
        return True
    for force in rules.scenario.forces if example.card and rules.scenario else ():
        if counter in dict(force.units) or any(piece.counter == counter for piece in force.placed):
            return True
    return False


def note_mutants(rules: graph.Graph) -> Iterator[Mutant]:
    """Generate the mutants of recorded state: the initial value of a track, the duration of tracks and statuses."""
    words = rules.vocabulary

    def part(kind: str, key: str) -> MutatedPart:
        return MutatedPart(rules, key, (), _declared_at(rules, f"{kind} {key}"))

    for key, track in words.tracks.items():
        initial_values = () if track.initial is None else Alterations(rules).other_values(track.initial)
        for value in initial_values:
            if track.initial is not None and _can_hold(track.type, value):  # `check` refuses others.
                edit: PathChange = ("vocabulary", "tracks", key, "initial"), value
                yield part("track", key).mutant(NOTE, (track.initial, value), edit)
    for kind, field, declared in (("track", "tracks", words.tracks), ("status", "flags", words.flags)):
        for key, declaration in declared.items():
            if declaration.until not in {"", "game"}:
                edit = ("vocabulary", field, key, "until"), ""
                yield part(kind, key).mutant(NOTE, (f"until end of {declaration.until}", "for ever"), edit)
    for key, relation in words.relations.items():
        if relation.ends is not None:
            parameters = filter(None, (relation.left, relation.right, relation.payload))
            names = {parameter.name: parameter.type for parameter in parameters}
            yield from part("relation", key).expression_mutants(("vocabulary", "relations", key, "ends"), names)


def _declared_at(rules: graph.Graph, word: str) -> graph.Origin:
    """Return where a word was declared; for one without an origin, that of the first rule."""
    return rules.vocabulary.origins.get(word) or next(iter(rules.rules.values())).origin


def _can_hold(type_: graph.Type, value: graph.Expr) -> bool:
    """Return whether a number is within the range of a track."""
    return not isinstance(type_, graph.Number) or not isinstance(value, graph.Num) or type_.contains(value.value)
