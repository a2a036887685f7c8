"""The root cause of a syntax error that is a known mistake: the first row of `known_mistakes.py` that fits.

The input is the facts of an unexpected token; the output is the message, the label of the place, and the advice. Any
other error is described by the expected tokens (unexpected_token.py).
"""

import re

from compiler.report.mistakes.declaration_errors import DECLARED_FORMS, MEANT_PARAGRAPH, USUAL_PARAGRAPHS
from compiler.report.mistakes.known_mistakes import MISTAKES, MistakeRow
from compiler.source.expected_tokens import TokenPhrase
from compiler.source.findings.unexpected_token import CLAUSES, UnexpectedToken
from compiler.source.grammar import paragraph_keywords
from compiler.source.sentence import Sentence, did_you_mean
from compiler.source.suggestions import nearest_names
from runtime.graph.verbs import VERBS

# The form of each paragraph, by its keyword.
_LAWS = (
    'rule LABEL [SOURCE] "What it says." CONCLUSION exception to LABEL when CONDITION',
    'ruling LABEL [SOURCE] correction, minor asks ".." answers ".." CONCLUSION when CONDITION',
    'case LABEL "Title" numbered "1" { .. }',
    'dispute LABEL [SOURCE] "What is disputed." { reading LABEL [SOURCE] { .. } }',
    'example "what it shows" { .. }',
    'insert phase NAME "Title" [SOURCE] { .. } before PHASE',
)
FORMS = {**DECLARED_FORMS, **{form.split()[0]: form for form in _LAWS}}
_CONCLUSIONS = {each.notation for each in VERBS.values() if each.answer is not None}
# Keywords of the language that belong elsewhere.
_MISPLACED_KEYWORDS = {*CLAUSES, "reads", "denied", "otherwise", "default", "capped", "until", "marker"}


def syntax_sentence(problem: UnexpectedToken) -> Sentence:
    """Return the sentence of an unexpected token: of the mistake, if it is known, or of the expected tokens."""
    return problem.certain_mistake() or _known_mistake(problem) or problem.sentence(_form_of(problem))


def _known_mistake(problem: UnexpectedToken) -> Sentence | None:
    """Return the sentence of a known mistake; None if it is unknown."""
    for mistake in MISTAKES:
        if _fits(mistake, problem):
            parts = _words_of(problem)
            message, note, advice = (text.format(**parts) for text in mistake.texts)
            return problem.sentence_here(message, note, advice)
    return _condition_alone(problem) or _unknown_paragraph(problem)


def _fits(mistake: MistakeRow, problem: UnexpectedToken) -> bool:
    """Return whether a row describes an unexpected token."""
    return (
        (not mistake.paragraph or _keyword(problem) in mistake.paragraph.split("|"))
        and (not mistake.expected or not mistake.expected.isdisjoint(problem.expected))
        and mistake.unexpected.isdisjoint(problem.expected)
        and (not mistake.only or problem.expected == (mistake.only,))
        and re.fullmatch(mistake.found, problem.found) is not None
        and re.fullmatch(mistake.previous, problem.previous_word) is not None
    )


def _words_of(problem: UnexpectedToken) -> dict[str, str]:
    """Return what the texts of a row insert: the token, the word before, the paragraph, and how labels are written."""
    found, previous = problem.found, problem.previous_word
    return {
        "found": found,
        "previous": previous,
        "call": "(..)" if previous == "resolution" else "",
        "kind": _keyword(problem),
        "name": problem.statement[1].text if len(problem.statement) > 1 else "",
        "label": re.sub(r"[^a-z0-9]+", "-", found.lower()).strip("-"),
        "hyphens": (previous + found).replace("_", "-"),
        "dashed": previous.replace("_", "-"),
        "listed": found.strip("[]"),
    }


def _keyword(problem: UnexpectedToken) -> str:
    return problem.statement[0].text if problem.statement else ""


def _form_of(problem: UnexpectedToken) -> str:
    """Return the form of the paragraph with the error; "" if it is unknown."""
    form = FORMS.get(_keyword(problem))
    return f"write it as `{form}`" if form else ""


def _condition_alone(problem: UnexpectedToken) -> Sentence | None:
    """Recognize a condition without its `when`: behind a conclusion, in an indented line, which begins no paragraph."""
    found = problem.found
    concluded = problem.previous_word in _CONCLUSIONS and found.isidentifier() and problem.span.column > 1
    if not concluded or problem.candidates or TokenPhrase.PARAGRAPH not in problem.expected:
        return None
    if found in _MISPLACED_KEYWORDS or nearest_names(found, {*CLAUSES, *FORMS}):
        return None
    return problem.sentence_here("`when` is missing before this condition", "here", f"write `when {found} ..`")


def _unknown_paragraph(problem: UnexpectedToken) -> Sentence | None:
    """Recognize a line that begins with a word that begins no paragraph, such as `fact`."""
    found = problem.found
    if problem.expected != (TokenPhrase.PARAGRAPH,) or problem.span.column > 1 or not found.isidentifier():
        return None
    advice = MEANT_PARAGRAPH.get(found) or did_you_mean(
        problem.candidates or nearest_names(found, paragraph_keywords()), USUAL_PARAGRAPHS
    )
    return problem.sentence_here(f"a paragraph cannot begin with `{found}`", "here", advice)
