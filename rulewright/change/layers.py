"""The folder of a generated layer, which is new or an extended layer of the user, and the writing of its files.

Shipped rules are never written to. The content of a file is preserved: texts are appended.
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
    """The folder of a layer; `before` are its files, None for a new layer."""

    folder: Path
    before: Mapping[str, str] | None


def place_of(name: str, at: Path, packages: Sequence[Path]) -> Place:
    """Return the folder of an existing layer, or a new one in the folder `at`; `UsageError` if it cannot be written."""
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
    """Return whether a folder belongs to the user instead of the shipped rules."""
    return not folder.resolve().is_relative_to(rules_folder().resolve())


def reach_of(folder: Path) -> Path:
    """Return the folder for `--path` that contains a layer: its parent, unless that contains the shipped rules."""
    above = folder.parent
    return folder if rules_folder().resolve().is_relative_to(above.resolve()) else above


def stack_at(stack: str, name: str, place: Place, packages: Sequence[Path]) -> Stack:
    """Compile the stack to be changed, with the layer if it exists."""
    own = () if place.before is None else (place.folder,)
    whole = stack if place.before is None or name in stack.split("+") else f"{stack}+{name}"
    return compiled_in(whole, (*packages, *own))


def draft_change(request: Request, place: Place, packages: Sequence[Path] = ()) -> Draft:
    """Build and compile the draft of a request for a folder, without writing to it."""
    stack = stack_at(request.stack, request.name, place, packages)
    if place.before is None:
        return draft_layer(stack, request, packages, taken=_prefixes_beside(place.folder))
    with _packages_without(place, packages) as others:
        return draft_layer(stack, request, others, place.before, (*packages, place.folder))


def _prefixes_beside(folder: Path) -> set[str]:
    """Return the prefixes of documents in the sibling folders, which are loaded together with a new one."""
    return {each for file in folder.parent.glob("*/*.yaml") for each in document_prefixes(_text_of(file))}


def _text_of(file: Path) -> str:
    """Return the text of a file; "" if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def write_draft(made: Draft, place: Place) -> list[str]:
    """Write a draft; return the new or changed files. Raises `UsageError` for a file that was edited since."""
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
    """Yield the packages without the extended layer, by copying those that contain it; its draft is compiled apart."""
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
    """Return what is not copied: the layer itself, hidden files, and files without rules."""
    here = Path(folder)
    return {
        name
        for name in names
        if (here / name) == inside or name.startswith(".") or not ((here / name).is_dir() or name.endswith(SUFFIXES))
    }
