"""Every verb of rules, for every consumer: the table, the language, the evaluators, the core, texts and analyses."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.prose_denials import is_granting
from compiler.core import ir
from compiler.core.questions import lower_questions
from compiler.rulebook.sentences import rule_sentence
from compiler.source import nodes as source
from compiler.source.parse import parse_rules
from runtime.answer.explain import Explainer
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.verbs import (
    VERBS,
    concludes_yes,
    rule_answer,
    rule_polarity,
    verbs_on,
)
from runtime.play.game import Game
from tests.toys.build import YES_NO, amount, member, rule, term
from tests.toys.hares import hares

SIDES = graph.Many("set", graph.Enum("side"))
RED = graph.SetOf((member("side", "red"),))
# By form: the type of the term, and the value of the rule.
NUMBERS = (amount(0, 9), 3)
TERMS: dict[graph.Form, tuple[graph.Type, Any]] = {
    "value": NUMBERS, "sum": NUMBERS, "min": NUMBERS, "max": NUMBERS, "set": (SIDES, RED),
    "verdict": (YES_NO, None), "condition": (YES_NO, None), "flag": (YES_NO, True),
}  # fmt: skip
CASES = [(each, form) for each in get_args(graph.Verb) if each for form in VERBS[each].forms if form != "flag"]
EVERY = pytest.mark.parametrize(("verb", "form"), CASES)


def graph_with(verb: graph.Verb, form: graph.Form) -> graph.Graph:
    """Return a game with a term of the form, and a rule with the verb that concludes the opposite of the default."""
    type_, value = TERMS[form]
    answer = VERBS[verb].answer
    default = None if answer is None else not answer
    rules = [rule("law", "asked", verb, value)]
    if verb == "excludes":
        rules.append(rule("both", "asked", "includes", RED))
    labels = tuple(each.label for each in rules)
    question = term(form, "asked", type_, (), rules=labels, default=default, reads="the asked")
    base = hares()
    return replace(
        base, terms={**base.terms, "asked": question}, rules={**base.rules, **{each.label: each for each in rules}}
    )


def test_the_table_has_every_verb() -> None:
    assert tuple(sorted(VERBS)) == tuple(sorted(get_args(graph.Verb)))
    for form in get_args(graph.Form):
        found = verbs_on(form)
        assert [each.polarity for each in found] in ([None], [True, False]), form
        assert {each.answer is None for each in found} == {form not in ("verdict", "condition")}, form


@EVERY
def test_the_language_has_the_notation_of_a_verb(verb: graph.Verb, form: graph.Form) -> None:
    value = "" if TERMS[form][1] is None else " 3"
    read, problems = parse_rules(f'rule law [T.1] "Law."\n  asked {VERBS[verb].notation}{value}\n', "law.rules")
    assert problems == ()
    [written] = read.statements
    assert isinstance(written, source.Rule)
    assert written.conclusion is not None
    assert written.conclusion.verb == VERBS[verb].notation


@EVERY
@pytest.mark.parametrize("evaluator", [Interpreter, GeneratedEvaluator])
def test_evaluators_conclude_the_answer_of_a_verb(
    verb: graph.Verb, form: graph.Form, evaluator: type[Interpreter | GeneratedEvaluator]
) -> None:
    rules = graph_with(verb, form)
    state = Game(rules, Interpreter(rules)).set_up()
    answer = evaluator(rules).ask(state, "asked", ()).value
    if VERBS[verb].answer is None:
        assert answer == {"includes": ("red",), "excludes": ()}.get(verb, 3)
    else:
        assert answer is VERBS[verb].answer


@EVERY
def test_the_core_has_the_answer_of_a_verb(verb: graph.Verb, form: graph.Form) -> None:
    functions, _ = lower_questions(graph_with(verb, form), {})
    body = functions["asked"].body
    while isinstance(body, ir.BoundsCheck | ir.If):
        body = body.value if isinstance(body, ir.BoundsCheck) else body.orelse
    if isinstance(body, ir.Verdict):
        assert [answer for _, answer in body.clauses] == [VERBS[verb].answer]
    else:
        assert isinstance(body, ir.Resolve)
        assert body.clauses[0].excludes == (VERBS[verb].polarity is False)


@EVERY
def test_texts_have_the_answer_of_a_verb(verb: graph.Verb, form: graph.Form) -> None:
    rules = graph_with(verb, form)
    law = rules.rules["law"]
    state = Game(rules, Interpreter(rules)).set_up()
    [clause] = (
        each for each in Explainer(Interpreter(rules)).explain(state, "asked", ()).clauses if each.label == "law"
    )
    answer = VERBS[verb].answer
    if answer is not None:
        words = ("allowed", "forbidden") if form == "verdict" else ("yes", "no")
        assert clause.conclusion == words[0 if answer else 1]
    assert clause.conclusion
    assert ExpressionWriter(rules.vocabulary).conclusion_text(law).split()[1] == VERBS[verb].notation
    assert rule_sentence(rules, law)


@EVERY
def test_analyses_agree_on_the_answer_of_a_verb(verb: graph.Verb, form: graph.Form) -> None:
    rules = graph_with(verb, form)
    law = rules.rules["law"]
    record = VERBS[verb]
    assert (rule_answer(law), rule_polarity(law)) == (record.answer, record.polarity)
    assert is_granting(law, rules) == record.polarity
    assert concludes_yes(law) == (record.answer is True)
