"""Problems of undeclared words, with all names that would be valid."""

import re
from collections.abc import Collection, Iterable

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.typed.environment import Environment
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.names import UnknownFlag, UnknownName
from runtime.graph import nodes as graph

LETTERS_OR_DIGITS = re.compile(r"[a-z]+|[0-9]+")


def unknown_word(category: str, word: source.Word | source.Quoted | source.Scalar, known: Iterable[str]) -> UnknownName:
    """Return the problem of a word that is none of the known ones."""
    return UnknownName(word.span, category, word.text, tuple(known))


def check_known(
    env: Environment, category: str, word: source.Word | source.Quoted | source.Scalar, known: Collection[str]
) -> bool:
    """Report a word that is none of the known ones; return whether it is one of them."""
    if word.text not in known:
        env.report_unknown(category, word, known)
    return word.text in known


def unknown_counter(word: source.Word, known: Iterable[str], env: Environment) -> UnknownName:
    """Return the problem of a word that is no counter; counters whose title has its words are suggested."""
    wanted = set(LETTERS_OR_DIGITS.findall(word.text.lower()))
    titles = {name: LETTERS_OR_DIGITS.findall(title.lower()) for name, (_, _, title) in env.counters.items()}
    titled = sorted(
        (name for name in titles if wanted and wanted <= {*titles[name]}), key=lambda name: len(titles[name])
    )
    return UnknownName(word.span, "counter", word.text, tuple(known), names_otherwise=tuple(titled))


def unknown_field(owner: str, word: source.Word, known: Iterable[str]) -> UnknownName:
    """Return the problem of a word that is no field of its owner."""
    return UnknownName(word.span, f"field of {owner}", word.text, tuple(known), owner=owner)


def flag_as_value(span: Span, flag: graph.Flag) -> InvalidConstruct:
    """Return the problem of a trait, feature, status, path or place in the place of a value."""
    sort, verb = ("path", "has") if flag.what == "path" else (f"{flag.what} of {flag.owner}", "is")
    return InvalidConstruct(span, f"`{flag.name}` is a {sort}, not a value", f"write `.. {verb} {flag.name}`")


def call_text(name: str, parameters: Iterable[graph.Parameter]) -> str:
    """Return the text of a call with the names of its parameters as arguments."""
    return f"{name}({', '.join(part.name for part in parameters)})"


def owners_of(env: Environment, name: str) -> tuple[str, ...]:
    """Return the owners of traits, features, statuses, paths or places with this name."""
    return tuple(dict.fromkeys(flag.owner for flag in env.flags.values() if flag.name == name))


def is_declared(env: Environment, owner: str, word: source.Word) -> bool:
    """Return whether `owner` has this trait, feature, status, path or place; report it if not."""
    if f"{owner}.{word.text}" in env.flags:
        return True
    pool = env.flag_names(owner)
    env.problems.append(UnknownFlag(word.span, owner, word.text, tuple(pool), owners_of(env, word.text)))
    return False
