"""Mutate rules, terms, charts, counters and the state that play records, in one place each."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.graph.rows import row_label
from runtime.graph.type_of import type_of
from runtime.mutation.expressions import Alterations
from runtime.mutation.mutant import (
    BOUND,
    CELL,
    CONDITION,
    DEFAULT,
    EXCEPTION,
    FIGURE,
    FIRST,
    NOTE,
    RULE,
    TRAIT,
    Mutant,
    Record,
)


def of_laws(rules: graph.Graph) -> Iterator[Mutant]:
    """Generate the mutants of all rules, terms, charts, counters, tracks and statuses."""
    for rule in rules.rules.values():
        yield from rule_mutants(rules, rule)
    for term in rules.terms.values():
        yield from term_mutants(rules, term)
    for table in rules.tables.values():
        for number in range(len(table.rows)):
            yield from row_mutants(rules, table, number)
    for counter in rules.counters.values():
        yield from counter_mutants(rules, counter)
    yield from first_value_mutants(rules)
    yield from note_mutants(rules)


def rule_mutants(rules: graph.Graph, rule: graph.Rule, inner: Alterations | None = None) -> Iterator[Mutant]:
    """Generate the mutants of a rule: without it, without what it defeats, with another guard or conclusion.

    `inner` generates the replacements of expressions, by default `Alterations`.
    """
    label, cites, origin = rule.label, rule.cites, rule.origin
    live = partial(_was_live, label)
    yield Mutant(
        RULE, label, "the rule", "nothing", cites, origin, lambda: iter((without_rule(rules, label),)), live
    )  # fmt: skip
    tried = partial(was_tried, frozenset(rule.terms))
    for other in rule.defeats:
        less = replace(rule, defeats=tuple(name for name in rule.defeats if name != other))
        yield Mutant(EXCEPTION, label, f"exception to {other}", "nothing", cites, origin, with_rule(rules, less), live)
    names: dict[str, graph.Type] = {}
    for term in rule.terms[:1]:
        names = {each.name: each.type for each in rules.terms[term].parameters}
    inner = inner or Alterations(rules)
    for index, (name, value) in enumerate(rule.names):
        for each in inner.alterations_of(value, names):
            altered_names = (*rule.names[:index], (name, each.altered_expr), *rule.names[index + 1 :])
            changed = replace(rule, names=altered_names)
            yield Mutant(
                each.kind, label, each.original, each.replacement, cites, origin, with_rule(rules, changed), tried
            )
        names[name] = type_of(value, names, rules)
    if rule.guard is not None:
        yield Mutant(
            CONDITION, label, rule.guard, "no condition", cites, origin,
            with_rule(rules, replace(rule, guard=None)), tried, rule.guard, graph.Truth(value=True),
        )  # fmt: skip
        for each in inner.alterations_of(rule.guard, names):
            changed = replace(rule, guard=each.altered_expr)
            yield Mutant(
                each.kind,
                label,
                each.original,
                each.replacement,
                cites,
                origin,
                with_rule(rules, changed),
                tried,
                rule.guard,
                each.altered_expr,
            )
    if rule.value is not None:
        for each in inner.alterations_of(rule.value, names):
            changed = replace(rule, value=each.altered_expr)
            yield Mutant(
                each.kind,
                label,
                each.original,
                each.replacement,
                cites,
                origin,
                with_rule(rules, changed),
                live,
                rule.value,
                each.altered_expr,
            )


def _was_live(label: str, record: Record) -> bool:
    return label in record.run.rules


def was_tried(terms: frozenset[str], record: Record) -> bool:
    """Return whether a case queried one of these terms."""
    return not terms.isdisjoint(record.run.terms)


def with_rule(rules: graph.Graph, rule: graph.Rule) -> Callable[[], Iterator[graph.Graph]]:
    """Return the graph with another rule of the same label."""
    return lambda: iter((replace(rules, rules={**rules.rules, rule.label: rule}),))


def term_mutants(rules: graph.Graph, term: graph.Term) -> Iterator[Mutant]:
    """Generate the mutants of a term: its default, its `otherwise`, the bounds of a sum."""
    concerns = partial(was_tried, frozenset((term.name,)))

    def made(other: graph.Term) -> Callable[[], Iterator[graph.Graph]]:
        return lambda: iter((replace(rules, terms={**rules.terms, term.name: other}),))

    if term.default is not None:
        yes, no = ("allowed", "forbidden") if term.form == "verdict" else ("yes", "no")
        original, replacement = (yes, no) if term.default else (no, yes)
        yield Mutant(
            DEFAULT,
            term.name,
            original,
            replacement,
            term.cites,
            term.origin,
            made(replace(term, default=not term.default)),
            concerns,
            singled_out=bool(term.cites),
        )
    if term.capped is not None:
        for index, delta in ((0, 1), (0, -1), (1, 1), (1, -1)):
            ends = [*term.capped]
            ends[index] += delta
            bounds = (ends[0], ends[1])
            original, replacement = (f"{low}..{high}" for low, high in (term.capped, bounds))
            yield Mutant(
                BOUND,
                term.name,
                original,
                replacement,
                term.cites,
                term.origin,
                made(replace(term, capped=bounds)),
                concerns,
            )
    if term.otherwise is not None:
        names = {each.name: each.type for each in term.parameters}
        for each in Alterations(rules).alterations_of(term.otherwise, names):
            changed = replace(term, otherwise=each.altered_expr)
            yield Mutant(
                each.kind,
                term.name,
                each.original,
                each.replacement,
                term.cites,
                term.origin,
                made(changed),
                concerns,
                term.otherwise,
                each.altered_expr,
            )


def row_mutants(rules: graph.Graph, table: graph.Table, number: int) -> Iterator[Mutant]:
    """Generate the mutants of a cell: other contents of the same type."""
    row = table.rows[number]
    original = row.kind if row.value is None else row.value
    for index, other in enumerate(other_rows(rules, table, row)):
        replacement = other.kind if other.value is None else other.value
        yield Mutant(
            CELL,
            f"{table.name}[{number}]",
            original,
            replacement,
            row.cites,
            row.origin,
            with_row(rules, table, number, other),
            lambda record: row in record.run.rows,
            singled_out=not index,
            key=row_label(table, row, rules.vocabulary),
        )


def with_row(
    rules: graph.Graph, table: graph.Table, number: int, row: graph.TableRow
) -> Callable[[], Iterator[graph.Graph]]:
    """Return the graph with another cell."""
    rows = (*table.rows[:number], row, *table.rows[number + 1 :])
    return lambda: iter((replace(rules, tables={**rules.tables, table.name: replace(table, rows=rows)}),))


def other_rows(rules: graph.Graph, table: graph.Table, row: graph.TableRow) -> Iterator[graph.TableRow]:
    """Generate other contents of a cell."""
    if row.value is not None:
        yield from (replace(row, value=value) for value in other_values(rules, row.value))
    else:
        words = [kind for kind, type_ in table.cells if type_ is None and kind != row.kind]
        valued = [other for other in table.rows if other.value is not None]
        if words:
            yield replace(row, kind=words[0])
        elif valued:
            yield replace(row, kind=valued[0].kind, value=valued[0].value)


def other_values(rules: graph.Graph, value: graph.Expr) -> Iterator[graph.Expr]:
    """Return other values of the same type: all other members and truths; for numbers and places the adjacent ones."""
    if isinstance(value, graph.Member) and (members := members_of(rules.vocabulary, value.enum)):
        yield from (replace(value, name=name) for name in members if name != value.name)
    else:
        yield from Alterations(rules).other_values(value)


def counter_mutants(
    rules: graph.Graph,
    counter: graph.Counter,
    values: Callable[[str, graph.Expr], Iterable[graph.Expr]] | None = None,
) -> Iterator[Mutant]:
    """Generate the mutants of what is printed on a counter: each figure, each trait that it has or lacks.

    `values` may return other contents of a column, by its name and its present content.
    """

    def made(other: graph.Counter) -> Callable[[], Iterator[graph.Graph]]:
        return lambda: iter((replace(rules, counters={**rules.counters, counter.id: other}),))

    def used(record: Record) -> bool:
        return uses_counter(rules, record.run.example, counter.id)

    origin, single = counter.origin, counter.singled_out
    added = {each.name: each for each in counter.added}
    for index, (name, value) in enumerate(counter.printed):
        if name in counter.first:
            continue  # It is altered for all counters at once.
        cites, factor_origin, lone = counter.cites, origin, single
        if name in added:
            cites, factor_origin, lone = added[name].cites, added[name].origin, bool(added[name].cites)
        for other in values(name, value) if values else _printable(rules, counter.kind, name, value):
            printed = (*counter.printed[:index], (name, other), *counter.printed[index + 1 :])
            yield Mutant(
                FIGURE, counter.id, value, other, cites, factor_origin, made(replace(counter, printed=printed)), used,
                singled_out=lone, key=name,
            )  # fmt: skip
    for trait in counter.traits:
        traits = tuple(part for part in counter.traits if part != trait)
        yield Mutant(
            TRAIT, counter.id, trait, "nothing", counter.cites, origin, made(replace(counter, traits=traits)), used,
            singled_out=single, key=trait,
        )  # fmt: skip
    for back in (counter.back and "", *(each.id for each in rules.counters.values() if turns_to(counter, each))):
        if back != counter.back:
            original, replacement = counter.back or "nothing", back or "nothing"
            made_back = made(replace(counter, back=back))
            yield Mutant(
                FIGURE,
                counter.id,
                original,
                replacement,
                counter.cites,
                origin,
                made_back,
                used,
                singled_out=single,
                key="back",
            )
    flags = rules.vocabulary.flags.values()
    for flag in flags:
        if flag.what == "trait" and flag.owner == counter.kind and flag.name not in counter.traits:
            more = replace(counter, traits=(*counter.traits, flag.name))
            yield Mutant(
                TRAIT, counter.id, "nothing", flag.name, counter.cites, origin, made(more), used, singled_out=single,
                key=flag.name,
            )  # fmt: skip


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
                yield Mutant(FIRST, called, value, other, (), origin, variants, _concerns_all)


def _with_first_value(rules: graph.Graph, kind: graph.Kind, name: str, value: graph.Expr) -> Iterator[graph.Graph]:
    def anew(values: tuple[tuple[str, graph.Expr], ...]) -> tuple[tuple[str, graph.Expr], ...]:
        return tuple((each, value if each == name else other) for each, other in values)

    kinds = {**rules.vocabulary.kinds, kind.name: replace(kind, first=anew(kind.first))}
    counters = {
        id_: replace(each, printed=anew(each.printed)) if each.kind == kind.name and name in each.first else each
        for id_, each in rules.counters.items()
    }
    yield replace(rules, counters=counters, vocabulary=replace(rules.vocabulary, kinds=kinds))


def turns_to(counter: graph.Counter, other: graph.Counter) -> bool:
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
        origin = _declared_at(rules, f"track {key}")

        def made(other: graph.Track, key: str = key) -> Callable[[], Iterator[graph.Graph]]:
            return lambda: iter((replace(rules, vocabulary=replace(words, tracks={**words.tracks, key: other})),))

        if track.initial is not None:
            for value in Alterations(rules).other_values(track.initial):
                if not _can_hold(track.type, value):
                    continue  # `check` refuses it.
                yield Mutant(
                    NOTE, key, track.initial, value, (), origin, made(replace(track, initial=value)), _concerns_all
                )
        if track.until:
            original = f"until end of {track.until}"
            yield Mutant(NOTE, key, original, "for ever", (), origin, made(replace(track, until="")), _concerns_all)
    for key, flag in words.flags.items():
        if flag.until and flag.until != "game":
            origin = _declared_at(rules, f"status {key}")
            lasting = replace(words, flags={**words.flags, key: replace(flag, until="")})
            yield Mutant(
                NOTE,
                key,
                f"until end of {flag.until}",
                "for ever",
                (),
                origin,
                _with_words(rules, lasting),
                _concerns_all,
            )
    for key, relation in words.relations.items():
        if relation.ends is not None:
            origin = _declared_at(rules, f"relation {key}")
            ends = (relation.left, relation.right, relation.payload)
            names = {each.name: each.type for each in ends if each is not None}
            for each in Alterations(rules).alterations_of(relation.ends, names):
                other = replace(words, relations={**words.relations, key: replace(relation, ends=each.altered_expr)})
                yield Mutant(
                    each.kind,
                    key,
                    each.original,
                    each.replacement,
                    (),
                    origin,
                    _with_words(rules, other),
                    _concerns_all,
                    relation.ends,
                    each.altered_expr,
                )


def _declared_at(rules: graph.Graph, word: str) -> graph.Origin:
    """Return where a word was declared; for one without an origin, that of the first rule."""
    return rules.vocabulary.origins.get(word) or next(iter(rules.rules.values())).origin


def _can_hold(type_: graph.Type, value: graph.Expr) -> bool:
    """Return whether a number is within the range of a track."""
    if not isinstance(type_, graph.Number) or not isinstance(value, graph.Num):
        return True
    return (type_.low is None or type_.low <= value.value) and (type_.high is None or value.value <= type_.high)


def _with_words(rules: graph.Graph, words: graph.Vocabulary) -> Callable[[], Iterator[graph.Graph]]:
    return lambda: iter((replace(rules, vocabulary=words),))


def _concerns_all(_: Record) -> bool:
    return True


def without_rule(rules: graph.Graph, label: str) -> graph.Graph:
    """Return the graph without one rule: it neither concludes nor defeats."""
    left = {name: rule for name, rule in rules.rules.items() if name != label}
    terms = {
        name: replace(term, rules=tuple(part for part in term.rules if part != label)) if label in term.rules else term
        for name, term in rules.terms.items()
    }
    return replace(rules, rules=left, terms=terms)


def rules_of_label(rules: graph.Graph, label: str) -> Iterator[str]:
    """Return the rules that a label denotes."""
    if label in rules.rules:
        yield label
    else:
        yield from (name for name, rule in rules.rules.items() if label in {rule.case, rule.ruling, rule.reading})
