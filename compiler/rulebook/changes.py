"""What changes from one stack to another, as a player would want it listed.

In: the graph of the book and the one it is held against. Out: changes, each with the thing as it
is and as it was. Two nodes are the same if they differ in nothing but where they were written.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import TypeVar

from compiler.rulebook.charts import draw_chart
from compiler.rulebook.homes import only_ruled
from compiler.rulebook.mentions import Thing
from compiler.rulebook.order import written
from compiler.rulebook.sentences import rule_sentence, silence
from runtime.graph import nodes as graph


@dataclass(frozen=True, slots=True)
class Change:
    """One change: `how` is new, changed or gone."""

    how: str
    thing: Thing
    now: str
    before: str


def compare(book: graph.Graph, against: graph.Graph) -> tuple[Change, ...]:
    """List every difference: rules, rulings, questions, charts cell by cell, counters, procedures."""
    books = (book, against)
    return (
        *_differences("rule", _speaking(book), _speaking(against), _rule_words, books),
        *_differences(
            "ruling", book.rulings, against.rulings, lambda _, ruling: f"{ruling.asks} {ruling.answers}", books
        ),
        *_differences("term", _bare(book), _bare(against), silence, books),
        *_charts(book, against),
        *_differences("counter", book.counters, against.counters, _counter, books),
        *_differences("procedure", book.procedures, against.procedures, lambda _, procedure: procedure.prose, books),
    )


Node = TypeVar("Node", graph.Rule, graph.Ruling, graph.Term, graph.Counter, graph.Procedure)


def _differences(
    what: str,
    now: Mapping[str, Node],
    before: Mapping[str, Node],
    say: Callable[[graph.Graph, Node], str],
    books: tuple[graph.Graph, graph.Graph],
) -> list[Change]:
    """Compare nodes by name, in the order of the book, what is gone at the end."""
    found = []
    for name in sorted(now, key=lambda name: (*written(books[0], now[name]), name)):
        new = say(books[0], now[name])
        if name not in before:
            found.append(Change("new", (what, name), new, ""))
        elif _bones(now[name]) != _bones(before[name]):
            old = say(books[1], before[name])
            if old == new:
                old, new = (
                    f"{text} Sources: {', '.join(one.cites)}." for text, one in ((old, before[name]), (new, now[name]))
                )
            found.append(Change("changed", (what, name), new, old))
    gone = sorted(set(before) - set(now))
    return found + [Change("gone", (what, name), "", say(books[1], before[name])) for name in gone]


def _speaking(book: graph.Graph) -> dict[str, graph.Rule]:
    """Leave out rules that only stand for their ruling, which is compared itself."""
    return {label: rule for label, rule in book.rules.items() if not only_ruled(rule)}


def _rule_words(book: graph.Graph, rule: graph.Rule) -> str:
    return f"{rule.prose} {rule_sentence(book, rule)}".strip()


def _bare(book: graph.Graph) -> dict[str, graph.Term]:
    """Take terms without their rules, which are compared by themselves."""
    kept = {}
    for name, term in book.terms.items():
        values = {field.name: getattr(term, field.name) for field in fields(term)}
        kept[name] = graph.Term(**{**values, "rules": ()})
    return kept


def _charts(book: graph.Graph, against: graph.Graph) -> list[Change]:
    now, before = (
        {cell: text for table in g.tables.values() for cell, text in _cells(g, table)} for g in (book, against)
    )
    found = []
    for name in sorted({*now, *before}):
        if now.get(name) != before.get(name):
            how = "new" if name not in before else "gone" if name not in now else "changed"
            found.append(Change(how, ("cell", name), now.get(name, ""), before.get(name, "")))
    return found


def _cells(book: graph.Graph, table: graph.Table) -> list[tuple[str, str]]:
    return [
        (cell.name, cell.text) for row in draw_chart(book, table).rows for cell in row.cells if cell.kind != "empty"
    ]


def _counter(_: graph.Graph, counter: graph.Counter) -> str:
    printed = [f"{name} {value.value}" for name, value in counter.printed if isinstance(value, graph.Num)]
    return ", ".join([*printed, *counter.traits])


def _bones(node: object) -> object:
    """Strip where things were written, so that what was written can be compared."""
    if isinstance(node, tuple):
        return tuple(_bones(part) for part in node)
    if is_dataclass(node) and not isinstance(node, type):
        inside = tuple(_bones(getattr(node, field.name)) for field in fields(node) if field.name != "origin")
        return (type(node).__name__, *inside)
    return node
