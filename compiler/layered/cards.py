"""Patch cards: the forces number by number, and all other parts one by one.

The input is cards and the patches of the chosen layers; the output is the cards as the stack has them, and the changes
of each layer. A patch that does not find what it expects is a problem, never a silent overwrite; stacks without the
patch see the card as printed.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from compiler.layered.card_parts import Key, part_of, part_text, span_of_part, title_of, with_part
from compiler.layered.effective_changes import EffectiveChanges, LayerChange
from compiler.layered.findings.patches import NotAsExpected, PatchesNothing, UnknownCell
from compiler.layered.nodes import CardChange, ChangedPart
from compiler.source import nodes as source
from compiler.source.expression_text import equal_as_written
from compiler.source.finding import Finding
from compiler.source.suggestions import nearest_names
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class CardLayer:
    """A card to be played: a separate layer on top. Its victory lines become rules, its regions tracks."""

    scenario: source.Scenario
    as_rules: Callable[[source.Scenario], Iterable[source.Rule]]
    as_tracks: Callable[[source.Scenario], Iterable[source.Track]]

    @property
    def victory_rules(self) -> tuple[source.Rule, ...]:
        """Return the rules of its victory lines."""
        return tuple(self.as_rules(self.scenario))

    @property
    def region_tracks(self) -> tuple[source.Track, ...]:
        """Return the tracks of its regions."""
        return tuple(self.as_tracks(self.scenario))


@frozen_dataclass
class PatchedCard:
    """A card after the patches of a stack."""

    node: source.Scenario
    changes: tuple[CardChange, ...] = ()
    parts: tuple[ChangedPart, ...] = ()


def patch_cards(
    cards: Mapping[str, source.Scenario],
    patches: Iterable[tuple[str, source.CardPatch]],
    reach: Mapping[str, frozenset[str]],
) -> tuple[dict[str, PatchedCard], list[Finding]]:
    """Apply each patch to its card; return only cards that are patched."""
    problems: list[Finding] = []
    patched: dict[str, PatchedCard] = {}
    touched = EffectiveChanges(reach)
    for layer, patch in patches:
        name = patch.card.text
        node = cards.get(name)
        if node is None:
            problems.append(UnknownCell(patch.card.span, "situation", name, nearest_names(name, cards)))
            continue
        card = patched.get(name, PatchedCard(node))
        for change in patch.forces:
            force_index = _force_of(card.node, change, change.unit.text, problems)
            if force_index is None:
                continue
            unit = change.unit.text
            below = touched.add_change(
                (name, force_index, unit), f"{name}: {unit}", LayerChange(layer, change.span, change.now.text)
            )
            if below is not None:
                cited = replace(change, cites=change.cites or patch.cites)
                card = _change(card, layer, force_index, cited, below, problems)
        for part in patch.parts:
            card = _with_change(card, layer, part, touched, problems)
        patched[name] = card
    return patched, [*problems, *touched.undecided_changes()]


def _with_change(
    card: PatchedCard, layer: str, change: source.PartChange, touched: EffectiveChanges, problems: list[Finding]
) -> PatchedCard:
    """Replace a part of a card, if it has the one that is expected there."""
    node = card.node
    key = _key_of(node, change, problems)
    if key is None:
        return card
    name = f"{node.name.text}: {title_of(node, key)}"
    below = touched.add_change((node.name.text, *key), name, LayerChange(layer, change.span, part_text(change.now)))
    if below is None:
        return card
    old_part, place = part_of(node, key), span_of_part(node, key)
    if not _is(old_part, change.expects) and part_text(change.expects) not in below:
        problems.append(NotAsExpected(change.span, place, name, part_text(change.expects), part_text(old_part)))
    elif _is(change.now, change.expects):
        problems.append(PatchesNothing(change.span, place, name, part_text(old_part)))
    changed_part = ChangedPart(layer, key, title_of(node, key), old_part, change.name, change.cites, change.span)
    return replace(card, node=with_part(node, key, change.name, change.now), parts=(*card.parts, changed_part))


def _is(part: Any, expects: Any) -> bool:
    """Return whether a part is the expected one; rules are compared by their hashes."""
    return equal_as_written(part, expects) or (
        isinstance(expects, str) and part is not None and part_text(part) == expects
    )


def _key_of(card: source.Scenario, change: source.PartChange, problems: list[Finding]) -> Key | None:
    """Return the key of the part that a change refers to."""
    match change.kind:
        case "victory":
            return ("victory", change.side.text if change.side else "", change.name.text)
        case "facts" | "regions" | "special":
            return (change.kind, change.name.text)
        case _ if change.side is not None:
            force_index = _force_of(card, change, None, problems)
            return None if force_index is None else (change.kind, force_index)
        case _:
            return (change.kind,)


def _force_of(
    card: source.Scenario, change: source.ForceChange | source.PartChange, unit: str | None, problems: list[Finding]
) -> int | None:
    """Return the one force that a change refers to: its group, or else the only one with such counters."""
    assert change.side is not None
    side_forces = [force_index for force_index, force in enumerate(card.forces) if force.side.text == change.side.text]
    if not side_forces:
        sides = tuple(dict.fromkeys(force.side.text for force in card.forces))
        problems.append(UnknownCell(change.side.span, "side", change.side.text, sides))
        return None
    groups = tuple(card.forces[force_index].group or "" for force_index in side_forces)
    if change.group is not None:
        found = [force_index for force_index in side_forces if card.forces[force_index].group == change.group.text]
        if not found:
            problems.append(UnknownCell(change.group.span, "group", change.group.text, groups))
        return found[0] if found else None
    holding = [
        force_index
        for force_index in side_forces
        if any(word.text == unit for word, _ in card.forces[force_index].units)
    ] or side_forces
    if len(holding) > 1:
        problems.append(UnknownCell(change.span, "group", "", groups))
        return None
    return holding[0]


def _change(
    card: PatchedCard,
    layer: str,
    force_index: int,
    change: source.ForceChange,
    below: tuple[str, ...],
    problems: list[Finding],
) -> PatchedCard:
    """Change the number of one counter of a force."""
    force = card.node.forces[force_index]
    name = change.unit.text
    old_entry = next(((word, count) for word, count in force.units if word.text == name), None)
    count = old_entry[1] if old_entry else 0
    if int(change.expects.text) not in (count, *map(int, below)):
        unit_text = f"{card.node.name.text}: {name}"
        place = old_entry[0].span if old_entry else force.span
        problems.append(NotAsExpected(change.expects.span, place, unit_text, change.expects.text, str(count)))
    elif change.now.text == change.expects.text:
        place = old_entry[0].span if old_entry else force.span
        problems.append(PatchesNothing(change.now.span, place, f"{card.node.name.text}: {name}", str(count)))
    new_count = int(change.now.text)
    units = tuple((word, new_count if word.text == name else number) for word, number in force.units)
    units += () if old_entry else ((change.unit, new_count),)
    forces = list(card.node.forces)
    forces[force_index] = replace(force, units=tuple((word, number) for word, number in units if number))
    changed = CardChange(layer, force_index, name, count, change.cites, change.span)
    return replace(card, node=replace(card.node, forces=tuple(forces)), changes=(*card.changes, changed))
