"""The declarations of a file of rules, as spans of its text.

In: the text of a file. Out: each declaration with its keyword ("rule", "action"), its label, its span and its text. A
declaration ends where the next begins, so those in the braces of a case or a dispute are listed separately.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

HEADS = (
    "rule|ruling|example|action|resolution|reaction|after|sequence|insert phase|phase|value|verdict|condition|sum|min"
    "|max|set|define|dispute|reading|case|precondition|extend|track|status|trait|kind|measure|enum|domain|scale|side|feature"
    "|path|relation|record|task|always|event|wording|outcome|requires|place|equivalent"
)
# These words are steps where they are indented.
HEAD = re.compile(rf"^(?P<indent> *)(?P<word>{HEADS})\b(?! to\b)(?: (?P<label>[\w-]+))?", re.MULTILINE)
STEPS = {"set", "phase", "track"}
LAWS = {"rule", "ruling"}
PROCEDURES = {"action", "resolution", "reaction", "after", "sequence"}


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration: its keyword, its label, and its span, in characters and in lines from 1."""

    word: str
    label: str
    start: int
    end: int
    first: int
    last: int
    text: str


def declarations(text: str) -> Iterator[Declaration]:
    """Yield the declarations of a file in their order, including indented ones of cases, disputes and rulings."""
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
    """Return whether an indented keyword begins a declaration, and not a step or a line of an example."""
    return word in {*LAWS, "example", "reading", "dispute", "case", "verdict", "condition", "value", "sum", "define"}
