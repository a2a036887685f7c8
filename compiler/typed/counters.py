"""Elaboration of counters: every printed factor against its declared type.

In: a merged counter. Out: a `graph.Counter`; values that layers add to its kind are among the printed ones.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.origins import origin_of
from compiler.typed.environment import BACK, Environment, memoize_query
from compiler.typed.findings.mismatches import MissingField
from compiler.typed.findings.names import UnknownFlag
from compiler.typed.source_lists import listed_twice
from compiler.typed.tables import scalar_value
from compiler.typed.unknown_names import unknown_counter, unknown_word
from runtime.graph import nodes as graph

EMPTY_CELLS = {"-", ""}
TITLE = "title"  # a column with a text beside the counter, not on it


@dataclass(slots=True)
class _CounterRow:
    """The values of a counter as they are elaborated, column by column."""

    owner: str = ""
    title: str = ""
    back: str = ""
    printed: list[tuple[str, graph.Expr]] = field(default_factory=list)


@memoize_query("counter")
def build_counter(env: Environment, counter: layered.Counter) -> graph.Counter | None:
    """Elaborate one row of the unit chart: printed factors, side, traits; None if its kind is unknown."""
    kind = env.kinds.get(counter.kind.text)
    node = counter.node
    if kind is None:
        return env.report(unknown_word("kind of piece", counter.kind, env.kinds), None)
    types = {part.name: part.type for part in kind.printed}
    row = _counter_row(env, counter, types)
    in_row = {word.text for word, _ in node.values}
    column_names = in_row | {each.column.text for each in counter.added}
    first = tuple((name, value) for name, value in kind.first if name not in column_names)
    missing = tuple(name for name in types if name not in {*column_names, *dict(first)})
    # A column that is misspelled or written twice was reported; the one that it was meant to be is not missing as well.
    if missing and len(in_row) == len(node.values) and in_row <= {*types, "side", BACK, TITLE}:
        env.problems.append(MissingField(node.span, f"counter {node.id.text}", missing, in_chart=True))
    env.problems += _unknown_traits(env, kind.name, node.traits)
    env.problems += listed_twice(node.traits)
    order = {name: index for index, name in enumerate(types)}
    besides = (*(each for each in row.printed if each[0] not in in_row), *first)
    return graph.Counter(
        id=node.id.text,
        kind=kind.name,
        owner=row.owner,
        printed=(
            *(each for each in row.printed if each[0] in in_row),
            *sorted(besides, key=lambda each: order[each[0]]),
        ),
        traits=tuple(word.text for word in node.traits),
        cites=tuple(word.text for word in counter.cites),
        singled_out=counter.singled_out,
        origin=origin_of(counter.layer, node.id.span),
        title=row.title,
        back=row.back,
        nicknames=node.nicknames,
        first=tuple(name for name, _ in first),
        added=tuple(
            graph.AddedValue(
                each.column.text, tuple(word.text for word in each.cites), origin_of(each.layer, each.value.span)
            )
            for each in counter.added
            if each.column.text in types
        ),
    )


def _counter_row(env: Environment, counter: layered.Counter, types: Mapping[str, graph.Type]) -> _CounterRow:
    """Elaborate the columns of a counter, and the values that layers add; `types` are those of its factors."""
    row = _CounterRow()
    for word, value in (*counter.node.values, *_added(env, counter, types)):
        if word.text == "side":
            found = scalar_value(env, value, graph.Enum("side"), "side") if value.text not in EMPTY_CELLS else None
            row.owner = found.name if isinstance(found, graph.Member) else ""
        elif word.text == TITLE:
            row.title = value.text
        elif word.text == BACK and BACK not in types:
            row.back = _back(env, counter, value)
        elif word.text not in types:
            known = [*types, "side", BACK, "traits", TITLE]
            env.report_unknown(f"factor of {counter.kind.text}", word, known)
        elif value.text not in EMPTY_CELLS:
            found = scalar_value(env, value, types[word.text], f"{counter.node.id.text}.{word.text}")
            row.printed += [(word.text, found)] if found is not None else []
    return row


def _unknown_traits(env: Environment, kind: str, traits: Iterable[source.Word]) -> Iterator[UnknownFlag]:
    """Report the traits of a counter that its kind does not have."""
    for word in traits:
        trait = env.flags.get(f"{kind}.{word.text}")
        if trait is None or trait.what != "trait":
            known = (flag.name for flag in env.flags.values() if flag.what == "trait" and flag.owner == kind)
            yield UnknownFlag(word.span, kind, word.text, tuple(known))


def _added(
    env: Environment, counter: layered.Counter, types: Mapping[str, graph.Type]
) -> Iterator[tuple[source.Word, source.Scalar]]:
    """Yield the values that layers add to a counter, without factors whose name is taken, which were reported."""
    for each in counter.added:
        is_taken = each.column.text not in types and (f"factor of {counter.kind.text}", each.column.text) in env.spans
        if not is_taken:
            yield each.column, each.value


def _back(env: Environment, counter: layered.Counter, written: source.Scalar) -> str:
    """Return the counter on the other side of one; "" if there is none. Both are of one kind and one side."""
    if written.text in EMPTY_CELLS:
        return ""
    name, kind_and_side = counter.node.id.text, (counter.kind.text, side_of(counter))
    found = env.counters.get(written.text)
    if found is None:
        return env.report(unknown_counter(source.Word(written.span, written.text), env.counters, env), "")
    if found[:2] != kind_and_side or written.text == name:
        other = "is the counter itself" if written.text == name else "is of another kind or side"
        message = f"`{written.text}` cannot be the back of `{name}`, as it {other}"
        env.report_invalid(written.span, message, "name the counter printed on its back, or write `-` for none")
    return written.text


def side_of(counter: layered.Counter) -> tuple[str, ...]:
    """Return the side of a counter as a tuple; empty if it may be of any."""
    return tuple(value.text for word, value in counter.node.values if word.text == "side" and value.text != "-")
