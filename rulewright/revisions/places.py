"""Resolve the places of many files, each folder once.

In: the path of a file, and the folders that were resolved before. Out: the file without links on the way to it. To
resolve a path looks at each folder above it, which for the files of all packages took a third of a check.
"""

from pathlib import Path


def resolve_path(path: Path, folders: dict[Path, Path]) -> Path:
    """Resolve the path of a file; `folders` holds what folders were resolved to, and is added to."""
    if path.is_symlink():
        return path.resolve()
    if path.parent not in folders:
        folders[path.parent] = path.parent.resolve()
    return folders[path.parent] / path.name
