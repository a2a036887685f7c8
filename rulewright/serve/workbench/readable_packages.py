"""The packages that can be read: a broken one is excluded, and reported.

In: folders of packages. Out: those without problems, and the first problem of each other one.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import place_text
from compiler.source.sentence import Severity
from rulewright.library.stacks import open_packages
from rulewright.system.folder_monitor import FileStamp, file_stamps


def readable_packages(packages: Sequence[Path]) -> tuple[Path, ...]:
    """Return the packages that can be read."""
    return tuple(folder for folder in packages if not _fault_in(folder))


def excluded_folders(packages: Sequence[Path]) -> list[dict[str, str]]:
    """Return the folder of each excluded package, and why."""
    return [{"folder": folder.as_posix(), "why": fault} for folder in packages if (fault := _fault_in(folder))]


def _fault_in(folder: Path) -> str:
    """Return the first problem of reading a package alone; "" if there is none."""
    return _first_error(folder.resolve(), tuple(sorted(file_stamps((folder,)).items())))


@lru_cache(maxsize=256)
def _first_error(folder: Path, _: tuple[tuple[str, FileStamp], ...]) -> str:
    """Return the first error of a package, with its place; read again when the stamps of its files have changed."""
    package_set = open_packages((folder,))
    for diagnostic in diagnose(package_set.problems, package_set.texts()):
        if diagnostic.severity is not Severity.ERROR:
            continue
        if not diagnostic.spans:
            return diagnostic.message
        return f"{place_text(diagnostic.spans[0].span)}: {diagnostic.message}"
    return ""
