"""The graphs in which the mutants of a stack are run, with their examples.

Input: the available packages and a stack. Output: scenes. A scene is a stack, perhaps on a card or under another
reading, with its own examples and those of the stacks below it that pass in it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulewright.library.example_targets import ExampleTarget, all_targets, held_by, on_cards
from rulewright.library.selection import select_examples
from rulewright.library.stacks import PackageSet
from runtime.graph import nodes as graph


@dataclass(frozen=True, slots=True)
class Scene:
    """A stack to mutate, and the stacks whose examples are run under it besides its own; `reading` is its reading."""

    target: ExampleTarget
    stacks_of_examples: tuple[str, ...] = ()
    reading: tuple[str, str] = ("", "")

    def graph(self, package_set: PackageSet) -> graph.Graph | None:
        """Compile the scene with all its examples; None if it does not compile."""
        made = self.target.compiled(package_set).graph
        if made is None or not self.stacks_of_examples:
            return made
        others = (package_set.compiled(name).graph for name in self.stacks_of_examples)
        more = (example for other in others if other is not None for example in other.examples if not example.card)
        own = {(each.title, each.origin) for each in made.examples}
        lent = tuple(each for each in more if (each.title, each.origin) not in own and _can_play(made, each))
        return replace(made, examples=(*made.examples, *lent))


def _can_play(rules: graph.Graph, example: graph.Example) -> bool:
    """Return whether a graph has the procedures that an example of another stack starts: a layer may withdraw them."""
    acts = {f"action:{line.action}" for line in example.lines if isinstance(line, graph.Perform)}
    done = {f"resolution:{line.resolution}" for line in example.lines if isinstance(line, graph.Do)}
    return acts | done <= rules.procedures.keys()


def main_scene(package_set: PackageSet, stack: str) -> Scene:
    """Return the scene of the stack itself, with the examples of the stacks that it extends."""
    return Scene(ExampleTarget(stack), contained_stacks(package_set, stack))


def contained_stacks(package_set: PackageSet, stack: str) -> tuple[str, ...]:
    """Return the available stacks whose layers and readings are a proper subset of those of a stack."""
    mine, readings = held_by(package_set.library, stack)
    found: dict[object, str] = {}
    for wanted in all_targets(package_set):
        if wanted.scenario:
            continue
        held = held_by(package_set.library, wanted.stack)
        if held[0] <= mine and held[1] <= readings and held != (mine, readings):
            found.setdefault(held, wanted.stack)
    return tuple(found.values())


def reading_scenes(package_set: PackageSet, rules: graph.Graph, stack: str) -> Iterator[Scene]:
    """Yield the scenes of the stack under each reading that it does not choose, if that has rules or examples."""
    chosen = {part.partition("=")[0] for part in stack.split("+") if "=" in part}
    mine, _ = held_by(package_set.library, stack)
    others = (held_by(package_set.library, each.stack) for each in all_targets(package_set) if "=" in each.stack)
    shown = {pair for layers, readings in others if layers <= mine for pair in readings}
    for dispute in rules.disputes.values():
        for reading in dispute.readings:
            known = reading.rules or (dispute.label, reading.label) in shown
            if known and not reading.chosen and dispute.label not in chosen:
                under = f"{stack}+{dispute.label}={reading.label}"
                yield Scene(
                    ExampleTarget(under), (*contained_stacks(package_set, under),), (dispute.label, reading.label)
                )


def card_scenes(package_set: PackageSet, stack: str) -> Iterator[Scene]:
    """Yield the scenes of the stack on each card that is written for it, or that has an example for it."""
    mine = held_by(package_set.library, stack)
    wanted = {each.scenario: each for each in on_cards(package_set, stack)}
    for name in sorted(package_set.library.scenarios):
        card = package_set.library.scenarios.get(name)
        if card is None or name in wanted or not card.uses.text or package_set.missing_layers(card.uses.text):
            continue
        if held_by(package_set.library, card.uses.text) == mine:
            wanted[name] = ExampleTarget(card.uses.text, name)
    yield from (Scene(each) for _, each in sorted(wanted.items()))


def other_scenes(package_set: PackageSet, stack: str, homes: frozenset[str]) -> Iterator[Scene]:
    """Yield scenes of other stacks with examples for some layers: of the stack's own layers, and of related games."""
    mine, _ = held_by(package_set.library, stack)
    seen = {mine}
    named = [share.wanted for share in select_examples(package_set, stack).run]
    for wanted in (*named, *all_targets(package_set)):
        layers, readings = held_by(package_set.library, wanted.stack)
        apart = not mine < layers or wanted in named
        if wanted.scenario or readings or layers in seen or not layers & homes or not apart:
            continue
        seen.add(layers)
        yield Scene(wanted)
