"""Convert findings of any stage to diagnostics with code and sentence, folded and in the order of the text.

In: findings, and the texts that they are about. Out: diagnostics. Each finding refers to its parties with existing
spans, and one mistake is one finding.
"""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import replace

from compiler.layered.findings.labels import UnknownLabel
from compiler.report.bounded import bounded_report
from compiler.report.diagnostic import Diagnostic
from compiler.report.fold import fold_findings, names_in
from compiler.report.mistakes.syntax_errors import syntax_sentence
from compiler.report.written_places import ParsedTexts, with_written_place
from compiler.source.character_checks import latin_lookalike
from compiler.source.finding import Finding
from compiler.source.findings.characters import BadCharacter, OddSign, UnterminatedText
from compiler.source.findings.unexpected_token import UnexpectedToken
from compiler.source.findings.yaml_documents import (
    BadShape,
    BadYaml,
    DuplicateKey,
    MissingKey,
    RefusedYaml,
    UnknownDocument,
    UnknownKey,
)
from compiler.source.sentence import Sentence, Severity
from compiler.source.span import Span
from compiler.source.suggestions import begin_report
from compiler.typed.findings.mismatches import BadCell
from compiler.typed.findings.names import UnknownName

# A line after the last one of any file.
LAST = 1_000_000


def diagnose(problems: Iterable[Finding], texts: Mapping[str, str]) -> list[Diagnostic]:
    """Build the diagnostics of a run; `texts` are the sources, as far as they could be read."""
    begin_report()
    parsed = ParsedTexts(texts)
    known = [with_written_place(each, parsed) for each in _causes(list(problems), texts)]
    swallowed = names_in(_skipped_texts(known), texts)
    found = fold_findings((_diagnostic(each, swallowed) for each in known), swallowed, texts)
    return bounded_report(sorted(found, key=_order))


def _diagnostic(problem: Finding, swallowed: Set[str]) -> Diagnostic:
    """Format a finding, with its code; a label without a file (the command line) is removed."""
    code, sentence = problem.code, sentence_of(_without_folded_candidates(problem, swallowed))
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


def _without_folded_candidates(problem: Finding, swallowed: Set[str]) -> Finding:
    """Remove the candidates of a name that will be folded: a suggestion takes longer than the rest of its sentence."""
    match problem:
        case UnknownName(name=name) if name in swallowed:
            without: Finding = replace(problem, candidates=())
        case UnknownLabel(label=name) if name in swallowed:
            without = replace(problem, candidates=(), labels_of_term=())
        case _:
            return problem
    return without if name in sentence_of(without).names else problem


def sentence_of(problem: Finding) -> Sentence:
    """Return the words of a finding; those of an unexpected token name what the author most likely meant."""
    return syntax_sentence(problem) if isinstance(problem, UnexpectedToken) else problem.sentence()


# Reports about the shape of a YAML file whose values could not all be read may be wrong.
SHAPES = (BadShape, MissingKey, UnknownKey, BadCell)
# A name with a letter of another script matches no declaration: only that letter is reported.
OF_A_NAME = (*SHAPES, BadCharacter, UnknownName)
WORD_OF_LINE = re.compile(r"[\w-]+")
REFUSED_DOCUMENTS = (RefusedYaml, BadYaml)


def _causes(problems: list[Finding], texts: Mapping[str, str]) -> list[Finding]:
    """Remove consequences of values that were rejected, of a text that is not closed and of a key that is doubled."""
    spoiled = {problem.span.file for problem in problems if isinstance(problem, REFUSED_DOCUMENTS)}
    unclosed = [problem.span for problem in problems if isinstance(problem, UnterminatedText)]
    unbalanced = {span.file for span in unclosed} | {
        problem.span.file
        for problem in problems
        if isinstance(problem, UnexpectedToken) and not problem.closes_nothing()
    }
    doubled_lines = {
        (span.file, span.line)
        for problem in problems
        if isinstance(problem, DuplicateKey)
        for span in (problem.span, problem.first)
    }
    intended_names = _intended_names(problems, texts)
    causes: list[Finding] = []
    for each in problems:
        if isinstance(each, SHAPES) and (
            each.span.file in spoiled or (each.span.file, each.span.line) in doubled_lines
        ):
            continue
        if isinstance(each, UnexpectedToken) and (
            (each.span.file in unbalanced and each.closes_nothing())
            or any(_is_in_paragraph(each.span, text, texts) for text in unclosed)
        ):
            continue  # The text that is not closed, or the one that was skipped, has the brace that this closes.
        if not (intended_names and _follows_from(each, intended_names)):
            causes.append(each)
    return causes


def _is_in_paragraph(place: Span, text: Span, texts: Mapping[str, str]) -> bool:
    """Return whether a place is below a text, before the next line that begins a paragraph."""
    if place.file != text.file or place.line <= text.line:
        return False
    lines = texts.get(text.file, "").split("\n")
    indentation = len(lines[text.line - 1]) - len(lines[text.line - 1].lstrip()) if text.line <= len(lines) else 0
    between = lines[text.line : place.line]
    return not any(line.strip()[:1].isalpha() and len(line) - len(line.lstrip()) <= indentation for line in between)


def _follows_from(problem: Finding, intended_names: Mapping[Span, str]) -> bool:
    """Return whether a name is unknown or malformed only because of a letter of another script in it."""
    if isinstance(problem, UnknownName) and problem.name in intended_names.values():
        return True
    return isinstance(problem, OF_A_NAME) and any(map(problem.span.contains, intended_names))


def _intended_names(problems: Iterable[Finding], texts: Mapping[str, str]) -> dict[Span, str]:
    """Return the places of letters of other scripts, and the names that contain them, as they look to a reader."""
    found: dict[Span, str] = {}
    for place in (problem.span for problem in problems if isinstance(problem, OddSign)):
        *_, line = texts.get(place.file, "").split("\n", place.line)[: place.line]
        words = (word[0] for word in WORD_OF_LINE.finditer(line) if word.start() < place.column <= word.end())
        found[place] = latin_lookalike(next(words, ""))
    return found


def _skipped_texts(problems: list[Finding]) -> list[Span]:
    """Return the text that the parser discarded, and the data files of which a document is missing."""
    found: list[Span] = []
    for problem in problems:
        match problem:
            case UnexpectedToken(span, skipped=skipped):
                found += [span, skipped]
            case UnknownKey(candidates=()):
                pass  # That document was read without it.
            case BadYaml(span=span) | MissingKey(span=span) | BadShape(span=span):
                found.append(Span(span.file, 1, 1, LAST, 1))
            case UnknownKey(span=span) | UnknownDocument(span=span):
                found.append(Span(span.file, 1, 1, LAST, 1))
            case _:
                pass
    return found


def _order(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Return the sort key: errors before warnings, then by file and place."""
    span = diagnostic.spans[0].span if diagnostic.spans else Span("", 0, 0, 0, 0)
    return (diagnostic.severity is not Severity.ERROR, span, diagnostic.code, diagnostic.message)
