"""The packages that can be read: a broken one is excluded, and reported.

In: folders of packages. Out: those without problems, and the first problem of each other one.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Severity, place_text
from rulewright.library.stacks import open_packages
from rulewright.system.folder_monitor import FileStamp, file_stamps


def readable_packages(packages: Sequence[Path]) -> tuple[Path, ...]:
    """Return the packages that can be read."""
    return tuple(each for each in packages if not fault_in(each))


def excluded_folders(packages: Sequence[Path]) -> list[dict[str, str]]:
    """Return the folder of each excluded package, and why."""
    return [{"folder": each.as_posix(), "why": fault} for each in packages if (fault := fault_in(each))]


def fault_in(folder: Path) -> str:
    """Return the first problem of reading a package alone; "" if there is none."""
    return _fault_in(folder.resolve(), tuple(sorted(file_stamps((folder,)).items())))


@lru_cache(maxsize=256)
def _fault_in(folder: Path, _: tuple[tuple[str, FileStamp], ...]) -> str:
    package_set = open_packages((folder,))
    found = [each for each in diagnose(package_set.problems, package_set.texts()) if each.severity is Severity.ERROR]
    return f"{place_text(found[0].spans[0].span)}: {found[0].message}" if found and found[0].spans else (
        found[0].message if found else ""
    )  # fmt: skip
