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


def factor_changes(book: graph.Graph, base: graph.Graph) -> Iterator[ListedChange]:
    """Yield the changes of added factors."""
    new_factors, old_factors = _added(book), _added(base)
    for key in dict.fromkeys((*new_factors, *old_factors)):
        new, old = new_factors.get(key), old_factors.get(key)
        if new != old:
            how = "changed" if new and old else "new" if new else "gone"
            now, before = (
                (_factor_text(rules, key),) if factor else () for rules, factor in ((book, new), (base, old))
            )
            yield ListedChange(how, ("factor", key), factor_title(book if new else base, key), now, before)


def _added(rules: graph.Graph) -> dict[str, tuple[graph.Type, graph.Expr]]:
    return {factor.key: (factor.part.type, factor.first) for factor in added_factors(rules)}


def _factor_text(book: graph.Graph, key: str) -> str:
    """Return what counters print of which no layer says more; the unit function charts have the others."""
    kind, _, name = key.partition(".")
    kind_plural = words.plural(words.kind(kind, book.vocabulary))
    first = printed_value(book, dict(book.vocabulary.kinds[kind].first)[name])
    called = words.factor_name(name, book.vocabulary)
    return words.sentence(f"{kind_plural} of which no more is said print {called} {first}")


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
