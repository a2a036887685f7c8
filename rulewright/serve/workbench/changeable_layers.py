"""The layers that the page can change: the available stacks, and the layers of the user.

In: the folders of packages, and the folder that the page was started in. Out: names, and the
folders of layers that may be written.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from compiler.layered.findings.layers import LayersExclude
from compiler.layered.layer_selection import choose_layers, layer_names_of
from compiler.layered.stack_request import parse_request
from compiler.source.files import MANIFEST
from compiler.source.package import Library
from rulewright.library.stacks import layers_beneath, open_packages
from rulewright.write.change.layers import is_users


def layers_in(home: Path) -> tuple[Path, ...]:
    """Return the layers that are direct children of a folder; deeper ones require `--path`."""
    return tuple(sorted(each.parent for each in home.glob(f"*/{MANIFEST}") if is_users(each.parent)))


def _is_users_layer(library: Library, layer: str) -> bool:
    """Return whether a layer belongs to the user."""
    manifest = library.texts.file(library.layers[layer].span.file)
    return manifest is not None and is_users(manifest.path.parent)


def changeable_layers(packages: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the layers that can be changed, each as its stack, with its title and whether it belongs to the user."""
    package_set = open_packages(packages)
    found = []
    for name, layer in sorted(package_set.library.layers.items()):
        on = [each.text for each in layer.on]
        stack = name if not on else "+".join((*on, name))
        if all(each in package_set.library.layers for each in parse_request(stack).layers):
            found.append(
                {
                    "name": name,
                    "stack": stack,
                    "title": str(layer.title or name),
                    "kind": layer.kind.text,
                    "own": _is_users_layer(package_set.library, name),
                }
            )
    return sorted(found, key=lambda each: (each["kind"] != "base", not each["own"], each["title"]))


# The kinds of layers that may be added to a game: joint layers are added automatically, and games are not combined.
GAME_KINDS = ("base", "variant")
ADDED = ("optional", "experimental", "rulings", "variant")


def playable_stacks(packages: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the playable games and the layers above them, each with the layers that may be added to it."""
    library = open_packages(packages).library
    sound = {name for name, layer in library.layers.items() if all(word.text in library.layers for word in layer.on)}
    bases = {name for name in sound if library.layers[name].kind.text == "base"}
    beneath = layers_beneath(library)
    found = [
        {
            "name": name,
            "title": _title(library, name),
            "base": name in bases,
            "own": _is_users_layer(library, name),
            "options": _addable_layers(library, name, sound),
        }
        for name in sorted(sound - beneath)
        if library.layers[name].kind.text in GAME_KINDS
    ]
    return sorted(found, key=lambda each: (not each["base"], str(each["title"])))


def _addable_layers(library: Library, stack: str, among: Iterable[str]) -> list[dict[str, Any]]:
    """Return the layers that may be added to a stack: of its game, not in it, and not excluded by it."""
    layer_names = layer_names_of(library, stack)
    games = {name for name in layer_names if library.layers[name].kind.text == "base"}
    found = []
    for name in sorted(among):
        layer = library.layers[name]
        if name in layer_names or layer.kind.text not in ADDED or not layer.on:
            continue
        # A layer of another game would add that game.
        needed = layer_names_of(library, name)
        foreign = {each for each in needed if library.layers[each].kind.text == "base"} - games
        problems = choose_layers(library.layers, parse_request(f"{stack}+{name}"))[1]
        if not foreign and not any(isinstance(problem, LayersExclude) for problem in problems):
            found.append(
                {
                    "name": name,
                    "title": _title(library, name),
                    "kind": layer.kind.text,
                    "own": _is_users_layer(library, name),
                }
            )
    return found


def _title(library: Library, name: str) -> str:
    return str(library.layers[name].title or name)
