"""Every node class and every word of a closed set, for every consumer.

The toys contain them all, which is asserted here, so comparisons of evaluators on the toys cover every node. Readers,
writers, types, bounds, normalization, wordings and mutation are tested with each node of the toys.
"""

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.intervals import Intervals
from compiler.analysis.normal_form import canonical_order, normalize
from compiler.rulebook.sentences import default_sentence
from compiler.rulebook.steps import procedure_lines
from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names, substitute
from runtime.graph.step_titles import step_title
from runtime.graph.type_of import bound_types, type_of
from runtime.graph.walk import walk
from runtime.graph.wording import Wording
from runtime.mutation.altered_graph import value_at
from runtime.mutation.expression_mutants import Alterations
from runtime.mutation.procedure_mutants import procedure_mutants
from tests.constructs.test_constructs import rules as constructs
from tests.toys.bogged import bog
from tests.toys.hares import hares

Names = Mapping[str, graph.Type]
TOYS = ("constructs", "bog", "hares")
EVERY = pytest.mark.parametrize("toy", TOYS)
# In no toy: created where it is needed and in no file, or tested elsewhere.
IN_NO_TOY = {
    ("Procedure", "what", "example"),  # the lines of an example as a procedure
    ("Spot", "what", "region"),  # a region of a card
    ("Test", "what", "path"),  # tested with `has`
    # Charts with several matching rows: tests/analysis/charts.rules, and the shipped games.
    ("Table", "hit", "any"), ("Table", "hit", "collect"), ("Table", "hit", "first"),
    ("Relation", "one", "right"),  # symmetric to "left"
}  # fmt: skip


@cache
def toys() -> Mapping[str, graph.Graph]:
    """Return the graphs of the toys."""
    return {"constructs": constructs(), "bog": bog(), "hares": hares()}


def classes(*unions: Any) -> set[type]:
    """Return the node classes of some unions."""
    return {each for union in unions for each in get_args(union)}


@cache
def words_of(kind: type) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the fields of a class with a closed set of words as values."""
    hints = get_type_hints(kind).items() if is_dataclass(kind) else ()
    return tuple((name, get_args(hint)) for name, hint in hints if get_origin(hint) is Literal)


def test_the_toys_have_every_class_of_expressions_and_steps() -> None:
    held = {node.__class__ for rules in toys().values() for node in walk(rules)}
    assert classes(graph.Expr, graph.Step) - held == set()


def test_the_toys_have_every_word() -> None:
    kinds = [kind for kind in vars(graph).values() if isinstance(kind, type) and is_dataclass(kind)]
    wanted = {(kind.__name__, name, word) for kind in kinds for name, words in words_of(kind) for word in words}
    held = {
        (node.__class__.__name__, name, getattr(node, name))
        for rules in toys().values()
        for node in walk(rules)
        for name, _ in words_of(node.__class__)
    }
    assert wanted - held == IN_NO_TOY


@cache
def conditions_and_values(toy: str) -> tuple[tuple[graph.Expr, dict[str, graph.Type]], ...]:
    """Return guards and values of rules, with the types of the names in scope."""
    rules, found = toys()[toy], []
    for rule in rules.rules.values():
        names = {
            part.name: part.type for term in rule.terms if term in rules.terms for part in rules.terms[term].parameters
        }
        for name, value in rule.names:
            found.append((value, dict(names)))
            names[name] = type_of(value, names, rules)
        found += [(part, dict(names)) for part in (rule.guard, rule.value) if part is not None]
    return tuple(found)


def inside(alterations: Alterations, expr: graph.Expr, names: Names) -> Iterator[tuple[graph.Expr, Names]]:
    """Yield an expression and all its parts, with the types of the names in scope."""
    yield expr, names
    for path, there in alterations.alterable_parts(expr, names):
        yield from inside(alterations, value_at(expr, path), there)


def test_each_class_of_expressions_has_alterations_of_its_own() -> None:
    """Not counting those of parts; names, values of an object, and whole sets have none."""
    found: dict[type, set[bool]] = {}
    for toy in TOYS:
        alterations = Alterations(toys()[toy])
        for whole, names in conditions_and_values(toy):
            for expr, there in inside(alterations, whole, names):
                found.setdefault(expr.__class__, set()).add(any(True for _ in alterations.alterations_at(expr, there)))
    nothing = {graph.Var, graph.Pieces, graph.Get, graph.Spot, graph.All, graph.GameTrack, graph.New}
    assert {kind for kind, altered in found.items() if altered == {False}} == nothing


@EVERY
def test_every_expression_has_type_bounds_phrase_text_and_alterations(toy: str) -> None:
    rules = toys()[toy]
    writer, bounds, alterations = ExpressionWriter(rules.vocabulary), Intervals(rules), Alterations(rules)
    for expr, names in conditions_and_values(toy):
        found = type_of(expr, names, rules)
        wording = Wording(rules, names=names)
        assert wording.phrase(expr)
        if found == graph.YesNo():
            assert wording.clause(expr) != wording.opposite_clause(expr)
        assert writer.text(expr)
        assert writer.text(normalize(expr, {}))
        canonical_order(normalize(expr, {}))
        bounds.interval_of(expr, {})
        assert free_names(expr) <= names.keys() | {"player"}
        assert substitute(expr, {}) == expr
        for each in alterations.alterations_of(expr, names):
            assert each.altered_expr != expr


@EVERY
def test_every_step_has_a_line_a_title_and_bound_names(toy: str) -> None:
    rules = toys()[toy]
    for key, procedure in rules.procedures.items():
        assert procedure_lines(rules, procedure) or not procedure.body
        assert [*procedure_mutants(rules, key)] or not procedure.body
        for step in walk(procedure.body):
            if isinstance(step, graph.Step):
                assert step_title(step)
                assert set(bound_types(step)) <= {getattr(step, "name", "")}


@EVERY
def test_every_term_has_a_sentence_for_its_default(toy: str) -> None:
    rules = toys()[toy]
    for term in rules.terms.values():
        assert default_sentence(rules, term) or (term.form in {"value", "min", "max"} and term.otherwise is None)
