"""Build a layer from a request: its files are compiled and their examples run before they are written.

In: a compiled stack, and a request. Out: a `Draft`: the files of a new layer, or of an extended layer of the
user, the findings of its compilation, and the examples that fail. Only a temporary folder is written to.
"""

import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from compiler.format.rules import format_rules
from compiler.layered.stack_request import parse_request
from compiler.report.diagnostic import Diagnostic
from compiler.report.render.line import diagnostic_line
from compiler.source.files import MANIFEST
from compiler.source.sentence import Severity
from rulewright.checks.testing import run_stack
from rulewright.games.scenarios import load_scenario
from rulewright.library.stacks import Stack, load_from, open_packages
from rulewright.system.errors import UsageError
from rulewright.write.change.change_form import ChangeForm, ChangeRequest
from rulewright.write.change.change_forms import kind_of
from rulewright.write.change.change_text import SNAKE_CASE, ChangeWriter
from rulewright.write.change.changed_card import CompiledCard
from rulewright.write.change.generated_example import begin_example
from rulewright.write.change.paragraph import ChangeParagraph
from rulewright.write.change.writing import unused_name
from runtime.examples.idle_parts import idle_parts
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

TITLE = re.compile(r'^example "([^"]*)"', re.MULTILINE)
CHANGES_FILES, SOURCES = "changes.rules", "sources.yaml"
DRAFT_KINDS = ("variant", "optional", "experimental", "rulings")
NO_EXAMPLE = "# No small position was found in which this decides an answer: write an example of your own."
NO_ATTEMPT = "# Write an example in which it is `refused`: for a withdrawn action none is searched."


@frozen_dataclass
class Draft:
    """A draft of a layer: `files` are complete, `added` has the new parts.

    `stack` is the name of the changed stack, `findings` are those of its compilation, `failed_titles` the titles of
    failing examples.
    """

    name: str
    stack: str
    files: Mapping[str, str]
    findings: tuple[str, ...]
    has_errors: bool = False
    failed_titles: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Return whether the draft compiles and its examples pass."""
        return not self.has_errors and not self.failed_titles

    @property
    def text(self) -> str:
        """Return the concatenation of all files, with their names."""
        return "\n".join(f"# {name}\n{text}" for name, text in self.files.items())


@dataclass(slots=True)
class _Layer:
    """A new layer, or an extended layer of the user."""

    request: ChangeRequest
    stack: Stack
    rules: graph.Graph
    existing_files: Mapping[str, str]
    packages: tuple[Path, ...]
    search_folders: tuple[Path, ...]  # folders of packages with the current stack
    used_prefixes: frozenset[str] = frozenset()  # prefixes of the documents beside it
    items: list[str] = field(default_factory=list)
    cards: dict[str, CompiledCard] = field(default_factory=dict)

    @property
    def prefix(self) -> str:
        """Return the prefix of the designer's document: that of the layer, or an unused one."""
        known = document_prefixes(self.existing_files.get(SOURCES, ""))
        if known:
            return known[0]
        name = self.request.name
        base = ("".join(part[0] for part in name.split("_")) if "_" in name else name[:4]).upper()
        base = f"{base}V" if len(base) < 2 else base
        prefixes = {document.prefix.text for document in self.stack.library.documents} | self.used_prefixes
        return unused_name(base, prefixes, "")

    def cite(self) -> str:
        """Return the next item of the designer's document."""
        numbers = [int(each) for each in re.findall(rf"\b{self.prefix}\.(\d+)", self.existing_files.get(SOURCES, ""))]
        item = f"{self.prefix}.{max(numbers, default=0) + len(self.items) + 1}"
        self.items.append(item)
        return item

    def card(self, name: str) -> CompiledCard:
        """Return a card, compiled under the stack; `UsageError` if it is broken."""
        if name not in self.cards:
            found = load_scenario(name, self.stack.name, self.search_folders)
            if found.is_broken or found.graph is None or found.graph.scenario is None:
                raise UsageError(
                    f"`{name}` cannot be read under `{self.stack.name}`; `rulewright show {name}` says more"
                )
            self.cards[name] = CompiledCard(found.graph, found.graph.scenario)
        return self.cards[name]


def document_prefixes(text: str) -> list[str]:
    """Return the prefixes of the documents in a list of sources."""
    return re.findall(r"prefix:\s*([A-Z][A-Z0-9]*)", text)


def draft_layer(
    stack: Stack,
    request: ChangeRequest,
    packages: Sequence[Path],
    existing_files: Mapping[str, str] | None = None,
    search_folders: Sequence[Path] = (),
    used_prefixes: Collection[str] = (),
) -> Draft:
    """Generate the layer of a request on a stack, with examples, and compile it.

    `existing_files` are the files of an extended layer: then `stack` contains it, and is found in `search_folders`.
    `used_prefixes` are prefixes of documents beside a new layer. Raises `UsageError` for an unknown name.
    """
    rules = stack.rules
    if not request.changes:
        raise UsageError("say what is to be changed")
    if not SNAKE_CASE.fullmatch(request.name):
        raise UsageError(f"`{request.name}` is no name: write it like `deep_snow`")
    if request.kind not in DRAFT_KINDS:
        raise UsageError(f"a layer is one of {', '.join(DRAFT_KINDS)}")
    if existing_files is None and request.name in stack.library.layers:
        raise UsageError(f"there is a layer `{request.name}` already")
    places = tuple(packages), tuple(search_folders or packages)
    layer = _Layer(request, stack, rules, existing_files or {}, *places, used_prefixes=frozenset(used_prefixes))
    paragraphs = _paragraphs(layer)
    examples = [*_examples(layer, paragraphs)]
    return _compiled(layer, _files(layer, paragraphs, examples))


def _paragraphs(layer: _Layer) -> list[ChangeParagraph]:
    """Format the changes."""
    writer = ChangeWriter(layer.stack, layer.rules, layer.cite, layer.card)
    return [
        kind_of(kind).write(writer, ChangeForm(layer.stack, layer.rules, values))
        for kind, values in layer.request.changes
    ]


def _name_of(layer: _Layer) -> str:
    """Return the name of the changed stack."""
    name, layer_name = layer.stack.name, layer.request.name
    return name if layer_name in name.split("+") else f"{name}+{layer_name}"


def _files(layer: _Layer, paragraphs: Sequence[ChangeParagraph], examples: Sequence[str]) -> dict[str, str]:
    """Return all files of the layer, by name."""
    request, files = layer.request, dict(layer.existing_files)
    title = request.name.replace("_", " ").title()
    if not layer.existing_files:
        stack_request = parse_request(layer.stack.name)
        exclusion = f"not with: [{', '.join(stack_request.excluded_names)}]\n" if stack_request.excluded_names else ""
        files[MANIFEST] = (
            f"layer: {request.name}\ntitle: {title}\nkind: {request.kind}\n"
            f"on: [{', '.join(stack_request.layers)}]\n{exclusion}cites: {layer.prefix}.1\n"
        )
    files[SOURCES] = _sources(layer, title)
    for paragraph in paragraphs:
        name, text = paragraph.patch
        if name:
            files[name] = f"{files[name].rstrip()}\n---\n{text}" if files.get(name, "").strip() else text
    texts = [f"{paragraph.rules}\n{example}" for paragraph, example in zip(paragraphs, examples, strict=True)]
    new = "\n".join(text.strip("\n") + "\n" for text in texts if text.strip())
    if new:
        files[CHANGES_FILES] = "\n".join(
            part for part in (files.get(CHANGES_FILES, "").rstrip("\n") + "\n", _formatted(new)) if part.strip()
        )
    return files


def _sources(layer: _Layer, title: str) -> str:
    """Return the list of sources, with an item of the designer's document for each change."""
    known = layer.existing_files.get(SOURCES, "")
    items_match = re.search(r"items:\s*\[([^\]]*)\]", known)
    if items_match and re.search(rf"\b{layer.prefix}\.\d+", items_match[1]):
        return known[: items_match.end(1)] + "".join(f", {each}" for each in layer.items) + known[items_match.end(1) :]
    entry = f"  - prefix: {layer.prefix}\n    title: {title}, by its designer\n    items: [{', '.join(layer.items)}]\n"
    return f"{known.rstrip()}\n{entry}" if known.strip() else f"sources:\n{entry}"


def _formatted(text: str) -> str:
    """Format rules like `fmt`; a text that does not parse is unchanged, and compilation reports it."""
    return format_rules(text, CHANGES_FILES)[0]


def _examples(layer: _Layer, paragraphs: Sequence[ChangeParagraph]) -> Iterator[str]:
    """Yield examples for each paragraph: its predefined one, or one with an answer that the change affects."""
    files = _files(layer, paragraphs, ["" for _ in paragraphs])
    titles = {title for text in layer.existing_files.values() for title in TITLE.findall(text)}
    with _in_folder(layer, files) as changed:
        for paragraph in paragraphs:
            found = [paragraph.example] if paragraph.example else []
            if not changed.is_broken and changed.graph is not None and paragraph.terms:
                found += _first_that_passes(layer, files, paragraph, changed)
            found = [_titled(each, titles) for each in found]
            missing = NO_EXAMPLE if paragraph.terms else NO_ATTEMPT
            yield "\n".join(found) or (f"{missing}\n" if paragraph.rules else "")


def _titled(example: str, titles: set[str]) -> str:
    """Return an example with a title that is unique in the layer."""
    found = TITLE.search(example)
    assert found is not None
    title = unused_name(found[1], titles, ", ")
    titles.add(title)
    return f"{example[: found.start(1)]}{title}{example[found.end(1) :]}"


def _first_that_passes(
    layer: _Layer, files: Mapping[str, str], paragraph: ChangeParagraph, changed: Stack
) -> list[str]:
    """Return the first candidate example that passes, as a list; [] if there is none."""
    decides = paragraph.decides or (paragraph.label,)
    for example in begin_example(layer.stack, changed, paragraph.terms, paragraph.label, paragraph.title, decides):
        if _passes(layer, files, example):
            return [_formatted(example)]
    return []


def _passes(layer: _Layer, files: Mapping[str, str], example: str) -> bool:
    tried = TITLE.sub('example "the example that is tried"', example, count=1)
    return _compiled(layer, {**files, CHANGES_FILES: f"{files.get(CHANGES_FILES, '')}\n{tried}"}).is_sound


def _compiled(layer: _Layer, files: Mapping[str, str]) -> Draft:
    """Compile the layer and run its examples."""
    with _in_folder(layer, files) as changed:
        errors = any(diagnostic.severity is Severity.ERROR for diagnostic in changed.diagnostics)
        # Findings contain the path of the temporary folder.
        found = tuple(
            re.sub(r"^\S*?([\w-]+/[\w.-]+:\d)", r"\1", diagnostic_line(each)) for each in _new_findings(layer, changed)
        )
        draft = Draft(layer.request.name, _name_of(layer), dict(files), found)
        if errors or changed.graph is None:
            return replace(draft, findings=found or ("it does not compile",), has_errors=True)
        runs = run_stack(changed.graph, {layer.request.name})
        idle_examples = {each.origin for each in idle_parts(runs)}
        failed = [run.example.title for run in runs if not run.has_passed or run.example.origin in idle_examples]
        return replace(draft, failed_titles=tuple(dict.fromkeys(failed)))


def _new_findings(layer: _Layer, changed: Stack) -> Iterator[Diagnostic]:
    """Yield the findings that the stack without the changes does not have."""
    known = {diagnostic.message for diagnostic in layer.stack.diagnostics}
    return (diagnostic for diagnostic in changed.diagnostics if diagnostic.message not in known)


@contextmanager
def _in_folder(layer: _Layer, files: Mapping[str, str]) -> Iterator[Stack]:
    """Yield the stack with the files of the layer in a temporary folder, without other editions of the layer."""
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(aside) / layer.request.name
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8", newline="\n")
        yield compiled_in(_name_of(layer), (*layer.packages, Path(aside)))


def compiled_in(name: str, packages: Sequence[Path]) -> Stack:
    """Compile a stack by the names of its layers, without searching the working directory."""
    return load_from(open_packages(packages), name)
