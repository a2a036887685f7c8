"""Comparison of the added factors of two stacks: first values, and counters with other values."""

from collections.abc import Iterator
from typing import Any

from compiler.analysis.expression_text import Writer, type_name
from runtime.graph import nodes as graph
from runtime.graph.added_factors import added_factors


def factors_data(a: graph.Graph, b: graph.Graph) -> list[dict[str, Any]]:
    """Return the added factors that only one stack has, or whose first values or ranges differ.

    For a factor that only one stack has, `counters` lists those with another value than the first; other differences
    of counters are listed with the counters.
    """
    here, there = dict(_added(a)), dict(_added(b))
    found = []
    for kind, name in sorted({*here, *there}):
        mine, theirs = here.get((kind, name)), there.get((kind, name))
        only = "a" if theirs is None else "b" if mine is None else None
        shown = mine or theirs
        assert shown is not None
        says = [] if mine is None or theirs is None else [
            f"{theirs[part]} instead of {mine[part]}" for part in ("type", "first") if theirs[part] != mine[part]
        ]  # fmt: skip
        if only or says:
            found.append(
                {"kind": kind, "factor": name, "only": only, "type": shown["type"], "first": shown["first"],
                 "counters": shown["counters"] if only else [], "says": says}
            )  # fmt: skip
    return found


def _added(rules: graph.Graph) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    writer = Writer(rules.vocabulary)
    for factor in added_factors(rules):
        name = factor.part.name
        own = [
            {"counter": each.id, "shows": writer.text(dict(each.printed)[name])}
            for each in sorted(rules.counters.values(), key=lambda one: one.id)
            if each.kind == factor.kind and name not in each.first and name in dict(each.printed)
        ]
        of = {"type": type_name(factor.part.type), "first": writer.text(factor.first), "counters": own}
        yield (factor.kind, name), of
