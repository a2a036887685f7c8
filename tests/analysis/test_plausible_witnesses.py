"""Of 450 witnesses that `diff` draws, hardly any could not stand on a table, as a judge finds who reads no `always`.

The judge reads position files as a player does: who is in which hex, aboard of whom, where forts, bridges and water
are, where paths end, and whether some counter has these traits.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.lab.contrast.differences import as_data, difference_of
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph

PAIRS = (
    ("panzer_leader", "panzerblitz"),
    ("panzer_leader", "panzer_leader+opportunity_fire"),
    ("panzerblitz", "panzerblitz+pb_indirect_fire"),
    ("panzer_leader", "pl1940"),
    ("panzer_leader", "panzer_leader+field_of_fire"),
    ("panzerblitz", "panzerblitz+panzerbitz_horseshoes"),
)
DRAWN = 450
# Before witnesses passed one door the judge found 86 of 448; of 450 now four, counters with traits they never have.
MOST_IMPLAUSIBLE = 4
WATER = {"river", "pond", "sea"}

Piece = dict[str, Any]


class Table:
    """A position file, as a player reads it."""

    def __init__(self, file: Path, charts: tuple[graph.Graph, ...]) -> None:
        content = yaml.load(file.read_text(), yaml.BaseLoader)
        self.charts = charts
        cells = [str(cell).split() for row in content["board"].get("rows", []) for cell in row]
        self.ground = {words[0]: set(words[1:]) for words in cells if words}
        self.pieces: dict[str, Piece] = {piece["name"]: piece for piece in content.get("pieces", [])}
        pairs = content.get("relations", {}).get("carries", [])
        self.carriers = {pair["passengers"]: pair["carrier"] for pair in pairs}
        self.traits = {name: self._traits(piece) for name, piece in self.pieces.items()}

    def _counter(self, piece: Piece) -> graph.Counter | None:
        return next((rules.counters[piece["type"]] for rules in self.charts if piece["type"] in rules.counters), None)

    def _traits(self, piece: Piece) -> set[str]:
        counter = self._counter(piece)
        known = {trait for rules in self.charts for each in rules.counters.values() for trait in each.traits}
        return {*(counter.traits if counter else ()), *(key for key, value in piece.items() if value == "yes")} & known

    def kind(self, piece: Piece) -> str:
        """Return the kind of a piece."""
        counter = self._counter(piece)
        return counter.kind if counter else str(piece["type"])

    def faults(self) -> Iterator[str]:
        """Yield what could not be on a table."""
        units = {name: piece for name, piece in self.pieces.items() if self.kind(piece) == "unit" and piece.get("at")}
        sides_by_hex: dict[str, set[str]] = defaultdict(set)
        for name, piece in units.items():
            if "in" not in piece and name not in self.carriers:
                sides_by_hex[piece["at"]].add(piece["side"])
            yield from self._faults_of_place(name, piece)
        if any(len(sides) > 1 for sides in sides_by_hex.values()):
            yield "foes in one hex"
        for passenger, carrier in self.carriers.items():
            yield from self._faults_of_carrying(self.pieces[passenger], self.pieces[carrier])
        trait_sets = [set(each.traits) for rules in self.charts for each in rules.counters.values()]
        for name, piece in self.pieces.items():
            counter = self._counter(piece)
            if counter is not None and counter.owner not in {"", piece.get("side")}:
                yield "a counter of the other side"
            if self.kind(piece) == "unit" and self.traits[name] not in trait_sets:
                yield "traits that no counter has"

    def _faults_of_place(self, name: str, piece: Piece) -> Iterator[str]:
        here, ground = piece["at"], self.ground.get(piece["at"], set())
        others = {self.kind(other) for other in self.pieces.values() if other.get("at") == here}
        if piece.get("in") == "inside" and "fort" not in others:
            yield "inside of nothing"
        if piece.get("in") == "under" and "bridge" not in others and "permanent_bridge" not in ground:
            yield "under nothing"
        dry = {"ship", "amphibious"} & self.traits[name] or piece.get("afloat") == "yes" or name in self.carriers
        if ground & WATER and "permanent_bridge" not in ground and "bridge" not in others and not dry:
            yield "in the water"
        path = piece.get("path")
        if path and piece.get("done") != "yes" and path[-1]["to"] != here:
            yield "a path that ends elsewhere"

    def _faults_of_carrying(self, passenger: Piece, carrier: Piece) -> Iterator[str]:
        if self.carriers.get(carrier["name"]) == passenger["name"]:
            yield "carried by what it carries"
        if passenger.get("side") != carrier.get("side"):
            yield "carried by a foe"
        at_sea = any("sea" in self.ground.get(piece.get("at", ""), ()) for piece in (passenger, carrier))
        if passenger.get("at") != carrier.get("at") and not at_sea:
            yield "carried elsewhere"
        if "vehicular" not in self.traits[carrier["name"]]:
            yield "carried by no vehicle"


@pytest.mark.long
def test_witnesses_could_stand_on_a_table(tmp_path: Path) -> None:
    found: Counter[str] = Counter()
    drawn = 0
    for number, (first, second) in enumerate(PAIRS):
        stacks = load_stack(first, []), load_stack(second, [])
        charts = tuple(stack.graph for stack in stacks if stack.graph is not None)
        folder = tmp_path / str(number)
        as_data(difference_of(*stacks), (first, second), (charts[0], charts[1]), folder)
        files = sorted(folder.glob("*.yaml"))[: DRAWN - drawn]
        drawn += len(files)
        for file in files:
            faults = sorted(set(Table(file, charts).faults()))
            if faults:
                found[", ".join(faults)] += 1
    assert drawn == DRAWN
    assert found.total() <= MOST_IMPLAUSIBLE, dict(found)
