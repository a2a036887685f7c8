"""Checks of the sentences of questions and actions: `reads "what {mover} pays"` refers to `mover`."""

import re
from collections import Counter
from collections.abc import Collection, Iterator

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names
from compiler.typed.problems import Misplaced, SaidOfAnother

_ARGUMENT = re.compile(r"\{(\w+)\}")


def unknown_placeholders(reads: source.Reads, names: Collection[str], what: str) -> Iterator[Misplaced]:
    """Find unknown names in braces, which would be printed verbatim."""
    yield from unknown_fields(f"{reads.text} {reads.denied or ''}", reads.span, names, what)


def unknown_fields(content: str, span: Span, names: Collection[str], what: str) -> Iterator[Misplaced]:
    """Find unknown names in the braces of a text."""
    for name in dict.fromkeys(_ARGUMENT.findall(content)):
        if name not in names:
            near = nearest_names(name, names)
            known = ", ".join(f"`{{{each}}}`" for each in near or sorted(names))
            advice = f"did you mean {known}?" if near else f"write {known}" if known else "leave out the braces"
            yield Misplaced(span, f"`{{{name}}}` in what is said here is no name of this {what}", advice)


def misattributed_parameter(reads: source.Reads, names: Collection[str]) -> Iterator[SaidOfAnother]:
    """Find a sentence with one parameter twice, and another one never: one of the two may be an error."""
    said = Counter(_ARGUMENT.findall(reads.text))
    unsaid_ones = tuple(name for name in names if f"{{{name}}}" not in f"{reads.text} {reads.denied or ''}")
    yield from (SaidOfAnother(reads.span, name, unsaid_ones) for name in names if said[name] > 1 and unsaid_ones)


def indistinct_texts(reads: source.Reads) -> Iterator[Misplaced]:
    """Find sentences for yes and no that are equal, or exchanged."""
    if reads.denied is not None and reads.denied in _unsaid_no(reads.text):
        said = "yes is said with a `not` here, and no without it"
        yield Misplaced(reads.span, said, "let the two sentences change places: `denied` is said when the answer is no")
    if reads.denied is not None and reads.denied.split() == reads.text.split():
        said = "yes and no are said in the same words here"
        yield Misplaced(reads.span, said, "write behind `denied` what is so when the answer is no")


def _unsaid_no(said: str) -> Iterator[str]:
    """Return a sentence without its `not`, if it has exactly one."""
    for denial, instead in (("cannot", "can"), (" not ", " ")):
        if said.count(denial) == 1:
            yield said.replace(denial, instead)
