"""A folder that git keeps, as tests of comparisons with a revision need it."""

from pathlib import Path

from rulewright.git import ask_git


def commit(folder: Path) -> None:
    """Commit all that stands in a folder, which becomes a repository of its own if it is none."""
    if not (folder / ".git").is_dir():
        ask_git(folder, "init", "-q")
    ask_git(folder, "add", "-A")
    author = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost")
    ask_git(folder, *author, "commit", "-q", "-m", "As it stands")
