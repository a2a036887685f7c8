"""Change the forces of cards, number by number.

In: cards and the patches of the chosen layers. Out: the cards as the stack has them, and who changed which number.
A patch that does not find the number it expects is a problem, never a silent overwrite; the card as it was printed
stays what every stack without the patch sees.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from compiler.layered.nodes import Changed
from compiler.layered.problems import NotAsExpected, PatchesNothing, Problem, UnknownCell
from compiler.layered.touched import Change, Touched
from compiler.source import nodes as source
from compiler.source.suggest import nearest


@dataclass(frozen=True, slots=True)
class PatchedCard:
    """A card with the numbers that the layers of a stack give it."""

    node: source.Scenario
    changes: tuple[Changed, ...]


def patch_cards(
    cards: Mapping[str, source.Scenario],
    patches: Iterable[tuple[str, source.CardPatch]],
    reach: Mapping[str, frozenset[str]],
) -> tuple[dict[str, PatchedCard], list[Problem]]:
    """Apply every patch to its card; only cards that are patched come back."""
    problems: list[Problem] = []
    patched: dict[str, PatchedCard] = {}
    touched = Touched(reach)
    for layer, patch in patches:
        name = patch.card.text
        node = cards.get(name)
        if node is None:
            problems.append(UnknownCell(patch.card.span, "card", name, nearest(name, cards)))
            continue
        card = patched.get(name, PatchedCard(node, ()))
        for change in patch.forces:
            at = _force_of(card.node, change, problems)
            if at is None:
                continue
            unit = change.unit.text
            below = touched.enter((name, at, unit), f"{name}: {unit}", Change(layer, change.span, change.now.text))
            if below is not None:
                cited = replace(change, cites=change.cites or patch.cites)
                card = _change(card, layer, at, cited, below, problems)
        patched[name] = card
    return patched, [*problems, *touched.clashes()]


def _force_of(card: source.Scenario, change: source.ForceChange, problems: list[Problem]) -> int | None:
    """Find the one force that a change is about: the group it names, or else the only one with such counters."""
    own = [at for at, force in enumerate(card.forces) if force.side.text == change.side.text]
    if not own:
        sides = tuple(dict.fromkeys(force.side.text for force in card.forces))
        problems.append(UnknownCell(change.side.span, "side", change.side.text, sides))
        return None
    groups = tuple(card.forces[at].group or "" for at in own)
    if change.group is not None:
        found = [at for at in own if card.forces[at].group == change.group.text]
        if not found:
            problems.append(UnknownCell(change.group.span, "group", change.group.text, groups))
        return found[0] if found else None
    holding = [at for at in own if any(word.text == change.unit.text for word, _ in card.forces[at].units)] or own
    if len(holding) > 1:
        problems.append(UnknownCell(change.span, "group", "", groups))
        return None
    return holding[0]


def _change(
    card: PatchedCard,
    layer: str,
    at: int,
    change: source.ForceChange,
    below: tuple[str, ...],
    problems: list[Problem],
) -> PatchedCard:
    """Give one counter of a force another number."""
    force = card.node.forces[at]
    name = change.unit.text
    was = next(((word, count) for word, count in force.units if word.text == name), None)
    count = was[1] if was else 0
    if int(change.expects.text) not in (count, *map(int, below)):
        what = f"{card.node.name.text}: {name}"
        place = was[0].span if was else force.span
        problems.append(NotAsExpected(change.expects.span, place, what, change.expects.text, str(count)))
    elif change.now.text == change.expects.text:
        place = was[0].span if was else force.span
        problems.append(PatchesNothing(change.now.span, place, f"{card.node.name.text}: {name}", str(count)))
    now = int(change.now.text)
    units = tuple((word, now if word.text == name else number) for word, number in force.units)
    units += () if was else ((change.unit, now),)
    forces = list(card.node.forces)
    forces[at] = replace(force, units=tuple((word, number) for word, number in units if number))
    changed = Changed(layer, at, name, count, change.cites, change.span)
    return PatchedCard(replace(card.node, forces=tuple(forces)), (*card.changes, changed))
