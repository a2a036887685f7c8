"""R0598 reports sentences that do not stand alone, of rules and of procedures; no shipped sentence is one."""

from dataclasses import replace

import pytest

from compiler.analysis.findings.hard_to_read import HardToRead, hard_to_read
from rulewright.library.stacks import open_packages

RULE, RESOLUTION = "mud-and-a-basket", "resolution:tide"


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("The water rises.", ""),
        ("It is dry on the beach at all hours.", ""),
        ("It does the same as it falls.", "begins with “it”"),
        ("By then it has risen.", ""),
        ("Nor does a wader stay.", "begins with “nor”"),
        ("The water rises,", "ends in the middle of a sentence"),
        (f"The water {'rises and ' * 20}falls.", "has 43 words, from “The water rises and” on"),
    ],
)
def test_sentences_of_rules_and_procedures_stand_alone(sentence: str, fault: str) -> None:
    book = open_packages(()).compiled("low_tide").graph
    assert book is not None
    assert [*hard_to_read(book)] == []
    rule, procedure = replace(book.rules[RULE], prose=sentence), replace(book.procedures[RESOLUTION], prose=sentence)
    changed = (
        replace(book, rules={**book.rules, RULE: rule}),
        replace(book, procedures={**book.procedures, RESOLUTION: procedure}),
    )
    for each in changed:
        found = [one.fault for one in hard_to_read(each) if isinstance(one, HardToRead)]
        assert found == ([fault] if fault else [])
