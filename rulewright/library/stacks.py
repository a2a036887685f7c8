"""From STACK as it is typed to a compiled stack.

A stack is `game[+option...]`, with `+dispute=reading` for a choice between readings, or the path of
a folder that is a layer. Packages are looked for in the rules that come with rulewright, then in
the folders of `--path`. What was compiled once is kept (cache.py).
"""

import os
import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from compiler.compile import compile_stack
from compiler.layered.layer_selection import canonical_request
from compiler.query.database import Database
from compiler.report.diagnose import Problem, diagnose
from compiler.report.diagnostic import Diagnostic, Severity
from compiler.source.files import PackageFile, read_text
from compiler.source.grammar import keep_tables
from compiler.source.nodes import Scenario
from compiler.source.package import MANIFEST, Library, discover
from compiler.typed.environment import Environment
from compiler.typed.situations.cards import Boards
from rulewright.errors import UsageError, suggestion_text
from rulewright.library import cache
from rulewright.library.attribution import attribute, top_layer_of
from rulewright.library.parse_archive import pack
from rulewright.library.shipped_folders import rules_folder
from rulewright.progress import report_stage
from rulewright.shell_words import shell_word
from runtime.graph import nodes as graph

# What this process worked out already: who edits a file, or switches a layer, waits for what that changes.
_DATABASE = Database(pack)
# Longer than this, by the systems we run on, no path is, and no name of a file.
LONGEST_PATH, LONGEST_NAME = 4_000, 200
keep_tables(pack)


@dataclass(frozen=True)
class Stack:
    """A stack that was compiled, or the problems that kept it from that."""

    name: str
    library: Library
    graph: graph.Graph | None
    env: Environment | None
    problems: tuple[Problem, ...]
    texts: Mapping[str, str]

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """The problems in words, as the author of the topmost layer wants them."""
        found = diagnose(self.problems, self.texts)
        return attribute(found, top_layer_of(self.library, self.name), self.name, self._below) if found else found

    def _below(self, name: str) -> list[Diagnostic]:
        """List what is wrong with the stack without its topmost layer."""
        return PackageSet(self.library, ()).compiled(name).diagnostics

    @property
    def is_broken(self) -> bool:
        """Return whether the stack cannot be used: it has no graph, or an error was found in it."""
        return self.graph is None or any(each.severity is Severity.ERROR for each in self.diagnostics)


@dataclass(frozen=True, slots=True)
class PackageSet:
    """The packages in reach, what is wrong with them, and what was left out of them (library/ablation.py).

    `folders` are those that were named beside the shipped rules.
    """

    library: Library
    problems: tuple[Problem, ...]
    left_out: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()

    def require_layers(self, name: str) -> None:
        """Raise `UsageError` for a stack without a layer, or with one that is not in reach."""
        if all("=" in part for part in name.split("+")):
            raise no_stack(name)
        for part in self.missing_layers(name):
            hint = suggestion_text(part, sorted(self.library.layers))
            if len(part) > LONGEST_NAME:
                pass
            elif Path(part).is_dir():
                hint = f"for the folder of that name write `./{part}`"
            elif Path(part).is_file():
                hint = "it is a file, and a stack is named by its layers, or by a folder with a layer.yaml"
            elif (card := self.library.scenarios.get(part)) is not None:
                hint = f"it is a card, written for `{card.uses.text}`: name these rules"
            bare = [f"`{folder}`" for folder in self.folders if not self._has_layer(folder)]
            found = f"; no {MANIFEST} was found in {' or '.join(bare)}" if bare else ""
            raise UsageError(f"there is no layer `{part}`; {hint}{found}")

    def _has_layer(self, folder: Path) -> bool:
        """Return whether a layer of these packages lies in a folder."""
        place = folder.resolve()
        files = (self.library.texts.file(layer.span.file) for layer in self.library.layers.values())
        return any(file is not None and file.path.resolve().is_relative_to(place) for file in files)

    def missing_layers(self, name: str) -> list[str]:
        """Return the layers of a stack that are not in reach."""
        return [part for part in name.split("+") if "=" not in part and part not in self.library.layers]

    def waited_for(self, card: Scenario) -> tuple[str, ...]:
        """List the boards without which a card is at rest."""
        return Boards(self.library.boards, self.library.outlines).waited_for(card)

    def compiled(self, name: str, scenario: Scenario | None = None, file: Path | None = None) -> Stack:
        """Compile a stack of these packages, or fetch it from the cache; `file` is where a card stands apart."""
        card = repr(scenario).encode() if scenario else b""
        stamp = cache.compiler_stamp("compiler", "runtime/graph")
        key = cache.cache_key(stamp, name.encode(), card, "\n".join(self.left_out).encode(), self.library.texts.digest)
        # What failed is not memoized: the key has no text of a file that could not be read.
        made, env, problems = cache.remember_in_memory(
            key, lambda: self._compile(name, scenario), worth=lambda found: found[0] is not None
        )
        return Stack(name, self.library, made, env, (*self.problems, *problems), self.texts(file))

    def texts(self, file: Path | None = None) -> Mapping[str, str]:
        """Return what findings may quote: all files in reach, and one that stands apart."""
        own = {file.as_posix(): read_text(PackageFile(file, file.as_posix()))[0]} if file else {}
        return ChainMap(own, self.library.texts)  # type: ignore[arg-type]  # only read

    def _compile(
        self, name: str, scenario: Scenario | None
    ) -> tuple[graph.Graph | None, Environment | None, tuple[Problem, ...]]:
        report_stage(f"compiling {name}")
        compiled = compile_stack(self.library, name, scenario)
        env = compiled.typed.env if compiled.typed else None
        return compiled.graph, env, compiled.problems


def layers_beneath(library: Library) -> frozenset[str]:
    """Name the layers that games stand on, such as a core that they share: no game by themselves."""
    return frozenset(word.text for layer in library.layers.values() if layer.kind.text == "base" for word in layer.on)


def games_in(library: Library) -> tuple[str, ...]:
    """Name the games in reach: base layers that no other one stands on, and that lack nothing."""
    bases = {name: layer for name, layer in library.layers.items() if layer.kind.text == "base"}
    whole = (name for name, layer in bases.items() if all(word.text in library.layers for word in layer.on))
    return tuple(sorted({*whole} - layers_beneath(library)))


def load_stack(text: str, packages: Sequence[Path] = ()) -> Stack:
    """Compile STACK; its problems are in the result, and only an unknown name raises `UsageError`."""
    return load_from(*packages_for(text, packages))


def packages_for(text: str, packages: Sequence[Path] = ()) -> tuple[PackageSet, str]:
    """Look through the packages in reach of STACK, and give its name."""
    name, folders = named_stack(text)
    return open_packages((*packages, *folders)), name


def load_from(package_set: PackageSet, name: str) -> Stack:
    """Compile a stack of these packages as `load_stack` does."""
    if package_set.problems and package_set.missing_layers(name):
        # Its manifest may well be what is wrong.
        return Stack(name, package_set.library, None, None, package_set.problems, package_set.texts())
    package_set.require_layers(name)
    return package_set.compiled(name)


def open_packages(packages: Sequence[Path] = ()) -> PackageSet:
    """Look through the packages in reach."""
    library, problems = discover(_roots(packages), _DATABASE)
    return PackageSet(library, problems, folders=tuple(packages))


def roots_of(text: str, packages: Sequence[Path] = ()) -> list[Path]:
    """List the folders in which the packages in reach of STACK lie, none inside of another."""
    return _roots((*packages, *named_stack(text)[1]))


def _roots(packages: Sequence[Path]) -> list[Path]:
    roots: list[Path] = []
    for folder in (rules_folder(), *packages):
        place = folder.resolve()
        if not any(place.is_relative_to(root) for root in roots):
            roots.append(place)
    return roots


def open_older(roots: Sequence[Path], packages: Sequence[Path], name: str) -> PackageSet:
    """Look through folders that hold another edition; what they lack of a stack comes from the rules of today."""
    library, problems = discover(list(dict.fromkeys(folder.resolve() for folder in roots)))
    older = PackageSet(library, problems)
    if not older.missing_layers(name):
        return older
    today = (rules_folder().resolve(), *(folder.resolve() for folder in packages))
    library, problems = discover([*dict.fromkeys((*(folder.resolve() for folder in roots), *today))])
    return PackageSet(library, problems)


def no_stack(text: str) -> UsageError:
    """Refuse what names no layer."""
    return UsageError(f"`{text}` is no stack: write game+option+dispute=reading")


def named_stack(text: str) -> tuple[str, list[Path]]:
    """Replace folders in STACK by the names of the layers they are; also list the folders."""
    if len(text) <= LONGEST_PATH and _is_path(text) and Path(text).is_dir():
        return _layer_of(Path(text)), [Path(text)]
    parts, folders = [], []
    for part in text.split("+"):
        if "=" not in part and _is_path(part):
            parts.append(_layer_of(Path(part)))
            folders.append(Path(part))
        else:
            parts.extend(canonical_request(part))
    if not all(part.strip() for part in parts):
        raise no_stack(text)
    return "+".join(parts), folders


def _is_path(part: str) -> bool:
    """Return whether a part is a folder, not a name: it has a slash, or it is a layer's folder right here."""
    named = part.startswith(".") or "/" in part or os.sep in part
    return named or (len(part) <= LONGEST_NAME and (Path(part) / MANIFEST).is_file())


def _layer_of(folder: Path) -> str:
    """Find the name of the layer that a folder is, even if its manifest has mistakes."""
    if not folder.is_dir():
        raise UsageError(f"there is no folder `{folder}`")
    if (folder / MANIFEST).is_file():
        text, _ = read_text(PackageFile(folder / MANIFEST, MANIFEST))
        name = re.search(r"^\s*layer\s*:\s*[\"']?([\w-]+)", text, re.MULTILINE)
        return name[1] if name else folder.resolve().name
    inside = [manifest.parent.name for manifest in sorted(folder.glob(f"*/{MANIFEST}"))]
    if inside:
        raise UsageError(
            f"`{folder}` is no layer but holds some; "
            f"write `--path {shell_word(folder)}` and one of: {', '.join(inside)}"
        )
    raise UsageError(f"`{folder}` is no layer: it has no {MANIFEST}")
