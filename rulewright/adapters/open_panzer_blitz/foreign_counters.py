"""Resolve foreign units to counters of our stacks, and generate those that are missing.

A unit is looked up in the mapping, by stack and side; a unit that is not found becomes a counter of a layer of the
package, if the mapping can draw its class.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from compiler.source.nodes import Scalar, ValueMap
from compiler.source.span import Span
from rulewright.adapters.open_panzer_blitz.foreign_nodes import ForeignUnit
from rulewright.adapters.open_panzer_blitz.package_mapping import PackageMapping
from rulewright.exchange.notes import Notes, TransferCount
from rulewright.exchange.tree_reader import find_entry, listed_words

PRINTED_FACTORS = ("attack", "range", "defense", "movement")
SOURCE = "OPB"
COLUMNS = {
    "unit": ("id", "side", "weapon", *PRINTED_FACTORS, "moves_as", "traits"),
    "fort": ("id", "side", "defense", "traits"),
}
PLAIN_FIELDS = ("id", "side", "traits")


@dataclass(slots=True)
class Counters:
    """The units of the source, and the generated counters: rows by stack and kind."""

    units: Mapping[str, ForeignUnit]
    mapping: PackageMapping
    generated_rows: dict[tuple[str, str], dict[str, dict[str, str]]] = field(default_factory=dict)
    # The units that cards refer to, and whether a counter was found for them.
    is_found: dict[str, bool] = field(default_factory=dict)

    def find(self, key: str, span: Span, stack_and_side: tuple[str, str], notes: Notes) -> tuple[str, bool] | None:
        """Return the counter of a unit for a stack and side, and whether it was generated; None if there is none."""
        found = self._find(key, span, stack_and_side, notes)
        self.is_found[key] = self.is_found.get(key, False) or found is not None
        return found

    def transfer_count(self, notes: Notes) -> TransferCount:
        """Count the units of the source and those with a counter; record a note for units that no card refers to."""
        every = {**dict.fromkeys(self.units, False), **self.is_found}
        for key in [key for key in self.units if key not in self.is_found]:
            every[key] = any(key in known for known in self.mapping.units.values())
            if not every[key]:
                notes.add_omission(
                    self.units[key].span, key, "no situation that came over has this unit: no counter was made"
                )
        return TransferCount("counter", "counters", len(every), sum(every.values()))

    def _find(self, key: str, span: Span, stack_and_side: tuple[str, str], notes: Notes) -> tuple[str, bool] | None:
        known = self.mapping.find_counter(key, *stack_and_side)
        if known is not None:
            return known, False
        unit = self.units.get(key)
        if unit is None:
            notes.add_omission(span, key, "neither the mapping nor the table of units has this unit")
            return None
        return self._make(unit, span, stack_and_side, notes)

    def _make(
        self, unit: ForeignUnit, span: Span, stack_and_side: tuple[str, str], notes: Notes
    ) -> tuple[str, bool] | None:
        stack, side = stack_and_side
        counter_class = self.mapping.classes.get(unit.values.get("unit_class", ""))
        if counter_class is None:
            notes.add_omission(
                span, unit.key, f"our games have no counter for {unit.values.get('unit_class') or 'this'}"
            )
            return None
        kind = _word(counter_class, "kind")
        name = f"{self.mapping.prefix}{re.sub('[^a-z0-9]+', '_', unit.key.lower())}_{side}"
        rows = self.generated_rows.setdefault((stack, kind), {})
        if name not in rows:
            values = self._row(unit, counter_class, stack, notes) if kind == "unit" else {**unit.values, "traits": "[]"}
            if values is None:
                return None
            rows[name] = {**values, "id": name, "side": side}
        return name, True

    def _row(self, unit: ForeignUnit, counter_class: ValueMap, stack: str, notes: Notes) -> dict[str, str] | None:
        """Return the row of a generated counter by column; None, with a note, if it cannot be derived."""
        values = unit.values
        if any(not values.get(name, "").isdecimal() for name in PRINTED_FACTORS):
            notes.add_omission(unit.span, unit.key, "its factors are no numbers")
            return None
        weapon = self.mapping.weapons.get(values.get("weapon_class", ""))
        if weapon is None:
            notes.add_invalid(
                unit.span, unit.key, f"the mapping does not know the weapon `{values.get('weapon_class')}`"
            )
            return None
        flags = {name for name, value in values.items() if value == "true"}
        usual = "no" if "can_indirect_fire" in values else _word(counter_class, "indirect")
        if "can_indirect_fire" in flags or usual == "yes":
            weapon = self.mapping.indirect.get(weapon, weapon)
        traits = [text for text, _ in listed_words(find_entry(counter_class, "traits"))]
        # The values of the class are defaults, which the unit's own marks override.
        for flag, trait in self.mapping.marks.items():
            if flag in values:
                traits = [each for each in traits if each != trait] + ([trait] if flag in flags else [])
        traits += [trait for flag, trait in self.mapping.flags.items() if flag in flags and trait not in traits]
        if values["attack"] == "0" and "carrier" in traits:
            traits += [text for text, _ in listed_words(find_entry(counter_class, "unarmed"))]
        moves = self.mapping.movers.get(values.get("movement_rules", ""), _word(counter_class, "moves_as"))
        if moves in self.mapping.only and stack not in self.mapping.only[moves]:
            notes.add_changed(
                unit.span, unit.key, f"{stack} has no {moves}; it moves as {_word(counter_class, 'moves_as')}"
            )
            moves = _word(counter_class, "moves_as")
        self._say_flags(unit, notes)
        listed = f"[{', '.join(dict.fromkeys(traits))}]"
        return {
            **{name: values[name] for name in PRINTED_FACTORS},
            "weapon": weapon,
            "moves_as": moves,
            "traits": listed,
        }

    def _say_flags(self, unit: ForeignUnit, notes: Notes) -> None:
        """Record a note for each flag of a unit that corresponds to no trait."""
        known = {*self.mapping.flags, *self.mapping.marks, "can_indirect_fire", "movement_rules", "is_vehicle"}
        for flag in unit.values.get("explicit_flags_in_source", "").split():
            if flag.replace("-", "_") not in known:
                notes.add_omission(unit.span, unit.key, f"the counter made for it does not say `{flag}`")

    def layers(self) -> Iterable[tuple[str, str, dict[str, str]]]:
        """Yield the generated layers: name, stack that the layer extends, and text of each file by name."""
        for stack in sorted({stack for stack, _ in self.generated_rows}):
            name = f"{self.mapping.prefix}{stack}"
            charts = [_chart(kind, rows) for (base, kind), rows in sorted(self.generated_rows.items()) if base == stack]
            manifest = f"layer: {name}\ntitle: Imported counters for {stack}\nkind: variant\non: [{stack}]\n"
            yield name, stack, {"layer.yaml": manifest + f"cites: {SOURCE}.UNITS\n", "units.yaml": "---\n".join(charts)}


def _chart(kind: str, rows: Mapping[str, Mapping[str, str]]) -> str:
    columns = COLUMNS.get(kind, PLAIN_FIELDS)
    lines = [f"  - [{', '.join(row[column] for column in columns)}]" for _, row in sorted(rows.items())]
    return "\n".join(
        [f"pieces: {kind}", f"cites: {SOURCE}.UNITS", f"columns: [{', '.join(columns)}]", "rows:", *lines, ""]
    )


def _word(tree: ValueMap, key: str) -> str:
    value = find_entry(tree, key)
    return value.text if isinstance(value, Scalar) else ""
