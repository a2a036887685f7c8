"""Detection of names from elsewhere: of a card that was written for another game, or of a layer that is not included.

In: a card and the stack that it names, or the undeclared names of a stack; and the library. Out: one problem, at the
card or the manifest, instead of one for each unknown name.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from compiler.layered import nodes as layered
from compiler.layered.findings.labels import UnknownLabel
from compiler.layered.layer_selection import choose_layers
from compiler.layered.stack_request import parse_request
from compiler.source import nodes as source
from compiler.source.nodes import laws_inside
from compiler.source.package import Library, load_layer
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.names import UnknownFlag, UnknownMember, UnknownName

# The number of unknown names from which the card is taken to be written for another stack that has them all.
ENOUGH_NAMES = 3
# Layers whose name follows that of the game of which they are an option.
OPTIONS = ("optional", "experimental")


def foreign_card_problem(
    card: source.Scenario, stack: layered.LayeredStack, library: Library
) -> InvalidConstruct | None:
    """Return the problem if a stack lacks many names of a card and another stack declares all, or none knows them."""
    sides = {word.text for word in (*card.order, *(force.side for force in card.forces))}
    counters = {word.text for force in card.forces for word, _ in force.units}
    counters |= {placed.unit.text for force in card.forces for placed in force.placed}
    known = _sides(part.node for part in stack.statements_of(source.Sides)) | stack.counters.keys()
    unknown_names = sorted((sides | counters) - known)
    if len(unknown_names) < ENOUGH_NAMES:
        return None
    homes = _stacks_knowing(sides, counters, library)
    # Without another stack, a card whose sides are known is for this one, and has wrong names of counters.
    if not homes and (sides <= known or 2 * len(unknown_names) < len(sides | counters)):
        return None
    names = [f"`{name}`" for name in unknown_names[:ENOUGH_NAMES]]
    names_text = ", ".join([*names, *([".."] if len(unknown_names) > ENOUGH_NAMES else [])])
    message = f"`{stack.name}` lacks {len(unknown_names)} of the sides and counters of this situation: {names_text}"
    if stack.name != card.uses.text:  # Other rules than its own were named.
        return InvalidConstruct(card.uses.span, message, _advice(card))
    advice = f"write `uses: {homes[0]}`, which has all of them" if homes else "name the stack for which it was made"
    return InvalidConstruct(card.uses.span, message, advice)


def foreign_fact_problem(
    card: source.Scenario, stack: layered.LayeredStack, problems: Iterable[object]
) -> InvalidConstruct | None:
    """Return the problem if a card names facts that its own rules may declare, but the rules that were named do not."""
    unknown = [each for each in problems if isinstance(each, UnknownName) and each.span.file == card.uses.span.file]
    if stack.name == card.uses.text or not unknown:
        return None
    names_text = ", ".join(f"`{name}`" for name in dict.fromkeys(each.name for each in unknown))
    return InvalidConstruct(
        card.uses.span, f"`{stack.name}` lacks {names_text}, which this situation names", _advice(card)
    )


def _advice(card: source.Scenario) -> str:
    return f"name rules that are based on `{card.uses.text}`, for which the situation was made"


def _stacks_knowing(sides: set[str], counters: set[str], library: Library) -> list[str]:
    """Return the layers whose stacks declare all these names, the smallest first."""
    found = []
    for name in sorted(library.layers):
        layers, missing = choose_layers(library.layers, parse_request(name))
        if not missing and _knows(layers, sides, counters, library):
            game = library.layers[name].on[:1] if library.layers[name].kind.text in OPTIONS else ()
            found.append((len(layers), "+".join((*(word.text for word in game), name))))
    return [name for _, name in sorted(found)]


def _knows(layers: Iterable[source.Layer], sides: set[str], counters: set[str], library: Library) -> bool:
    read = [load_layer(library, layer.name.text)[0] for layer in layers]
    charts = (chart.rows for each in read for chart in each.charts)
    patches = (patch.add for each in read for patch in each.piece_patches)
    printed = {counter.id.text for rows in (*charts, *patches) for counter in rows}
    if not counters <= printed:
        return False
    return sides <= _sides(statement for each in read for statement in each.statements())


def _sides(statements: Iterable[object]) -> set[str]:
    return {item.name.text for each in statements if isinstance(each, source.Sides) for item in each.items}


# ---------------------------------------------------------------- layers


# The number of unknown names from which a missing dependency is assumed, if another layer declares most of them.
ENOUGH_LAYER_NAMES, ONE_LAYER_SHARE = 3, 0.75


Unknown = UnknownName | UnknownFlag | UnknownMember | UnknownLabel


def foreign_layer_problem(
    problems: Sequence[object], manifests: Sequence[source.Layer], library: Library
) -> tuple[InvalidConstruct, tuple[Unknown, ...]] | None:
    """Return the layer on which a layer of a stack should depend, with the problems that this explains."""
    unknown = [each for each in problems if isinstance(each, Unknown)]
    below = {layer.name.text for layer in manifests}
    for layer in reversed(manifests):
        files = {file.name for file in library.files[layer.name.text]}
        layer_problems = [each for each in unknown if each.span.file in files]
        names = {each.name for each in layer_problems if isinstance(each, UnknownName | UnknownFlag)}
        if len(names) < ENOUGH_LAYER_NAMES or not layer.on:
            continue
        homes = [(names & _declared(library, other), other) for other in sorted(library.layers.keys() - below)]
        declared_names, home = max(homes, key=lambda found: len(found[0]), default=(set[str](), ""))
        if len(declared_names) >= max(ENOUGH_LAYER_NAMES, ONE_LAYER_SHARE * len(names)):
            names_text = ", ".join(f"`{name}`" for name in sorted(declared_names)[:ENOUGH_LAYER_NAMES]) + (
                ", .." if len(declared_names) > ENOUGH_LAYER_NAMES else ""
            )
            on = layer.on[0]
            message = (
                f"`{layer.name.text}` is based on `{on.text}`, but uses "
                f"{len(declared_names)} names of `{home}`: {names_text}"
            )
            advice = f"write `on: [{home}]`, or add `{home}` to it"
            found = InvalidConstruct(on.span, message, advice, names=tuple(sorted(names)))
            return found, tuple(layer_problems)
    return None


def _declared(library: Library, layer: str) -> frozenset[str]:
    """Return the names that a layer declares."""
    read = load_layer(library, layer)[0]
    printed = (counter.id.text for chart in read.charts for counter in chart.rows)
    return frozenset((*printed, *(word for each in read.statements() for word in _names(each))))


def _names(statement: Any) -> Iterator[str]:
    """Yield the name of a declaration, and the names of nested declarations and rules."""
    yield from _label_or_name(statement)
    for field in fields(statement):
        value = getattr(statement, field.name)
        for each in value if isinstance(value, tuple) else ():
            if is_dataclass(each) and not isinstance(each, source.Expression | source.Step):
                yield from _label_or_name(each)
    for law in laws_inside(statement):
        yield from _label_or_name(law)


def _label_or_name(part: Any) -> Iterator[str]:
    words = (getattr(part, key, None) for key in ("name", "label"))
    yield from (word.text for word in words if isinstance(word, source.Word))
