"""A folder under git, for tests of `--since`."""

from pathlib import Path

from rulewright.system.git import ask_git


def commit(folder: Path) -> None:
    """Commit all files of a folder; create the repository if there is none."""
    if not (folder / ".git").is_dir():
        ask_git(folder, "init", "-q")
    ask_git(folder, "add", "-A")
    author = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost")
    ask_git(folder, *author, "commit", "-q", "-m", "As it stands")
