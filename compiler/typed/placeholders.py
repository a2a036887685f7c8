"""Checks of the sentences of questions and actions: `reads "what {mover} pays"` refers to `mover`."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.wordings import SaidOfAnother, VerbOfSeveral
from runtime.graph.english import with_plural_verb

_ARGUMENT = re.compile(r"\{(\w+)\}")
_SLOT = re.compile(r"\{(\w+)(?:: [^{}]+)?\}")  # an argument, or its verb in both numbers


def unknown_placeholders(reads: source.Reads, names: Collection[str], construct: str) -> Iterator[InvalidConstruct]:
    """Yield a problem for each unknown name in braces, which would be printed verbatim."""
    yield from unknown_fields(f"{reads.text} {reads.denied or ''}", reads.span, names, construct)


def unknown_fields(content: str, span: Span, names: Collection[str], construct: str) -> Iterator[InvalidConstruct]:
    """Yield a problem for each unknown name in the braces of a text, and for a brace without its other one."""
    if content.count("{") != content.count("}"):
        yield InvalidConstruct(span, "a brace is missing in this text", "write each name as `{NAME}`")
    for name in dict.fromkeys(_SLOT.findall(content)):
        if name not in names:
            similar_names = nearest_names(name, names)
            known = ", ".join(f"`{{{each}}}`" for each in similar_names or sorted(names))
            advice = f"did you mean {known}?" if similar_names else f"write {known}" if known else "delete the braces"
            yield InvalidConstruct(span, f"this {construct} has no `{name}`, which is named in its text", advice)


def misattributed_parameter(reads: source.Reads, names: Collection[str]) -> Iterator[SaidOfAnother]:
    """Yield a problem for a sentence with one parameter twice and another never: one may be an error."""
    counts = Counter(_ARGUMENT.findall(reads.text))
    unsaid_ones = tuple(name for name in names if f"{{{name}}}" not in f"{reads.text} {reads.denied or ''}")
    yield from (SaidOfAnother(reads.span, name, unsaid_ones) for name in names if counts[name] > 1 and unsaid_ones)


_SUBJECT = re.compile(r"\{(\w+)\} (\w+)")


def verbs_of_several(texts: Iterable[str], span: Span, plural_names: Collection[str]) -> Iterator[VerbOfSeveral]:
    """Yield a problem for a sentence whose subject, one of these names, may be plural, and whose verb is not."""
    for text in texts:
        opening = _SUBJECT.match(text)
        if opening and opening[1] in plural_names and (plural_verb := with_plural_verb(opening[2])) != opening[2]:
            yield VerbOfSeveral(span, opening[1], opening[2], plural_verb)


def indistinct_texts(reads: source.Reads) -> Iterator[InvalidConstruct]:
    """Yield a problem where the sentences for yes and no are equal, or exchanged."""
    if reads.denied is not None and reads.denied in _affirmative_texts(reads.text):
        message = "the texts for yes and no seem to be exchanged: the one for yes contains `not`"
        yield InvalidConstruct(reads.span, message, "exchange the two texts")
    if reads.denied is not None and reads.denied.split() == reads.text.split():
        message = "the texts for yes and no are the same"
        yield InvalidConstruct(reads.span, message, "write after `denied` what is true when the answer is no")


def _affirmative_texts(sentence: str) -> Iterator[str]:
    """Return a sentence without its `not`, if it has exactly one."""
    for denial, instead in (("cannot", "can"), (" not ", " ")):
        if sentence.count(denial) == 1:
            yield sentence.replace(denial, instead)
