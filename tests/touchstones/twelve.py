"""The twelve touchstones as listed in twelve.yml, and the paragraphs that they name, extracted from the rules.

A home is a stack with rules for the touchstone. Its parts are named by their declarations: `rule NAME`, `action NAME`,
`phase NAME`, `patch TABLE`.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from compiler.source import nodes as source
from compiler.source.package import load_layer
from rulewright.library.stacks import PackageSet, open_packages
from runtime.graph import nodes as graph
from runtime.mutation.targets import MutationTarget

HERE = Path(__file__).parent
KINDS: dict[str, type] = {
    "rule": source.Rule, "ruling": source.Ruling, "define": source.Define, "term": source.Term,
    "enum": source.Enumeration, "record": source.Record, "relation": source.Relation, "task": source.Task,
    "status": source.Status, "action": source.Action, "reaction": source.Reaction, "resolution": source.Resolution,
    "phase": source.Insert,
}  # fmt: skip
# The names of mutation targets by keyword: a reaction counts as an action, a definition as a rule.
COUNTED = {"reaction": "action:{}", "action": "action:{}", "resolution": "resolution:{}", "define": "{}", "rule": "{}",
           "ruling": "{}"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Home:
    """A stack with rules for a touchstone."""

    stack: str
    show: tuple[str, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Touchstone:
    """A touchstone: its requirement, its homes, and a remark on how it reads."""

    number: int
    asks: str
    homes: tuple[Home, ...]
    reads: str


def twelve() -> list[Touchstone]:
    """Read the list."""
    found = yaml.safe_load((HERE / "twelve.yml").read_text(encoding="utf-8"))
    return [
        Touchstone(
            number,
            one["touchstone"].strip(),
            tuple(
                Home(home["stack"], tuple(home.get("show", ())), tuple(str(title) for title in home["examples"]))
                for home in one["homes"]
            ),
            one["reads"].strip(),
        )
        for number, one in enumerate(found, 1)
    ]


@cache
def package_set() -> PackageSet:
    """Open the shipped packages and those beside this file."""
    return open_packages((HERE,))


@cache
def compiled(stack: str) -> graph.Graph:
    """Compile a stack."""
    compiled_stack = package_set().compiled(stack)
    assert compiled_stack.graph is not None, compiled_stack.problems
    return compiled_stack.graph


def counts_as(label: str, unit: MutationTarget) -> bool:
    """Return whether a mutation target is the part with this label."""
    kind, _, name = label.partition(" ")
    return unit.name in {COUNTED.get(kind, "").format(name), COUNTED.get(kind, "").format(name.replace("_", "-"))}


def excerpt(home: Home, label: str) -> str:
    """Return the text of a part from the topmost layer that has it."""
    kind, _, name = label.partition(" ")
    for layer in reversed(compiled(home.stack).layers):
        found = document(layer.name, name) if kind == "patch" else paragraph(layer.name, KINDS[kind], name)
        if found:
            return found
    raise LookupError(f"{home.stack} has no {label}")


def paragraph(layer: str, kind: type, name: str) -> str:
    """Return a paragraph of `.rules` text of a layer, or ""."""
    loaded, _ = load_layer(package_set().library, layer)
    for file in loaded.files:
        for law in inside(file.statements):
            if isinstance(law, kind) and name in names(law):
                lines = package_set().library.texts[law.span.file].splitlines()[law.span.line - 1 : law.span.end_line]
                return textwrap.dedent("\n".join(lines))
    return ""


def document(layer: str, name: str) -> str:
    """Return a patch from the YAML files of a layer, or ""."""
    for path, text in sorted(package_set().library.texts.items()):
        if f"/{layer}/" in path and path.endswith(".yaml"):
            for part in re.split(r"^---\n", text, flags=re.MULTILINE):
                if re.search(rf"^patch: {name}$", part, re.MULTILINE):
                    return re.sub(r"\A(#.*\n)+", "", part).strip()
    return ""


def inside(
    laws: "tuple[source.Statement | source.Law | source.Reading, ...]",
) -> Iterator[source.Statement | source.Law | source.Reading]:
    """Yield statements, and those inside cases, disputes and readings."""
    for law in laws:
        yield law
        match law:
            case source.Case(laws=inner) | source.Reading(laws=inner) | source.Dispute(readings=inner):
                yield from inside(inner)
            case _:
                pass


def names(law: object) -> set[str]:
    """Return the names that a paragraph declares."""
    match law:
        case source.Status(items=items):
            return {item.name.text for item in items}
        case source.Insert(phase=phase):
            return {phase.name.text}
        case source.Rule(label=label) | source.Ruling(label=label):
            return {label.text}
        case _:
            return {getattr(law, "name").text}  # noqa: B009 -- every declaration has a name
