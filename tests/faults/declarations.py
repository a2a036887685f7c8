"""The declarations of a file of rules, as stretches of its text.

In: the text of a file. Out: each declaration with its word ("rule", "action"), its label, its place and its text. A
declaration ends where the next begins, so what stands in the braces of a case or a dispute is by itself.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

HEADS = (
    "rule|ruling|example|action|resolution|reaction|after|sequence|insert phase|phase|value|verdict|condition|sum|min"
    "|max|set|define|dispute|reading|case|precondition|extend|track|status|trait|kind|measure|enum|domain|scale|side|feature"
    "|path|relation|record|task|always|event|wording|outcome|requires|place|equivalent"
)
# `set` and `phase` are steps as well, where they are indented.
HEAD = re.compile(rf"^(?P<indent> *)(?P<word>{HEADS})\b(?! to\b)(?: (?P<label>[\w-]+))?", re.MULTILINE)
STEPS = {"set", "phase", "track"}
LAWS = {"rule", "ruling"}
PROCEDURES = {"action", "resolution", "reaction", "after", "sequence"}


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration: its word, its label, and where it stands, in characters and in lines from 1."""

    word: str
    label: str
    start: int
    end: int
    first: int
    last: int
    text: str


def declarations(text: str) -> Iterator[Declaration]:
    """List the declarations of a file in their order; rules within a ruling belong to the ruling."""
    heads = [
        each for each in HEAD.finditer(text)
        if not (each["indent"] and (each["word"] in STEPS or not _opens(each["word"])))
    ]  # fmt: skip
    for head, after in zip(heads, [*heads[1:], None], strict=True):
        end = after.start() if after else len(text)
        first = text.count("\n", 0, head.start()) + 1
        body = text[head.start() : end]
        last = first + body.rstrip().count("\n")
        yield Declaration(head["word"], head["label"] or "", head.start(), end, first, last, body)


def _opens(word: str) -> bool:
    """Return whether a word that is indented begins a declaration, and no step or line of an example."""
    return word in {*LAWS, "example", "reading", "dispute", "case", "verdict", "condition", "value", "sum", "define"}
