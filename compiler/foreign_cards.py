"""Detection of a card that was written for another game, and of the stack that declares what is on it.

In: a card, the stack that it names, and the library. Out: one problem instead of one for each unknown side and counter.
"""

from collections.abc import Iterable

from compiler.layered import nodes as layered
from compiler.layered.layer_selection import choose_layers, parse_request
from compiler.source import nodes as source
from compiler.source.package import Library, load_layer
from compiler.typed.problems import Misplaced

# The number of unknown names from which the card is taken to be written for another stack that has them all.
ENOUGH_NAMES = 3
# Layers whose name follows that of the game of which they are an option.
OPTIONS = ("optional", "experimental")


def of_another_game(card: source.Scenario, stack: layered.LayeredStack, library: Library) -> Misplaced | None:
    """Return the problem if a stack lacks many names of a card and another stack declares all of them."""
    sides = {word.text for word in (*card.order, *(force.side for force in card.forces))}
    counters = {word.text for force in card.forces for word, _ in force.units}
    counters |= {placed.unit.text for force in card.forces for placed in force.placed}
    known = _sides(part.node for part in stack.statements_of(source.Sides)) | stack.counters.keys()
    unknown_names = sorted((sides | counters) - known)
    if len(unknown_names) < ENOUGH_NAMES:
        return None
    homes = _stacks_knowing(sides, counters, library)
    if not homes and 2 * len(unknown_names) < len(sides | counters):
        return None
    names = [f"`{name}`" for name in unknown_names[:ENOUGH_NAMES]]
    names_text = ", ".join([*names, *([".."] if len(unknown_names) > ENOUGH_NAMES else [])])
    message = f"`{stack.name}` does not know {len(unknown_names)} of the sides and counters on this card: {names_text}"
    if stack.name != card.uses.text:  # Other rules than its own were named.
        return Misplaced(card.uses.span, message, f"the card is for `{card.uses.text}`: name rules that stand on these")
    advice = (
        f"write `uses: {homes[0]}`, which knows all its sides and counters" if homes else "name the stack it is for"
    )
    return Misplaced(card.uses.span, message, advice)


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
