"""The graphs in which the mutants of a stack are run, with their examples.

In: the available packages and a stack. Out: scenes. A scene is a stack, perhaps on a card or under another
reading, with its own examples and those of the stacks below it that pass in it.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from rulewright.checks.card_library import changed_cards
from rulewright.library.example_targets import ExampleTarget, all_targets, card_targets, stack_content
from rulewright.library.selection import select_examples
from rulewright.library.stacks import PackageSet
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.mutation.mutant import LINE, NUMBER, PART, Mutant


@frozen_dataclass
class MutationStack:
    """A stack to mutate, and the stacks whose examples are run under it besides its own.

    `altered` is what only it has to mutate: layers of its own, the rules of its `reading`, a card with its rules,
    what layers change on the card, or nothing.
    """

    target: ExampleTarget
    altered: Literal["layers", "reading", "card", "changes", "nothing"]
    stacks_of_examples: tuple[str, ...] = ()
    reading: tuple[str, str] = ("", "")

    def is_new(self, mutant: Mutant, rules: graph.Graph, stack_rules: graph.Graph, layers: frozenset[str]) -> bool:
        """Return whether only this scene has a mutant; `layers` are the own layers of the stack."""
        match self.altered:
            case "layers":
                return mutant.origin.layer in layers
            case "reading":
                dispute, label = self.reading
                reading = next(each for each in rules.disputes[dispute].readings if each.label == label)
                return mutant.name in reading.rules and mutant.origin.layer in layers
            case "card":
                is_new_rule = mutant.name in rules.rules and mutant.name not in stack_rules.rules
                return is_new_rule or mutant.kind in (LINE, NUMBER, PART)
            case "changes":
                return mutant.kind in (NUMBER, PART)
            case "nothing":
                return False

    def graph(self, package_set: PackageSet) -> graph.Graph | None:
        """Compile the scene with all its examples; None if it does not compile."""
        rules = self.target.compiled(package_set).graph
        if rules is None or not self.stacks_of_examples:
            return rules
        examples = list(rules.examples)
        example_keys = {(example.title, example.origin) for example in examples}
        for name in self.stacks_of_examples:
            other = package_set.compiled(name).graph
            for example in other.examples if other is not None else ():
                is_new = not example.card and (example.title, example.origin) not in example_keys
                if is_new and _can_play(rules, example):
                    examples.append(example)
        return replace(rules, examples=tuple(examples))


def _can_play(rules: graph.Graph, example: graph.Example) -> bool:
    """Return whether a graph has the procedures that an example of another stack starts: a layer may withdraw them."""
    action_keys = {f"action:{line.action}" for line in example.lines if isinstance(line, graph.Perform)}
    resolution_keys = {f"resolution:{line.resolution}" for line in example.lines if isinstance(line, graph.Do)}
    return action_keys | resolution_keys <= rules.procedures.keys()


def contained_stacks(package_set: PackageSet, stack: str) -> tuple[str, ...]:
    """Return the available stacks whose layers and readings are a proper subset of those of a stack."""
    stack_layers, readings = stack_content(package_set.library, stack)
    found: dict[object, str] = {}
    for target in all_targets(package_set):
        if target.scenario:
            continue
        identity = stack_content(package_set.library, target.stack)
        if identity[0] <= stack_layers and identity[1] <= readings and identity != (stack_layers, readings):
            found.setdefault(identity, target.stack)
    return tuple(found.values())


def reading_scenes(package_set: PackageSet, rules: graph.Graph, stack: str) -> Iterator[MutationStack]:
    """Yield the scenes of the stack under each reading that it does not choose, if that has rules or examples."""
    chosen_disputes = {part.partition("=")[0] for part in stack.split("+") if "=" in part}
    stack_layers, _ = stack_content(package_set.library, stack)
    others = (stack_content(package_set.library, each.stack) for each in all_targets(package_set) if "=" in each.stack)
    example_readings = {pair for layers, readings in others if layers <= stack_layers for pair in readings}
    for dispute in rules.disputes.values():
        for reading in dispute.readings:
            has_content = reading.rules or (dispute.label, reading.label) in example_readings
            if has_content and not reading.chosen and dispute.label not in chosen_disputes:
                reading_stack = f"{stack}+{dispute.label}={reading.label}"
                yield MutationStack(
                    ExampleTarget(reading_stack),
                    "reading",
                    (*contained_stacks(package_set, reading_stack),),
                    (dispute.label, reading.label),
                )


def card_scenes(package_set: PackageSet, stack: str) -> Iterator[MutationStack]:
    """Yield the scenes of the stack on each card that is written for it, has an example for it, or is changed by it.

    A change that no example on the card can notice is unprotected as well.
    """
    identity = stack_content(package_set.library, stack)
    targets_by_card = {each.scenario: each for each in card_targets(package_set, stack)}
    for name in sorted(package_set.library.scenarios):
        card = package_set.library.scenarios.get(name)
        if card is None or name in targets_by_card or not card.uses.text or package_set.missing_layers(card.uses.text):
            continue
        if stack_content(package_set.library, card.uses.text) == identity:
            targets_by_card[name] = ExampleTarget(card.uses.text, name)
    yield from (MutationStack(each, "card") for _, each in sorted(targets_by_card.items()))
    # An example of any stack with the layer is responsible for what the layer changes on the card.
    exemplified = {
        (target.scenario, layer)
        for target in card_targets(package_set)
        for layer in stack_content(package_set.library, target.stack)[0]
    }
    for name in sorted({name for name, _ in changed_cards(package_set.library, stack) - exemplified}):
        card = package_set.library.scenarios.get(name)
        if name in targets_by_card or card is None or package_set.missing_layers(card.uses.text):
            continue
        if stack_content(package_set.library, card.uses.text)[0] <= identity[0]:
            yield MutationStack(ExampleTarget(stack, name), "changes")


def other_scenes(package_set: PackageSet, stack: str, survivor_layers: frozenset[str]) -> Iterator[MutationStack]:
    """Yield scenes of other stacks with examples for some layers: of the stack's own layers, and of related games."""
    stack_layers, _ = stack_content(package_set.library, stack)
    seen_stacks = {stack_layers}
    selected_targets = [share.target for share in select_examples(package_set, stack).run]
    for target in (*selected_targets, *all_targets(package_set)):
        layers, readings = stack_content(package_set.library, target.stack)
        is_separate = not stack_layers < layers or target in selected_targets
        if target.scenario or readings or layers in seen_stacks or not layers & survivor_layers or not is_separate:
            continue
        seen_stacks.add(layers)
        yield MutationStack(target, "nothing")
