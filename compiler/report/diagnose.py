"""Convert problems of any stage to diagnostics with code and sentence, folded and in the order of the text.

In: problems, and the texts that they are about. Out: diagnostics. Each finding refers to its parties with existing
spans, and one mistake is one finding.
"""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from typing import assert_never

from compiler.layered import problems as layered
from compiler.report import answers
from compiler.report.bounded import bounded_report
from compiler.report.codes import code_of
from compiler.report.diagnostic import Diagnostic
from compiler.report.fold import fold_findings, names_in
from compiler.report.words import answers as answers_words
from compiler.report.words import layered as layered_words
from compiler.report.words import source as source_words
from compiler.report.words import typed as typed_words
from compiler.report.written_places import ParsedTexts, with_written_place
from compiler.source import problems as source
from compiler.source.character_checks import latin_lookalike
from compiler.source.finding import Finding
from compiler.source.sentence import Sentence, Severity
from compiler.source.span import Span
from compiler.source.suggestions import begin_report
from compiler.typed import problems as typed

# A line after the last one of any file.
LAST = 1_000_000

Problem = source.Problem | layered.Problem | typed.Problem | answers.Problem | Finding


def diagnose(problems: Iterable[Problem], texts: Mapping[str, str]) -> list[Diagnostic]:
    """Build the diagnostics of a run; `texts` are the sources, as far as they could be read."""
    begin_report()
    parsed = ParsedTexts(texts)
    known = [with_written_place(each, parsed) for each in _causes(list(problems), texts)]
    swallowed = names_in(_skipped_texts(known), texts)
    found = fold_findings((_diagnostic(each, swallowed) for each in known), swallowed, texts)
    return bounded_report(sorted(found, key=_order))


def _diagnostic(problem: Problem, swallowed: Set[str]) -> Diagnostic:
    """Format a problem, with its code; a label without a file (the command line) is removed."""
    code, sentence = code_of(problem), sentence_of(_without_folded_candidates(problem, swallowed))
    return Diagnostic(
        code.number,
        sentence.severity or code.severity,
        sentence.message,
        tuple(label for label in sentence.spans if label.span.file),
        sentence.help,
        sentence.witness,
        sentence.explanation,
        sentence.root,
        sentence.names,
    )


def _without_folded_candidates(problem: Problem, swallowed: Set[str]) -> Problem:
    """Remove the candidates of a name that will be folded: a suggestion takes longer than the rest of its sentence."""
    match problem:
        case typed.UnknownName(name=name) if name in swallowed:
            without: Problem = replace(problem, candidates=())
        case layered.UnknownLabel(label=name) if name in swallowed:
            without = replace(problem, candidates=(), labels_of_term=())
        case _:
            return problem
    return without if name in sentence_of(without).names else problem


def sentence_of(problem: Problem) -> Sentence:
    """Format a problem as a sentence with the module of its stage."""
    if isinstance(problem, Finding):
        return problem.sentence()
    if isinstance(problem, source.Problem):
        return source_words.source_sentence(problem)
    if isinstance(problem, layered.Problem):
        return layered_words.layered_sentence(problem)
    if isinstance(problem, typed.Problem):
        return typed_words.typed_sentence(problem)
    if isinstance(problem, answers.Problem):
        return answers_words.answer_sentence(problem)
    assert_never(problem)


# Reports about the shape of a YAML file whose values could not all be read may be wrong.
SHAPES = (source.BadShape, source.MissingKey, source.UnknownKey, typed.BadCell)
# A name with a letter of another script matches no declaration: only that letter is reported.
OF_A_NAME = (*SHAPES, source.BadCharacter, typed.UnknownName)
WORD_OF_LINE = re.compile(r"[\w-]+")
REFUSED_DOCUMENTS = (source.RefusedYaml, source.BadYaml)


def _causes(problems: list[Problem], texts: Mapping[str, str]) -> list[Problem]:
    """Remove consequences of values that were rejected."""
    spoiled = {problem.span.file for problem in problems if isinstance(problem, REFUSED_DOCUMENTS)}
    intended_names = _intended_names(problems, texts)
    return [
        each
        for each in problems
        if not (isinstance(each, SHAPES) and each.span.file in spoiled)
        and not (intended_names and _follows_from(each, intended_names))
    ]


def _follows_from(problem: Problem, intended_names: Mapping[Span, str]) -> bool:
    """Return whether a name is unknown or malformed only because of a letter of another script in it."""
    if isinstance(problem, typed.UnknownName) and problem.name in intended_names.values():
        return True
    return isinstance(problem, OF_A_NAME) and any(map(problem.span.contains, intended_names))


def _intended_names(problems: Iterable[Problem], texts: Mapping[str, str]) -> dict[Span, str]:
    """Return the places of letters of other scripts, and the names that contain them, as they look to a reader."""
    found: dict[Span, str] = {}
    for place in (problem.span for problem in problems if isinstance(problem, source.OddSign)):
        *_, line = texts.get(place.file, "").split("\n", place.line)[: place.line]
        words = (word[0] for word in WORD_OF_LINE.finditer(line) if word.start() < place.column <= word.end())
        found[place] = latin_lookalike(next(words, ""))
    return found


def _skipped_texts(problems: list[Problem]) -> list[Span]:
    """Return the text that the parser discarded, and the data files of which a document is missing."""
    found: list[Span] = []
    for problem in problems:
        match problem:
            case source.UnexpectedToken(span, skipped=skipped):
                found += [span, skipped]
            case source.UnknownKey(candidates=()):
                pass  # That document was read without it.
            case source.BadYaml(span=span) | source.MissingKey(span=span) | source.BadShape(span=span):
                found.append(Span(span.file, 1, 1, LAST, 1))
            case source.UnknownKey(span=span) | source.UnknownDocument(span=span):
                found.append(Span(span.file, 1, 1, LAST, 1))
            case _:
                pass
    return found


def _order(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Return the sort key: errors before warnings, then by file and place."""
    span = diagnostic.spans[0].span if diagnostic.spans else Span("", 0, 0, 0, 0)
    return (diagnostic.severity is not Severity.ERROR, span, diagnostic.code, diagnostic.message)
