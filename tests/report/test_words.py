"""Every problem has a code and a message in the style of messages."""

from typing import get_args

import pytest

from compiler.analysis.problems import NeverUsed
from compiler.report.codes import CODES, RETIRED, code_of
from compiler.report.diagnose import Problem, diagnose, sentence_of
from tests.report.invent import invent

# The graph does not record where a word was declared.
UNLOCATED = {NeverUsed}


def test_every_problem_has_one_code() -> None:
    known = [code.problem for code in CODES]
    assert len(known) == len(set(known))
    assert set(known) == set(get_args(Problem)), "compiler/report/codes.py lists the members of the unions Problem"


def test_codes_and_pages_are_unique() -> None:
    assert len({code.number for code in CODES}) == len(CODES)
    assert [code.number for code in CODES] == sorted(code.number for code in CODES)
    assert RETIRED.isdisjoint(code.number for code in CODES)


@pytest.mark.parametrize("problem", get_args(Problem), ids=lambda problem: f"{problem.__module__}.{problem.__name__}")
def test_every_problem_has_words(problem: type) -> None:
    facts = invent(problem)
    sentence = sentence_of(facts)
    assert sentence.message
    assert sentence.message[0] == sentence.message[0].lower()
    for text in (sentence.message, sentence.help, *(label.text for label in sentence.spans)):
        assert not text.endswith((".", " "))
        assert "  " not in text
        assert text.count("`") % 2 == 0
    assert sentence.spans or problem in UNLOCATED
    [diagnostic] = diagnose([facts], {})
    assert diagnostic.code == code_of(facts).number
