"""The folders of the data that rulewright ships.

In: nothing. Out: a folder in the clone, or inside the installed package.
"""

from pathlib import Path


def rules_folder() -> Path:
    """Return rules/: that of the clone when run from a clone, otherwise the copy in the wheel."""
    return _place("rules", "rules")


def codes_folder() -> Path:
    """Return the folder of the pages that explain the findings of `check`."""
    return _place("docs/codes", "codes")


def _place(in_clone: str, installed: str) -> Path:
    root = Path(__file__).resolve().parent.parent
    return root.parent / in_clone if (root.parent / "pyproject.toml").is_file() else root / installed
