"""Problems of words that nothing declares: the same facts everywhere, with the names that were probably meant."""

from collections.abc import Iterable

from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.problems import UnknownFlag, UnknownName
from runtime.graph import nodes as graph


def no_such(what: str, word: source.Word | source.Quoted | source.Scalar, known: Iterable[str]) -> UnknownName:
    """Make the problem of a word that is none of the known ones."""
    return UnknownName(word.span, what, word.text, tuple(known))


def no_field(owner: str, word: source.Word, known: Iterable[str]) -> UnknownName:
    """Make the problem of a word that names no field of something."""
    return UnknownName(word.span, f"field of {owner}", word.text, tuple(known), owner=owner)


def call_text(name: str, parameters: Iterable[graph.Parameter]) -> str:
    """Write a call with the names of what it takes."""
    return f"{name}({', '.join(part.name for part in parameters)})"


def owners_of(env: Environment, name: str) -> tuple[str, ...]:
    """List what can be called so by a trait, feature, status, path or place."""
    return tuple(dict.fromkeys(flag.owner for flag in env.flags.values() if flag.name == name))


def is_declared(env: Environment, owner: str, word: source.Word) -> bool:
    """Return whether `owner` has this trait, feature, status, path or place; if not, report it."""
    if f"{owner}.{word.text}" in env.flags:
        return True
    pool = [flag.name for flag in env.flags.values() if flag.owner == owner]
    env.problems.append(UnknownFlag(word.span, owner, word.text, tuple(pool), owners_of(env, word.text)))
    return False
