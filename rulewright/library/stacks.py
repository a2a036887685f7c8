"""Resolve and compile a STACK argument.

In: the argument of a command, and the folders of packages. Out: a `Stack`. A stack is `game[+option...]`, with
`+dispute=reading` for a choice between readings, or the path of a folder that is a layer. Packages are searched in the
rules that rulewright ships, then in the folders of `--path`. Compiled stacks are cached (cache.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from compiler.compile import compile_stack
from compiler.layered.layer_selection import layer_names_of
from compiler.query.database import Database
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic, place_text
from compiler.source.content import Texts
from compiler.source.files import MANIFEST, PackageFile, read_text
from compiler.source.finding import Finding
from compiler.source.grammar import keep_tables
from compiler.source.nodes import Scenario
from compiler.source.package import Library, discover_layers
from compiler.source.sentence import Severity
from compiler.typed.environment import Environment
from compiler.typed.situations.cards import Boards
from rulewright.library import cache
from rulewright.library.broken_stack import BrokenStackError
from rulewright.library.concerned_problems import concerned_problems, hiding_problems
from rulewright.library.finding_attribution import attribute_findings, top_layer_of
from rulewright.library.parse_archive import pack
from rulewright.library.shipped_folders import package_roots, rules_folder
from rulewright.library.stack_names import LONGEST_NAME, missing_stack_error, named_stack
from rulewright.system.errors import UsageError, suggestion_text
from rulewright.system.progress import report_stage
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.nodes import Graph

# The memos of this process: after an edit or a change of layers, only what depends on it is recomputed.
_DATABASE = Database(pack)
keep_tables(pack)


@dataclass(frozen=True)
class Stack:
    """A compiled stack, or the problems that prevented its compilation."""

    name: str
    library: Library
    graph: graph.Graph | None
    env: Environment | None
    problems: tuple[Finding, ...]
    texts: Mapping[str, str]

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """Return the problems as diagnostics, attributed to the topmost layer."""
        found = diagnose(self.problems, self.texts)
        return (
            attribute_findings(found, top_layer_of(self.library, self.name), self.name, self._diagnostics_of_stack)
            if found
            else found
        )

    def _diagnostics_of_stack(self, name: str) -> list[Diagnostic]:
        """Return the diagnostics of another stack of the same packages."""
        return PackageSet(self.library, ()).compiled(name).diagnostics

    @property
    def is_broken(self) -> bool:
        """Return whether the stack cannot be used: it has no graph, or an error."""
        return self.graph is None or any(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)

    def require_usable(self) -> "Stack":
        """Return the stack if it can be used; raise `BrokenStackError` if not."""
        if self.is_broken:
            raise BrokenStackError(self.refusal_text, self)
        return self

    @property
    def rules(self) -> Graph:
        """Return the graph of a stack that can be used; raise `BrokenStackError` for any other."""
        rules = self.require_usable().graph
        assert rules is not None
        return rules

    @property
    def refusal_text(self) -> str:
        """Return the sentence that refuses a stack with errors, with the place of the first one."""
        errors = (diagnostic for diagnostic in self.diagnostics if diagnostic.severity is Severity.ERROR)
        places = (f" at {place_text(error.spans[0].span)}: {error.message}" for error in errors if error.spans)
        first = next(places, " without a place")
        return f"`{self.name}` has errors, the first{first}; `rulewright check {self.name}` lists them"


@frozen_dataclass
class PackageSet:
    """The available packages, their problems, and what was removed from them (library/ablation.py).

    `folders` are those specified in addition to the shipped rules.
    """

    library: Library
    problems: tuple[Finding, ...]
    removed_labels: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()

    def require_layers(self, name: str) -> None:
        """Raise `UsageError` for a stack without a layer, or with an unknown one.

        If that may stand in a manifest that cannot be read, raise `BrokenStackError`.
        """
        if all("=" in part for part in name.split("+")):
            raise missing_stack_error(name)
        if stack := self.stack_behind(name):
            raise BrokenStackError(stack.refusal_text, stack)
        for part in self.missing_layers(name):
            hint = suggestion_text(part, sorted(self.library.layers))
            if len(part) > LONGEST_NAME:
                pass
            elif Path(part).is_dir():
                hint = f"for the folder of that name write `./{part}`"
            elif Path(part).is_file():
                hint = "it is a file, and a stack is named by its layers, or by a folder with a layer.yaml"
            elif (card := self.library.scenarios.get(part)) is not None:
                hint = f"it is a situation, written for `{card.uses.text}`: name these rules"
            empty_folders = [f"`{folder}`" for folder in self.folders if not self._has_layer(folder)]
            found = f"; no {MANIFEST} was found in {' or '.join(empty_folders)}" if empty_folders else ""
            raise UsageError(f"there is no layer `{part}`; {hint}{found}")

    def stack_behind(self, name: str) -> Stack | None:
        """Return a stack with a layer that may stand in a file that cannot be read, with the problems of these."""
        hiding = hiding_problems(self.problems)
        return (
            Stack(name, self.library, None, None, hiding, self.texts())
            if hiding and (self.missing_layers(name) or self._missing_below(name))
            else None
        )

    def _missing_below(self, name: str) -> list[str]:
        """Return the unknown layers that the layers of a stack are on."""
        layers = self.library.layers
        found = (word.text for each in layer_names_of(self.library, name) if each in layers for word in layers[each].on)
        return [each for each in found if each not in layers]

    def _has_layer(self, folder: Path) -> bool:
        """Return whether a layer of these packages is in a folder."""
        place = folder.resolve()
        files = (self.library.texts.file(layer.span.file) for layer in self.library.layers.values())
        return any(file is not None and file.path.resolve().is_relative_to(place) for file in files)

    def missing_layers(self, name: str) -> list[str]:
        """Return the unknown layers of a stack."""
        return [part for part in name.split("+") if "=" not in part and part not in self.library.layers]

    def missing_boards(self, card: Scenario) -> tuple[str, ...]:
        """Return the missing boards that a card waits for."""
        return Boards(self.library.boards, self.library.outlines).outlined_boards(card)

    def compiled(self, name: str, scenario: Scenario | None = None, file: Path | None = None) -> Stack:
        """Compile a stack, or load it from the cache; `file` is that of a card outside of the packages."""
        card = repr(scenario).encode() if scenario else b""
        stamp = cache.compiler_stamp("compiler", "runtime/graph")
        key = cache.cache_key(
            stamp, name.encode(), card, "\n".join(self.removed_labels).encode(), self.library.texts.digest
        )
        # Failures are not cached: the key lacks the text of a file that could not be read.
        compiled_graph, env, problems = cache.remember_deferred(
            key, lambda: self._compile(name, scenario), worth=lambda found: found[0] is not None
        )
        found = (*concerned_problems(self.library, self.problems, name, scenario), *problems)
        return Stack(name, self.library, compiled_graph, env, found, self.texts(file))

    def texts(self, file: Path | None = None) -> Texts:
        """Return the texts that findings may quote: all files of the packages, and one outside of them."""
        file_texts = {file.as_posix(): read_text(PackageFile(file, file.as_posix()))[0]} if file else {}
        return self.library.texts.with_others(file_texts)

    def _compile(
        self, name: str, scenario: Scenario | None
    ) -> tuple[graph.Graph | None, Environment | None, tuple[Finding, ...]]:
        report_stage(f"compiling {name}")
        compiled = compile_stack(self.library, name, scenario)
        env = compiled.typed.env if compiled.typed else None
        return compiled.graph, env, compiled.problems


def layers_beneath(library: Library) -> frozenset[str]:
    """Return the layers that base layers extend, such as a shared core: they are no games."""
    return frozenset(word.text for layer in library.layers.values() if layer.kind.text == "base" for word in layer.on)


def load_stack(text: str, packages: Sequence[Path] = ()) -> Stack:
    """Compile STACK; problems are part of the result, and only an unknown name raises `UsageError`."""
    return load_from(*packages_for(text, packages))


def packages_for(text: str, packages: Sequence[Path]) -> tuple[PackageSet, str]:
    """Return the available packages for STACK, and its name."""
    name, folders = named_stack(text)
    return open_packages((*packages, *folders)), name


def load_from(package_set: PackageSet, name: str) -> Stack:
    """Compile a stack of these packages like `load_stack`."""
    if stack := package_set.stack_behind(name):
        return stack
    package_set.require_layers(name)
    return package_set.compiled(name)


def open_packages(packages: Sequence[Path] = ()) -> PackageSet:
    """Return the available packages."""
    library, problems = discover_layers(package_roots(packages), _DATABASE)
    return PackageSet(library, problems, folders=tuple(packages))


def roots_of(text: str, packages: Sequence[Path]) -> list[Path]:
    """Return the folders of the available packages for STACK, none of which contains another."""
    return package_roots((*packages, *named_stack(text)[1]))


def open_edition(roots: Sequence[Path], packages: Sequence[Path], name: str) -> PackageSet:
    """Return the packages of another edition; layers of a stack that it lacks come from the current rules."""
    library, problems = discover_layers(roots)
    older = PackageSet(library, problems)
    if not older.missing_layers(name):
        return older
    library, problems = discover_layers((*roots, rules_folder(), *packages))
    return PackageSet(library, problems)
