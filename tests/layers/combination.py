"""Small combinations of layers written as text, each with the answers that are expected of it.

A combination is the text between two `---` lines of a fixture. Its lines:

    layer NAME on A, B              begins a layer; the rules, or after `file: x.yaml` the YAML, below it are its own
    layer NAME on A joint           one of another kind than `optional`; `layer NAME on A readings d: b` chooses one
    rule x ".." exception to y      #! RemovedTarget    a finding of this class is expected on that line
    STACK: ask price(C) = 3 MP      what an example of that stack says, in the position of `POSITION`
    STACK: gone a by w, b by w      all that is removed in that stack, and by what
    STACK: refused                  the stack has the announced findings, and no others

All stacks of a combination are compiled as they are written, with their options in the other order, and with other
names, so that layers of equal rank change places.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from compiler.source.package import Library, discover_layers
from tests.parsed import unused_database

HERE = Path(__file__).parent
# The tests of `[house]` rules need no registry of sources.
MANIFEST = "layer: {name}\ntitle: {name}\nkind: {kind}\non: [{on}]\ncites: house\n{more}"
EXPECTATION = re.compile(r"^(?P<stack>[\w+=-]+): (?P<verb>ask|gone|refused)(?: (?P<text>.*))?$")
FINDING = re.compile(r"#! (\w+)")
LAYER = re.compile(
    r"^layer (?P<name>\w+) on (?P<on>[\w, ]+?)(?: (?P<kind>joint|variant))?(?: readings (?P<read>[^#]*))?(?: *#! .*)?$"
)


@dataclass
class Layer:
    """A layer as written: its manifest, and its files by name."""

    name: str
    on: str
    kind: str
    more: str
    head: str  # the line that begins it, for findings in its manifest
    files: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Combination:
    """Layers, and what is expected of stacks of them: (stack, verb, text)."""

    name: str
    layers: list[Layer] = field(default_factory=list)
    expectations: list[tuple[str, str, str]] = field(default_factory=list)

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a combination; its first line is its name."""
        name, *lines = text.splitlines()
        combination = cls(name)
        file = ""
        for line in lines:
            if (beginning := LAYER.match(line)) is not None:
                more = f"readings: {{{beginning['read']}}}\n" if beginning["read"] else ""
                combination.layers.append(
                    Layer(beginning["name"], beginning["on"], beginning["kind"] or "optional", more, line)
                )
                file = "rules.rules"
            elif (expected := EXPECTATION.match(line)) is not None:
                combination.expectations.append((expected["stack"], expected["verb"], expected["text"] or ""))
            elif line.startswith("file: "):
                file = line.removeprefix("file: ")
            elif line.strip():
                combination.layers[-1].files.setdefault(file, []).append(line)
        return combination

    @property
    def announced(self) -> Counter[tuple[str, str, int]]:
        """Return the announced findings: class, layer and line."""
        announced: Counter[tuple[str, str, int]] = Counter()
        for layer in self.layers:
            announced.update((word, layer.name, 0) for word in FINDING.findall(layer.head))
            for lines in layer.files.values():
                for number, line in enumerate(lines, 1):
                    announced.update((word, layer.name, number) for word in FINDING.findall(line))
        return announced


def combinations(file: str) -> tuple[str, list[Combination]]:
    """Read a fixture: the text of the game, and the combinations on it."""
    shared, *texts = re.split(r"^--- ?", (HERE / file).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return shared, [Combination.read(text) for text in texts]


def written(
    game: str, combination: Combination, folder: Path, examples: dict[str, str], names: dict[str, str]
) -> Library:
    """Write a combination, with examples by the layer that has them, and other names of layers; read it as a library.

    The text of the game may have files, too.
    """
    rules, *files = re.split(r"^file: (\S+)\n", game, flags=re.MULTILINE)
    _write(folder / "game", MANIFEST.format(name="game", kind="base", on="", more=""), {"game.rules": rules})
    for name, text in zip(files[::2], files[1::2], strict=True):
        (folder / "game" / name).write_text(text, encoding="utf-8")
    for layer in combination.layers:
        name = names[layer.name]
        on = ", ".join(names.get(each.strip(), each.strip()) for each in layer.on.split(","))
        manifest = MANIFEST.format(name=name, kind=layer.kind, on=on, more=layer.more)
        contents = {file: "\n".join(lines) + "\n" for file, lines in layer.files.items()}
        _write(folder / name, manifest, contents | {"examples.rules": examples.get(layer.name, "")})
    library, problems = discover_layers([folder], unused_database())
    assert not problems, problems
    return library


def _write(folder: Path, manifest: str, files: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    (folder / "layer.yaml").write_text(manifest, encoding="utf-8")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def renamed_stack(stack: str, names: dict[str, str]) -> str:
    """Return the name of a stack whose layers have other names."""
    return "+".join(names.get(part, part) for part in stack.split("+"))
