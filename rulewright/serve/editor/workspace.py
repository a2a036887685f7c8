"""The workspace of an editor: findings, meanings and completions of the files in folders of rules.

In: folders, and the texts in the editor. Out: diagnostics by file, and the semantic index of each stack. A file is
analyzed in the stack of its layer, a scenario card in the stack that it is written for. The text in the editor is
compiled with its stack on every change, which takes a tenth of a second. Proofs take longer, and are requested after a
pause (proving.py). If a stack does not compile, words are explained by its last version that did. Names are resolved by
the semantic index of the stack (compiler/index), which does not require that it compiles; texts are those of the
editor, saved or not.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compiler.analysis.budgets import MOST_PROOF_STEPS
from compiler.compile import problems_of_stack
from compiler.format.rules import format_rules
from compiler.index.occurrences import Occurrence
from compiler.index.semantic_index import SemanticIndex
from compiler.layered.layer_selection import layers_of_stack
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.report.render.editor import editor_diagnostic
from compiler.source.documents import read_documents
from compiler.source.files import PackageFile, read_text, reading_unsaved
from compiler.source.parse import parse_rules
from compiler.source.sentence import Severity
from compiler.stack_index import index_stack
from rulewright.checks.checking import check_stack
from rulewright.checks.failures import list_failures
from rulewright.checks.testing import run_stack
from rulewright.explain.views.pages import as_text, explain_page
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import PackageSet, Stack, load_from, open_packages
from rulewright.serve.editor.addresses import spelled_address
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

RULES, DATA = ".rules", ".yaml"
# A finding in the form of the protocol (compiler/report/render/editor.py).
Finding = dict[str, Any]
FileFindings = dict[Path, list[Finding]]
FindingsListener = Callable[[FileFindings], None]


@frozen_dataclass
class _FileLine:
    """A zero-based line of a file."""

    path: Path
    line: int


@frozen_dataclass
class CompletionOffer:
    """A completion: its word, its kind, and its sentence."""

    word: str
    kind: str
    reads: str


@frozen_dataclass
class IndexedStack:
    """A stack of the available packages with its index; `files` are the names of files in spans."""

    packages: PackageSet
    stack: str
    index: SemanticIndex
    files: Mapping[Path, str]
    # The names of the file and its text when the types of names were last known.
    last_typed_names: tuple[tuple[Occurrence, ...], str]

    def path_of(self, file: str) -> Path | None:
        """Return the path of a file in a span; None if it is unknown."""
        found = self.packages.library.texts.file(file)
        return found.path if found else None

    def names_at(self, path: Path, line: int, column: int) -> tuple[Occurrence, ...]:
        """Return the names at a one-based position of a file; between two names, those of the name that ends there."""
        file = self.files.get(path.resolve())
        return self.index.occurrences_at(file, line, column) if file else ()


@dataclass(slots=True)
class EditorWorkspace:
    """The available packages of an editor, and the last compiled stacks."""

    packages: Sequence[Path] = ()
    steps: int = MOST_PROOF_STEPS  # for the proofs of one question or place
    buffers: dict[Path, str] = field(default_factory=dict)  # texts of open files
    # The addresses of open files and folders as the editor spells them, by their real paths.
    addresses: dict[Path, str] = field(default_factory=dict)
    _sound: dict[str, Stack] = field(default_factory=dict)
    _last_typed_names: dict[Path, tuple[tuple[Occurrence, ...], str]] = field(default_factory=dict)
    _compiled: dict[Path, str] = field(default_factory=dict)  # the text of each file that compiled last
    _reading: PackageSet | None = None  # the packages in reach, within `with_packages_in_reach`

    # ------------------------------------------------------------ findings

    def read(self, path: Path, text: str | None = None) -> FileFindings:
        """Return the findings of compiling the stack of a file by file, with `text` in place of its content."""
        with self._with(path, text):
            package_set = self.packages_in_reach()
            name = _stack_of(package_set, path)
            if name is None:
                own_findings = self._alone(
                    path, read_text(PackageFile(path, path.as_posix()))[0] if text is None else text
                )
                general_findings: FileFindings = {path: []} | self._by_file(
                    diagnose(package_set.problems, package_set.texts()), package_set
                )
                return general_findings | ({path: own_findings} if own_findings else {})
            problems = (*package_set.problems, *problems_of_stack(package_set.library, name))
            stack = Stack(name, package_set.library, None, None, problems, package_set.texts())
            if text is not None and not any(diagnostic.severity is Severity.ERROR for diagnostic in stack.diagnostics):
                self._compiled[path] = text
            clean: FileFindings = {each: [] for each in _files_of(package_set, name)}
            return clean | self._by_file(stack.diagnostics, package_set)

    def prove(self, path: Path, text: str | None = None, on_proved: FindingsListener | None = None) -> FileFindings:
        """Return the findings of `check` in the stack of a file, by file; {} for a file without a stack.

        `on_proved` is called with the findings before cards and examples are checked.
        """
        with self._with(path, text):
            package_set = self.packages_in_reach()
            name = _stack_of(package_set, path)
            if name is None:
                return {}
            clean: FileFindings = {each: [] for each in _files_of(package_set, name)}

            def report_findings(found: Sequence[Diagnostic]) -> None:
                if on_proved is not None:
                    on_proved(clean | self._by_file(found, package_set))

            found = check_stack(name, self._packages(), self.steps, on_proved=report_findings).diagnostics
            return clean | self._by_file(found, package_set)

    def compile(self, path: Path, text: str) -> None:
        """Compile the stack of a file with `text` in place of its content, and compute the hashes that proofs use."""
        with self._with(path, text):
            package_set = self.packages_in_reach()
            name = _stack_of(package_set, path)
            if name is not None:
                load_from(package_set, name)
                _ = (
                    package_set.library.texts.meaning_hash
                )  # Memoized per text before a fork, which would compute it again.

    def failing_examples(self, path: Path, text: str | None) -> FileFindings:
        """Return the failures of the examples in the layer of a file, run under its own stack.

        {} for a file without a stack, and for a stack that does not compile.
        """
        with self._with(path, text):
            package_set = self.packages_in_reach()
            name = _stack_of(package_set, path)
            if name is None:
                return {}
            stack = package_set.compiled(name)
            if stack.graph is None or stack.is_broken or stack.graph.scenario is not None:
                return {}
            runs = run_stack(stack.graph, {name})
            return self._by_file(
                diagnose(list_failures([run for run in runs if not run.has_passed]), package_set.texts()), package_set
            )

    @contextmanager
    def _with(self, path: Path, text: str | None) -> Iterator[None]:
        """Read files from the editor's buffers within the context, and `path` as `text`."""
        overrides = {} if text is None else {path.resolve(): text}
        before, self._reading = self._reading, None
        try:
            with reading_unsaved({**self.buffers, **overrides}):
                yield
        finally:
            self._reading = before

    @contextmanager
    def with_packages_in_reach(self) -> Iterator[None]:
        """Discover packages once for all requests within the context."""
        with reading_unsaved(self.buffers):
            before, self._reading = self._reading, self.packages_in_reach()
            try:
                yield
            finally:
                self._reading = before

    @contextmanager
    def index_of(self, path: Path) -> Iterator["IndexedStack | None"]:
        """Yield the index of the stack of a file, None if it has none; files are read from the editor's buffers."""
        with reading_unsaved(self.buffers):
            package_set = self.packages_in_reach()
            name = _stack_of(package_set, path)
            if name is None:
                yield None
            else:
                (index, _), files = index_stack(package_set.library, name), _files_of(package_set, name)
                file = files.get(path.resolve(), "")
                if any(each.type for each in index.files.get(file, ())):
                    self._last_typed_names[path] = index.files[file], package_set.library.texts[file]
                elif path not in self._last_typed_names and path in self._compiled:
                    self._last_typed_names[path] = self._names_in(path, self._compiled[path])
                yield IndexedStack(package_set, name, index, files, self._last_typed_names.get(path, ((), "")))

    def _names_in(self, path: Path, text: str) -> tuple[tuple[Occurrence, ...], str]:
        """Return the names of an earlier text of a file, which compiled, with the text."""
        with self._with(path, text):
            package_set = self.packages_in_reach()
            name = _stack_of(package_set, path)
            file = _files_of(package_set, name).get(path.resolve(), "") if name else ""
            return index_stack(package_set.library, name)[0].files.get(file, ()) if name else (), text

    def _alone(self, path: Path, text: str) -> list[Finding]:
        """Return the problems of parsing a text without a stack."""
        name = path.as_posix()
        parse = parse_rules if path.suffix == RULES else read_documents
        _, problems = parse(text, name)
        return [
            editor_diagnostic(each, {name: text}, lambda name: self.uri_of(Path(name)))
            for each in diagnose(problems, {name: text})
        ]

    # ------------------------------------------------------------ words

    def explain(self, path: Path, word: str) -> str | None:
        """Return the page of `rulewright explain` on a word; None if it is unknown."""
        with reading_unsaved(self.buffers):
            stack = self.stack_of(path)
            page = None if stack is None else explain_page(stack, word)
            return None if stack is None or page is None else as_text(page, stack.rules)

    def declared_at(self, path: Path, word: str) -> _FileLine | None:
        """Return the place of the declaration of a word or paragraph; None if it is unknown."""
        with reading_unsaved(self.buffers):
            stack = self.stack_of(path)
            if stack is None:
                return None
            name, _, line = str((explain_page(stack, word) or {}).get("file", "")).rpartition(":")
            found = stack.library.texts.file(name)
            return _FileLine(found.path, int(line) - 1) if found else None

    def list_offers(self, path: Path) -> list[CompletionOffer]:
        """Return the words of a stack."""
        stack = self.stack_of(path)
        if stack is None or stack.graph is None:
            return []
        return _offers(stack.graph)

    def stack_of(self, path: Path) -> Stack | None:
        """Return the stack of a file, or its last version that compiled."""
        with reading_unsaved(self.buffers):
            package_set = self.packages_in_reach()
            name = _stack_of(package_set, path)
            if name is None:
                return None
            stack = package_set.compiled(name)
        if stack.graph is None and name not in self._sound and path in self._compiled:
            with self._with(path, self._compiled[path]):  # It was not requested while it compiled.
                stack = self.packages_in_reach().compiled(name)
        if stack.graph is None:
            return self._sound.get(name)
        self._sound[name] = stack
        return stack

    def packages_in_reach(self) -> PackageSet:
        """Return the available packages."""
        return self._reading or open_packages(self._packages())

    def _by_file(self, found: Sequence[Diagnostic], package_set: PackageSet) -> FileFindings:
        """Group findings by the file of their first span; findings without spans are omitted."""
        sorted_: FileFindings = {}
        texts = package_set.texts()

        def uri(name: str) -> str:
            file = package_set.library.texts.file(name)
            return self.uri_of(file.path if file else Path(name))

        for each in found:
            file = package_set.library.texts.file(each.spans[0].span.file) if each.spans else None
            if file:
                sorted_.setdefault(file.path, []).append(editor_diagnostic(each, texts, uri))
        return sorted_

    def uri_of(self, path: Path) -> str:
        """Return the address of a file as the editor spells it."""
        return spelled_address(self.addresses, path)

    def _packages(self) -> list[Path]:
        """Return the folders of packages, without those that contain the shipped rules."""
        shipped = rules_folder().resolve()
        return [package for package in self.packages if not shipped.is_relative_to(package.resolve())]


def format_text(path: Path, text: str) -> str | None:
    """Format a text like `fmt`; None if it is unchanged or cannot be parsed."""
    if path.suffix != RULES:
        return None
    after, problems = format_rules(text, path.as_posix())
    return None if problems or after == text else after


def _stack_of(package_set: PackageSet, path: Path) -> str | None:
    """Return the stack in which a file is analyzed; None if it has none, or one with layers out of reach."""
    name = _stack_named(package_set, path.resolve())
    return None if name is None or package_set.missing_layers(name) else name


def _stack_named(package_set: PackageSet, place: Path) -> str | None:
    library = package_set.library
    for name, files in library.files.items():
        manifest = library.texts.file(library.layers[name].span.file)
        if any(file.path == place for file in files) or (manifest and manifest.path == place):
            return name
    for name, (found, _) in library.scenarios.places.items():
        if found.path == place and (card := library.scenarios.get(name)):
            return str(card.uses.text)
    return None


def _files_of(package_set: PackageSet, name: str) -> dict[Path, str]:
    """Return the names in findings of the files of a stack, by path."""
    library, layers = package_set.library, _layers_of(package_set, name)
    manifests = [library.texts.file(library.layers[layer].span.file) for layer in layers]
    files = [file for layer in layers for file in library.files[layer]]
    return {file.path: file.name for file in (*manifests, *files) if file}


def _layers_of(package_set: PackageSet, name: str) -> tuple[str, ...]:
    """Return the available layers of a stack."""
    return tuple(layer.name.text for layer in layers_of_stack(package_set.library, name))


def _offers(rules: graph.Graph) -> list[CompletionOffer]:
    """Return the labels, questions, charts and procedures; of several with one name, the first."""
    found: dict[str, CompletionOffer] = {}

    def add(word: str, kind: str, reads: str) -> None:
        found.setdefault(word, CompletionOffer(word, kind, reads))

    for term in rules.terms.values():
        add(term.name, "question", term.reads)
    for table in rules.tables.values():
        keys = ", ".join(part.name for part in table.keys)
        add(table.name, "chart", f"{table.title}: {keys}" if table.title else keys)
    for procedure in rules.procedures.values():
        if procedure.what != "hook":
            add(procedure.name, procedure.what, procedure.prose or "")
    for label, rule in rules.rules.items():
        add(label, "rule", rule.prose or "")
    for label, ruling in rules.rulings.items():
        add(label, "ruling", ruling.answers)
    for label, case in rules.cases.items():
        add(label, "case", case.title or "")
    return sorted(found.values(), key=lambda each: each.word)
