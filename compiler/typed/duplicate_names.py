"""Uniqueness of declared names: the first declaration of each, and the problem of a second one.

In: an environment and a declared word. Out: whether the word is declared here first; otherwise a problem is reported.
"""

from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.problems import DuplicateName


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
