"""Uniqueness of declared names: the first declaration of each, and the problem of a second one.

In: an environment and a declared word. Out: whether the word is declared here first; otherwise a problem is reported.
What is called like a function, `name(..)`, is also compared with the functions of the language and with each other.
"""

from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.findings.declared_twice import DuplicateName
from compiler.typed.values.calls import is_function


def reserve_name(env: Environment, namespace: str, word: source.Word) -> bool:
    """Reserve a name in a namespace, and return whether it was free; report a second declaration."""
    first = env.spans.setdefault((namespace, word.text), word.span)
    if first != word.span:
        env.problems.append(DuplicateName(word.span, first, namespace, word.text))
        return False
    return True


def holds_name(env: Environment, namespace: str, word: source.Word) -> bool:
    """Return whether this declaration reserved a name, instead of being a second one, which is reported already."""
    return env.spans.get((namespace, word.text)) == word.span


def check_called_names(env: Environment) -> None:
    """Report terms, scales and relations that have the name of a function, as calls could not tell the two apart."""
    for namespace, names in (("term", env.terms), ("type", env.scales), ("relation", env.relations)):
        for name in names:
            if is_function(name) and (span := env.spans.get((namespace, name))):
                message = f"`{name}` is already a function of the language"
                env.report_invalid(span, message, "give it another name")
    for name in env.terms:
        if (name in env.scales or name in env.relations) and (span := env.spans.get(("term", name))):
            other = "scale" if name in env.scales else "relation"
            message = f"`{name}` is already the name of a {other}"
            env.report_invalid(span, message, "give it another name")
