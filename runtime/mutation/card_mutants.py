"""Mutate a situation card: its turns, orders, facts, notes, forces and areas.

The input is the graph of a stack on a card; the output is mutants of the card's lines and, for numbers and parts that a
layer changed on it, the card before the change. Victory lines and special rules are rules of the stack on the card, and
are mutated as such. A region has no mutants of its own: what names it has its hexes since the card was loaded.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.mutation.expression_mutants import Alterations
from runtime.mutation.mutant import LINE, NUMBER, PART, Mutant, OriginalRun


def card_mutants(rules: graph.Graph, card: graph.Scenario) -> Iterator[Mutant]:
    """Generate the mutants of a card."""
    yield from _of_corrections(rules, card)
    if card.cites or card.origin.file:
        yield from _lines(rules, card)
        yield from _notes(rules, card)
        yield from _forces(rules, card)


def _concerns_card(card: graph.Scenario) -> Callable[[OriginalRun], bool]:
    return lambda record: record.run.example.card == card.name


def _card_variants(rules: graph.Graph, card: graph.Scenario) -> Callable[[], Iterator[graph.Graph]]:
    return lambda: iter((replace(rules, scenario=card),))


def _origin_of_parts(card: graph.Scenario, *parts: str) -> graph.Origin:
    """Return where the first of these parts was written, if the card has lines for them, else the card's origin."""
    lines = dict(card.lines)
    return next((lines[part] for part in parts if part in lines), card.origin)


def _of_corrections(rules: graph.Graph, card: graph.Scenario) -> Iterator[Mutant]:
    """Generate the card with numbers and parts as they were before a layer changed them."""
    for each in card.corrections:
        force = card.forces[each.force]
        count = dict(force.units).get(each.unit, 0)
        before = replace(force, units=(*((u, n) for u, n in force.units if u != each.unit), (each.unit, each.was)))
        forces = tuple(before if index == each.force else other for index, other in enumerate(card.forces))
        name = f"{card.name}: {each.unit} of {force.side}"
        variants = _card_variants(rules, replace(card, forces=forces))
        yield Mutant(NUMBER, name, str(count), str(each.was), each.cites, each.origin, variants, _concerns_card(card))
    for part in card.other_corrections:
        before_ = replace(
            card, turns=part.turns, set_up=part.set_up, order=part.order, facts=part.facts, forces=part.forces,
            notes=part.notes,
        )  # fmt: skip
        name = f"{card.name}: {part.part}"
        variants = _card_variants(rules, before_)
        yield Mutant(
            PART, name, part.part, "what it was before", part.cites, part.origin, variants, _concerns_card(card)
        )


def _lines(rules: graph.Graph, card: graph.Scenario) -> Iterator[Mutant]:
    """Mutate the turns, the orders and the facts."""

    def line_mutant(
        part: str, original: graph.Expr | str, replacement: graph.Expr | str, altered_card: graph.Scenario
    ) -> Mutant:
        key = part if "." in part else f"scenario.{part}"
        name = f"{card.name}: {part}"
        origin = _origin_of_parts(card, part)
        return Mutant(
            LINE,
            name,
            original,
            replacement,
            card.cites,
            origin,
            _card_variants(rules, altered_card),
            _concerns_card(card),
            key=key,
        )

    for turns in (card.turns - 1, card.turns + 1):
        yield line_mutant("turns", str(card.turns), str(turns), replace(card, turns=turns))
    if len(card.order) > 1:
        reversed_order = card.order[::-1]
        yield line_mutant(
            "order", ", ".join(card.order), ", ".join(reversed_order), replace(card, order=reversed_order)
        )
    if len(card.set_up) > 1:
        reversed_order = card.set_up[::-1]
        yield line_mutant(
            "set_up", ", ".join(card.set_up), ", ".join(reversed_order), replace(card, set_up=reversed_order)
        )
    read_facts = card_facts_read(rules)
    for index, (name, value) in enumerate(card.facts):
        if name not in read_facts and _is_region(rules, card, name):
            continue  # What the card lays out by it has its hexes instead, and is altered itself.
        for each in Alterations(rules).alterations_of(value, {}):
            facts = (*card.facts[:index], (name, each.altered_expr), *card.facts[index + 1 :])
            yield line_mutant(name, each.original, each.replacement, replace(card, facts=facts))


def _notes(rules: graph.Graph, card: graph.Scenario) -> Iterator[Mutant]:
    """Remove each status and each note with which a hex or a side starts."""
    for owner, note, notes in _without_one_start_note(card.notes):
        variants = _card_variants(rules, replace(card, notes=notes))
        origin = _origin_of_parts(card, f"notes of {owner}")
        name = f"{card.name}: note of {owner}"
        yield Mutant(LINE, name, note, "nothing", card.cites, origin, variants, _concerns_card(card))


def _without_one_start_note(notes: graph.StartNotes) -> Iterator[tuple[str, str, graph.StartNotes]]:
    """Yield the owner and the name of each status and note, and the notes without it."""
    for mark in notes.hex_marks:
        yield *mark, replace(notes, hex_marks=tuple(each for each in notes.hex_marks if each != mark))
    for noted in notes.hex_tracks:
        yield *noted[:2], replace(notes, hex_tracks=tuple(each for each in notes.hex_tracks if each != noted))
    for noted in notes.side_tracks:
        yield *noted[:2], replace(notes, side_tracks=tuple(each for each in notes.side_tracks if each != noted))


def _forces(rules: graph.Graph, card: graph.Scenario) -> Iterator[Mutant]:
    """Mutate the number of a counter in a force, the place of a piece, and the place and turn of arrivals."""
    for number, force in enumerate(card.forces):
        for part, original, replacement, changed in _of_force(force, sorted(card.board.hexes)):
            forces = (*card.forces[:number], changed, *card.forces[number + 1 :])
            name = f"{card.name}: {part} of {force.title or force.side}"
            variants = _card_variants(rules, replace(card, forces=forces))
            origin = _origin_of_parts(card, f"force {number} {part}", f"force {number}")
            yield Mutant(
                LINE, name, original, replacement, force.cites or card.cites, origin, variants, _concerns_card(card)
            )


def _of_force(force: graph.Force, spaces: list[str]) -> Iterator[tuple[str, str, str, graph.Force]]:
    """Generate variants of a force; a placed piece is moved to the next of the spaces, or removed."""
    for index, piece in enumerate(force.placed):
        before, after = force.placed[:index], force.placed[index + 1 :]
        next_ = spaces[(spaces.index(piece.at) + 1) % len(spaces)] if piece.at in spaces else spaces[0]
        moved = replace(force, placed=(*before, replace(piece, at=next_), *after))
        yield f"place of {piece.name or piece.counter} ({index + 1})", piece.at, next_, moved
        reduced_force = replace(force, placed=(*before, *after))
        yield f"place of {piece.name or piece.counter} ({index + 1})", piece.at, "nothing", reduced_force
        for note, noted_less in _without_one_note(piece):
            noted = replace(force, placed=(*before, noted_less, *after))
            yield f"note of {piece.name or piece.counter} ({index + 1})", note, "nothing", noted
    units = dict(force.units)
    for unit, count in force.units:
        for other in (count - 1, count + 1):
            changed = {**units, unit: other}
            yield unit, str(count), str(other), replace(force, units=tuple((u, n) for u, n in changed.items() if n))
    if force.turn:
        for turn in (force.turn - 1, force.turn + 1):
            yield "turn of entry", str(force.turn), str(turn), replace(force, turn=turn)
    for index, name in enumerate(force.area):
        yield "area", name, "nothing", replace(force, area=(*force.area[:index], *force.area[index + 1 :]))


def _without_one_note(piece: graph.Posted) -> Iterator[tuple[str, graph.Posted]]:
    """Remove each status and each note with which a piece starts."""
    for mark in piece.marks:
        yield mark, replace(piece, marks=tuple(other for other in piece.marks if other != mark))
    for name, value in piece.tracks:
        yield name, replace(piece, tracks=tuple(pair for pair in piece.tracks if pair != (name, value)))


def card_facts_read(rules: graph.Graph) -> set[str]:
    """Return the facts of cards that rules, procedures and `always` facts read."""
    parts = (
        rules.rules, rules.terms, rules.procedures, rules.vocabulary.relations, rules.always, rules.preconditions,
        rules.outcome,
    )  # fmt: skip
    return {f"{node.owner}.{node.name}" for node in walk(parts) if isinstance(node, graph.GameTrack)}


def _is_region(rules: graph.Graph, card: graph.Scenario, fact: str) -> bool:
    """Return whether a fact of a card is one of its regions, which are declared where they are given."""
    declared_at = rules.vocabulary.origins.get(f"track {fact}")
    return declared_at is not None and declared_at.file == card.origin.file
