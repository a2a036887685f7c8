"""Diagnostics: the common form of all findings, whatever finds and renders them.

A diagnostic is complete: a renderer looks up nothing but the source lines to quote. Renderings are in `render/`; this
package is independent of output devices.
"""

from dataclasses import field

from compiler.source.sentence import Label, Severity, Witness
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
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
