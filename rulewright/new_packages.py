"""Generate the initial files of a game, of a variant of a stack, or of a ruling.

A variant has no changes at first; comments show how to change a cell of a chart of its stack, and how to lift a
prohibition. Both are compiled first, so that they have no findings when uncommented. Folders are written atomically.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from string import Template

from compiler.format.rules import format_rules
from compiler.layered.layer_selection import parse_request
from compiler.source.package import MANIFEST
from rulewright.atomic_files import save_folder, save_inside
from rulewright.errors import UsageError
from rulewright.library.stacks import Stack, load_stack, open_packages
from rulewright.proofs import prove_stack
from rulewright.shell_words import shell_word
from runtime.graph import nodes as graph

SCAFFOLD = Path(__file__).parent / "scaffold"
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LABEL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# The most candidates that are tried for a cell or a rule that can be changed alone.
TRIES = 12
# The file of a variant for the changes of its author.
CHANGES = "changes.rules"

Values = dict[str, str]


@dataclass(frozen=True, slots=True)
class WrittenFolder:
    """A folder with the names of the written files."""

    folder: Path
    files: tuple[str, ...]


def new_game(name: str, place: Path, packages: Sequence[Path] = ()) -> WrittenFolder:
    """Write a complete small game that can be checked, played and printed."""
    values = _values(name, packages)
    return _put(place / name, {file.name: _filled(file, values) for file in sorted((SCAFFOLD / "game").iterdir())})


def new_variant(name: str, on: str, place: Path, packages: Sequence[Path]) -> WrittenFolder:
    """Write a variant of a stack without changes, with examples of changes as comments.

    The comments concern a chart and a rule of this stack; each was compiled.
    """
    values = _values(name, packages)
    stack = load_stack(on, packages)
    rules = stack.rules
    stack_request = parse_request(stack.name)
    values["on"] = ", ".join(stack_request.layers)
    values["apart"] = f"\nnot with: [{', '.join(stack_request.excluded_names)}]" if stack_request.excluded_names else ""
    files = {file: _filled(SCAFFOLD / "variant" / file, values) for file in ("layer.yaml", "sources.yaml")}
    trial = _AdditionTest(name, tuple(packages), stack)
    changes_text = _filled(SCAFFOLD / "variant" / CHANGES, values)
    for template, choices in (("chart.rules", _cells(rules)), ("exception.rules", _targets(rules))):
        changes_text += "".join(
            f"\n{_remark(text)}" for text in trial.first_valid_template(template, files, values, choices)
        )
    return _put(place / name, {**files, CHANGES: changes_text})


def _remark(text: str) -> str:
    """Comment out rules by a prefix on each line; their own comments are unchanged."""
    lines = text.rstrip("\n").split("\n")
    return "".join(f"{line}\n" if line.startswith("#") else f"#|{line and f' {line}'}\n" for line in lines)


def new_ruling(label: str, folder: Path, packages: Sequence[Path]) -> WrittenFolder:
    """Add the template of a ruling to the layer in a folder."""
    if not LABEL.fullmatch(label):
        raise UsageError(f"`{label}` is no label: write it like `one-hex-minimum`")
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"a ruling goes into the folder of a layer: `--dir DIR`; `{folder}` has no {MANIFEST}")
    stack = load_stack(f"{folder.as_posix().rstrip('/')}/", packages)
    if stack.graph is None:
        raise UsageError(f"`{folder}` has errors; `rulewright check {shell_word(folder)}/` shows them")
    if label in stack.graph.rules or label in stack.graph.rulings or label in stack.graph.cases:
        raise UsageError(f"the label `{label}` is taken")
    own_labels = [rule.label for rule in stack.graph.rules.values() if rule.origin.layer == stack.graph.layers[-1].name]
    if not own_labels:
        raise UsageError(f"`{folder}` has no rules that a ruling could clarify")
    file = folder / "rulings.rules"
    text = _filled(SCAFFOLD / "ruling" / "ruling.rules", {"label": label, "target": own_labels[0]})
    before = file.read_text(encoding="utf-8") if file.is_file() else ""
    save_inside(folder, file.name, before + (text if before else text.lstrip("\n")))
    return WrittenFolder(folder, (file.name,))


def _values(name: str, packages: Sequence[Path]) -> Values:
    """Return the variables of the templates; `UsageError` for an invalid or used name."""
    if not SNAKE_CASE.fullmatch(name):
        raise UsageError(f"`{name}` is no name: write it like `deep_snow`")
    if name in open_packages(packages).library.layers:
        raise UsageError(f"there is a layer `{name}` already")
    prefix = "".join(part[0] for part in name.split("_")).upper() if "_" in name else name[:4].upper()
    return {
        "name": name,
        "dash": name.replace("_", "-"),
        "title": name.replace("_", " ").title(),
        "prefix": f"{prefix}V" if len(prefix) < 2 else prefix,
    }


def _filled(file: Path, values: Mapping[str, str]) -> str:
    """Substitute a template; rules are formatted afterwards, as the layout depends on the length of names."""
    text = Template(file.read_text(encoding="utf-8")).substitute(values)
    return format_rules(text, file.name)[0] if file.suffix == ".rules" else text


def _put(folder: Path, files: Mapping[str, str]) -> WrittenFolder:
    """Write a new folder atomically; `UsageError` if it exists."""
    if folder.exists():
        raise UsageError(f"`{folder}` is there already")
    save_folder(folder, {name: text.encode() for name, text in files.items()})
    return WrittenFolder(folder, tuple(sorted(files)))


def _fill(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


@dataclass(frozen=True, slots=True)
class _AdditionTest:
    """A test of additions to a variant, by compiling them."""

    name: str
    packages: tuple[Path, ...]
    base: Stack

    def first_valid_template(
        self, template: str, files: Mapping[str, str], values: Values, choices: Iterator[Values]
    ) -> tuple[str, ...]:
        """Return a template with the first values that cause no finding, as a tuple; () if there are none."""
        for choice in islice(choices, TRIES):
            text = _filled(SCAFFOLD / "variant" / template, {**values, **choice})
            if self.is_clean({**files, CHANGES: text}):
                return (text,)
        return ()

    def is_clean(self, files: Mapping[str, str]) -> bool:
        """Return whether the variant itself has no findings."""
        with tempfile.TemporaryDirectory() as temporary_folder:
            folder = Path(temporary_folder) / self.name
            _fill(folder, files)
            stack = load_stack(f"{folder.as_posix()}/", self.packages)
            if stack.is_broken or stack.graph is None:
                return False
            own_files = {path for path in stack.library.texts if path.startswith(f"{self.name}/")}
            found = [label.span.file for each in stack.diagnostics for label in each.spans]
            return own_files.isdisjoint(found) and not self.new_findings(stack.graph)

    def new_findings(self, rules: graph.Graph) -> bool:
        """Return whether proofs have more findings than for the base."""
        assert self.base.graph
        return len(prove_stack(rules).problems) > len(prove_stack(self.base.graph).problems)


def _cells(rules: graph.Graph) -> Iterator[Values]:
    """Yield candidate cells with a cost of several points, as template variables."""
    for table in rules.tables.values():
        for row in table.rows:
            match row.value:
                case graph.Num(value, measure) if value > 1 and measure and value.denominator == 1:
                    keys = [_key(key) for key in row.keys]
                    if all(keys):
                        cell, new_value = f"{table.name}[{', '.join(keys)}]", f"{value + 1} {measure}"
                        claim = (
                            f"{cell} is {row.kind} and {cell}.{row.kind} = {new_value}"
                            if row.kind
                            else f"{cell} = {new_value}"
                        )
                        yield {"cell": cell, "old": f"{value} {measure}", "new": new_value, "claim": claim}


def _key(accepted: tuple[graph.Match, ...] | None) -> str:
    """Format a key that accepts a single name; "" for others."""
    match accepted:
        case (graph.Match(str() as low, high),) if low == high and re.fullmatch(r"\w+", low):
            return low
        case _:
            return ""


def _targets(rules: graph.Graph) -> Iterator[Values]:
    """Yield candidate prohibitions of verdicts about a piece, those with hexes as parameters first."""
    terms = [term for term in rules.terms.values() if term.form == "verdict" and term.parameters]
    terms.sort(key=lambda term: -sum(isinstance(parameter.type, graph.Hex) for parameter in term.parameters))
    for term in terms:
        subject = term.parameters[0]
        if isinstance(subject.type, graph.Piece) and len(subject.type.kinds) == 1:
            for label in term.rules:
                if rules.rules[label].verb == "forbids" and rules.rules[label].guard is not None:
                    yield {"target": label, "subject": subject.name, "kind": subject.type.kinds[0]}
