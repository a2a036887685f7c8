"""Comparison of the answers of a book's module with those of the interpreter."""

from collections.abc import Iterable
from typing import NamedTuple

from compiler.core.questions import ANSWER_PREFIX, DECIDING_RULE_PREFIX, MOST_RULES
from compiler.rulebook.evidence import ExampleOutcome
from compiler.rulebook.live.module import LiveBook, LivePattern
from rulewright.book.book_evidence import gather_evidence
from rulewright.book.live.cases import AskedCase, AskedQuestion, repeatable_case
from rulewright.book.live.gather import gather_live
from rulewright.library.stacks import open_packages
from runtime.answer.explain import Explainer
from runtime.answer.interpreter import Interpreter
from runtime.engine.module import CompiledModule, ModuleInstance
from runtime.engine.trap import TrapError
from runtime.graph import nodes as graph
from runtime.state.record import Value

UNTOLD = "rules untold"  # The module cannot name the deciding rules; the page states that.


class Printed(NamedTuple):
    """A stack, the outcomes of its examples, and the questions of its pages."""

    rules: graph.Graph
    played: tuple[ExampleOutcome, ...]
    book: LiveBook


def live_book(stack: str) -> Printed:
    """Compile a stack, play its examples, and collect the questions of its pages."""
    package_set = open_packages(())
    package_set.require_layers(stack)
    loaded = package_set.compiled(stack)
    assert loaded.graph is not None
    evidence = gather_evidence(package_set, loaded)
    book = gather_live(loaded.graph, evidence.outcomes, evidence.stamp)
    assert book is not None
    return Printed(loaded.graph, evidence.outcomes, book)


def cases_of(printed: Printed, every: int = 1) -> Iterable[tuple[str, AskedCase, ModuleInstance]]:
    """Yield positions of the pages, of every n-th example, with a module that each is loaded into."""
    program = CompiledModule(printed.rules, printed.book.module, printed.book.layout)
    for one in printed.played[::every]:
        example = one.example
        for case in printed.book.cases.get((example.origin, example.title), ()):
            repeated_case = repeatable_case(printed.rules, example, case.row)
            assert repeated_case is not None
            yield f"{example.title}, row {case.row}", repeated_case, ModuleInstance(program, repeated_case.state)


def compared(printed: Printed, case: AskedCase, terms: ModuleInstance, question: AskedQuestion) -> str:
    """Compare answer and rules of the module with the interpreter's; return the difference, `UNTOLD`, or ""."""
    numbers = {pattern.question: number for number, pattern in enumerate(printed.book.patterns)}
    number = numbers[question.question]
    pattern = printed.book.patterns[number]
    parameters = question.question.parameters
    raw = [terms.image.encode(v, part.type, "") for v, part in zip(question.arguments, parameters, strict=True)]
    names = {part.name: value for part, value in zip(parameters, question.arguments, strict=True)}
    interpreter = Interpreter(printed.rules)
    wanted = interpreter.evaluate(case.state, question.question.expr, names)
    try:
        found = decoded(terms, pattern, terms.call_function(f"t:{ANSWER_PREFIX}{number}", *raw))
    except TrapError as trap:
        return f"{trap.reason}, not {wanted}"
    if found != wanted and not (isinstance(wanted, (tuple, range)) and tuple(wanted) == found):
        return f"{found}, not {wanted}"
    expr = question.question.expr
    if not isinstance(expr, graph.Ask):
        return ""
    arguments = tuple(interpreter.evaluate(case.state, argument, names) for argument in expr.arguments)
    decided = {
        each.label for each in Explainer(interpreter).explain(case.state, expr.term, arguments, 0).applied_rules()
    }
    rules = printed.rules.terms[expr.term].rules
    try:
        labels = {
            label
            for part, first in enumerate(range(0, len(rules), MOST_RULES))
            for bits in [terms.call_function(f"t:{DECIDING_RULE_PREFIX}{number}:{part}", *raw)]
            for bit, label in enumerate(rules[first : first + MOST_RULES])
            if bits >> bit & 1
        }
    except TrapError:
        return UNTOLD
    return "" if labels == decided else f"by {sorted(labels)}, not {sorted(decided)}"


def decoded(terms: ModuleInstance, pattern: LivePattern, raw: int) -> Value:
    """Decode an answer of the module."""
    reader = terms.memory_reader()
    if isinstance(pattern.answer, graph.Number | graph.Scale):
        return reader.read_number(raw, is_ratio=pattern.has_ratios)
    return reader.decode(raw, pattern.answer, "")
