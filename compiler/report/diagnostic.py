"""The one object every finding becomes, whatever found it and wherever it is shown.

A diagnostic is complete: a renderer looks nothing up but the source lines to quote.
Renderings live in `render/`; this package is independent of screens.
"""

from enum import StrEnum

from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


class Severity(StrEnum):
    """Errors are bugs and stop the stack; warnings are suspicions."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Label:
    """One party to a finding: where it stands and what it has to do with it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Witness:
    """A position that proves a finding: in words, and as a file that `ask -p` accepts.

    `when` is "cold = yes, gait = wheel"; `share` says how common it is, "12 of 64
    combinations". `file` is the text of the position, `question` what to ask of it and `answer` what
    comes back; `path` is "" until the text is saved.
    """

    when: str
    share: str = ""
    question: str = ""
    answer: str = ""
    file: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding. `spans` names every party, the one to mend first; empty when it is about no file.

    `why` is the explanation of an answer that was not expected, of any number of lines.
    """

    code: str
    severity: Severity
    message: str
    spans: tuple[Label, ...]
    help: str = ""
    witness: Witness | None = None
    why: str = ""


def place_text(span: Span) -> str:
    """Write a span as people and editors read it: `file:line:column`."""
    return f"{span.file}:{span.line}:{span.column}" if span.line else span.file
