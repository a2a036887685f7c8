"""Every problem has a code and a message in the style of messages."""

import pytest

from compiler.analysis.findings.never_read import NeverUsed
from compiler.report.codes import RETIRED, known_findings
from compiler.report.diagnose import diagnose, sentence_of
from tests.report.invent import invent

# The graph does not record where a word was declared.
UNLOCATED = {NeverUsed}


def test_codes_and_pages_are_unique() -> None:
    numbers = [facts.code.number for facts in known_findings()]
    assert len(set(numbers)) == len(numbers), "two findings have one number: take a free one"
    assert RETIRED.isdisjoint(numbers)


@pytest.mark.parametrize("problem", known_findings(), ids=lambda problem: problem.__name__)
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
    assert diagnostic.code == facts.code.number
