"""Mutants of kinds that `runtime/mutation` lacks: negated verdicts, exchanged marks, narrower ranges, whole charts.

In: a graph. Out: mutants of additional kinds. No example is required to kill them.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.mutation.law_mutants import other_rows
from runtime.mutation.mutant import Mutant
from runtime.mutation.procedure_mutants import with_steps_of

VERDICT, MARK, RANGE, COLUMN, CHART = "verdict", "mark", "note range", "column", "chart"
TURNED: dict[str, graph.Verb] = {"allows": "forbids", "forbids": "allows", "holds": "fails", "fails": "holds"}

# The number of rows of a chart that are changed together.
TOGETHER = 12


def more_mutants(rules: graph.Graph) -> Iterator[Mutant]:
    """Yield the mutants of all additional kinds."""
    yield from _verdicts(rules)
    yield from _marks(rules)
    yield from _ranges(rules)
    yield from _charts(rules)


def _mutant(
    what: str, name: str, was: str, now: str, make_rules: Callable[[], graph.Graph], procedure: str = ""
) -> Mutant:
    return Mutant(
        what, name, was, now, (), graph.NO_ORIGIN, lambda: iter((make_rules(),)), lambda _: True, procedure=procedure
    )


def _verdicts(rules: graph.Graph) -> Iterator[Mutant]:
    for label, rule in rules.rules.items():
        if rule.verb in TURNED:
            reversed_rule = replace(rule, verb=TURNED[rule.verb])
            make_rules = partial(replace, rules, rules={**rules.rules, label: reversed_rule})
            yield _mutant(VERDICT, label, rule.verb, reversed_rule.verb, make_rules)


def _marks(rules: graph.Graph) -> Iterator[Mutant]:
    for key, procedure in rules.procedures.items():
        for step in walk(procedure.body):
            if isinstance(step, graph.Mark):
                body = _exchanged(procedure.body, step, replace(step, on=not step.on))
                was, now = ("mark", "unmark") if step.on else ("unmark", "mark")
                yield _mutant(MARK, key, f"{was} {step.status}", now, partial(with_steps_of, rules, key, body), key)


def _exchanged(node: Any, old: object, new: object) -> Any:
    """Return a body with a step replaced, at any depth."""
    if node is old:
        return new
    match node:
        case tuple():
            return tuple(_exchanged(part, old, new) for part in node)
        case graph.Branch():
            return replace(node, then=_exchanged(node.then, old, new), orelse=_exchanged(node.orelse, old, new))
        case graph.Each() | graph.Phase() | graph.Loop():
            return replace(node, body=_exchanged(node.body, old, new))
        case _:
            return node


def _ranges(rules: graph.Graph) -> Iterator[Mutant]:
    words = rules.vocabulary
    for key, track in words.tracks.items():
        match track.type:
            case graph.Number(low, int(high), measure):
                narrower = replace(track, type=graph.Number(low, high - 1, measure))
                make_rules = partial(replace, rules, vocabulary=replace(words, tracks={**words.tracks, key: narrower}))
                yield _mutant(RANGE, key, f"..{high}", f"..{high - 1}", make_rules)
            case _:
                pass


def _charts(rules: graph.Graph) -> Iterator[Mutant]:
    """Yield mutants that change the first rows of a chart, and those of each of its last keys."""
    for name, table in rules.tables.items():
        columns: dict[object, list[int]] = {}
        for number, row in enumerate(table.rows):
            columns.setdefault(repr(row.keys[-1:]), []).append(number)
        every = [(CHART, [*range(len(table.rows))][:TOGETHER])]
        every += [(COLUMN, numbers[:TOGETHER]) for numbers in columns.values() if len(numbers) > 1]
        for what, numbers in every:
            rows = list(table.rows)
            for number in numbers:
                rows[number] = next(other_rows(rules, table, rows[number]), rows[number])
            changed = replace(table, rows=tuple(rows))
            make_rules = partial(replace, rules, tables={**rules.tables, name: changed})
            yield _mutant(what, name, f"{len(numbers)} cells", "others", make_rules)
