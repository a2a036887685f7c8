"""Each name once: who declared it first, and what is said of a second claim.

In: an environment and a declared word. Out: whether the word is its own, with the problem reported where it is not.
"""

from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.problems import DuplicateName


def reserve_name(env: Environment, namespace: str, word: source.Word) -> bool:
    """Reserve a name in a namespace of names; report a second claim."""
    first = env.spans.setdefault((namespace, word.text), word.span)
    if first != word.span:
        env.problems.append(DuplicateName(word.span, first, namespace, word.text))
        return False
    return True


def holds_name(env: Environment, namespace: str, word: source.Word) -> bool:
    """Return whether this declaration is the one that got a name, not a second claim, of which is told already."""
    return env.spans.get((namespace, word.text)) == word.span
