"""Every operator for every consumer: its record is checked against its behavior.

A term is defined by each operator, with parameters of the types in its first form. Interpreter and generated code
answer it, and the answers are compared with the record: type, bounds and properties.
"""

import inspect
import random
import re
from dataclasses import MISSING, fields, replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.normal_form import canonical_order, normalize
from docs.reference.operators import operators_page
from rulewright.library.stacks import open_packages
from runtime.answer.answer import Answer
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import NoGeometryError
from runtime.graph.free_names import free_names, substitute
from runtime.graph.interval import Interval
from runtime.graph.operators import COMPARISONS, OPERATORS, Clause, Infix, Phrase, logic, maps, numbers, position, sets
from runtime.graph.operators.record import Operator
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk
from runtime.graph.wording import Wording
from runtime.mutation.expression_mutants import Alterations
from runtime.state.position import State
from tests.answers.differential import agree_on, answered, draw
from tests.sample import sampled
from tests.toys.bogged import bog
from tests.toys.boggy import random_state
from tests.toys.build import HEX, PIECE, YES_NO, amount, term

EVERY = pytest.mark.parametrize("name", OPERATORS)
LANGUAGE = Path("docs/language.md")
SPOTS = graph.Many("set", HEX)
TYPES: dict[str, graph.Type] = {
    "yes_no": YES_NO, "hex": HEX, "hexside": graph.Hexside(), "piece": PIECE, "set set T": graph.Many("set", SPOTS),
    "scale s": graph.Scale("odds"), "set T": SPOTS, "set hex": SPOTS, "list T": SPOTS,
}  # fmt: skip
# The types of arguments for which the term has an answer.
KEPT: dict[tuple[str, int], graph.Type] = {
    ("/", 1): amount(1, 4),
    ("toward", 1): amount(1, 6),
    ("within", 1): amount(0, 3),
    ("in", 0): HEX,
}
NAMED = {"relation": graph.Member("relation", "hauls"), "set piece": graph.Member("kind", "cart")}
HALVED = {"clamp", "round_down", "round_up", "min", "max", "span"}
# Operators without mutants: no other operator, argument or negation can replace them.
UNALTERED = {"neg", "place", "number", "flat", "span", "payload", "reserve"}


def sample(name: str) -> tuple[graph.Op, dict[str, graph.Type]]:
    """Return an operator with variables as arguments, and their types."""
    wanted = OPERATORS[name].forms[0].partition(" -> ")[0].split(", ")
    if wanted[-1] == "...":
        wanted = [wanted[0]] * 3
    names: dict[str, graph.Type] = {}
    arguments: list[graph.Expr] = []
    for at, each in enumerate(wanted):
        if each in NAMED:
            arguments.append(NAMED[each])
            continue
        names[f"p{at}"] = KEPT.get((name, at)) or TYPES.get(each, amount(-3, 9))
        var = graph.Var(f"p{at}")
        halved = name in HALVED and isinstance(names[f"p{at}"], graph.Number)
        arguments.append(graph.Op("/", (var, graph.Num(Fraction(2), ""))) if halved else var)
    return graph.Op(name, tuple(arguments)), names


def gives(name: str) -> graph.Type:
    """Return the type of an operator's value."""
    found = type_of(*sample(name), bog())
    return graph.Scale("odds") if name == "place" else found


@cache
def operator_terms() -> graph.Graph:
    """Return the small game with a term for each operator, and one for its normalized expression."""
    terms = dict(bog().terms)
    for name in OPERATORS:
        expr, names = sample(name)
        parameters = tuple(graph.Parameter(each, of) for each, of in names.items())
        for kind, expression in (("asked", expr), ("normal", canonical_order(normalize(expr, {})))):
            label = f"{kind}.{[*OPERATORS].index(name)}"
            terms[label] = term("value", label, gives(name), parameters, otherwise=expression)
    return replace(bog(), terms=terms, hash="operators")


def label(kind: str, name: str) -> str:
    """Return the name of the term of an operator."""
    return f"{kind}.{[*OPERATORS].index(name)}"


@cache
def evaluators() -> tuple[Interpreter, GeneratedEvaluator]:
    """Return both evaluators."""
    return Interpreter(operator_terms()), GeneratedEvaluator(operator_terms())


@cache
def states() -> tuple[State, ...]:
    """Return four random positions."""
    return tuple(random_state(seed) for seed in range(4))


@cache
def drawn(name: str) -> tuple[tuple[State, tuple[Any, ...]], ...]:
    """Draw states and arguments for the term of an operator."""
    found = []
    for seed, state in enumerate(states()):
        dice = random.Random(seed)
        pairs = sorted(state.pairs["hauls"].payload)
        for _ in range(12):
            one = tuple(
                draw(state, each.type, dice) for each in operator_terms().terms[label("asked", name)].parameters
            )
            # An unrelated pair has no payload.
            found.append((state, dice.choice(pairs) if name == "payload" and pairs else one))
    return tuple(found)


@cache
def answers(name: str) -> tuple[tuple[State, tuple[Any, ...], Any], ...]:
    """Return the answers of an operator: state, arguments, value."""
    label_asked = label("asked", name)
    found = [(*each, answered(evaluators()[0].ask, each[0], label_asked, each[1])) for each in drawn(name)]
    return tuple((state, given, answer.value) for state, given, answer in found if isinstance(answer, Answer))


def test_no_field_of_a_record_has_a_default() -> None:
    """So mypy reports a field that is missing in a record."""
    assert [each.name for each in fields(Operator) if each.default is not MISSING] == []
    families = (
        numbers._of_numbers,
        logic._of_logic,
        logic._comparison,
        sets._of_sets,
        maps._on_map,
        position._of_position,
    )
    for family in families:
        stated = getattr(family, "keywords", {})  # What all records of the family have in common.
        given = inspect.signature(family).parameters.values()
        assert [each.name for each in given if each.default is not inspect.Parameter.empty] == [*stated]


@EVERY
def test_both_evaluators_agree(name: str) -> None:
    for state, arguments in drawn(name):
        _, differences = agree_on(*evaluators(), state, [(label("asked", name), arguments)])
        assert differences == []
    assert len(answers(name)) > 10


@EVERY
def test_the_normalized_expression_has_equal_values(name: str) -> None:
    interpreter = evaluators()[0]
    for state, arguments, value in answers(name):
        normal_answer = answered(interpreter.ask, state, label("normal", name), arguments)
        assert isinstance(normal_answer, Answer)
        assert normal_answer.value == value


@EVERY
def test_values_have_the_type_of_the_operator(name: str) -> None:
    members: dict[type, tuple[type, ...]] = {
        graph.Hex: (int,),
        graph.Hexside: (tuple,),
        graph.YesNo: (bool,),
        graph.Number: (int, Fraction),
        graph.Scale: (int, Fraction),
    }
    found = gives(name)
    for _, _, value in answers(name):
        if isinstance(found, graph.Many):
            assert isinstance(value, tuple | range)
            kind = members.get(type(found.of))
            assert kind is None or all(isinstance(each, kind) for each in value)
        else:
            assert isinstance(value, members[type(found)])
            assert isinstance(value, bool) == (found == YES_NO)


@EVERY
def test_values_are_within_the_interval(name: str) -> None:
    if not isinstance(gives(name), graph.Number | graph.Scale):
        assert OPERATORS[name].bounds([], None) == Interval(None, None)
        return
    expr, names = sample(name)
    for _, arguments, value in answers(name):
        given = dict(zip(names, arguments, strict=True))
        for less, more in ((0, 0), (1, 0), (0, 2), (None, 0), (0, None)):
            parts = [_around(part, given, less, more) for part in expr.arguments]
            found = OPERATORS[name].bounds(parts, None)
            assert Interval(Fraction(value), Fraction(value)).is_within(found), (arguments, parts, found)


def _around(part: graph.Expr, given: dict[str, Any], less: int | None, more: int | None) -> Interval:
    """Return an interval around the value of an argument, with the given margins."""
    if isinstance(part, graph.Member):
        return Interval(None, None)
    (name,) = free_names(part)
    value = Fraction(given[name])
    value = value / 2 if isinstance(part, graph.Op) else value
    return Interval(None if less is None else value - less, None if more is None else value + more)


@EVERY
def test_values_are_whole_if_the_record_says_so(name: str) -> None:
    known = OPERATORS[name]
    for _, arguments, value in answers(name):
        if known.whole == "always" or (
            known.whole == "of whole numbers" and all(type(each) is int for each in arguments)
        ):
            assert type(value) is int


@EVERY
def test_arguments_commute_if_the_record_says_so(name: str) -> None:
    interpreter = evaluators()[0]
    if OPERATORS[name].commutes:
        for state, arguments, value in answers(name):
            for order in permutations(arguments):
                reordered_answer = answered(interpreter.ask, state, label("asked", name), order)
                assert isinstance(reordered_answer, Answer)
                assert reordered_answer.value == value


@EVERY
def test_an_operator_that_is_not_wide_has_at_most_six_members(name: str) -> None:
    known = OPERATORS[name]
    if known.needs == "board" and isinstance(gives(name), graph.Many) and not known.large and name != "linked":
        assert all(len(value) <= 6 for _, _, value in answers(name))


@EVERY
def test_an_operator_is_linear_if_the_record_says_so(name: str) -> None:
    """Proofs need the law of linear operators: `f(u + v) = f(u) + f(v)`."""
    known, names = OPERATORS[name], sample(name)[1]
    numeric = all(isinstance(of, graph.Number | graph.Scale) for of in (*names.values(), gives(name)))
    assert bool(known.algebra) == (numeric or name == "if")
    if numeric:
        dice = random.Random(name)
        rows = [[[Fraction(dice.randint(1, 9), 2) for _ in names] for _ in "uv"] for _ in range(20)]
        sums = [known.compute(*u) + known.compute(*v) for u, v in rows]
        together = [known.compute(*map(sum, zip(u, v, strict=True))) for u, v in rows]
        assert (sums == together) == (known.algebra == "linear")


@EVERY
def test_maps_of_points_refuse_exactly_the_operators_of_hexes(name: str) -> None:
    known = OPERATORS[name]
    if known.takes is None:
        assert not known.of_hexes
        return
    point = ((0, 0),)
    points = Board(graph.Board("points", dict.fromkeys("AB", (0, 0, ())), (), (), {}, {"A": point, "B": point}))
    one: dict[graph.Type, Any] = {HEX: 0, graph.Hexside(): (0, 1), SPOTS: (0,)}
    try:
        known.compute(*([points] if known.needs == "board" else []), *(one.get(of, 1) for of in known.takes))
        refused = False
    except NoGeometryError:
        refused = True
    assert refused == known.of_hexes


def test_operators_that_read_the_position_have_a_name_as_first_argument() -> None:
    for known in OPERATORS.values():
        assert bool(known.reads) == (known.forms[0].partition(",")[0].partition(" ->")[0] in NAMED)


@EVERY
def test_an_operator_has_a_phrase_with_its_arguments(name: str) -> None:
    expr, names = sample(name)
    wording = Wording(bog(), {each: f"<{each}>" for each in names}, names)
    phrases = [wording.phrase(expr)]
    if gives(name) == YES_NO:
        yes, no = wording.clause(expr), wording.opposite_clause(expr)
        assert yes != no
        phrases += [yes, no]
    for text in phrases:
        assert all(f"<{each}>" in text for each in names), text
        assert not set("{}") & set(text)
        assert YES_NO in names.values() or "is yes" not in text


@EVERY
def test_members_that_are_counted_are_several(name: str) -> None:
    if not getattr(OPERATORS[name].phrase, "member", ""):
        return
    collection, names = sample(name)
    wording = Wording(bog(), {each: f"<{each}>" for each in names}, names)
    counted = wording.phrase(graph.Fold("count", "member", collection, None, None, None))
    noun = counted.removeprefix("the number of ").split()[0]
    assert noun == words.plural(words.singular(noun)), counted


def test_no_two_operators_have_equal_texts() -> None:
    """Equal texts are one question in proofs."""
    writer, seen = ExpressionWriter(bog().vocabulary), dict[tuple[str, str], str]()
    for name in OPERATORS:
        expr, _ = sample(name)
        text = writer.text(expr)
        assert seen.setdefault((text, str(type(gives(name)))), name) == name


@EVERY
def test_nested_operators_have_different_texts_by_their_nesting(name: str) -> None:
    """`a - (b - c)` is not `(a - b) - c`."""
    expr, names = sample(name)
    writer = ExpressionWriter(bog().vocabulary)
    for at, part in enumerate(expr.arguments):
        if gives(name) != type_of(part, names, bog()) or OPERATORS[name].commutes:
            continue
        nested = replace(expr, arguments=(*expr.arguments[:at], expr, *expr.arguments[at + 1 :]))
        others = [other for other in range(len(expr.arguments)) if other != at and expr.arguments[other] != part]
        for other in others:
            wrapped_expression = replace(expr, arguments=(*expr.arguments[:other], expr, *expr.arguments[other + 1 :]))
            assert writer.text(nested) != writer.text(wrapped_expression)


@EVERY
def test_an_operator_is_written_read_and_substituted(name: str) -> None:
    expr, names = sample(name)
    assert free_names(expr) == set(names)
    given: dict[str, graph.Expr] = {each: graph.Truth(value=True) for each in names}
    assert free_names(substitute(expr, given)) == set()
    assert expr in [*walk(expr)]


def accepts_count(forms: tuple[str, ...], count: int) -> bool:
    """Return whether some form takes so many arguments."""
    signatures = [form.partition(" -> ")[0].split(", ") for form in forms]
    return any(count >= len(each) - 1 if each[-1] == "..." else count == len(each) for each in signatures)


@EVERY
def test_an_operator_has_mutants_of_its_type(name: str) -> None:
    expr, names = sample(name)
    found = [now for what in Alterations(bog()).alterations_at(expr, names) for now in what[1:2]]
    assert bool(found) == (name not in UNALTERED and not (OPERATORS[name].takes and gives(name) != YES_NO))
    alterations = {other for other, known in OPERATORS.items() if name in known.alterations}
    one_way = alterations.symmetric_difference(OPERATORS[name].alterations)
    assert not one_way or name in COMPARISONS, f"`{name}` and {sorted(one_way)}: each alters the other, or neither"
    for other in OPERATORS[name].alterations:
        assert accepts_count(OPERATORS[other].forms, len(expr.arguments))
        assert gives(other) == gives(name)
    types = [type_of(now, names, bog()) for now in found if isinstance(now, graph.Expr)]
    assert all(numbers.amount(each) == numbers.amount(gives(name)) for each in types)


@EVERY
def test_an_operator_is_documented(name: str) -> None:
    known = OPERATORS[name]
    assert known.documentation
    assert f"| `{name}`" in operators_page()
    text = LANGUAGE.read_text(encoding="utf-8")
    sign = getattr(known.notation, "sign", name).strip()
    assert known.takes is None or len(known.takes) == len(sample(name)[1])
    assert known.takes is None or re.search(rf"\b{name}\b", text), "docs/language.md does not name it"
    assert sign in text or name in {"flat", "related", "payload", "place", "span"}


def test_the_constructs_use_every_operator() -> None:
    """Types, play and protection of the constructs are tested by their examples (tests/constructs)."""
    rules = open_packages((Path("tests/constructs/toy"),)).compiled("constructs").graph
    assert rules is not None
    used = {node.op for node in walk(rules) if isinstance(node, graph.Op)}
    assert OPERATORS.keys() - used == set()


CHECKS = tuple(
    check for name, check in list(globals().items()) if name.startswith("test_") and hasattr(check, "pytestmark")
)
OF_ALL = (test_operators_that_read_the_position_have_a_name_as_first_argument, test_no_two_operators_have_equal_texts)
# An operator, a field of its record, and a wrong value of it, as copying another record would leave it.
WRONG: tuple[tuple[str, str, Any], ...] = (
    ("clamp", "compute", lambda x, low, _: max(x, low)),
    ("clamp", "python", "max({0}, {1})"),
    ("clamp", "bounds", lambda parts, _: parts[0]),
    ("clamp", "result", YES_NO),
    ("clamp", "forms", ("number m -> number m",)),
    ("clamp", "algebra", "linear"),
    ("clamp", "phrase", OPERATORS["neg"].phrase),
    ("clamp", "commutes", True),
    ("clamp", "whole", "always"),
    ("clamp", "documentation", ""),
    ("clamp", "first_alone", False),
    ("-", "notation", Infix("+", 5)),
    ("-", "commutes", True),
    ("-", "alterations", ()),
    ("round_up", "alterations", ("in",)),
    ("/", "whole", "of whole numbers"),
    ("distance", "compute", lambda b, x, y: b.distance(x, y) + 1),
    ("distance", "bounds", lambda _parts, _far: Interval(Fraction(0), Fraction(1))),
    ("distance", "needs", ""),
    ("distance", "takes", (HEX,)),
    ("line", "of_hexes", False),
    ("neighbors", "result", HEX),
    ("within", "large", False),
    ("within", "phrase", Phrase("", None, "")),
    ("adjacent", "phrase", Clause("{0} is next to {1}", "{0} is next to {1}")),
    ("related", "python", "False"),
    ("related", "reads", ""),
    ("reserve", "compute", lambda s, _: s.of_kind),
    ("union", "needs", ""),
)


@sampled(7)
@pytest.mark.parametrize(("name", "part", "wrong"), WRONG, ids=[f"{name} {part}" for name, part, _ in WRONG])
def test_a_wrong_field_of_a_record_fails_a_check(
    monkeypatch: pytest.MonkeyPatch, name: str, part: str, wrong: Any
) -> None:
    forget()
    monkeypatch.setitem(OPERATORS, name, replace(OPERATORS[name], **dict[str, Any]({part: wrong})))
    reports = [check.__name__ for check in CHECKS if fails(check, name)]
    reports += [check.__name__ for check in OF_ALL if fails(check)]
    monkeypatch.undo()
    forget()
    assert reports
    assert not any(fails(check, name) for check in CHECKS)


def forget() -> None:
    """Clear the caches of values computed from the records."""
    for each in (operator_terms, evaluators, drawn, answers):
        each.cache_clear()


def fails(check: Any, *given: str) -> bool:
    """Return whether a check of an operator raises any exception."""
    try:
        check(*given)
    except Exception:  # noqa: BLE001 - any failure counts
        return True
    return False
