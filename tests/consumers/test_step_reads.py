"""The expressions, names and nested steps that `analysis/steps` reports for a step, compared with its fields.

An expression missing in `analysis/steps` was once invisible to all checks that use it, and no test failed.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from compiler.analysis.step_reads import expressions_read, nested_blocks
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.procedure_pairs import BINDING
from runtime.graph.steps import bound_name, map_steps, nested_steps
from runtime.graph.walk import fields_of, inner_expressions, map_children, walk
from tests.consumers.test_nodes import classes, toys

# A loop binds its name in its body only.
INSIDE = {graph.Loop}
# The target of an assignment is not read; the owner of the target is.
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
    """Yield the expressions in the fields of a step, at any depth of tuples, without those of nested steps."""
    if isinstance(node, graph.Expr):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from (() if isinstance(part, graph.Step) else _own_expressions(part))


def test_expressions_read_are_those_of_the_fields() -> None:
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
        read = expressions_read(step)
        # What an effect reads may be made of an expression in the step: `u.hex`, where the step has `u`.
        composed = tuple(expr for expr in read if expr not in expected) if effects_of(step) else ()
        assert sorted(repr(expr) for expr in read if expr not in composed) == sorted(map(repr, expected)), step
        assert all(any(part in expected for part in walk(expr)) for expr in composed), step
    assert classes(graph.Step) - seen <= {graph.End, graph.BeginAccount}


def test_the_bound_name_is_that_of_the_field() -> None:
    for step in _all_steps():
        binding = None if step.__class__ in INSIDE else BINDING.get(step.__class__)
        assert bound_name(step) == (getattr(step, binding) if binding else ""), step


def test_nested_steps_and_blocks_contain_all_steps_of_a_body() -> None:
    for body in _bodies():
        whole = [id(step) for step in walk(body) if isinstance(step, graph.Step)]
        assert sorted(map(id, nested_steps(body))) == sorted(whole)
        assert sorted(id(step) for block in nested_blocks(body) for step in block) == sorted(whole)


def test_inner_expressions_are_those_of_the_fields() -> None:
    for rules in toys().values():
        for node in walk((tuple(rules.rules.values()), tuple(rules.procedures.values()))):
            if isinstance(node, graph.Expr):
                direct = [each for name in _fields(node) for each in _own_expressions(getattr(node, name))]
                assert list(map(id, inner_expressions(node))) == list(map(id, direct)), node


def test_a_rewrite_changes_what_it_is_about_at_any_depth_and_shares_the_rest() -> None:
    def renamed(node: Any) -> Any:
        if isinstance(node, graph.Var):
            return graph.Var(f"{node.name}'")
        return map_children(node, renamed)

    found = 0
    for rules in toys().values():
        for node in (*rules.rules.values(), *rules.procedures.values()):
            names = [part.name for part in walk(node) if isinstance(part, graph.Var)]
            assert [part.name for part in walk(renamed(node)) if isinstance(part, graph.Var)] == [
                f"{x}'" for x in names
            ]
            assert (renamed(node) is node) == (not names)
            found += len(names)
    assert found


def test_steps_are_removed_at_any_depth_and_others_stay_in_order() -> None:
    removed = 0
    for body in _bodies():
        assert map_steps(body, lambda step: (step,)) == body
        for kind in {type(step) for step in nested_steps(body) if not hasattr(step, "body")} - {graph.Branch}:
            left = map_steps(body, lambda step, kind=kind: () if isinstance(step, kind) else (step,))  # type: ignore[misc]
            before, after = ([type(step) for step in nested_steps(each)] for each in (body, left))
            assert after == [each for each in before if each is not kind]
            removed += len(before) - len(after)
    assert removed
