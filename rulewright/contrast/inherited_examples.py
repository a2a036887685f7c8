"""The examples of the common base of two stacks, elaborated in each of the two.

In: two stacks of one library. Out: the examples of their common base, and of the stacks inside it, that neither stack
has itself, typed in the environment of each. Excluded are examples that fail in the base, as a difference would then be
the fault of the example, and examples that use a name that one of the two stacks does not declare.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from compiler.compile import inner_examples
from compiler.layered.layer_selection import choose_layers, reachable_layers
from compiler.layered.stack_request import OFF, StackRequest, parse_request
from compiler.report.diagnose import Problem
from compiler.source import nodes as source
from compiler.source.package import Library
from compiler.typed.problems import UnknownName
from rulewright.library import cache
from rulewright.library.stacks import PackageSet, Stack
from runtime.examples.example_budget import ExampleBudget
from runtime.examples.run import run_row
from runtime.graph import nodes as graph

# The identity of an example: file, line, title.
Key = tuple[str, int, str]


@dataclass(frozen=True, slots=True)
class InheritedExamples:
    """The examples of the stack `base`, elaborated in each of two stacks that extend it.

    `failing_count` counts excluded ones that fail in the base, `foreign_count` those with a name that one of the two
    does not declare.
    """

    base: str = ""
    first_examples: tuple[graph.Example, ...] = ()
    second_examples: tuple[graph.Example, ...] = ()
    failing_count: int = 0
    foreign_count: int = 0

    @property
    def count(self) -> int:
        """Return the number of examples of the base that neither stack has itself, with excluded ones."""
        return len(self.first_examples) + self.failing_count + self.foreign_count

    def added_to(self, a: graph.Graph, b: graph.Graph) -> tuple[graph.Graph, graph.Graph]:
        """Return both graphs with these examples added."""
        return (
            replace(a, examples=(*a.examples, *self.first_examples)),
            replace(b, examples=(*b.examples, *self.second_examples)),
        )


NO_EXAMPLES = InheritedExamples()


def common_base(a: Stack, b: Stack) -> str:
    """Return the stack of all layers and readings that two stacks share, "" if there is none.

    Situation cards, and two editions of one layer, have no common base.
    """
    if any(each.graph is None or each.graph.scenario for each in (a, b)):
        return ""
    requests = [parse_request(each.name) for each in (a, b)]
    names = _layers(b.library, requests[1])
    chosen, _ = choose_layers(a.library.layers, requests[0])
    shared = {each.name.text: each for each in chosen if each.name.text in names}
    if any(_files(a.library, name) != _files(b.library, name) for name in shared):
        return ""
    readings = tuple(each for each in requests[0].readings if each in requests[1].readings and each[1] != OFF)
    implied_names = {word.text for each in shared.values() for word in each.along}
    candidates = (
        _request(a.library, each, shared, readings) for each in (shared.keys() - implied_names, shared.keys())
    )
    return next((each.name for each in candidates if each and _layers(a.library, each) == shared.keys()), "")


def _request(
    library: Library, names: Collection[str], shared: Mapping[str, source.Layer], readings: tuple[tuple[str, str], ...]
) -> StackRequest | None:
    """Build the request for the topmost of some layers, without layers that are implied and not shared."""
    chosen_layers = tuple(layer for name, layer in shared.items() if name in names and layer.kind.text != "joint")
    reachable_by_layer = reachable_layers(chosen_layers)
    below = {name for top, reached in reachable_by_layer.items() for name in reached - {top}}
    tops = tuple(name for name in reachable_by_layer if name not in below)
    if not tops:
        return None
    implied_names = sorted(_layers(library, StackRequest(tops, readings)) - shared.keys())
    return StackRequest(tops, (*readings, *((name, OFF) for name in implied_names)))


def _layers(library: Library, request: StackRequest) -> set[str]:
    return {each.name.text for each in choose_layers(library.layers, request)[0]}


def _files(library: Library, layer: str) -> list[tuple[str, str]]:
    return [(file.name, library.texts[file.name]) for file in library.files[layer]]


def stamp_of(a: Stack, b: Stack) -> bytes:
    """Return a hash of the inputs of the common examples: the files of the layers that both stacks have."""
    base = common_base(a, b)
    return _stamp(a.library, base) if base else b""


def _stamp(library: Library, base: str) -> bytes:
    texts = [each for name in sorted(_layers(library, parse_request(base))) for each in _files(library, name)]
    return hashlib.sha256(repr((base, texts)).encode()).digest()


def inherited_examples(a: Stack, b: Stack) -> InheritedExamples:
    """Return the examples of the common base of two stacks that can be played in both and that neither has itself."""
    base = common_base(a, b)
    base_stack = PackageSet(a.library, ()).compiled(base) if base else None
    if base_stack is None or base_stack.graph is None or base_stack.env is None or base_stack.is_broken:
        return NO_EXAMPLES
    own_keys = {_key(each) for stack in (a, b) if stack.graph for each in stack.graph.examples}
    base_keys = [key for key in _in_base(base_stack) if key not in own_keys]
    if not base_keys:
        return InheritedExamples(base)
    holding = _holding(base_stack)
    passing_keys = [key for key in base_keys if key in holding]
    examples_by_stack = [_in_words_of(each) for each in (a, b)]
    shared_keys = [key for key in passing_keys if all(key in each for each in examples_by_stack)]
    first_examples, second_examples = (tuple(each[key] for key in shared_keys) for each in examples_by_stack)
    return InheritedExamples(
        base, first_examples, second_examples, len(base_keys) - len(passing_keys), len(passing_keys) - len(shared_keys)
    )


def _key(example: graph.Example) -> Key:
    return example.origin.file, example.origin.line, example.title


def _in_words_of(stack: Stack) -> dict[Key, graph.Example]:
    """Return the examples of the stacks inside a stack, typed in its environment, without those that do not type.

    A reason that names a removed rule is accepted: the comparison does not use the reasons of examples.
    """
    assert stack.env is not None
    inner, _ = inner_examples(stack.library, stack.name, stack.env)
    return {_key(example): example for example, _, problems in inner if all(map(_names_a_rule, problems))}


def _names_a_rule(problem: Problem) -> bool:
    """Return whether a problem is a label of a reason that no rule has."""
    return isinstance(problem, UnknownName) and problem.category == "rule"


def _in_base(base: Stack) -> list[Key]:
    """Return the examples of a stack and of those inside it, lowest first."""
    assert base.graph is not None
    assert base.env is not None
    inner, _ = inner_examples(base.library, base.name, base.env)
    return [_key(each) for each in (*(example for example, _, _ in inner), *base.graph.examples)]


def _holding(base: Stack) -> Collection[Key]:
    """Return the passing examples of a stack and of those inside it, cached by compiler and layer files."""
    assert base.graph is not None
    rules = base.graph
    key = cache.cache_key(b"holding", cache.compiler_stamp("compiler", "runtime"), _stamp(base.library, base.name))
    return cache.remember_result(key, lambda: frozenset(_played(base, rules)))


def _played(base: Stack, rules: graph.Graph) -> Iterator[Key]:
    examples = _in_words_of(base)
    budget = ExampleBudget(replace(rules, examples=tuple(examples.values())))
    for key, example in examples.items():
        runs = []
        for row in range(max(1, len(example.rows))):
            with budget.row():
                runs.append(run_row(rules, example, row))
        if all(run.has_passed for run in runs):
            yield key
    yield from map(_key, rules.examples)  # `test` holds a stack to its own.
