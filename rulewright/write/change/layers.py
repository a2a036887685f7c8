"""The folder of a generated layer, which is new or an extended layer of the user, and the writing of its files.

Shipped rules are never written to. The content of a file is preserved: texts are appended.
"""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from compiler.source.files import MANIFEST, outermost_folders
from compiler.source.package import SUFFIXES
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import Stack, open_packages
from rulewright.system.atomic_files import save_folder, save_inside, save_new
from rulewright.system.errors import UsageError
from rulewright.system.regular_files import read_text_file
from rulewright.write.change.change_form import ChangeRequest
from rulewright.write.change.draft import Draft, compiled_in, document_prefixes, draft_layer
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class LayerFolder:
    """The folder of a layer; `existing_files` are its files, None for a new layer."""

    folder: Path
    existing_files: Mapping[str, str] | None


def layer_folder(name: str, parent: Path, packages: Sequence[Path]) -> LayerFolder:
    """Return the folder of an existing layer, or a new one in `parent`; `UsageError` if it cannot be written."""
    layer_folder = parent / name
    layer_packages = (layer_folder,) if (layer_folder / MANIFEST).is_file() else ()
    library = open_packages((*packages, *layer_packages)).library
    if name not in library.layers:
        if layer_folder.exists():
            raise UsageError(f"`{layer_folder}` is there already, and no layer")
        return LayerFolder(layer_folder, None)
    manifest = library.texts.file(library.layers[name].span.file)
    assert manifest is not None
    folder = manifest.path.parent
    if not is_users(folder):
        raise UsageError(f"`{name}` comes with rulewright and is not written to; choose another name")
    files = {
        file.relative_to(folder).as_posix(): read_text_file(file)
        for file in sorted(folder.rglob("*"))
        if file.suffix in SUFFIXES and file.is_file()
    }
    return LayerFolder(folder, files)


def is_users(folder: Path) -> bool:
    """Return whether a folder belongs to the user instead of the shipped rules."""
    return not folder.resolve().is_relative_to(rules_folder().resolve())


def folder_of_layer(folder: Path) -> Path:
    """Return the folder for `--path` that contains a layer: its parent, unless that contains the shipped rules."""
    above = folder.parent
    return folder if rules_folder().resolve().is_relative_to(above.resolve()) else above


def stack_at(stack: str, name: str, place: LayerFolder, packages: Sequence[Path]) -> Stack:
    """Compile the stack to be changed, with the layer if it exists."""
    layer_packages = () if place.existing_files is None else (place.folder,)
    stack_name = stack if place.existing_files is None or name in stack.split("+") else f"{stack}+{name}"
    return compiled_in(stack_name, (*packages, *layer_packages))


def draft_change(request: ChangeRequest, place: LayerFolder, packages: Sequence[Path]) -> Draft:
    """Build and compile the draft of a request for a folder, without writing to it."""
    stack = stack_at(request.stack, request.name, place, packages)
    if place.existing_files is None:
        return draft_layer(stack, request, packages, used_prefixes=_prefixes_beside(place.folder))
    with _packages_without(place, packages) as others:
        return draft_layer(stack, request, others, place.existing_files, (*packages, place.folder))


def _prefixes_beside(folder: Path) -> set[str]:
    """Return the prefixes of documents in the sibling folders, which are loaded together with a new one."""
    return {each for file in folder.parent.glob("*/*.yaml") for each in document_prefixes(_text_of(file))}


def _text_of(file: Path) -> str:
    """Return the text of a file; "" if it cannot be read."""
    try:
        return read_text_file(file)
    except (OSError, UsageError):
        return ""


def write_draft(draft: Draft, place: LayerFolder) -> list[str]:
    """Write a draft; return the new or changed files. Raises `UsageError` for a file that was edited since."""
    if place.existing_files is None:
        save_folder(place.folder, {name: text.encode() for name, text in draft.files.items()})
        return sorted(draft.files)
    changed_files = {name: text for name, text in draft.files.items() if place.existing_files.get(name) != text}
    for name in changed_files:
        file = place.folder / name
        current_text = read_text_file(file) if file.is_file() else None
        if current_text != place.existing_files.get(name):
            raise UsageError(f"`{file}` was changed meanwhile; look at it, and try again")
    # Sources and charts before the rules that name them: if this is interrupted, the layer compiles.
    for name, text in sorted(changed_files.items(), key=lambda file: (file[0].endswith(".rules"), file)):
        if name in place.existing_files:
            save_inside(place.folder, name, text)
        else:
            save_new(place.folder / name, text.encode())
    return sorted(changed_files)


@contextmanager
def _packages_without(place: LayerFolder, packages: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
    """Yield the packages without the extended layer, by copying those that contain it; its draft is compiled apart."""
    layer_folder = place.folder.resolve()
    roots = outermost_folders(packages)
    with tempfile.TemporaryDirectory() as temporary_folder:
        package_folders = []
        for number, root in enumerate(roots):
            if not layer_folder.is_relative_to(root):
                package_folders.append(root)
            elif root != layer_folder:
                copy = Path(temporary_folder) / str(number)
                shutil.copytree(root, copy, ignore=lambda folder, names: _ignored_names(layer_folder, folder, names))
                package_folders.append(copy)
        yield tuple(package_folders)


def _ignored_names(layer_folder: Path, folder: str, names: list[str]) -> set[str]:
    """Return what is not copied: the layer itself, hidden files, and files without rules."""
    parent = Path(folder)
    return {
        name
        for name in names
        if (parent / name) == layer_folder
        or name.startswith(".")
        or not ((parent / name).is_dir() or name.endswith(SUFFIXES))
    }
