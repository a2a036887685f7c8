"""The questions and acts in a text of a player, which are answered one by one.

In: a text. Out: the questions in it that are about the same position, and the acts of one question, in their order.
"""

import re

from compiler.rulebook.index.stems import stem
from rulewright.table.lexicon import WORDS, has_role
from rulewright.table.names_in_words import NamesInWords
from rulewright.table.query_parser import parse_query
from rulewright.table.supposed_places import supposed_clause
from runtime.state.position import State

# What one does after another, in either order.
_THEN = re.compile(r",?\s+(?:and\s+)?then\s+|\s+before\s+(?=\w+ing\b)", re.IGNORECASE)
_NEXT = re.compile(r"\b(?:then|next|after(?:wards)?|(?:after|before)\s+(?:that|\w+ing))\b,?\s*", re.IGNORECASE)
_AND = re.compile(r"(?:,?\s+and|,)\s+(?:(?:also|even|still)\s+)?(\w+)", re.IGNORECASE)
# *If T goes to B, may P fire at it?*
_IF = re.compile(r"^\s*(?:if|once|when)\s+([^,]+),\s*(?=\w)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.?!;])\s+(?=\w)")
_AFTER = re.compile(r"\s+after\s+(?=\w+ing\b)", re.IGNORECASE)
# Between two questions in one sentence; *and may it fire* goes on from the first.
_NEXT_QUESTION = re.compile(
    r",?\s+(?:and|or|but)\s+(?=(?:how|what|when|where|which|who|why)\b|"
    r"(?:can|could|may|must)\s+(?!(?:i|it|he|she|they|we|you)\b)|"
    r"(?:is|are|does|do|has|have)\s+(?:it|they|he|she|the|that|this)\b)",
    re.IGNORECASE,
)
# First words of questions.
_ASKING = WORDS["permission"] | WORDS["state"] | WORDS["question"] | WORDS["auxiliary"]
_PRONOUN = re.compile(r"\b(?:it|they|them|he|him|she|her)\b", re.IGNORECASE)


def separate_questions(state: State, text: str) -> list[str]:
    """Return the questions of a text, each with names for its pronouns: *can T fire at P and how far can it see?*

    The acts of a question stay together.
    """
    supposed = supposed_clause(text)
    first, others = _split_questions(text.removeprefix(supposed))
    asks_first = not _ASKING.isdisjoint(first.lower().split()[:1])
    parts = [part for each in (first, *others) for part in (_NEXT_QUESTION.split(each) if asks_first else [each])]
    found = list[str]()
    for part in parts:
        mentions = parse_query(state, found[0]).mentions if found else []
        subject = " and ".join(mentions[0].names) if mentions else ""
        found.append(_PRONOUN.sub(subject, part) if subject else part)
    return [f"{supposed}{each}" for each in found]


def _split_questions(text: str) -> tuple[str, list[str]]:
    """Return the first question of a text, with the sentences that are acts before or after it, and the other ones.

    A sentence that tells an act is one before the question: *T goes to B. May it fire?*, one with *then* one behind it.
    """
    first, *others = _SENTENCE_END.split(text.strip())
    asks = [not _ASKING.isdisjoint(each.lower().split()[:1]) for each in (first, *others)]
    sequel = [] if asks[0] else others[:1]
    for each in others[len(sequel) :]:
        if not _NEXT.search(each):
            break
        sequel.append(each)
    return " ".join((first, *sequel)), others[len(sequel) :]


def split_acts(state: State, text: str, action_stems: frozenset[str]) -> list[str]:
    """Return the parts of a query about acts one after the other, in their order: *fire at P and then move*.

    `action_stems` are those of words that name actions, and the pairs of words that do.
    """
    if len(parts := _SENTENCE_END.split(text.strip())) > 1:
        sentences = [_NEXT.sub("", part) for part in parts]
        return [each for part in sentences for each in split_acts(state, part, action_stems)]
    if (condition := _IF.search(text)) and not action_stems.isdisjoint(map(stem, condition[1].lower().split())):
        return [condition[1], *split_acts(state, text[condition.end() :], action_stems)]
    if len(parts := _AFTER.split(text, 1)) > 1:
        later, first = parts
        has_agent = any(not each.preposition for each in parse_query(state, first).mentions)
        named = () if has_agent else parse_query(state, later).names[:1]
        return [" ".join((*named, first)), later]
    if len(parts := _THEN.split(text, 1)) > 1:
        return [each for part in parts for each in split_acts(state, part, action_stems)]
    for link in _AND.finditer(text):
        before = text[: link.start()]
        word = link[1].lower()
        pair = " ".join(text[link.start(1) :].lower().split()[:2])
        is_verb = stem(word) in action_stems or pair in action_stems or has_role("motion", [word])
        is_act = is_verb and not NamesInWords(state).exact(link[1])
        if is_act and (query := parse_query(state, before)).mentions and (query.verb_stem or query.destinations):
            return [before, *split_acts(state, text[link.start(1) :], action_stems)]
    return [text]
