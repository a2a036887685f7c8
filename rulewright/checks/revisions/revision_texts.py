"""The texts of a library's files at a git revision.

In: a library and a revision. Out: the files that differ, and those that are gone. What git does not know, or cannot
read without the network, is left out.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from compiler.layered.layer_selection import layers_of_stack
from compiler.source.content import RULES_SUFFIX
from compiler.source.package import SUFFIXES, Library
from rulewright.checks.revisions.resolved_paths import resolve_path
from rulewright.system.errors import UsageError
from rulewright.system.git import (
    Blob,
    NotInGitError,
    ask_git,
    blob_contents,
    is_blob_of,
    is_repository,
    list_blobs,
    repository_of,
    unknown_revision,
)
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class FileChange:
    """A file that differs from a revision. `new_text` is "" if it is gone; files that are new have no former text."""

    path: Path
    name: str
    old_text: str
    new_text: str

    @property
    def has_rules(self) -> bool:
        """Return whether it is a file of rules."""
        return self.path.suffix == RULES_SUFFIX


@frozen_dataclass
class RevisionTexts:
    """The files of a library that a revision has, by name; those that differ; and those that are gone."""

    revision: str
    known: frozenset[str]
    differing: tuple[FileChange, ...]
    removed: tuple[FileChange, ...]


def read_revision(library: Library, revision: str) -> RevisionTexts:
    """Read the files of a library at a revision, from all repositories in which they are."""
    # By repository, the names of its files by path; a link has the path of what it links to.
    places: dict[Path | None, dict[str, list[str]]] = {}
    repositories: dict[str, Path | None] = {}
    folders: dict[str, str] = {}
    for name in library.texts:
        file = library.texts.file(name)
        if file is not None:
            place = resolve_path(file.path, folders)
            repository = _repository_above(os.path.dirname(place), repositories)  # noqa: PTH120
            places.setdefault(repository, {}).setdefault(place, []).append(name)
    known: set[str] = set()
    differing: list[FileChange] = []
    removed: list[FileChange] = []
    for repository, names in places.items():
        if repository is None:
            continue
        try:
            blobs = list_blobs(repository, revision, _folders_of(names))
            changed = [blob for blob in blobs if _has_changed(blob, names, library)]
            contents = blob_contents(repository, (blob.id for blob in changed))
        except NotInGitError:
            continue
        known.update(name for blob in blobs for name in names.get(blob.path, ()))
        for blob in changed:
            old_text = _normalize_line_ends(contents.get(blob.id, b"").decode("utf-8", "replace"))
            differing += (_file_change(library, name, old_text) for name in names.get(blob.path, ()))
            if blob.path not in names:
                path = Path(blob.path)
                removed.append(FileChange(path, f"{path.parent.name}/{path.name}", old_text, ""))
    return RevisionTexts(revision, frozenset(known), tuple(differing), tuple(removed))


def _has_changed(blob: Blob, names: Mapping[str, Sequence[str]], library: Library) -> bool:
    """Return whether a file of a commit differs, or is a file of a package that is gone."""
    if blob.path in names:
        return not is_blob_of(blob.id, _normalize_line_ends(library.texts[names[blob.path][0]]))
    return blob.path.endswith(SUFFIXES) and not Path(blob.path).exists()


def _file_change(library: Library, name: str, old_text: str) -> FileChange:
    file = library.texts.file(name)
    assert file is not None, name
    return FileChange(file.path, name, old_text, _normalize_line_ends(library.texts[name]))


def require_revision(folders: Iterable[Path], revision: str) -> None:
    """Raise `UsageError` if git knows a revision of none of some folders."""
    failed, place = NotInGitError("no repository"), Path()
    for place in folders:
        try:
            if repository := repository_of(place):
                ask_git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
                return
        except NotInGitError as failure:
            failed = failure
    raise UsageError(f"`--since {revision}` {unknown_revision(place, failed)}")


def layer_folders(library: Library, stack: str) -> list[Path]:
    """Return the folders of the layers of a stack."""
    layers = [layer.name.text for layer in layers_of_stack(library, stack) if layer.name.text in library.files]
    return list(dict.fromkeys(layer_folder(library, layer) for layer in layers))


def layer_folder(library: Library, layer: str) -> Path:
    """Return the folder of the manifest of a layer."""
    manifest = library.texts.file(library.layers[layer].span.file)
    assert manifest is not None, layer
    return manifest.path.parent


def _repository_above(folder: str, known: dict[str, Path | None]) -> Path | None:
    """Return the repository that contains a folder; `known` is the memo of folders, which is extended."""
    if folder not in known:
        parent = os.path.dirname(folder)  # noqa: PTH120
        above = _repository_above(parent, known) if parent != folder else None
        known[folder] = Path(folder) if is_repository(Path(folder)) else above
    return known[folder]


def _folders_of(paths: Iterable[str]) -> set[Path]:
    return {Path(folder) for folder in {os.path.dirname(path) for path in paths}}  # noqa: PTH120


def _normalize_line_ends(text: str) -> str:
    """Normalize line ends, which in a work tree may differ from those in git."""
    return text.replace("\r\n", "\n")
