"""Plant a fault in a copy of the rules, and decide whether a finding locates it.

In: a fault. Out: whether new findings are in the edited declaration, or in the line of a data file; only elsewhere; or
absent. The findings of `check` are compared first; if none locates the fault, those of failing examples, and those of
changes against the last commit. All runs in this process, and proofs are reused for the next fault.
"""

import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from compiler.analysis.prove import stack_checks
from compiler.compile import compile_stack
from compiler.query.database import Database
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.source.package import Library, discover_layers
from rulewright.checks.proofs import list_findings
from rulewright.checks.revisions.revision_comparison import compare_with_revision
from rulewright.checks.revisions.revision_texts import read_revision
from rulewright.checks.testing import run_tests
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import PackageSet, Stack
from tests.codes.committed import commit
from tests.faults.fault import Fault
from tests.parsed import unused_database

CAUSE, ELSEWHERE, MISSED = "at the cause", "elsewhere", "missed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a fault, with the method that found it and the new findings."""

    fault: Fault
    outcome: str
    by: str
    found: tuple[Diagnostic, ...]

    def summary(self) -> str:
        """Return the verdict in one line, followed by a line for each of the first three findings."""
        lines = [f"{self.outcome:13} {self.by:6} {self.fault.summary()}"]
        for each in self.found[:3]:
            at = [f"{label.span.file}:{label.span.line}" for label in each.spans[:2]]
            lines.append(f"      {each.code} {each.message.splitlines()[0][:150]} {' '.join(at)}")
        return "\n".join(lines)


@dataclass
class Judge:
    """A copy of the rules in which one fault at a time is planted."""

    root: Path
    database: Database = field(default_factory=unused_database)
    known: dict[tuple[str, str], frozenset[tuple[str, str]]] = field(default_factory=dict)

    @classmethod
    def in_copy(cls, place: Path) -> "Judge":
        """Copy the shipped rules to a repository with one commit."""
        shutil.copytree(rules_folder(), place / "rules")
        commit(place / "rules")
        return cls(place / "rules")

    def judge(self, fault: Fault, *, prose: bool) -> Verdict:
        """Plant a fault, judge it, and restore the file; faults in `prose` change no proof and no example."""
        stack = self.stack_of(fault.file)
        looks: list[tuple[str, Callable[[Stack], Iterable[Diagnostic]]]] = [("check", read if prose else list_findings)]
        looks += [] if prose else [("test", _failing)]
        looks.append(("since", _changed_alone))
        for by, look in looks:
            self._know(by, stack, look)
        file = self.root / fault.file
        text = file.read_text(encoding="utf-8")
        file.write_text(fault.planted(text), encoding="utf-8")
        try:
            return self._judged(fault, stack, looks)
        finally:
            file.write_text(text, encoding="utf-8")

    def _judged(
        self, fault: Fault, stack: str, looks: list[tuple[str, Callable[[Stack], Iterable[Diagnostic]]]]
    ) -> Verdict:
        compiled_stack = self.compiled(stack)
        first: Verdict | None = None
        for by, look in looks:
            known = self.known[by, stack]
            new = tuple(each for each in look(compiled_stack) if _key(each) not in known)
            if any(_points_at(each, fault) for each in new):
                return Verdict(fault, CAUSE, by, new)
            first = first or (Verdict(fault, ELSEWHERE, by, new) if new else None)
        return first or Verdict(fault, MISSED, "", ())

    def _know(self, by: str, stack: str, look: Callable[[Stack], Iterable[Diagnostic]]) -> None:
        if (by, stack) not in self.known:
            self.known[by, stack] = frozenset(map(_key, look(self.compiled(stack))))

    def compiled(self, name: str) -> Stack:
        """Compile a stack of the copy in its current state."""
        library, problems = discover_layers([self.root], self.database)
        stack = compile_stack(library, name)
        env = stack.typed.env if stack.typed else None
        return Stack(name, library, stack.graph, env, (*problems, *stack.problems), library.texts)

    def stack_of(self, file: str) -> str:
        """Return the stack in which a file is checked: its layer, or for shared files a game."""
        folder = (self.root / file).parent
        while folder != self.root:
            if (folder / "layer.yaml").is_file():
                break
            folder = folder.parent
        name = folder.name
        return {"core": "panzer_leader", "rules": ""}.get(name, name) or self._game_of(file)

    def _game_of(self, file: str) -> str:
        library: Library = discover_layers([self.root], self.database)[0]
        board_line = re.compile(rf"^map:.*\b{Path(file).stem}\b", re.MULTILINE) if file.startswith("boards/") else None
        for card in filter(None, map(library.scenarios.get, library.scenarios)):
            text = library.texts[card.span.file]
            if board_line.search(text) if board_line else card.span.file.endswith(f"/{file}"):
                return card.uses.text
        return "panzer_leader"


def read(stack: Stack) -> Iterator[Diagnostic]:
    """Yield the findings about a stack, except those of proofs."""
    yield from stack.diagnostics
    if stack.graph is not None:
        problems = [problem for check in stack_checks(stack.graph) for problem in check()]
        yield from diagnose(problems, stack.texts)


def _changed_alone(stack: Stack) -> Iterator[Diagnostic]:
    """Yield the findings of the comparison with the first commit of the copy."""
    comparison = compare_with_revision(stack.library, stack.name, read_revision(stack.library, "HEAD"))
    yield from diagnose(comparison.findings if comparison else (), stack.texts)


def _failing(stack: Stack) -> Iterator[Diagnostic]:
    """Yield the findings of the examples of a stack, with the locations of their causes."""
    if stack.graph is None:
        return
    tested = run_tests(PackageSet(stack.library, ()), stack.name)
    for group in tested.groups:
        yield from diagnose((*group.failed, *group.problems), stack.texts)


def _key(each: Diagnostic) -> tuple[str, str]:
    return each.code, each.message


def _points_at(each: Diagnostic, fault: Fault) -> bool:
    """Return whether a finding has a label in the declaration of a fault."""
    spans = (label.span for label in each.spans)
    return any(span.file.endswith(f"/{fault.file}") and fault.first <= span.line <= fault.last for span in spans)
