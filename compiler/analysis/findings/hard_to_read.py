"""Sentences that depend on their context, or are too long to be understood at once.

In: a stack. Out: findings. The book prints every rule under its own number, and answers cite one rule: a sentence that
starts in the previous rule, or continues in the next, is incomprehensible there. One of more than forty words has to be
read twice.
"""

import re
from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.parties import Party, party_label, procedure_party
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph


@finding("R0598", "hard-to-read", WARNING)
class HardToRead(Finding):
    """A printed sentence depends on its context, or is too long: `fault` states which, with an excerpt."""

    party: Party
    fault: str

    def sentence(self) -> Sentence:
        return Sentence(
            f"a sentence of `{self.party.label}` {self.fault}",
            (party_label(self.party),),
            f"write whole sentences of at most {_MOST_WORDS_OF_SENTENCE} words, as each is printed on its own",
            root=f"hard to read {self.party.origin.file}",
        )


_MOST_WORDS_OF_SENTENCE = 40  # words
_SENTENCE_ENDS = (".", "!", "?", ".)", ".”", '."')
# Words at the start of a sentence that refer to the previous one: conjunctions, answers, and pronouns.
_LEANING = re.compile(
    r"(nor|and|but|or|neither do|neither does|yes|no(?=,)|they|them|he|she|it(?! is\b)|then"
    r"|(for|by|with|in|on|at|to|of|from) (it|him|them|those|this,? (it|they|he)))\b(?! (who|whom|that|which)\b)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?<=[.!?:;])[”\")]*\s+")


@check_of_stack
def hard_to_read(stack: graph.Graph) -> Iterator[HardToRead]:
    """Find incomplete and long sentences."""
    for label, rule in sorted(stack.rules.items()):
        party = Party(label, rule.prose, rule.cites, rule.origin)
        text = rule.prose.strip()
        # The prose of a rule in a ruling may continue its question and answer.
        if text and (fault := _incompleteness(text) or ("" if rule.ruling else _leading_reference(text))):
            yield HardToRead(party, fault)
        yield from _long(party, text)
    for _, procedure in sorted(stack.procedures.items()):
        party = procedure_party(procedure)
        if (text := party.says.strip()) and (fault := _incompleteness(text) or _leading_reference(text)):
            yield HardToRead(party, fault)
        yield from _long(party, text)
    for label, ruling in sorted(stack.rulings.items()):
        party = Party(label, ruling.answers, ruling.cites, ruling.origin)
        yield from _long(party, f"{ruling.asks} {ruling.answers}")
    for opening in (opening for layer in stack.layers for opening in layer.openings):
        party = Party(opening.case, opening.rule, (), opening.origin)
        yield from _long(party, " ".join((opening.rule, *opening.procedure)))


def _incompleteness(text: str) -> str:
    """Return why a sentence is incomplete; "" if it is not."""
    if text[0].islower():
        return "begins in the middle of a sentence"
    if not text.endswith(_SENTENCE_ENDS):
        return "ends in the middle of a sentence"
    return ""


def _leading_reference(text: str) -> str:
    """Return the word at the start of a text that refers to the previous text; "" if there is none."""
    reference = _LEANING.match(text)
    return f"begins with “{reference[0].lower()}”" if reference else ""


def _long(party: Party, text: str) -> Iterator[HardToRead]:
    """Find the sentences of a text with too many words; parts between semicolons count separately."""
    for sentence in _ENDS.split(text):
        words = sentence.split()
        if len(words) > _MOST_WORDS_OF_SENTENCE:
            yield HardToRead(party, f"has {len(words)} words, from “{' '.join(words[:4])}” on")
