"""The selection of the examples that a test of a stack runs, each under its own stack, and of those it omits.

In: the available packages and a stack as typed. Out: examples by the stack and card they run under. All examples
of the requested layers run, under any stack; of a layer below, only those of exactly this stack or of the stack of a
requested layer, as others do not depend on the requested layers. A request of a joint layer includes the layers that
it joins, and vice versa.
"""

from collections.abc import Iterable, Iterator

from compiler.layered.layer_selection import layers_of_stack
from compiler.layered.stack_request import parse_request
from compiler.source.nodes import Layer
from compiler.source.package import Library
from compiler.source.span import NOWHERE, Span
from rulewright.library.example_targets import ExampleTarget, StackContent, examples_inside, examples_of, stack_content
from rulewright.library.stacks import PackageSet
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.grouping import group_by


@frozen_dataclass
class ExampleGroup:
    """The examples that run under one stack: their layers (or cards), and their number.

    `span` is the span at which one of them specifies the stack, `files` contain them.
    """

    target: ExampleTarget
    layers: tuple[str, ...]
    examples: int
    span: Span
    files: frozenset[str]


@frozen_dataclass
class Selection:
    """The examples to `run`; those omitted on request (`omitted_groups`); those of layers `below` for other stacks.

    `files` are the searched rules files.
    """

    run: tuple[ExampleGroup, ...]
    omitted_groups: tuple[ExampleGroup, ...]
    below: tuple[ExampleGroup, ...]
    files: tuple[str, ...]

    @property
    def skipped_groups(self) -> tuple[ExampleGroup, ...]:
        """Return all examples that do not run."""
        return (*self.omitted_groups, *self.below)


# The layers and readings of a stack, and the name of a card.
Key = tuple[StackContent, str]


@frozen_dataclass
class _LocatedExample:
    """The stack and card of an example, the layer or card that contains it, and where it specifies its stack."""

    target: ExampleTarget
    key: Key
    layer: str
    span: Span
    file: str


def select_examples(package_set: PackageSet, stack: str, *, here: bool = False) -> Selection:
    """Classify the examples of a stack's layers; with `here` only those of exactly this stack are to run."""
    library = package_set.library
    chosen = layers_of_stack(library, stack)
    named = _named_layers(chosen, parse_request(stack).layers)
    identity = stack_content(library, stack)
    located_examples = [*_layer_examples(library, chosen), *_card_examples(library, identity)]
    own_identities = {identity, *(stack_content(library, layer) for layer in named if layer in library.layers)}
    stack_examples = [example for example in located_examples if example.key[0] == identity]
    others = [example for example in located_examples if example.key[0] != identity]
    own_rest = [each for each in others if each.layer in named or each.key[0] in own_identities]
    below = [each for each in others if each not in own_rest]
    files = tuple(file.name for layer in chosen if layer.name.text in named for file in library.files[layer.name.text])
    run = stack_examples if here else [*stack_examples, *own_rest]
    return Selection(
        _group(run, identity, stack), _group(own_rest if here else [], identity, stack), _group(below, identity, stack),
        tuple(file for file in files if file.endswith(".rules")),
    )  # fmt: skip


def _named_layers(chosen: Iterable[Layer], requested: Iterable[str]) -> frozenset[str]:
    """Return the requested layers, closed under joint layers and the layers that these join."""
    joints = {layer.name.text: {word.text for word in layer.on} for layer in chosen if layer.kind.text == "joint"}
    named = set(requested)
    grew = True
    while grew:
        before = len(named)
        for joint, joined in joints.items():
            if joint in named:
                named |= joined
            elif joined & named:
                named.add(joint)
        grew = len(named) > before
    return frozenset(named)


def _layer_examples(library: Library, chosen: Iterable[Layer]) -> Iterator[_LocatedExample]:
    """Yield the examples in the layers of a stack."""
    for layer in (layer.name.text for layer in chosen):
        for example in examples_of(library, layer):
            stack_word, upon = example.under, example.upon
            target = ExampleTarget(stack_word.text if stack_word else layer, upon.text if upon else "")
            span = stack_word.span if stack_word else example.span
            yield _LocatedExample(
                target, (stack_content(library, target.stack), target.scenario), layer, span, example.span.file
            )


def _card_examples(library: Library, identity: StackContent) -> Iterator[_LocatedExample]:
    """Yield the examples of a stack among the special rules of cards."""
    for name in sorted(library.scenarios):
        card = library.scenarios.get(name)
        for example in examples_inside(card.special) if card is not None and card.uses.text else ():
            assert card is not None
            stack = example.under.text if example.under else card.uses.text
            if stack_content(library, stack) == identity:
                yield _LocatedExample(
                    ExampleTarget(stack, name), (identity, name), name, example.span, example.span.file
                )


def _group(located_examples: Iterable[_LocatedExample], identity: StackContent, stack: str) -> tuple[ExampleGroup, ...]:
    """Group examples by stack and card, regardless of the spelling of the stack; the requested stack comes first."""
    found = group_by(located_examples, lambda each: each.key)
    groups = []
    for key, examples in found.items():
        name = (
            stack
            if key[0] == identity
            else min((example.target.stack for example in examples), key=lambda n: (len(n), n))
        )
        places = [example.span for example in examples if example.target.stack != example.layer]
        layers, files = sorted({example.layer for example in examples}), frozenset(example.file for example in examples)
        group = ExampleGroup(ExampleTarget(name, key[1]), tuple(layers), len(examples), (places or [NOWHERE])[0], files)
        groups.append((key[0] != identity, group.target.name, group))
    return tuple(group for *_, group in sorted(groups, key=lambda each: each[:2]))
