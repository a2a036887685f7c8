"""Mutate a situation card: its turns, orders, facts, notes, forces and areas.

The input is the graph of a stack on a card; the output is mutants of the card's lines and, for numbers and parts that a
layer changed on it, the card before the change. Victory lines and special rules are rules of the stack on the card, and
are mutated as such. A region has no mutants of its own: what names it has its hexes since the card was loaded.
"""

from collections.abc import Iterator
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import fields_of, nodes_of
from runtime.mutation.altered_graph import Path, omissions, value_at
from runtime.mutation.expression_mutants import REMOVED
from runtime.mutation.mutant import LINE, NUMBER, PART, Mutant, MutatedPart

CARD: Path = ("scenario",)


def card_mutants(rules: graph.Graph, card: graph.Scenario) -> Iterator[Mutant]:
    """Generate the mutants of a card."""
    mutation = _CardMutation(rules, card)
    yield from mutation.corrections()
    if card.cites or card.origin.file:
        yield from mutation.lines()
        yield from mutation.notes()
        for number in range(len(card.forces)):
            yield from mutation.force(number)


@frozen_dataclass
class _CardMutation:
    """The mutants of one card."""

    rules: graph.Graph
    card: graph.Scenario

    def part(self, name: str, *lines: str, cites: tuple[str, ...] = ()) -> MutatedPart:
        """Return a part of the card, written where the first of these lines was, if the card has one of them."""
        origins = dict(self.card.lines)
        origin = next((origins[line] for line in lines if line in origins), self.card.origin)
        full_name, cites = f"{self.card.name}: {name}", cites or self.card.cites
        return MutatedPart(
            self.rules, full_name, cites, origin, lambda record: record.run.example.card == self.card.name
        )

    def corrections(self) -> Iterator[Mutant]:
        """Generate the card with numbers and parts as they were before a layer changed them."""
        for correction in self.card.corrections:
            force, unit = self.card.forces[correction.force], correction.unit
            count = dict(force.units).get(unit, 0)
            units = (*(entry for entry in force.units if entry[0] != unit), (unit, correction.was))
            part = replace(self.part(f"{unit} of {force.side}"), cites=correction.cites, origin=correction.origin)
            edit = (*CARD, "forces", correction.force, "units"), units
            yield part.mutant(NUMBER, (str(count), str(correction.was)), edit)
        for other in self.card.other_corrections:
            part = replace(self.part(other.part), cites=other.cites, origin=other.origin)
            fields = [name for name in fields_of(graph.PartCorrection) if name not in ("part", "cites", "origin")]
            edits = (((*CARD, name), getattr(other, name)) for name in fields)
            yield part.mutant(PART, (other.part, "what it was before"), *edits)

    def lines(self) -> Iterator[Mutant]:
        """Mutate the turns, the orders and the facts."""
        card = self.card

        def line(name: str) -> MutatedPart:
            return replace(self.part(name, name), key=name if "." in name else f"scenario.{name}")

        for turns in (card.turns - 1, card.turns + 1):
            yield line("turns").mutant(LINE, (str(card.turns), str(turns)), ((*CARD, "turns"), turns))
        for field in ("order", "set_up"):
            sides = getattr(card, field)
            if len(sides) > 1:
                words = ", ".join(sides), ", ".join(sides[::-1])
                yield line(field).mutant(LINE, words, ((*CARD, field), sides[::-1]))
        read_facts = card_facts_read(self.rules)
        for index, (name, _) in enumerate(card.facts):
            if name not in read_facts and self.is_region(name):
                continue  # What the card lays out by it has its hexes instead, and is altered itself.
            for mutant in line(name).expression_mutants((*CARD, "facts", index, 1), {}, is_observed=False):
                yield replace(mutant, kind=LINE)

    def is_region(self, fact: str) -> bool:
        """Return whether a fact of the card is one of its regions, which are declared where they are given."""
        declared_at = self.rules.vocabulary.origins.get(f"track {fact}")
        return declared_at is not None and declared_at.file == self.card.origin.file

    def notes(self) -> Iterator[Mutant]:
        """Remove each status and each note with which a hex or a side starts."""
        for field in fields_of(graph.StartNotes):
            path = (*CARD, "notes", field)
            for member, others in omissions(value_at(self.rules, path)):
                part = self.part(f"note of {member[0]}", f"notes of {member[0]}")
                yield part.mutant(LINE, (member[1], REMOVED), (path, others))

    def force(self, number: int) -> Iterator[Mutant]:
        """Mutate the pieces and the numbers of counters of a force, and its place and turn of arrival."""
        force, path = self.card.forces[number], (*CARD, "forces", number)
        for index in range(len(force.placed)):
            yield from self.placed_piece(number, index)
        for index, ((unit, count), remaining) in enumerate(omissions(force.units)):
            for other in (count - 1, count + 1):
                units = (*remaining[:index], (unit, other), *remaining[index:]) if other else remaining
                yield self.line(number, unit).mutant(LINE, (str(count), str(other)), ((*path, "units"), units))
        for turn in (force.turn - 1, force.turn + 1) if force.turn else ():
            edit = (*path, "turn"), turn
            yield self.line(number, "turn of entry").mutant(LINE, (str(force.turn), str(turn)), edit)
        for name, area in omissions(force.area):
            yield self.line(number, "area").mutant(LINE, (name, REMOVED), ((*path, "area"), area))

    def line(self, number: int, name: str) -> MutatedPart:
        """Return a line of a force as a part of the card."""
        force = self.card.forces[number]
        titled = f"{name} of {force.title or force.side}"
        return self.part(titled, f"force {number} {name}", f"force {number}", cites=force.cites)

    def placed_piece(self, number: int, index: int) -> Iterator[Mutant]:
        """Move a placed piece to the next of the spaces, remove it, and remove its statuses and notes."""
        pieces, path = self.card.forces[number].placed, (*CARD, "forces", number, "placed")
        piece, others = pieces[index], (*pieces[:index], *pieces[index + 1 :])
        called = f"{piece.name or piece.counter} ({index + 1})"
        spaces = sorted(self.card.board.hexes)
        next_space = spaces[(spaces.index(piece.at) + 1) % len(spaces)] if piece.at in spaces else spaces[0]
        place = self.line(number, f"place of {called}")
        yield place.mutant(LINE, (piece.at, next_space), ((*path, index, "at"), next_space))
        yield place.mutant(LINE, (piece.at, REMOVED), (path, others))
        note = self.line(number, f"note of {called}")
        for mark, marks in omissions(piece.marks):
            yield note.mutant(LINE, (mark, REMOVED), ((*path, index, "marks"), marks))
        for (track, _), left in omissions(piece.tracks):
            yield note.mutant(LINE, (track, REMOVED), ((*path, index, "tracks"), left))


def card_facts_read(rules: graph.Graph) -> set[str]:
    """Return the facts of cards that rules, procedures and `always` facts read."""
    parts = (
        rules.rules, rules.terms, rules.procedures, rules.vocabulary.relations, rules.always, rules.preconditions,
        rules.outcome,
    )  # fmt: skip
    return {f"{node.owner}.{node.name}" for node in nodes_of(graph.GameTrack, parts)}
