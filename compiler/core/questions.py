"""Lowering of external questions, with their deciding rules.

In: a graph and questions, each an expression with parameters. Out: a `Module` with a function for each term, each
question, and its deciding rules, as an explanation lists them (runtime/answer/explain.py).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from compiler.core import ir
from compiler.core.construct import NO, one_holds
from compiler.core.denominators import Denominators
from compiler.core.expressions import ExpressionLowering
from compiler.core.ir import Const, Local
from compiler.core.representation import BOOL, INT
from compiler.core.terms import lower_functions, lower_rule, lower_to_fixpoint, note_values_of_play
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rule_of_term
from runtime.graph.closure import transitive_closure
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.verbs import only_defeats

# The name prefixes of functions for questions, deciding rules and single rules; no term's name has a colon.
ANSWER_PREFIX, DECIDING_RULE_PREFIX, SINGLE_RULE_PREFIX = "ask:", "why:", "by:"
MOST_RULES = 40  # Rules that one number has a bit for.


@frozen_dataclass
class QuestionExpression:
    """An expression, and its free names, which are bound when it is asked."""

    parameters: tuple[graph.Parameter, ...]
    expr: graph.Expr

    @property
    def term(self) -> str:
        """Return the term that is asked; "" for any other expression."""
        return self.expr.term if isinstance(self.expr, graph.Ask) else ""


def lower_questions(rules: graph.Graph, questions: Mapping[str, QuestionExpression]) -> tuple[ir.Module, Denominators]:
    """Lower all terms, and questions by name; return also the slots with fractions, of positions in play included."""
    terms = list(dict.fromkeys(question.term for question in questions.values() if question.term))

    def lower(lowering: ExpressionLowering) -> dict[str, ir.Function]:
        functions = lower_functions(lowering)
        for name, question in questions.items():
            functions |= {each.name: each for each in _questions(lowering, name, question)}
        for term in terms:
            functions |= {each.name: each for each in _deciding_functions(lowering, rules.terms[term])}
        note_values_of_play(lowering)
        return functions

    functions, denominators = lower_to_fixpoint(rules, lower)
    return functions, denominators


def _questions(lowering: ExpressionLowering, name: str, question: QuestionExpression) -> Iterable[ir.Function]:
    """Yield the functions of a question and of its deciding rules: one bit per rule, in the order of its term."""
    function_name = f"{ANSWER_PREFIX}{name}"
    parameters = tuple(
        Local(part.name, lowering.denominators.representation(part.type, f"{function_name}({part.name})"))
        for part in question.parameters
    )
    names: dict[str, ir.Core] = {each.name: each for each in parameters}
    body = lowering.lower(question.expr, names)
    yield ir.Function(function_name, parameters, body)
    if not isinstance(question.expr, graph.Ask) or not isinstance(body, ir.Call):
        return
    argument_locals = [Local(lowering.fresh_name("given"), argument.representation) for argument in body.arguments]
    term_name = question.expr.term
    rules = lowering.rules.terms[term_name].rules
    for part, first in enumerate(range(0, len(rules), MOST_RULES)):
        bits: ir.Core = Const(0, INT)
        for index, label in enumerate(rules[first : first + MOST_RULES]):
            decides = ir.Call(_single_rule_name(term_name, label), tuple(argument_locals), BOOL)
            bit = ir.If(decides, Const(1 << index, INT), Const(0, INT), INT)
            bits = ir.Apply(ir.Primitive.ADD, (bits, bit), INT)
        for local, argument in zip(argument_locals, body.arguments, strict=True):
            bits = ir.Let(local.name, argument, bits, INT)
        yield ir.Function(f"{DECIDING_RULE_PREFIX}{name}:{part}", parameters, bits)


def _single_rule_name(term: str, label: str) -> str:
    """Return the name of the function whether a rule decides a term: terms that share a rule differ in parameters."""
    return f"{SINGLE_RULE_PREFIX}{term}:{label}"


def _deciding_functions(lowering: ExpressionLowering, term: graph.Term) -> Iterable[ir.Function]:
    """Yield for each rule of a term the function whether it decides, of the term's parameters."""
    parameters = tuple(Local(part.name, lowering.parameter_representation(term.name, part)) for part in term.parameters)
    names = {each.name: each for each in parameters}
    representation = lowering.answer_representation(term)

    def clause(label: str) -> ir.Clause:
        return replace(lower_rule(lowering, term, label, names, representation), value=None, excludes=False)

    for label in term.rules:
        relevant_labels = _defeaters(lowering.rules, term, label)
        clauses = tuple((clause(each), each == label or None) for each in term.rules if each in relevant_labels)
        body: ir.Core = ir.Verdict(clauses, default=False)
        rule = rule_of_term(lowering.rules, term, label)
        if only_defeats(term, rule):
            # A rule that defeats no live rule does not decide, although its guard holds.
            lifted = [each for each in rule.defeats if each in term.rules]
            work: list[ir.Core] = [
                ir.Verdict(((replace(clause(each), defeated_by=()), True),), default=False) for each in lifted
            ]
            body = ir.If(body, one_holds(work), NO, BOOL)
        yield ir.Function(_single_rule_name(term.name, label), parameters, body)


def _defeaters(rules: graph.Graph, term: graph.Term, label: str) -> set[str]:
    """Return a rule and its transitive defeaters."""
    return transitive_closure(
        (label,), lambda each: [other for other in term.rules if each in rules.rules[other].defeats]
    )
