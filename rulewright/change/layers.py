"""The place of a changed layer, a new folder or a layer of the user's that grows, and the writing of its files.

Rules that come with rulewright are never written to. What stands in a file stays: texts are added behind it.
"""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from compiler.source.package import MANIFEST, SUFFIXES
from rulewright.atomic_files import save_folder, save_inside, save_new
from rulewright.change.draft import Draft, compiled_in, document_prefixes, draft_layer
from rulewright.change.kinds import Request
from rulewright.errors import UsageError
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import Stack, open_packages


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of a layer. `before`: its files, None for a layer that is not there yet."""

    folder: Path
    before: Mapping[str, str] | None


def place_of(name: str, at: Path, packages: Sequence[Path]) -> Place:
    """Find the folder of a layer: where it is, or else a new one in the folder `at`."""
    here = at / name
    own = (here,) if (here / MANIFEST).is_file() else ()
    library = open_packages((*packages, *own)).library
    if name not in library.layers:
        if here.exists():
            raise UsageError(f"`{here}` is there already, and no layer")
        return Place(here, None)
    manifest = library.texts.file(library.layers[name].span.file)
    assert manifest is not None
    folder = manifest.path.parent
    if not is_users(folder):
        raise UsageError(f"`{name}` comes with rulewright and is not written to; choose another name")
    files = {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8")
        for file in sorted(folder.rglob("*"))
        if file.suffix in SUFFIXES and file.is_file()
    }
    return Place(folder, files)


def is_users(folder: Path) -> bool:
    """Return whether a folder is the user's: it does not come with rulewright."""
    return not folder.resolve().is_relative_to(rules_folder().resolve())


def reach_of(folder: Path) -> Path:
    """Return the folder by which `--path` finds a layer: the one above, unless the shipped rules lie there too."""
    above = folder.parent
    return folder if rules_folder().resolve().is_relative_to(above.resolve()) else above


def stack_at(stack: str, name: str, place: Place, packages: Sequence[Path]) -> Stack:
    """Compile the stack that is changed: with the layer, if it is there."""
    own = () if place.before is None else (place.folder,)
    whole = stack if place.before is None or name in stack.split("+") else f"{stack}+{name}"
    return compiled_in(whole, (*packages, *own))


def draft_change(request: Request, place: Place, packages: Sequence[Path] = ()) -> Draft:
    """Write a request for a place, and try it; nothing is written there."""
    stack = stack_at(request.stack, request.name, place, packages)
    if place.before is None:
        return draft_layer(stack, request, packages, taken=_prefixes_beside(place.folder))
    with _packages_without(place, packages) as others:
        return draft_layer(stack, request, others, place.before, (*packages, place.folder))


def _prefixes_beside(folder: Path) -> set[str]:
    """Return the prefixes of documents in folders beside a new one: whoever plays one of them finds all of them."""
    return {each for file in folder.parent.glob("*/*.yaml") for each in document_prefixes(_text_of(file))}


def _text_of(file: Path) -> str:
    """Return the text of a file that somebody else may have written, or nothing where it cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def write_draft(made: Draft, place: Place) -> list[str]:
    """Write a draft; give the files that are new or longer. A file that was changed meanwhile is refused."""
    if place.before is None:
        save_folder(place.folder, {name: text.encode() for name, text in made.files.items()})
        return sorted(made.files)
    grown = {name: text for name, text in made.files.items() if place.before.get(name) != text}
    for name in grown:
        file = place.folder / name
        now = file.read_text(encoding="utf-8") if file.is_file() else None
        if now != place.before.get(name):
            raise UsageError(f"`{file}` was changed meanwhile; look at it, and try again")
    for name, text in sorted(grown.items()):
        if name in place.before:
            save_inside(place.folder, name, text)
        else:
            save_new(place.folder / name, text.encode())
    return sorted(grown)


@contextmanager
def _packages_without(place: Place, packages: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
    """Yield the packages without the layer that grows, as its new edition is tried apart: copies of what it lies in."""
    inside = place.folder.resolve()
    roots = dict.fromkeys(each.resolve() for each in packages)
    with tempfile.TemporaryDirectory() as aside:
        given = []
        for number, root in enumerate(roots):
            if not inside.is_relative_to(root):
                given.append(root)
            elif root != inside and not any(other != root and root.is_relative_to(other) for other in roots):
                copy = Path(aside) / str(number)
                shutil.copytree(root, copy, ignore=lambda folder, names: _left_out(inside, folder, names))
                given.append(copy)
        yield tuple(given)


def _left_out(inside: Path, folder: str, names: list[str]) -> set[str]:
    """Name what is not copied: the layer itself, hidden files, and whatever holds no rules."""
    here = Path(folder)
    return {
        name
        for name in names
        if (here / name) == inside or name.startswith(".") or not ((here / name).is_dir() or name.endswith(SUFFIXES))
    }
