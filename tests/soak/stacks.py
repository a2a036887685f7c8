"""The stacks of a soak: that of the situation, that with each option, and that with all options."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from compiler.layered.layer_selection import choose_layers, reachable_layers
from compiler.layered.stack_request import parse_request
from compiler.source import nodes as source
from compiler.source.nodes import Layer, Scenario
from compiler.source.package import read_document
from rulewright.library.stacks import PackageSet, open_packages
from runtime.graph import nodes as graph

WATCH = Path(__file__).parent / "watch"
FORCES = Path(__file__).parent / "forces"
OPTIONS = {"optional", "experimental", "variant"}


def package_set() -> PackageSet:
    """Open the shipped packages and those that only add checks."""
    return open_packages([WATCH])


def compiled(found: PackageSet, card: Scenario, stack: str) -> graph.Graph:
    """Compile a stack with a card, and with the layers that add checks to it."""
    compiled_stack = found.compiled(f"{stack}{watching(found, stack)}", reinforced(card, stack))
    assert compiled_stack.graph is not None, compiled_stack.diagnostics
    return compiled_stack.graph


def reinforced(card: Scenario, stack: str) -> Scenario:
    """Add the forces for which only an option has counters."""
    for name in stack.split("+"):
        file = FORCES / f"{card.name.text}.{name}.yaml"
        more = read_document(file, source.Scenario)[0] if file.exists() else None
        if more:
            card = replace(card, forces=(*card.forces, *more.forces))
    return card


def watching(found: PackageSet, stack: str) -> str:
    """Return the layers that add checks to a stack, as a suffix."""
    parts = set(stack.split("+"))
    known = sorted(found.library.layers.items())
    fit = (name for name, layer in known if name.startswith("watch_") and under(layer) <= parts)
    return "".join(f"+{name}" for name in fit)


def under(layer: Layer) -> set[str]:
    """Return the layers that a layer is on."""
    return {word.text for word in layer.on}


def options(found: PackageSet, game: str) -> list[str]:
    """Return the options of a game: those on it, or on other options of it."""
    layers = found.library.layers
    below = reachable_layers(choose_layers(layers, parse_request("+".join(layers)))[0])
    return [
        name
        for name, layer in sorted(layers.items())
        if layer.kind.text in OPTIONS and game in below[name] and not name.startswith("watch_")
    ]


def wanted(found: PackageSet, card: Scenario) -> Iterator[str]:
    """Yield the stacks: the plain one, one with each option, and one with all options."""
    game = card.uses.text
    yield game
    every = options(found, game)
    yield from (f"{game}+{name}" for name in every)
    yield together(found, game, every)


def together(found: PackageSet, game: str, every: list[str]) -> str:
    """Return the stack of all options, without those that are incompatible with an earlier one."""
    chosen = [game]
    for name in every:
        if not any(are_incompatible(found, name, other) for other in chosen):
            chosen.append(name)
    return "+".join(chosen)


def are_incompatible(found: PackageSet, one: str, other: str) -> bool:
    """Return whether one of two layers excludes the other."""
    layers = found.library.layers
    return other in names(layers[one]) or one in names(layers[other])


def names(layer: Layer) -> set[str]:
    """Return the layers that a layer excludes."""
    return {word.text for word in layer.not_with}
