"""The layers that a page can change: which stacks there are, and which layers are the user's own.

In: the folders in reach, and the folder that the page was started in. Out: names, and where a layer
may be written to.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from compiler.layered.choose import parse_request
from compiler.source.package import MANIFEST
from rulewright.change.layers import is_own
from rulewright.library.stacks import Shelves, open_shelves


def layers_in(home: Path) -> tuple[Path, ...]:
    """List the layers that lie right in a folder; what lies deeper is reached by `--path`."""
    return tuple(sorted(each.parent for each in home.glob(f"*/{MANIFEST}") if is_own(each.parent)))


def folder_of(shelves: Shelves, layer: str) -> Path | None:
    """Give the folder of a layer; None if it is not the user's."""
    found = shelves.library.layers.get(layer)
    manifest = shelves.library.texts.file(found.span.file) if found else None
    return manifest.path.parent if manifest and is_own(manifest.path.parent) else None


def listed(packages: Sequence[Path]) -> list[dict[str, Any]]:
    """List what can be changed: each layer as the stack it makes, with its title and whether it is the user's."""
    shelves = open_shelves(packages)
    found = []
    for name, layer in sorted(shelves.library.layers.items()):
        on = [each.text for each in layer.on]
        stack = name if not on else "+".join((*on, name))
        if all(each in shelves.library.layers for each in parse_request(stack).layers):
            found.append({"name": name, "stack": stack, "title": str(layer.title or name), "kind": str(layer.kind),
                          "own": folder_of(shelves, name) is not None})  # fmt: skip
    return sorted(found, key=lambda each: (each["kind"] != "base", not each["own"], each["title"]))
