"""The prose of the shipped books as readers meet it: each rule alone, under its number."""

import re
from xml.etree import ElementTree

import pytest

from compiler.rulebook.contents import gather_contents
from compiler.rulebook.evidence import unplayed
from compiler.rulebook.paper.inks import inked
from rulewright.library.stacks import load_stack
from tests.sample import LONG

# A sentence that begins so is about what only the rule before names, or is taken for a question.
POINTING = {"who", "whom", "such", "this", "these", "they", "it", "he", "them", "also", "otherwise"}
BACK = re.compile(r"\bsuch (?!as\b)|\bthe (?:latter|former)\b")
MOST = 40  # Words of a sentence.
STACKS = [
    "panzer_leader", "panzerblitz",
    *(pytest.param(each, marks=LONG) for each in ("panzer_grenadier", "panssari_salama", "low_tide", "pl1940")),
]  # fmt: skip


@pytest.mark.parametrize("stack", STACKS)
def test_each_rule_says_whom_it_means(stack: str) -> None:
    rules = load_stack(stack, []).graph
    assert rules
    # What carries out a ruling goes on from its answer.
    said = {label: rule.prose for label, rule in rules.rules.items() if rule.prose and not rule.ruling}
    assert said
    found = {
        label: text
        for label, text in said.items()
        if text.split(maxsplit=1)[0].lower() in POINTING or BACK.search(text)
    }
    assert not found


@pytest.mark.parametrize("stack", STACKS)
def test_no_printed_sentence_is_long(stack: str) -> None:
    rules = load_stack(stack, []).graph
    assert rules
    contents = gather_contents(rules, unplayed(rules), None)
    texts = {label: rule.prose for label, rule in contents.rules.items()}
    texts |= {label: f"{each.asks} {each.answers}" for label, each in rules.rulings.items()}
    texts |= {label: " ".join((each.rule, *each.procedure)) for label, each in contents.openings.items()}
    long = {
        label: sentence
        for label, text in texts.items()
        for sentence in re.split(r"(?<=[.!?:;])[”\")]*\s+", text)
        if len(sentence.split()) > MOST
    }
    assert not long


@pytest.mark.parametrize("stack", STACKS)
def test_every_picture_is_xml(stack: str) -> None:
    """Browsers forgive what a printer of pictures refuses."""
    rules = load_stack(stack, []).graph
    assert rules
    shown = gather_contents(rules, unplayed(rules), None).examples
    drawn = [example.drawing.svg for examples in shown.values() for example in examples if example.drawing.svg]
    assert drawn
    for svg in drawn:
        ElementTree.fromstring(inked(svg))
