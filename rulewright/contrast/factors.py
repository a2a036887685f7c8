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
    old_factors, new_factors = dict(_added(a)), dict(_added(b))
    found = []
    for kind, name in sorted({*old_factors, *new_factors}):
        old, new = old_factors.get((kind, name)), new_factors.get((kind, name))
        only_side = "a" if new is None else "b" if old is None else None
        factor = old or new
        assert factor is not None
        says = [] if old is None or new is None else [
            f"{new[part]} instead of {old[part]}" for part in ("type", "first") if new[part] != old[part]
        ]  # fmt: skip
        if only_side or says:
            found.append(
                {"kind": kind, "factor": name, "only": only_side, "type": factor["type"], "first": factor["first"],
                 "counters": factor["counters"] if only_side else [], "says": says}
            )  # fmt: skip
    return found


def _added(rules: graph.Graph) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    writer = Writer(rules.vocabulary)
    for factor in added_factors(rules):
        name = factor.part.name
        counters = [
            {"counter": each.id, "shows": writer.text(dict(each.printed)[name])}
            for each in sorted(rules.counters.values(), key=lambda one: one.id)
            if each.kind == factor.kind and name not in each.first and name in dict(each.printed)
        ]
        description = {"type": type_name(factor.part.type), "first": writer.text(factor.first), "counters": counters}
        yield (factor.kind, name), description
