"""The folders of the data that rulewright ships, and of packages beside it.

In: nothing, or folders of packages. Out: folders in the clone, or inside the installed package; and those of packages.
"""

from collections.abc import Sequence
from pathlib import Path

from compiler.source.files import outermost_folders
from rulewright.system.errors import UsageError


def rules_folder() -> Path:
    """Return rules/: that of the clone when run from a clone, otherwise the copy in the wheel."""
    return _place("rules", "rules")


def codes_folder() -> Path:
    """Return the folder of the pages that explain the findings of `check`."""
    return _place("docs/codes", "codes")


def _place(in_clone: str, installed: str) -> Path:
    root = Path(__file__).resolve().parent.parent
    return root.parent / in_clone if (root.parent / "pyproject.toml").is_file() else root / installed


def package_roots(packages: Sequence[Path]) -> list[Path]:
    """Return the folders in which packages are searched, the shipped rules first; none of them contains another."""
    for folder in packages:
        try:
            folder.resolve()
        except (OSError, ValueError, RuntimeError):  # A NUL, or links in a circle.
            raise UsageError(f"{str(folder)!r} is no path of a folder") from None
    return outermost_folders((rules_folder(), *packages))
