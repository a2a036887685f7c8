"""Small stacks written as text; each stack is the text between two `---` lines of a fixture.

The lines before the first `---` are shared by all stacks of a file. `# file: x.yaml` starts another file of the stack.
`#! RulesOverlap` on a line expects a finding of this class with a party on that line, and, for clashes and gaps, a
witness; `#? RulesOverlap` expects the finding without a witness. A finding that is not announced fails the test.
"""

import re
from collections import Counter
from dataclasses import dataclass, fields
from pathlib import Path

from compiler.analysis.findings.hard_to_read import HardToRead
from compiler.analysis.findings.hooks_clash import HooksClash
from compiler.analysis.findings.term_answers import RuleOutside, RulesOverlap, TermGap
from compiler.analysis.findings.unasked_verdict import UnaskedVerdict
from compiler.analysis.parties import Party
from compiler.compile import compile_stack
from compiler.source.finding import Finding
from compiler.source.package import Library, discover_layers
from compiler.typed.from_layered import TypedStack
from runtime.graph import nodes as graph
from tests.parsed import unused_database

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A planted stack: its files, and the announced findings (class, file, line, whether proved)."""

    name: str
    files: dict[str, str]
    announced: Counter[tuple[str, str, int, bool]]


@dataclass(frozen=True)
class Planted:
    """A compiled stack, with its types and its library for questions in position files."""

    graph: graph.Graph
    typed: TypedStack
    library: Library


def cases(file: str) -> list[Case]:
    """Read all stacks of a fixture."""
    shared, *texts = re.split(r"^---", (HERE / file).read_text(), flags=re.MULTILINE)
    return [_case(shared, text) for text in texts]


def _case(shared: str, text: str) -> Case:
    name, _, body = text.partition("\n")
    files = {"layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n", "shared.rules": shared}
    parts = re.split(r"^# file: (\S+)\n", f"# file: case.rules\n{body}", flags=re.MULTILINE)[1:]
    files |= dict(zip(parts[::2], parts[1::2], strict=True))
    announced = Counter(
        (found[2], file, line, found[1] == "!")
        for file, written in files.items()
        for line, words in enumerate(written.splitlines(), 1)
        for found in re.finditer(r"#([!?]) (\w+)", words)
    )
    return Case(name.strip(), files, announced)


def compiled(files: dict[str, str], folder: Path, name: str = "planted") -> graph.Graph:
    """Compile a stack from its files; return its graph."""
    return planted(files, folder, name).graph


def planted(files: dict[str, str], folder: Path, name: str = "planted") -> Planted:
    """Compile a stack from its files; return its graph, types and library."""
    library = library_of(files, folder)
    result = compile_stack(library, name)
    assert result.graph is not None, [repr(problem) for problem in result.problems]
    assert result.typed is not None
    return Planted(result.graph, result.typed, library)


def library_of(files: dict[str, str], folder: Path) -> Library:
    """Write the files of some layers and read them as a library."""
    for file, text in files.items():
        place = folder / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    library, problems = discover_layers([folder], unused_database())
    assert not problems, problems
    return library


def found(problems: tuple[Finding, ...]) -> Counter[tuple[str, str, int, bool]]:
    """Count findings in the form in which fixtures announce them."""
    return Counter(
        (type(problem).__name__, Path(party.origin.file).name, party.origin.line, _is_proved(problem))
        for problem in problems
        for party in _parties(problem)
    )


def _is_proved(problem: Finding) -> bool:
    return not isinstance(problem, RulesOverlap | TermGap) or problem.witness is not None


def _parties(problem: Finding) -> tuple[Party, ...]:
    """Return the main parties of a problem: those of its first field with any; others are not compared."""
    match problem:
        case HardToRead() | UnaskedVerdict():  # The prose of the fixtures, and what they share but one does not ask.
            return ()
        case RulesOverlap(left=left, right=right, others=others):
            return (left, right, *others)
        case HooksClash(hook=hook, other=other):
            return (hook, other)
        case RuleOutside(rule=rule):
            return (rule,)
        case _:
            values = (getattr(problem, field.name) for field in fields(problem))
            in_fields = (value if isinstance(value, tuple) else (value,) for value in values)
            parties = (tuple(each for each in values if isinstance(each, Party)) for values in in_fields)
            return next(filter(None, parties), ())
