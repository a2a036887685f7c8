"""Changes of added factors between two stacks: one line for each factor.

In: the graph of the book and that of its baseline. Out: changes of added factors, and the counters for comparison,
without the differences that the change of a factor already states for all of them.
"""

from collections.abc import Iterator, Mapping

from compiler.rulebook.added_factors import factor_title
from compiler.rulebook.booklet import ListedChange
from compiler.rulebook.drawings.counters import printed_value
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.added_factors import added_factors, added_names, without_factors

MOST_NAMED_COUNTERS = 12  # counters that are named one by one


def factor_changes(book: graph.Graph, base: graph.Graph) -> Iterator[ListedChange]:
    """Yield the changes of added factors."""
    new_factors, old_factors = _added(book), _added(base)
    for key in (*new_factors, *(key for key in old_factors if key not in new_factors)):
        new_text = _factor_text(book, key, lists_exceptions=key not in old_factors) if key in new_factors else ""
        old_text = _factor_text(base, key, lists_exceptions=key not in new_factors) if key in old_factors else ""
        if key not in new_factors or key not in old_factors or new_factors[key] != old_factors[key]:
            operation = "new" if key not in old_factors else "gone" if key not in new_factors else "changed"
            yield ListedChange(
                operation,
                "",
                "",
                ("factor", key),
                factor_title(book if key in new_factors else base, key),
                new_text,
                old_text,
            )


def _added(rules: graph.Graph) -> dict[str, tuple[graph.Type, graph.Expr]]:
    return {each.key: (each.part.type, each.first) for each in added_factors(rules)}


def _factor_text(book: graph.Graph, key: str, *, lists_exceptions: bool) -> str:
    """Describe what counters print; with `lists_exceptions`, also which of them differ from the others."""
    kind, _, name = key.partition(".")
    called = words.factor_name(name, book.vocabulary)
    kind_plural = words.plural(words.kind(kind, book.vocabulary))
    first = printed_value(book, dict(book.vocabulary.kinds[kind].first)[name])
    if not lists_exceptions:
        return words.sentence(f"{kind_plural} of which no more is said print {called} {first}")
    others = [each for each in book.counters.values() if each.kind == kind and name not in each.first]
    by_value: dict[str, list[str]] = {}
    for each in sorted(others, key=lambda one: one.id):
        by_value.setdefault(printed_value(book, dict(each.printed).get(name)), []).append(
            words.counter(each.id, book.counters)
        )
    exceptions = "; ".join(f"{words.list_text(named)} {value}" for value, named in by_value.items())
    if len(others) > MOST_NAMED_COUNTERS:
        exceptions = f"{len(others)} of them otherwise, as the unit function charts say"
    return words.sentence(f"{kind_plural} print {called} {first}{f'; {exceptions}' if exceptions else ''}")


def comparable_counters(rules: graph.Graph, other: graph.Graph) -> Mapping[str, graph.Counter]:
    """Return counters without what is reported of an added factor: that one book alone has it, or its first value."""
    return {name: _comparable(each, rules, other) for name, each in rules.counters.items()}


def _comparable(counter: graph.Counter, rules: graph.Graph, other: graph.Graph) -> graph.Counter:
    counterpart = other.counters.get(counter.id)
    if counterpart is None:
        return counter
    factor_names = added_names(rules, counter.kind) ^ added_names(other, counter.kind) | {*counter.first} & {
        *counterpart.first
    }
    return without_factors(counter, factor_names) if factor_names else counter
