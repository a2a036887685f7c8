"""The place of the data that comes with rulewright: in the clone, or inside the installed package."""

from pathlib import Path


def rules_folder() -> Path:
    """Find rules/: the clone's own when run from a clone, else the copy the wheel brought."""
    return _place("rules", "rules")


def codes_folder() -> Path:
    """Find the pages that explain what `check` reports."""
    return _place("docs/codes", "codes")


def _place(in_clone: str, installed: str) -> Path:
    root = Path(__file__).resolve().parent.parent
    return root.parent / in_clone if (root.parent / "pyproject.toml").is_file() else root / installed
