"""Detection of a missing dependency: a layer uses names of another layer that its manifest does not include.

In: the undeclared names of a stack, the manifests of its layers, and the library. Out: one problem at the manifest
instead of one for each name of the other layer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from compiler.layered.problems import UnknownLabel
from compiler.source import nodes as source
from compiler.source.nodes import laws_inside
from compiler.source.package import Library, load_layer
from compiler.typed.problems import Misplaced, UnknownFlag, UnknownMember, UnknownName

# The number of unknown names from which a missing dependency is assumed, if another layer declares most of them.
ENOUGH_NAMES, SHARE = 3, 0.75


Unknown = UnknownName | UnknownFlag | UnknownMember | UnknownLabel


def of_another_layer(
    problems: Sequence[object], manifests: Sequence[source.Layer], library: Library
) -> tuple[Misplaced, tuple[Unknown, ...]] | None:
    """Return the layer on which a layer of a stack should depend, with the problems that this explains."""
    unknown = [each for each in problems if isinstance(each, Unknown)]
    below = {layer.name.text for layer in manifests}
    for layer in reversed(manifests):
        files = {file.name for file in library.files[layer.name.text]}
        layer_problems = [each for each in unknown if each.span.file in files]
        names = {each.name for each in layer_problems if isinstance(each, UnknownName | UnknownFlag)}
        if len(names) < ENOUGH_NAMES or not layer.on:
            continue
        homes = [(names & _declared(library, other), other) for other in sorted(library.layers.keys() - below)]
        declared_names, home = max(homes, key=lambda found: len(found[0]), default=(set[str](), ""))
        if len(declared_names) >= max(ENOUGH_NAMES, SHARE * len(names)):
            names_text = ", ".join(f"`{name}`" for name in sorted(declared_names)[:ENOUGH_NAMES]) + (
                ", .." if len(declared_names) > ENOUGH_NAMES else ""
            )
            on = layer.on[0]
            message = (
                f"`{layer.name.text}` stands on `{on.text}`, and names "
                f"{len(declared_names)} things of `{home}`: {names_text}"
            )
            found = Misplaced(on.span, message, f"write `on: [{home}]`, or `{home}` beside it")
            return found, tuple(layer_problems)
    return None


def _declared(library: Library, layer: str) -> frozenset[str]:
    """Return the names that a layer declares."""
    read = load_layer(library, layer)[0]
    printed = (counter.id.text for chart in read.charts for counter in chart.rows)
    return frozenset((*printed, *(word for each in read.statements() for word in _names(each))))


def _names(statement: Any) -> Iterator[str]:
    """Yield the name of a declaration, and the names of nested declarations and rules."""
    yield from _label_or_name(statement)
    for field in fields(statement):
        value = getattr(statement, field.name)
        for each in value if isinstance(value, tuple) else ():
            if is_dataclass(each) and not isinstance(each, source.Expression | source.Step):
                yield from _label_or_name(each)
    for law in laws_inside(statement):
        yield from _label_or_name(law)


def _label_or_name(part: Any) -> Iterator[str]:
    words = (getattr(part, key, None) for key in ("name", "label"))
    yield from (word.text for word in words if isinstance(word, source.Word))
