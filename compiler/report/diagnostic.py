"""Diagnostics: the common form of all findings, whatever finds and renders them.

A diagnostic is complete: a renderer looks up nothing but the source lines to quote. Renderings are in `render/`; this
package is independent of output devices.
"""

from dataclasses import field
from enum import StrEnum

from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


class Severity(StrEnum):
    """The severity of a finding: errors are bugs and prevent the stack from compiling; warnings are suspicions."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Label:
    """One party to a finding: its span and its relation to the finding."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Witness:
    """A position that proves a finding: as a sentence, and as a file that `ask -p` accepts.

    `when` is "cold = yes, gait = wheel"; `share` is its frequency, "12 of 64 combinations". `file` is the text of the
    position, `question` the question about it and `answer` the answer; `path` is "" until the text is saved.
    """

    when: str
    share: str = ""
    question: str = ""
    answer: str = ""
    file: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding. `spans` are the parties, the one to correct first; empty if it concerns no file.

    `explanation` is the explanation of an unexpected answer, of any number of lines. `root` and `names` are those of
    its sentence, by which consequences are folded.
    """

    code: str
    severity: Severity
    message: str
    spans: tuple[Label, ...]
    help: str = ""
    witness: Witness | None = None
    explanation: str = ""
    root: str = field(default="", compare=False)
    names: tuple[str, ...] = field(default=(), compare=False)


def place_text(span: Span) -> str:
    """Format a span as people and editors read it: `file:line:column`."""
    return f"{span.file}:{span.line}:{span.column}" if span.line else span.file
