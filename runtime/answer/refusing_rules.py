"""The rules behind a question that is answered no, in one clause.

In: a question of yes or no with its arguments, and an interpreter. Out: the refusal as text with the rules that answer
no; where none does, with those that alone would answer yes. A rule that only passes on another question is followed to
the rules that answer that: "T does not pass from A to B, by where-it-enters, and T may not enter B, by no-marshes".
"""

from runtime.answer.answer import live_labels
from runtime.answer.interpreter import Interpreter, bindings_of
from runtime.answer.value_text import bracketed_citations, value_as_name
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.adopted_rules import rule_of_term
from runtime.graph.conjuncts import conjuncts
from runtime.graph.verbs import rule_answer
from runtime.graph.wording import Wording
from runtime.state.position import State
from runtime.state.record import Value

# The most questions that are followed.
MOST_PASSED_ON = 3


def refusal_text(
    answers: Interpreter, state: State, term: graph.Term, arguments: tuple[Value, ...], most: int = MOST_PASSED_ON
) -> str:
    """Return a refused question as text, with the rules that refuse it; raises `Unanswered`."""
    named_values = zip(term.parameters, arguments, strict=True)
    names = tuple(value_as_name(state, value, each.type) for each, value in named_values)
    refusal = Wording(answers.graph).opposite_question(term.name, names)
    live = live_labels(term, answers.ask(state, term.name, arguments).mask)
    rules = [rule_of_term(answers.graph, term, label) for label in live or term.rules]
    deciding_rules = [rule for rule in rules if rule_answer(rule) is (not live)]
    if not deciding_rules:
        return refusal
    listed = words.list_text([f"{rule.label}{bracketed_citations(rule.cites)}" for rule in deciding_rules], "or")
    refusal += f", by {listed}" if live else f", which only {listed} would allow"
    question = _passed_on_question(deciding_rules[0]) if len(deciding_rules) == 1 and most else None
    if question is None:
        return refusal
    bindings = bindings_of(term, deciding_rules[0], arguments)
    values = tuple(answers.evaluate(state, each, bindings) for each in question.arguments)
    if answers.ask(state, question.term, values).value is not False:
        return refusal
    return f"{refusal}, and {refusal_text(answers, state, answers.graph.terms[question.term], values, most - 1)}"


def _passed_on_question(rule: graph.Rule) -> graph.Ask | None:
    """Return the last question of yes or no that a condition of a rule consists of; None without one."""
    for part in reversed(conjuncts(rule.guard)):
        question = part.arguments[0] if isinstance(part, graph.Op) and part.op == "not" else part
        if isinstance(question, graph.Ask):
            return question
    return None
