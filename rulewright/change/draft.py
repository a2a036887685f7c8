"""Build a layer: its files, compiled and tried before they are written.

In: a compiled stack, and a request. Out: a `Draft`: the text files of a new layer, or those to be added to a layer of
the user's, the findings of compiling it, and whether its examples pass. Nothing is written but into a temporary
folder.
"""

import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from compiler.format.rules import format_rules
from compiler.layered.layer_selection import parse_request
from compiler.report.diagnostic import Diagnostic, Severity
from compiler.report.render.line import diagnostic_line
from compiler.source.package import MANIFEST
from rulewright.change.adapted_position import adapted_examples, refusal_examples, repeated_examples
from rulewright.change.cards import Card
from rulewright.change.examples import begin_example, begun_on_rule
from rulewright.change.kinds import Request
from rulewright.change.text import NAME, Paragraph, Writer
from rulewright.errors import UsageError
from rulewright.games import load_scenario
from rulewright.library.stacks import Stack, load_from, open_packages
from rulewright.testing import run_stack
from runtime.examples.idle_parts import idle_parts
from runtime.graph import nodes as graph

TITLE = re.compile(r'^example "([^"]*)"', re.MULTILINE)
RULES, SOURCES = "changes.rules", "sources.yaml"
KINDS = ("variant", "optional", "experimental", "rulings")
NO_EXAMPLE = "# No small position was found in which this changes an answer: write an example of your own."


@dataclass(frozen=True, slots=True)
class Draft:
    """A layer as it would be written: `files` are whole, those of `added` grow by what is new.

    `stack` is what the changed stack is called, `findings` what compiling says of it, `failed` the titles of examples
    that do not come out, `begun` how many examples there are.
    """

    name: str
    stack: str
    files: Mapping[str, str]
    findings: tuple[str, ...] = ()
    errors: bool = False
    failed: tuple[str, ...] = ()
    begun: int = 0
    notes: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Return whether it compiles and its examples pass."""
        return not self.errors and not self.failed

    @property
    def text(self) -> str:
        """Show all files, one after the other."""
        return "\n".join(f"# {name}\n{text}" for name, text in self.files.items())


@dataclass(slots=True)
class _Layer:
    """A layer that is begun, or one of the user's that grows."""

    request: Request
    stack: Stack
    rules: graph.Graph
    before: Mapping[str, str]
    packages: tuple[Path, ...]
    reach: tuple[Path, ...]  # where the stack as it is now is found
    taken: frozenset[str] = frozenset()  # prefixes of documents that lie beside it
    items: list[str] = field(default_factory=list)
    cards: dict[str, Card] = field(default_factory=dict)

    @property
    def prefix(self) -> str:
        """Return the prefix of the designer's document: that of the layer, or one that is not taken."""
        known = document_prefixes(self.before.get(SOURCES, ""))
        if known:
            return known[0]
        name = self.request.name
        base = ("".join(part[0] for part in name.split("_")) if "_" in name else name[:4]).upper()
        base = f"{base}V" if len(base) < 2 else base
        taken = {each.prefix for each in self.rules.documents} | self.taken
        return next(
            each
            for number in range(1, len(taken) + 3)
            if (each := f"{base}{number if number > 1 else ''}") not in taken
        )

    def cite(self) -> str:
        """Make the next item of the designer's document."""
        numbers = [int(each) for each in re.findall(rf"\b{self.prefix}\.(\d+)", self.before.get(SOURCES, ""))]
        item = f"{self.prefix}.{max(numbers, default=0) + len(self.items) + 1}"
        self.items.append(item)
        return item

    def card(self, name: str) -> Card:
        """Compile a card under the stack."""
        if name not in self.cards:
            found = load_scenario(name, self.stack.name, self.reach)
            if found.is_broken or found.graph is None or found.graph.scenario is None:
                raise UsageError(
                    f"`{name}` cannot be read under `{self.stack.name}`; `rulewright show {name}` says more"
                )
            self.cards[name] = Card(found.graph, found.graph.scenario)
        return self.cards[name]


def document_prefixes(text: str) -> list[str]:
    """Return the prefixes of the documents that a list of sources registers."""
    return re.findall(r"prefix:\s*([A-Z][A-Z0-9]*)", text)


def draft_layer(
    stack: Stack,
    request: Request,
    packages: Sequence[Path] = (),
    before: Mapping[str, str] | None = None,
    reach: Sequence[Path] = (),
    taken: Collection[str] = (),
) -> Draft:
    """Write a request as a layer on a stack, begin its examples, and compile it.

    `before` are the files of the layer of that name, if it is the user's and grows: then `stack` is compiled with it,
    and is found in `reach`. `taken` are prefixes of documents that lie beside a new layer. Whatever names nothing
    raises `UsageError`.
    """
    if stack.is_broken or stack.graph is None:
        raise UsageError(f"`{stack.name}` has errors; `rulewright check {stack.name}` shows them")
    if not request.changes:
        raise UsageError("say what is to be changed")
    if not NAME.fullmatch(request.name):
        raise UsageError(f"`{request.name}` is no name: write it like `deep_snow`")
    if request.kind not in KINDS:
        raise UsageError(f"a layer is one of {', '.join(KINDS)}")
    if before is None and request.name in stack.library.layers:
        raise UsageError(f"there is a layer `{request.name}` already")
    places = tuple(packages), tuple(reach or packages)
    layer = _Layer(request, stack, stack.graph, before or {}, *places, taken=frozenset(taken))
    writer = Writer(stack, stack.graph, request.name, layer.cite, layer.card)
    paragraphs = [writer.write_paragraph(each) for each in request.changes]
    examples = [*_examples(layer, paragraphs)]
    return _compiled(layer, _files(layer, paragraphs, examples), sum(bool(each) for each in examples))


def _name_of(layer: _Layer) -> str:
    """Name the changed stack."""
    name, own = layer.stack.name, layer.request.name
    return name if own in name.split("+") else f"{name}+{own}"


def _files(layer: _Layer, paragraphs: Sequence[Paragraph], examples: Sequence[str]) -> dict[str, str]:
    """Write all files of the layer."""
    request, files = layer.request, dict(layer.before)
    title = request.name.replace("_", " ").title()
    if not layer.before:
        asked = parse_request(layer.stack.name)
        apart = f"not with: [{', '.join(asked.left_off)}]\n" if asked.left_off else ""
        files[MANIFEST] = (
            f"layer: {request.name}\ntitle: {title}\nkind: {request.kind}\n"
            f"on: [{', '.join(asked.layers)}]\n{apart}cites: {layer.prefix}.1\n"
        )
    files[SOURCES] = _sources(layer, title)
    for paragraph in paragraphs:
        name, text = paragraph.patch
        if name:
            files[name] = f"{files[name].rstrip()}\n---\n{text}" if files.get(name, "").strip() else text
    texts = [f"{paragraph.rules}\n{example}" for paragraph, example in zip(paragraphs, examples, strict=True)]
    new = "\n".join(text.strip("\n") + "\n" for text in texts if text.strip())
    if new:
        files[RULES] = "\n".join(
            part for part in (files.get(RULES, "").rstrip("\n") + "\n", _laid_out(new)) if part.strip()
        )
    return files


def _sources(layer: _Layer, title: str) -> str:
    """Register the items of the designer's document, each for one change."""
    known = layer.before.get(SOURCES, "")
    listed = re.search(r"items:\s*\[([^\]]*)\]", known)
    if listed and re.search(rf"\b{layer.prefix}\.\d+", listed[1]):
        return known[: listed.end(1)] + "".join(f", {each}" for each in layer.items) + known[listed.end(1) :]
    own = f"  - prefix: {layer.prefix}\n    title: {title}, by its designer\n    items: [{', '.join(layer.items)}]\n"
    return f"{known.rstrip()}\n{own}" if known.strip() else f"sources:\n{own}"


def _laid_out(text: str) -> str:
    """Lay rules out as `fmt` does; a text that does not parse stays, and compiling says why."""
    return format_rules(text, RULES)[0]


def _examples(layer: _Layer, paragraphs: Sequence[Paragraph]) -> Iterator[str]:
    """Begin an example for each paragraph: the one known beforehand, and one that shows an answer that differs."""
    bare = _files(layer, paragraphs, ["" for _ in paragraphs])
    titles = {title for text in layer.before.values() for title in TITLE.findall(text)}
    with _in_folder(layer, bare) as changed:
        for paragraph in paragraphs:
            found = [paragraph.example] if paragraph.example else []
            if not changed.is_broken and changed.graph is not None and (paragraph.terms or paragraph.action):
                found += _first_that_passes(layer, bare, paragraph, changed)
            found = [_titled(each, titles) for each in found]
            yield "\n".join(found) or (f"{NO_EXAMPLE}\n" if paragraph.rules else "")


def _titled(example: str, taken: set[str]) -> str:
    """Assign an example a title that no other of the layer has."""
    found = TITLE.search(example)
    assert found is not None
    title = next(
        each
        for number in range(1, len(taken) + 3)
        if (each := found[1] if number == 1 else f"{found[1]}, {number}") not in taken
    )
    taken.add(title)
    return f"{example[: found.start(1)]}{title}{example[found.end(1) :]}"


def _first_that_passes(layer: _Layer, bare: Mapping[str, str], paragraph: Paragraph, changed: Stack) -> list[str]:
    """Return the first of the examples that comes out as it says, if there is one."""
    if paragraph.withdrawn:
        with _without(layer, paragraph.withdrawn) as without:
            if without.is_broken or without.graph is None:
                return []
            wanted = [*begun_on_rule(layer.stack, without, paragraph.terms, paragraph.label, paragraph.title)]
        wanted += [
            each for stack in _below(layer) for each in repeated_examples(stack, paragraph.label, paragraph.title)
        ]
    else:
        wanted = [
            *begin_example(
                layer.stack,
                changed,
                paragraph.terms,
                paragraph.label,
                paragraph.title,
                paragraph.decides or (paragraph.label,),
            )
        ]
    for each in wanted:
        if _passes(layer, bare, each):
            return [_laid_out(each)]
    return _adapted(layer, bare, paragraph) if paragraph.answer or (paragraph.action and paragraph.when) else []


def _adapted(layer: _Layer, bare: Mapping[str, str], paragraph: Paragraph) -> list[str]:
    """Return an example with a position of the stack's examples, if one is answered otherwise because of the rule."""
    reason = "by" if paragraph.answer == "forbidden" else "because"
    expected = f"{paragraph.answer} {reason} {paragraph.label}"
    silent = f'\nrule {paragraph.label}-silent [house] "It never speaks." exception to {paragraph.label}\n'
    known = bare.get(RULES, "")
    # An action that is withdrawn has no rule that could be silenced.
    without = {**bare, RULES: known.replace(_laid_out(paragraph.rules), "") if paragraph.action else f"{known}{silent}"}
    for stack in _below(layer):
        found = (
            refusal_examples(stack, paragraph.action, paragraph.when, paragraph.title)
            if paragraph.action
            else adapted_examples(stack, paragraph.terms[0], paragraph.when, expected, paragraph.title)
        )
        for text, opposite in found:
            if _passes(layer, bare, text) and _passes(layer, without, opposite):
                return [_laid_out(text)]
    return []


def _below(layer: _Layer) -> Iterator[Stack]:
    """Yield the stack that is changed, and those that it stands on: each has examples of its own."""
    parts = layer.stack.name.split("+")
    yield layer.stack
    for much in range(len(parts) - 1, 0, -1):
        found = compiled_in("+".join(parts[:much]), layer.reach)
        if found.graph is not None:
            yield found


def _passes(layer: _Layer, bare: Mapping[str, str], example: str) -> bool:
    tried = TITLE.sub('example "the example that is tried"', example, count=1)
    return _compiled(layer, {**bare, RULES: f"{bare.get(RULES, '')}\n{tried}"}, 1).is_sound


def _compiled(layer: _Layer, files: Mapping[str, str], begun_: int) -> Draft:
    """Compile the layer, and run its examples."""
    with _in_folder(layer, files) as changed:
        errors = any(each.severity is Severity.ERROR for each in changed.diagnostics)
        # Findings name the folder that goes again.
        found = tuple(
            re.sub(r"^\S*?([\w-]+/[\w.-]+:\d)", r"\1", diagnostic_line(each)) for each in _own(layer, changed)
        )
        made = Draft(layer.request.name, _name_of(layer), dict(files), found, errors, begun=begun_)
        if errors or changed.graph is None:
            return Draft(made.name, made.stack, made.files, found or ("it does not compile",), errors=True)
        runs = run_stack(changed.graph, {layer.request.name})
        idle = {each.origin for each in idle_parts(runs)}
        failed = [run.example.title for run in runs if not run.has_passed or run.example.origin in idle]
        return Draft(made.name, made.stack, made.files, found, failed=tuple(dict.fromkeys(failed)), begun=begun_)


def _own(layer: _Layer, changed: Stack) -> Iterator[Diagnostic]:
    """List the findings that the stack without the changes does not have."""
    known = {each.message for each in layer.stack.diagnostics}
    return (each for each in changed.diagnostics if each.message not in known)


@contextmanager
def _in_folder(layer: _Layer, files: Mapping[str, str]) -> Iterator[Stack]:
    """Compile the files of the layer in a folder that goes again; other editions of the layer are not in reach."""
    with _in_scratch_folder(layer.packages, layer.request.name, files) as packages:
        yield compiled_in(_name_of(layer), packages)


@contextmanager
def _without(layer: _Layer, label: str) -> Iterator[Stack]:
    """Compile the stack with one of its rules silent; it cannot be withdrawn where others clarify it."""
    name = f"{layer.request.name}_without"
    on = ", ".join(parse_request(layer.stack.name).layers)
    files = {
        MANIFEST: f"layer: {name}\ntitle: {name}\nkind: variant\non: [{on}]\n",
        RULES: f'rule {name.replace("_", "-")} [house] "It never speaks." exception to {label}\n',
    }
    with _in_scratch_folder(layer.reach, name, files) as packages:
        yield compiled_in(f"{layer.stack.name}+{name}", packages)


@contextmanager
def _in_scratch_folder(packages: tuple[Path, ...], name: str, files: Mapping[str, str]) -> Iterator[tuple[Path, ...]]:
    """Write a layer into a folder that goes again; give the folders in which packages are looked for."""
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(aside) / name
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8", newline="\n")
        yield (*packages, Path(aside))


def compiled_in(name: str, packages: Sequence[Path]) -> Stack:
    """Compile a stack by the names of its layers alone; the working directory is not searched for layers."""
    return load_from(open_packages(packages), name)
