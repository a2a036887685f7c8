"""Ask the module of a book what its pages ask, and an interpreter, and compare."""

from collections.abc import Iterable
from typing import NamedTuple

from compiler.core.questions import ASKED, DECIDED, MOST_RULES
from compiler.rulebook.evidence import ExampleOutcome
from compiler.rulebook.live.module import LiveBook, LivePattern
from rulewright.evidence import gather_evidence
from rulewright.library.stacks import open_packages
from rulewright.live.cases import AskedCase, AskedQuestion, repeatable_case
from rulewright.live.gather import gather_live
from runtime.answer.explain import Explainer
from runtime.answer.interpreter import Interpreter
from runtime.engine.terms import ModuleInstance, Program
from runtime.engine.trap import TrapError
from runtime.graph import nodes as graph
from runtime.state.record import Value

UNTOLD = "rules untold"  # The module cannot say which rules decide, as the page then says.


class Printed(NamedTuple):
    """A stack, its examples as they were played, and what its pages have to ask."""

    rules: graph.Graph
    played: tuple[ExampleOutcome, ...]
    book: LiveBook


def live_book(stack: str) -> Printed:
    """Gather what a book has to ask."""
    package_set = open_packages(())
    package_set.require_layers(stack)
    loaded = package_set.compiled(stack)
    assert loaded.graph is not None
    evidence = gather_evidence(package_set, loaded)
    book = gather_live(loaded.graph, evidence.outcomes, evidence.stamp)
    assert book is not None
    return Printed(loaded.graph, evidence.outcomes, book)


def cases_of(printed: Printed, every: int = 1) -> Iterable[tuple[str, AskedCase, ModuleInstance]]:
    """Set up positions that a page shows, one of `every` so many, and load them into the module."""
    program = Program(printed.rules, printed.book.module, printed.book.layout)
    for one in printed.played[::every]:
        example = one.example
        for case in printed.book.cases.get((example.origin, example.title), ()):
            repeated_case = repeatable_case(printed.rules, example, case.row)
            assert repeated_case is not None
            yield f"{example.title}, row {case.row}", repeated_case, ModuleInstance(program, repeated_case.state)


def compared(printed: Printed, case: AskedCase, terms: ModuleInstance, question: AskedQuestion) -> str:
    """Return how the answer of the module differs, or the rules that it says decide; "" if neither does."""
    numbers = {pattern.question: number for number, pattern in enumerate(printed.book.patterns)}
    number = numbers[question.question]
    pattern = printed.book.patterns[number]
    parameters = question.question.parameters
    raw = [terms.image.encode(v, part.type, "") for v, part in zip(question.arguments, parameters, strict=True)]
    names = {part.name: value for part, value in zip(parameters, question.arguments, strict=True)}
    interpreter = Interpreter(printed.rules)
    wanted = interpreter.evaluate(case.state, question.question.expr, names)
    try:
        found = decoded(terms, pattern, terms.call_function(f"t:{ASKED}{number}", *raw))
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
            for bits in [terms.call_function(f"t:{DECIDED}{number}:{part}", *raw)]
            for bit, label in enumerate(rules[first : first + MOST_RULES])
            if bits >> bit & 1
        }
    except TrapError:
        return UNTOLD
    return "" if labels == decided else f"by {sorted(labels)}, not {sorted(decided)}"


def decoded(terms: ModuleInstance, pattern: LivePattern, raw: int) -> Value:
    """Read an answer."""
    reader = terms.reader()
    if isinstance(pattern.answer, graph.Number | graph.Scale):
        return reader.read_number(raw, is_ratio=pattern.has_ratios)
    return reader.decode(raw, pattern.answer, "")
