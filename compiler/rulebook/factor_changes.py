"""Changes of added factors between two stacks: one line for each factor.

In: the graph of the book and that of its baseline. Out: changes of added factors, and the counters for comparison,
without the differences that the change of a factor already states for all of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from compiler.rulebook.added_factors import factor_title
from compiler.rulebook.booklet import Change
from compiler.rulebook.drawings.counters import printed_value
from runtime.graph import nodes as graph
from runtime.graph import words

MANY = 12  # counters that are named one by one


def factor_changes(book: graph.Graph, base: graph.Graph) -> Iterator[Change]:
    """Yield the changes of added factors."""
    here, there = _added(book), _added(base)
    for key in (*here, *(key for key in there if key not in here)):
        now = _told(book, key, whole=key not in there) if key in here else ""
        before = _told(base, key, whole=key not in here) if key in there else ""
        if key not in here or key not in there or here[key] != there[key]:
            how = "new" if key not in there else "gone" if key not in here else "changed"
            yield Change(how, "", "", ("factor", key), factor_title(book if key in here else base, key), now, before)


def _added(rules: graph.Graph) -> dict[str, tuple[graph.Type, graph.Expr]]:
    return {
        f"{kind.name}.{part.name}": (part.type, dict(kind.first)[part.name])
        for kind in rules.vocabulary.kinds.values()
        for part in kind.printed
        if part.name in dict(kind.first)
    }


def _told(book: graph.Graph, key: str, *, whole: bool) -> str:
    """Describe what counters print; with `whole`, also which of them print something else than the others."""
    kind, _, name = key.partition(".")
    called = words.factor_name(name, book.vocabulary)
    several = words.plural(words.kind(kind, book.vocabulary))
    first = printed_value(book, dict(book.vocabulary.kinds[kind].first)[name])
    if not whole:
        return words.sentence(f"{several} of which no more is said print {called} {first}")
    others = [each for each in book.counters.values() if each.kind == kind and name not in each.first]
    by_value: dict[str, list[str]] = {}
    for each in sorted(others, key=lambda one: one.id):
        by_value.setdefault(printed_value(book, dict(each.printed).get(name)), []).append(
            words.counter(each.id, book.counters)
        )
    own = "; ".join(f"{words.list_text(named)} {value}" for value, named in by_value.items())
    if len(others) > MANY:
        own = f"{len(others)} of them otherwise, as the unit function charts say"
    return words.sentence(f"{several} print {called} {first}{f'; {own}' if own else ''}")


def comparable_counters(rules: graph.Graph, other: graph.Graph) -> Mapping[str, graph.Counter]:
    """Return counters without what is reported of an added factor: that one book alone has it, or its first value."""
    return {name: _comparable(each, rules, other) for name, each in rules.counters.items()}


def _comparable(counter: graph.Counter, rules: graph.Graph, other: graph.Graph) -> graph.Counter:
    twin = other.counters.get(counter.id)
    kinds = (each.vocabulary.kinds.get(counter.kind) for each in (rules, other))
    mine, theirs = ({name for name, _ in kind.first} if kind else set() for kind in kinds)
    told = (mine ^ theirs) | ({*counter.first} & {*twin.first} if twin else set())
    if twin is None or not told:
        return counter
    return replace(
        counter,
        printed=tuple(each for each in counter.printed if each[0] not in told),
        first=tuple(name for name in counter.first if name not in told),
        added=tuple(each for each in counter.added if each.name not in told),
    )
