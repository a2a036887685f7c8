"""Findings: what the passes report, each as facts with its code and its words.

A finding is one class. Its decorator states the code, its fields are the facts, with the places of all parties, and
`sentence` is what people read. The classes are in the folders `findings` of the rooms that report them, and the numbers
of all are explained in compiler/report/codes.py.
"""

import pkgutil
from abc import abstractmethod
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import ClassVar, TypeVar, dataclass_transform

from compiler.source.sentence import Label, Sentence, Severity
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass

ERROR, WARNING = Severity.ERROR, Severity.WARNING


@frozen_dataclass
class FindingCode:
    """The code of a kind of finding: its number, the slug of its page, and its severity unless a sentence has one."""

    number: str
    slug: str
    severity: Severity

    @property
    def page(self) -> str:
        """Return the file name of the page that explains the code."""
        return f"{self.number}-{self.slug}.md"


@frozen_dataclass
class Finding:
    """Facts that a pass reports, with the places of all parties."""

    code: ClassVar[FindingCode]

    @abstractmethod
    def sentence(self) -> Sentence:
        """Return the words: what is wrong, the relation of each place to it, what to write instead.

        Style, after Cedar and Elm: lower case, no final period, the author's own text in backticks. The message is one
        sentence with the cause, the advice one with the cure; a label says nothing that the message says.
        """


@frozen_dataclass
class LocatedFinding(Finding):
    """A finding at one place in a source."""

    span: Span

    def sentence_here(
        self,
        message: str,
        note: str,
        advice: str = "",
        *others: Label,
        root: str = "",
        names: tuple[str, ...] = (),
        severity: Severity | None = None,
    ) -> Sentence:
        """Return the sentence of a finding, with a note on its place, and the labels of the other parties."""
        return Sentence(message, (Label(self.span, note), *others), advice, root=root, names=names, severity=severity)


FindingT = TypeVar("FindingT", bound=Finding)


@dataclass_transform(frozen_default=True)
def finding(number: str, slug: str, severity: Severity = ERROR) -> Callable[[type[FindingT]], type[FindingT]]:
    """Return a decorator that makes a class a frozen dataclass with a code. mypy refuses one without `sentence`."""

    def with_code(facts: type[FindingT]) -> type[FindingT]:
        record = frozen_dataclass(facts)
        record.code = FindingCode(number, slug, severity)
        return record

    return with_code


@cache
def load_findings(folder: str) -> frozenset[type[Finding]]:
    """Import the modules of a package, and return the findings that they have."""
    package = import_module(folder)
    found: set[type[Finding]] = set()
    for module_info in pkgutil.iter_modules(package.__path__):
        module = import_module(f"{folder}.{module_info.name}")
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Finding) and "code" in vars(value):
                found.add(value)
    return frozenset(found)
