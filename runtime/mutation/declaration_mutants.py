"""Mutate what is printed on counters, what layers add to kinds, and the state that play records.

In: a graph. Out: mutants of figures, traits and backs of counters, of first values of added factors, of the initial
value and the duration of tracks, of the duration of statuses, and of the conditions that end relations.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.mutation.expression_mutants import Alterations
from runtime.mutation.mutant import FIGURE, FIRST, NOTE, TRAIT, Mutant, OriginalRun, concerns_all


def other_values(rules: graph.Graph, value: graph.Expr) -> Iterator[graph.LiteralExpr]:
    """Return other values of the same type: all other members and truths; for numbers and places the adjacent ones."""
    if isinstance(value, graph.Member) and (members := members_of(rules.vocabulary, value.enum)):
        yield from (replace(value, name=name) for name in members if name != value.name)
    else:
        yield from Alterations(rules).other_values(value)


def counter_mutants(rules: graph.Graph, counter: graph.Counter) -> Iterator[Mutant]:
    """Generate the mutants of what is printed on a counter: each figure, each trait that it has or lacks."""

    def concerns(record: OriginalRun) -> bool:
        return uses_counter(rules, record.run.example, counter.id)

    def mutant(
        kind: str, key: str, words: tuple[graph.Expr | str, graph.Expr | str], other: graph.Counter,
        source: graph.Counter | graph.AddedValue = counter, *, singled_out: bool = counter.singled_out,
    ) -> Mutant:  # fmt: skip
        return Mutant(
            kind, counter.id, *words, source.cites, source.origin,
            lambda: iter((replace(rules, counters={**rules.counters, counter.id: other}),)), concerns,
            singled_out=singled_out, key=key,
        )  # fmt: skip

    added = {each.name: each for each in counter.added}
    for index, (name, value) in enumerate(counter.printed):
        if name in counter.first:
            continue  # It is altered for all counters at once.
        source = added.get(name, counter)
        lone = bool(source.cites) if name in added else counter.singled_out
        for other in _printable(rules, counter.kind, name, value):
            printed = (*counter.printed[:index], (name, other), *counter.printed[index + 1 :])
            yield mutant(FIGURE, name, (value, other), replace(counter, printed=printed), source, singled_out=lone)
    for trait in counter.traits:
        traits = tuple(part for part in counter.traits if part != trait)
        yield mutant(TRAIT, trait, (trait, "nothing"), replace(counter, traits=traits))
    for back in (counter.back and "", *(each.id for each in rules.counters.values() if can_be_back(counter, each))):
        if back != counter.back:
            yield mutant(FIGURE, "back", (counter.back or "nothing", back or "nothing"), replace(counter, back=back))
    for flag in rules.vocabulary.flags.values():
        if flag.what == "trait" and flag.owner == counter.kind and flag.name not in counter.traits:
            more = replace(counter, traits=(*counter.traits, flag.name))
            yield mutant(TRAIT, flag.name, ("nothing", flag.name), more)


def _printable(rules: graph.Graph, kind: str, name: str, value: graph.Expr) -> Iterator[graph.Expr]:
    """List what else may stand in a column; in one that a layer added nothing that `check` refuses there."""
    declared = rules.vocabulary.kinds[kind]
    types = {part.name: part.type for part in declared.printed if part.name in dict(declared.first)}
    yield from (other for other in other_values(rules, value) if name not in types or _can_hold(types[name], other))


def first_value_mutants(rules: graph.Graph) -> Iterator[Mutant]:
    """List the mutants of what layers added to kinds: all that show a first value show another one."""
    words = rules.vocabulary
    for kind in words.kinds.values():
        for name, value in kind.first:
            origin = _declared_at(rules, f"factor {kind.name}.{name}")
            for other in _printable(rules, kind.name, name, value):
                variants = partial(_with_first_value, rules, kind, name, other)
                called = f"{kind.name}.{name}"
                yield Mutant(FIRST, called, value, other, (), origin, variants, concerns_all)


def _with_first_value(rules: graph.Graph, kind: graph.Kind, name: str, value: graph.Expr) -> Iterator[graph.Graph]:
    def with_value(values: tuple[tuple[str, graph.Expr], ...]) -> tuple[tuple[str, graph.Expr], ...]:
        return tuple((each, value if each == name else other) for each, other in values)

    kinds = {**rules.vocabulary.kinds, kind.name: replace(kind, first=with_value(kind.first))}
    counters = {
        id_: replace(each, printed=with_value(each.printed)) if each.kind == kind.name and name in each.first else each
        for id_, each in rules.counters.items()
    }
    yield replace(rules, counters=counters, vocabulary=replace(rules.vocabulary, kinds=kinds))


def can_be_back(counter: graph.Counter, other: graph.Counter) -> bool:
    """Return whether another counter could be on the back of one that has a back."""
    return counter.back != "" and (counter.kind, counter.owner) == (other.kind, other.owner) and counter.id != other.id


def uses_counter(rules: graph.Graph, example: graph.Example, counter: str) -> bool:
    """Return whether a counter is in an example: placed there, on its card, or in a chart that it draws."""
    if any(isinstance(line, graph.Printed) and line.counter == counter for line in example.lines):
        return True
    forces = rules.scenario.forces if example.card and rules.scenario else ()
    return any(piece.counter == counter for piece in example.position.pieces) or any(
        counter in (*(unit for unit, _ in force.units), *(each.counter for each in force.placed)) for force in forces
    )


def note_mutants(rules: graph.Graph) -> Iterator[Mutant]:
    """Generate the mutants of recorded state: the initial value of a track, the duration of tracks and statuses."""
    words = rules.vocabulary
    for key, track in words.tracks.items():
        if track.initial is not None:
            for value in Alterations(rules).other_values(track.initial):
                if _can_hold(track.type, value):  # `check` refuses others.
                    other = replace(words, tracks={**words.tracks, key: replace(track, initial=value)})
                    yield _note_mutant(rules, f"track {key}", NOTE, (track.initial, value), other)
        if track.until:
            other = replace(words, tracks={**words.tracks, key: replace(track, until="")})
            yield _note_mutant(rules, f"track {key}", NOTE, (f"until end of {track.until}", "for ever"), other)
    for key, flag in words.flags.items():
        if flag.until and flag.until != "game":
            other = replace(words, flags={**words.flags, key: replace(flag, until="")})
            yield _note_mutant(rules, f"status {key}", NOTE, (f"until end of {flag.until}", "for ever"), other)
    for key, relation in words.relations.items():
        if relation.ends is not None:
            ends = (relation.left, relation.right, relation.payload)
            names = {each.name: each.type for each in ends if each is not None}
            for each in Alterations(rules).alterations_of(relation.ends, names):
                other = replace(words, relations={**words.relations, key: replace(relation, ends=each.altered_expr)})
                change = each.original, each.replacement
                yield _note_mutant(
                    rules, f"relation {key}", each.kind, change, other, (relation.ends, each.altered_expr)
                )


def _note_mutant(
    rules: graph.Graph, named: str, kind: str, change: tuple[graph.Expr | str, graph.Expr | str],
    other: graph.Vocabulary, altered: tuple[graph.Expr | None, graph.Expr | None] = (None, None),
) -> Mutant:  # fmt: skip
    """Build the mutant with another vocabulary; `named` is the declaration that differs."""
    return Mutant(
        kind, named.partition(" ")[2], *change, (), _declared_at(rules, named),
        lambda: iter((replace(rules, vocabulary=other),)), concerns_all, *altered,
    )  # fmt: skip


def _declared_at(rules: graph.Graph, word: str) -> graph.Origin:
    """Return where a word was declared; for one without an origin, that of the first rule."""
    return rules.vocabulary.origins.get(word) or next(iter(rules.rules.values())).origin


def _can_hold(type_: graph.Type, value: graph.Expr) -> bool:
    """Return whether a number is within the range of a track."""
    return not isinstance(type_, graph.Number) or not isinstance(value, graph.Num) or type_.contains(value.value)
