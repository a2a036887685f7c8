"""The shipped situations with each of their options.

An option is a layer of kind `optional` or `experimental`; it is compared with the game under the layers that the option
is on, so that only its own changes count. Left out are options of the variants, for whose counters there is no
situation, and what two options chosen together bring along.
"""

from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from compiler.source.nodes import Layer, Scenario
from compiler.source.package import Library
from rulewright.library.example_targets import stack_content
from rulewright.library.stacks import PackageSet, open_packages

ROOT = Path(__file__).parents[2]
OPTIONAL = frozenset({"optional", "experimental"})


@cache
def package_set() -> PackageSet:
    """Open the shipped packages."""
    return open_packages(())


def shipped() -> Library:
    """Return the shipped library."""
    return package_set().library


def options() -> tuple[Layer, ...]:
    """Return the shipped options, without the layers that the default stack of another layer has."""
    layers = shipped().layers
    included = {word.text for layer in layers.values() for word in layer.along}
    return tuple(layers[name] for name in sorted(layers) if layers[name].kind.text in OPTIONAL and name not in included)


def situations() -> tuple[Scenario, ...]:
    """Return the situations that can be played without further boards."""
    return tuple(each for each in _all_situations() if not package_set().missing_boards(each))


def printed_cards() -> tuple[Scenario, ...]:
    """Return the situations of the printed cards, whose boards are not shipped: `--path` brings them."""
    return tuple(each for each in _all_situations() if package_set().missing_boards(each))


def _all_situations() -> tuple[Scenario, ...]:
    found = shipped().scenarios
    return tuple(found[name] for name in sorted(found))


def _games_and_variants() -> frozenset[str]:
    return frozenset(name for name, layer in shipped().layers.items() if layer.kind.text in ("base", "variant"))


def stands_on(option: Layer) -> frozenset[str]:
    """Return all layers below an option."""
    layers, found, todo = shipped().layers, set[str](), [word.text for word in option.on]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [word.text for word in layers[name].on]
    return frozenset(found)


def base_of(option: Layer, stack: str) -> str:
    """Return the name of the stack that an option is compared with."""
    layers, _ = stack_content(shipped(), stack)
    return "+".join((stack, *(word.text for word in option.on if word.text not in layers)))


def options_of(card: Scenario) -> Iterator[Layer]:
    """Yield the options of the game, and of the variant, of a situation that its own stack lacks."""
    layers, _ = stack_content(shipped(), card.uses.text)
    return (
        each for each in options() if each.name.text not in layers and stands_on(each) & _games_and_variants() <= layers
    )


def pairs() -> Iterator[tuple[str, str]]:
    """Yield the situations with each of their options, the printed cards last."""
    for card in (*situations(), *printed_cards()):
        for option in options_of(card):
            yield card.name.text, option.name.text


def options_by_base(situation: str, only: Collection[str]) -> dict[str, list[str]]:
    """Return the options of a situation, or those in `only`, by the stack that they are compared with."""
    card = shipped().scenarios[situation]
    by_base: dict[str, list[str]] = {}
    for option in options_of(card):
        if not only or option.name.text in only:
            by_base.setdefault(base_of(option, card.uses.text), []).append(option.name.text)
    return by_base
