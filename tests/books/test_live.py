"""The module on the pages of a book has the answers of the interpreter, and its deciding rules."""

import pytest

from compiler.rulebook.live.forms import LARGEST_RATIO_NUMBER, chart_forms, form_question
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from tests.books.live import UNTOLD, cases_of, compared, live_book
from tests.sample import LONG, sampled

# By stack, the step between examined examples: a position takes a tenth of a second.
STACKS = [
    ("panzer_grenadier", 4), *(pytest.param(each, 6, marks=LONG) for each in ("panzer_leader", "panzerblitz")),
    *(pytest.param(each, 1, marks=LONG) for each in ("panzer_grenadier", "low_tide", "panssari_salama")),
]  # fmt: skip


@sampled(0)
@pytest.mark.parametrize(("stack", "every"), STACKS)
def test_the_module_has_the_answers_and_rules_of_the_interpreter(stack: str, every: int) -> None:
    printed = live_book(stack)
    question_count, untold, wrong = 0, 0, {}
    for title, case, terms in cases_of(printed, every):
        for question in case.questions:
            question_count += 1
            data = compared(printed, case, terms, question)
            untold += data == UNTOLD
            if data not in ("", UNTOLD):
                wrong[title, question.line] = data
    assert question_count
    assert not wrong
    assert untold <= question_count // 20


def test_a_chart_of_odds_has_two_whole_numbers_as_input() -> None:
    """Fields of the page take whole numbers; a ratio such as 1 to 2 is none."""
    rules = load_stack("panzer_leader", []).graph
    assert rules
    [finder] = {form.finder for form in chart_forms(rules) if form.table == "crt"}
    question = form_question(rules, finder)
    assert [part.type for part in question.parameters] == [
        graph.Number(low, LARGEST_RATIO_NUMBER, "") for low in (0, 1)
    ]
    ratio = graph.Op("/", tuple(graph.Var(part.name) for part in question.parameters))
    assert question.expr == graph.Ask(finder, (ratio,))
