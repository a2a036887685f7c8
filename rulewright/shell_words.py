"""Words of command lines that a message suggests, written so that a shell takes them as they are."""

import shlex
from pathlib import PurePath


def shell_word(word: str | PurePath) -> str:
    """Quote a word if a shell would read anything else in it; a path is written with `/`."""
    return shlex.quote(word.as_posix() if isinstance(word, PurePath) else word)
