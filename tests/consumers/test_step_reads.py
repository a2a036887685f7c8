"""What a step asks, binds and holds, as the analyses take it, beside the fields of its node.

An omission in `analysis/steps` hid what a step reads from every check that goes by it, and no test noticed.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from compiler.analysis.step_reads import bound_name, expressions_read, nested_blocks
from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import BINDING
from runtime.graph.steps import nested_steps
from runtime.graph.walk import fields_of, inner_expressions, walk
from tests.consumers.test_nodes import classes, toys

# A loop binds its name inside of itself alone.
INSIDE = {graph.Loop}
# What a step writes to is no question; what it belongs to is.
TARGETS = {graph.Assign: "target", graph.Add: "target"}


def _bodies() -> Iterator[tuple[graph.Step, ...]]:
    for rules in toys().values():
        yield from (each.body for each in rules.procedures.values())
        yield from (tuple(x for x in each.lines if isinstance(x, graph.Step)) for each in rules.examples)


def _all_steps() -> Iterator[graph.Step]:
    yield from chain.from_iterable(map(nested_steps, _bodies()))


def _fields(node: Any) -> tuple[str, ...]:
    return fields_of(node.__class__)


def _own_expressions(node: Any) -> Iterator[graph.Expr]:
    """List the expressions in the fields of a step, however deep in tuples, but not those of steps inside of it."""
    if isinstance(node, graph.Expr):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from (() if isinstance(part, graph.Step) else _own_expressions(part))


def test_every_expression_of_a_step_is_asked_by_it() -> None:
    seen: set[type] = set()
    for step in _all_steps():
        seen.add(step.__class__)
        expected = []
        for name in _fields(step):
            value = getattr(step, name)
            if name == TARGETS.get(step.__class__):
                expected += [value.base] if isinstance(value, graph.Get) else []
            else:
                expected += _own_expressions(value)
        assert sorted(map(repr, expressions_read(step))) == sorted(map(repr, expected)), step
    assert classes(graph.Step) - seen <= {graph.End, graph.BeginAccount}


def test_every_name_that_a_step_binds_is_bound_by_it() -> None:
    for step in _all_steps():
        binding = None if step.__class__ in INSIDE else BINDING.get(step.__class__)
        assert bound_name(step) == (getattr(step, binding) if binding else ""), step


def test_steps_and_blocks_hold_all_that_stands_inside() -> None:
    for body in _bodies():
        whole = [id(step) for step in walk(body) if isinstance(step, graph.Step)]
        assert sorted(map(id, nested_steps(body))) == sorted(whole)
        assert sorted(id(step) for block in nested_blocks(body) for step in block) == sorted(whole)


def test_pointing_follows_every_expression_inside_of_another() -> None:
    for rules in toys().values():
        for node in walk((tuple(rules.rules.values()), tuple(rules.procedures.values()))):
            if isinstance(node, graph.Expr):
                direct = [each for name in _fields(node) for each in _own_expressions(getattr(node, name))]
                assert list(map(id, inner_expressions(node))) == list(map(id, direct)), node
