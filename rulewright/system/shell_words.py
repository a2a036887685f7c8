"""Quoting of arguments in suggested command lines."""

import shlex
from pathlib import PurePath


def shell_word(word: str | PurePath) -> str:
    """Return an argument, quoted if necessary for a shell; a path is written with `/`."""
    return shlex.quote(word.as_posix() if isinstance(word, PurePath) else word)
