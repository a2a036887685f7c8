"""The expectations that examples had at a revision and have no more: no run of the examples shows that they are gone.

In: the former and the current texts of files of rules. Out: a finding for each example that expects less. A changed
expectation is none: it is run. Nor is one that another example of these files has now.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from compiler.report.answers import ChangeUnnoticed
from compiler.source.content import RULES
from compiler.source.files import split_lines
from compiler.source.nodes import Ask, Drawn, Example, Narrated, Order, Perform, laws_inside
from compiler.source.parse import parse_rules
from compiler.source.span import Span
from rulewright.revisions.changes import differing_words, quote_excerpt

EXPECTING = (Ask, Drawn, Narrated, Order, Perform)
Key = tuple[str, str, int]


class ExpectingExample(NamedTuple):
    """The expectations of an example as texts without layout, its rows among them, and its place."""

    texts: tuple[str, ...]
    span: Span


def removed_expectations(files: Iterable[tuple[str, str, str]], revision: str) -> Iterator[ChangeUnnoticed]:
    """Yield the examples that expect less than at a revision; `files` are (name, former text, current text)."""
    rules = [each for each in files if each[0].endswith(RULES)]
    old = {key: each for name, text, _ in rules for key, each in _expectations(name, text).items()}
    new = {key: each for name, _, text in rules for key, each in _expectations(name, text).items()}
    removed = Counter(text for each in old.values() for text in each.texts)
    removed -= Counter(text for each in new.values() for text in each.texts)
    for key, former in old.items():
        current = new.get(key)
        lost = list((Counter(former.texts) - Counter(current.texts if current else ())).elements())
        gained = list((Counter(current.texts) - Counter(former.texts)).elements()) if current else []
        shorter = next(((a, b) for a in lost for b in gained if a.startswith(b)), None)
        if shorter is not None:
            yield ChangeUnnoticed(*differing_words(*shorter), revision, former.span, key[1])
        elif len(lost) > len(gained):
            gone = [each for each in lost if removed[each]]
            place = current.span if current else _place(key[0], former.span, rules)
            yield from (ChangeUnnoticed(quote_excerpt(each), "", revision, place, key[1]) for each in gone[:1])


def _expectations(name: str, text: str) -> Mapping[Key, ExpectingExample]:
    """Return the expectations of the examples of a file, by file, title and number among equal titles."""
    found: dict[Key, ExpectingExample] = {}
    count: Counter[str] = Counter()
    lines = split_lines(text)
    for example in _examples(parse_rules(text, name)[0].statements):
        texts = [_text(lines, line.span, line.span) for line in example.lines if isinstance(line, EXPECTING)]
        rows = example.cases.rows if example.cases else ()
        texts += [f"case ({_text(lines, row[0].span, row[-1].span)})" for row in rows]
        count[example.title] += 1
        found[name, example.title, count[example.title]] = ExpectingExample(tuple(texts), example.span)
    return found


def _examples(nodes: Iterable[object]) -> Iterator[Example]:
    """Yield the examples of a file, also those within laws."""
    for node in nodes:
        if isinstance(node, Example):
            yield node
        else:
            yield from _examples(laws_inside(node))


def _text(lines: list[str], first: Span, last: Span) -> str:
    """Return the text from one span to another without layout and comments."""
    found = lines[first.line - 1 : last.end_line]
    found[-1] = found[-1][: last.end_column - 1]
    found[0] = found[0][first.column - 1 :]
    return " ".join(" ".join(each.partition(" #")[0] for each in found).split())


def _place(name: str, span: Span, files: Iterable[tuple[str, str, str]]) -> Span:
    """Return the line of a file at which an example stood, or its last line."""
    lines = next(split_lines(text) for file, _, text in files if file == name)
    line = max(1, min(span.line, len(lines)))
    return Span(name, line, 1, line, max(2, len(lines[line - 1]) + 1))
