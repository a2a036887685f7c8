"""The examples of the stacks inside both of two stacks, elaborated in each of the two.

In: two stacks. Out: the examples of other stacks that type in both, and that neither stack has itself. Two editions of
a layer have none in common: the lines of one would name others of the other one.
"""

import hashlib

from compiler.compile import inner_examples
from compiler.source.finding import Finding
from compiler.typed.findings.names import UnknownName
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph

# The identity of an example: file, line, title.
Key = tuple[str, int, str]


def inherited_examples(a: Stack, b: Stack) -> tuple[tuple[graph.Example, graph.Example], ...]:
    """Return the examples of other stacks that can be played in both, as elaborated in each."""
    if not stamp_of(a, b):
        return ()
    first, second = (_inner_examples(each) for each in (a, b))
    own_keys = {_key(each) for stack in (a, b) if stack.graph for each in stack.graph.examples}
    return tuple((first[key], second[key]) for key in first if key in second and key not in own_keys)


def stamp_of(a: Stack, b: Stack) -> bytes:
    """Return a hash of the files of the layers that both stacks have; "" if they have no examples in common."""
    names = _layers(a) & _layers(b)
    texts = [
        [(file.name, stack.library.texts[file.name]) for name in sorted(names) for file in stack.library.files[name]]
        for stack in (a, b)
    ]
    return hashlib.sha256(repr(texts[0]).encode()).digest() if names and texts[0] == texts[1] else b""


def _layers(stack: Stack) -> set[str]:
    """Return the layers of a stack; a situation card has none of its own examples."""
    rules = stack.graph
    return set() if rules is None or rules.scenario else {layer.name for layer in rules.layers}


def _key(example: graph.Example) -> Key:
    return example.origin.file, example.origin.line, example.title


def _inner_examples(stack: Stack) -> dict[Key, graph.Example]:
    """Return the examples of the stacks inside a stack, typed in its environment, without those that do not type.

    A reason that names a removed rule is accepted: the comparison does not use the reasons of examples.
    """
    assert stack.env is not None
    inner, _ = inner_examples(stack.library, stack.name, stack.env)
    return {_key(example): example for example, _, problems in inner if all(map(_names_a_rule, problems))}


def _names_a_rule(problem: Finding) -> bool:
    """Return whether a problem is a label of a reason that no rule has."""
    return isinstance(problem, UnknownName) and problem.category == "rule"
