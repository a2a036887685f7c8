"""Where the rules that come with rulewright are: in the clone, or inside the installed package."""

from pathlib import Path


def rules_folder() -> Path:
    """Find rules/: the clone's own when run from a clone, else the copy the wheel brought."""
    house = Path(__file__).resolve().parent
    in_clone = (house.parent / "pyproject.toml").is_file()
    return (house.parent if in_clone else house) / "rules"
