"""Prohibitions whose sentence mentions a subject, and whose condition selects all others.

"A tired unit does not move" and `when mover is not tired`: the condition is inverted against the sentence. In: a rule
and its sentence. Out: the word, and the condition on it in the law. To avoid false reports, only these are compared:
rules that forbid, sentences with a denial behind one mention of the subject, and conditions that hold wherever the rule
is live. A sentence with "only", "except" or "other" may mean the contrary of its words, and is skipped.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from compiler.analysis.normal_form import normalize, with_names
from compiler.analysis.section_profiles import bare_word
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.verbs import rule_answer

DENYING_VERB = re.compile(r"\b(?:do not|does not|did not|may not|cannot|never|neither|stays?|stops?)\b")
# A denial that counts only where the sentence has no other.
IS_NOT = re.compile(r"\b(?:are|is) not\b")
DOUBTFUL = re.compile(r"\b(?:only|unless|except|but|other|others|else|without|nor those|besides)\b")
HYPHENATED_WORD = re.compile(r"[a-z-]+")
NEGATIONS = {"no", "not", "non", "never", "without"}
# The distance in words within which a "not" applies to a word.
WORDS_NEGATED = 3
# The length of a common prefix that makes two stems forms of one word, as those of circle and circular.
ALIKE = 5


def inverted_prohibition(rule: graph.Rule) -> tuple[str, str] | None:
    """Return the word of the sentence that the condition negates, or the reverse, and the law's form of it.

    None if they agree.
    """
    sentence = rule.prose.lower()
    denial = DENYING_VERB.search(sentence) or IS_NOT.search(sentence)
    if rule_answer(rule) is not False or rule.guard is None or denial is None or DOUBTFUL.search(sentence):
        return None
    before = HYPHENATED_WORD.findall(sentence[: denial.start()])
    for name, polarities in required_words(rule).items():
        places = [index for index, word in enumerate(before) if is_word_of(word.removeprefix("non-"), name)]
        if len(places) == 1 and len(polarities) == 1:
            [index] = places
            denied = before[index].startswith("non-") or not NEGATIONS.isdisjoint(
                before[max(0, index - WORDS_NEGATED) : index]
            )
            if polarities != {not denied}:
                return (f"not {before[index]}", f"is {name}") if denied else (before[index], f"is not {name}")
    return None


def required_words(rule: graph.Rule) -> dict[str, set[bool]]:
    """List the words that a guard tests in its conjuncts, each with the truth values that it requires."""
    found: dict[str, set[bool]] = defaultdict(set)
    for part in conjuncts(normalize(rule.guard, with_names(rule, {}))) if rule.guard is not None else ():
        match part:
            case graph.Op("not", (inner,)):
                for name in _tested(inner):
                    found[name] |= {False}
            case graph.Op("!=", (_, graph.Member(_, name))):
                found[name] |= {False}
            case _:
                for name in _tested(part):
                    found[name] |= {True}
    return found


def _tested(part: graph.Expr) -> Iterator[str]:
    match part:
        case graph.Is(_, tests):
            yield from (test.name for test in tests)
        case graph.Op("=", (_, graph.Member(_, name))):
            yield name
        case graph.Op("or", sides) if all(isinstance(side, graph.Is) for side in sides):
            for side in sides:
                yield from _tested(side)


def is_word_of(word: str, name: str) -> bool:
    """Return whether a word is a form of the name of a trait or status."""
    word_stem, name_stem = bare_word(word), bare_word(name.rpartition("_")[2])
    short = min(len(word_stem), len(name_stem))
    begins = short >= ALIKE - 1 and (word_stem.startswith(name_stem) or name_stem.startswith(word_stem))
    return (
        word_stem == name_stem
        or word == f"{name}s"
        or begins
        or (short >= ALIKE and word_stem[:ALIKE] == name_stem[:ALIKE])
    )
