"""The stacks to compile, run and measure: those of layers, of examples, and of cards.

In: the available packages. Out: names of stacks, each with a card if it is the target of a situation.
"""

from collections.abc import Iterable, Iterator

from compiler.layered.layer_selection import layer_names_of, layers_of_stack
from compiler.layered.stack_request import parse_request
from compiler.source.nodes import Example, Law, Reading, Statement, nested_laws
from compiler.source.package import Library, load_layer
from rulewright.library.stacks import PackageSet, Stack
from runtime.graph import nodes as graph
from runtime.graph.closure import transitive_closure
from runtime.graph.frozen_dataclass import frozen_dataclass

# The names of layers, and (dispute, reading) pairs.
StackContent = tuple[frozenset[str], frozenset[tuple[str, str]]]


@frozen_dataclass
class ExampleTarget:
    """A stack with examples: its name, and the name of a card, "" if there is none."""

    stack: str
    scenario: str = ""

    @property
    def name(self) -> str:
        """Return the printed name of the target."""
        return f"{self.stack}, {self.scenario}" if self.scenario else self.stack

    def compiled(self, package_set: PackageSet) -> Stack:
        """Compile the target."""
        return package_set.compiled(
            self.stack, package_set.library.scenarios.get(self.scenario) if self.scenario else None
        )


def all_targets(package_set: PackageSet) -> list[ExampleTarget]:
    """Return all available targets: of every layer, of examples, and of cards that wait for no boards."""
    library = package_set.library
    named = {layer.name.text for layer in library.layers.values() if layer.kind.text != "joint"}
    named |= {example.under.text for example in _examples(library) if example.under}
    joint = {"+".join(word.text for word in each.on) for each in library.layers.values() if each.kind.text == "joint"}
    cards = [
        ExampleTarget(card.uses.text, name)
        for name in sorted(library.scenarios)
        if (card := library.scenarios.get(name)) and not package_set.missing_boards(card)
    ]
    return [*map(ExampleTarget, sorted(named | joint)), *cards]


def card_targets(package_set: PackageSet, stack: str = "") -> list[ExampleTarget]:
    """Return the targets of the examples on cards: those of one stack, or all."""
    library = package_set.library
    # The stack of an example contains its layer, so for one stack only its layers have to be read.
    layers = layers_of_stack(library, stack) if stack else library.layers.values()
    names = sorted(layer.name.text for layer in layers)
    named = [(each, layer) for layer in names for each in examples_of(library, layer) if each.upon]
    found = {
        ExampleTarget(each.under.text if each.under else layer, each.upon.text) for each, layer in named if each.upon
    }
    for name in sorted(library.scenarios):
        card = library.scenarios.get(name)
        if card is not None and card.uses.text:
            card_stack = card.uses.text
            found |= {
                ExampleTarget(each.under.text if each.under else card_stack, name)
                for each in examples_inside(card.special)
            }
    stack_identity = stack_content(library, stack) if stack else None
    targets: dict[tuple[object, ...], ExampleTarget] = {}
    for each in sorted(found, key=_by_name):
        if each.scenario in library.scenarios and not package_set.missing_layers(each.stack):
            identity = stack_content(library, each.stack)
            if stack_identity in (None, identity):
                targets.setdefault((identity, each.scenario), each)
    return list(targets.values())


def _by_name(target: ExampleTarget) -> str:
    return target.name


def stack_content(library: Library, stack: str) -> StackContent:
    """Return the layers and the readings of a stack, which identify it regardless of its spelling."""
    return layer_names_of(library, stack), frozenset(parse_request(stack).readings)


def _examples(library: Library) -> Iterator[Example]:
    """Yield every example in the rules of every layer."""
    for name in sorted(library.layers):
        yield from examples_of(library, name)


def examples_of(library: Library, name: str) -> Iterator[Example]:
    """Yield every example in the rules of a layer."""
    return examples_inside(load_layer(library, name)[0].statements())


def examples_inside(laws: Iterable[Statement | Law | Reading]) -> Iterator[Example]:
    """Yield the examples among laws, and in the laws that contain others."""
    return (law for law in nested_laws(laws) if isinstance(law, Example))


def own_layers(rules: graph.Graph) -> frozenset[str]:
    """Return the layers of a stack that are not part of a complete game which it extends."""
    base = {layer.name: layer for layer in rules.layers if layer.kind == "base"}
    extended = {name for layer in rules.layers if layer.kind != "base" for name in layer.on} & base.keys()
    below = transitive_closure(extended, lambda name: base.keys() & base[name].on)
    return frozenset(layer.name for layer in rules.layers) - below
