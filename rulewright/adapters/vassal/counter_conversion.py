"""Conversion of counters of VASSAL: their sides, their printed values, their faces.

Markers with numeric values become printed factors, other markers traits; dynamic properties become tracks; the levels
of layers become statuses, or the back of the counter. Slots with equal values share a counter.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulewright.adapters.vassal.identifiers import NamePool
from rulewright.adapters.vassal.mapping import BACK, OMITTED, NameMapping
from rulewright.adapters.vassal.module_parts import PaletteSlot, VassalModule
from rulewright.adapters.vassal.piece_traits import HIDDEN, MASK, PictureLayer, VassalPiece, split_range
from rulewright.exchange.notes import Notes
from runtime.graph.frozen_dataclass import frozen_dataclass

# A marker with more values is text instead of a trait; a layer with more levels does not show a status.
MOST_VALUES, MOST_LEVELS, MOST_FACES = 16, 24, 300
LARGEST_FACTOR = 9_999
USUAL_SIDES = ("side", "nation", "nationality", "faction", "owner", "army", "country", "team", "player", "force")
_WHOLE = re.compile(r"\d{1,4}")


@frozen_dataclass
class CounterRow:
    """A row of the chart: its name, title, side, factors, traits, and back."""

    id: str
    title: str
    side: str
    factors: tuple[tuple[str, str], ...]
    traits: tuple[str, ...]
    back: str = ""


@dataclass(slots=True)
class CounterChart:
    """The chart of counters by name, the counter of each slot, and the ranges of factors and tracks."""

    mapping: NameMapping
    counters: dict[str, CounterRow] = field(default_factory=dict)
    counters_by_slot: dict[str, str] = field(default_factory=dict)
    factors: dict[str, tuple[int, int]] = field(default_factory=dict)
    tracks: dict[str, tuple[int, int]] = field(default_factory=dict)

    def statuses(self) -> list[str]:
        """Return the statuses that faces are mapped to."""
        return list(
            dict.fromkeys(
                mapped_name for mapped_name in self.mapping["faces"].values() if mapped_name not in {OMITTED, BACK}
            )
        )

    def traits(self) -> list[str]:
        """Return the traits of all counters."""
        return list(dict.fromkeys(trait for counter in self.counters.values() for trait in counter.traits))


def make_chart(module: VassalModule, mapping: NameMapping, pieces: Iterable[VassalPiece], notes: Notes) -> CounterChart:
    """Convert the slots of a module to counters; names that the mapping lacks are added to it.

    `pieces` are those of set-ups: the values of their dynamic properties extend the ranges of tracks.
    """
    used_names = [
        name
        for table in ("sides", "factors", "traits", "tracks", "faces", "counters")
        for name in mapping[table].values()
        if name not in {OMITTED, BACK}
    ]
    pool = NamePool([*used_names, mapping.kind, mapping.stack, *mapping["boards"].values()])
    chart = CounterChart(mapping)
    for side in module.sides:
        _name(mapping["sides"], side, pool, "side")
    properties = _properties(module)
    if not mapping.side_of:
        mapping.side_of = _side_properties(properties, module.sides)
    for name in mapping.side_of:
        for value in properties.get(name, {}):
            if value and not _side_named(mapping, value):
                _name(mapping["sides"], value, pool, "side")
    _name_properties(module, chart, properties, pool, notes)
    _name_tracks([*(slot.piece for slot in module.slots.values()), *pieces], chart, pool)
    _name_faces(module, chart, pool, notes)
    counters_by_signature: dict[tuple[object, ...], str] = {}
    for slot in module.slots.values():
        _add(slot, chart, counters_by_signature, pool, notes)
    return chart


def piece_faces(piece: VassalPiece) -> Iterator[str]:
    """Yield the faces that a piece shows and that it does not show by default, by their keys in the mapping."""
    for _, key, layer in piece_layers(piece):
        if layer.level > (1 if layer.always else 0):
            yield f"{key}/{level_name(layer, layer.level)}"
    for trait in piece.traits:
        if trait.id in {MASK, HIDDEN} and trait.states()[0] not in {"null", ""}:
            yield f"{trait.id}/1"


def piece_layers(piece: VassalPiece) -> Iterator[tuple[int, str, PictureLayer]]:
    """Yield the layers of a piece with the numbers of their traits and their names; unnamed layers are numbered."""
    unnamed = 0
    for number, layer in piece.layers():
        if not layer.name:
            unnamed += 1
        yield number, layer.name or ("layer" if unnamed == 1 else f"layer {unnamed}"), layer


def level_name(layer: PictureLayer, level: int) -> str:
    """Return the name of a level of a layer, or its number if it has no unique name."""
    same = layer.levels.count(layer.levels[level - 1])
    return layer.levels[level - 1] if layer.levels[level - 1] and same == 1 else str(level)


def side_of(slot: PaletteSlot, mapping: NameMapping) -> str:
    """Return the side of a counter: by a property, otherwise by a heading or prototype with its name; "" if neither."""
    properties = slot.piece.properties()
    for name in mapping.side_of:
        if side := _side_named(mapping, properties.get(name, "")):
            return side
    for text in (*reversed(slot.palette), *slot.prototypes):
        for module_name, mapped_name in mapping["sides"].items():
            # Without the plural, and at the beginning of a word: the heading of the side `Germans` may be `German
            # Army`.
            stem = re.escape(module_name.removesuffix("s") or module_name)
            if mapped_name != OMITTED and re.search(rf"\b{stem}", text, re.IGNORECASE):
                return mapped_name
    return ""


def _side_named(mapping: NameMapping, value: str) -> str:
    side = next(
        (mapped_name for module_name, mapped_name in mapping["sides"].items() if module_name.lower() == value.lower()),
        "",
    )
    return "" if side == OMITTED else side


def _properties(module: VassalModule) -> dict[str, dict[str, int]]:
    """Return the frequency of each value of each marker over all slots."""
    counts: dict[str, dict[str, int]] = {}
    for slot in module.slots.values():
        for name, value in slot.piece.properties().items():
            values = counts.setdefault(name, {})
            values[value] = values.get(value, 0) + 1
    return counts


def _side_properties(properties: dict[str, dict[str, int]], sides: Iterable[str]) -> tuple[str, ...]:
    """Return the properties that hold the side of a counter: those with a side as a value, or with a usual name."""
    known = {side.lower() for side in sides}
    names = [name for name, values in properties.items() if known & {value.lower() for value in values}]
    names += [name for name in properties if name.lower() in USUAL_SIDES and len(properties[name]) <= MOST_VALUES]
    return tuple(dict.fromkeys(names))


def _name(table: dict[str, str], module_name: str, pool: NamePool, fallback: str, word: str = "") -> str:
    """Return the name in a table of the mapping; a missing one is added."""
    if module_name not in table:
        table[module_name] = pool.word(word or module_name, fallback)
    return table[module_name]


def _name_properties(
    module: VassalModule, chart: CounterChart, properties: dict[str, dict[str, int]], pool: NamePool, notes: Notes
) -> None:
    """Map markers with integer values to factors, those with few other values to traits."""
    place = module.archive.span
    for name, values in properties.items():
        written = [value for value in values if value]
        if name in chart.mapping.side_of or not written or not name:
            continue
        if name in chart.mapping["factors"] or all(_WHOLE.fullmatch(value) for value in written):
            factor = _name(chart.mapping["factors"], name, pool, "factor")
            numbers = [int(value) for value in written if _WHOLE.fullmatch(value)] or [0]
            # The factor of a counter without the marker is 0.
            has_unmarked = sum(values.values()) - values.get("", 0) < len(module.slots)
            if factor != OMITTED:
                chart.factors[factor] = 0 if has_unmarked else min(numbers), max(numbers)
        elif set(written) <= {"true", "false", "yes", "no"} or len(written) <= MOST_VALUES:
            for value in written:
                if value not in {"false", "no"}:
                    word = name if value in {"true", "yes"} else value
                    _name(chart.mapping["traits"], f"{name}={value}", pool, "trait", word)
        else:
            notes.add_omission(place, name, f"this property has {len(written)} different texts, too many for traits")


def _name_tracks(pieces: Iterable[VassalPiece], chart: CounterChart, pool: NamePool) -> None:
    """Map the numeric dynamic properties of pieces to tracks."""
    for piece in pieces:
        for name, (number, value) in piece.notes().items():
            low, high, counts = split_range(piece.traits[number])
            if not counts and not _WHOLE.fullmatch(value):
                continue
            track = _name(chart.mapping["tracks"], name, pool, "track")
            if track == OMITTED:
                continue
            numbers = [low, high] if counts else []
            numbers += [int(value)] if _WHOLE.fullmatch(value) else []
            known = chart.tracks.get(track, (numbers[0], numbers[0]))
            chart.tracks[track] = max(0, min(*known, *numbers)), min(LARGEST_FACTOR, max(*known, *numbers))


def _name_faces(module: VassalModule, chart: CounterChart, pool: NamePool, notes: Notes) -> None:
    """Map the levels of layers, masks and hidden states to statuses."""
    table = chart.mapping["faces"]
    crowded: set[str] = set()
    for slot in module.slots.values():
        for _, key, layer in piece_layers(slot.piece):
            first = 2 if layer.always else 1
            if len(layer.levels) > MOST_LEVELS or len(table) > MOST_FACES:
                if key not in crowded:
                    loss = f"this layer has {len(layer.levels)} levels: which one shows is not carried over"
                    notes.add_omission(
                        slot.span, key, loss if len(layer.levels) > MOST_LEVELS else "too many layers: left out"
                    )
                crowded.add(key)
                continue
            for level in range(first, len(layer.levels) + 1):
                word = f"{key}_{level_name(layer, level)}" if len(layer.levels) > 1 or not key else key
                _name(table, f"{key}/{level_name(layer, level)}", pool, "face", word)
        for trait in slot.piece.traits:
            if trait.id in {MASK, HIDDEN}:
                _name(table, f"{trait.id}/1", pool, "face", "masked" if trait.id == MASK else "hidden")


def _add(
    slot: PaletteSlot,
    chart: CounterChart,
    counters_by_signature: dict[tuple[object, ...], str],
    pool: NamePool,
    notes: Notes,
) -> None:
    """Add the counter of a slot to the chart, unless an equal one exists."""
    mapping, properties = chart.mapping, slot.piece.properties()
    factors = tuple(
        (mapping["factors"][name], value)
        for name, value in properties.items()
        if mapping["factors"].get(name, OMITTED) != OMITTED and _WHOLE.fullmatch(value)
    )
    traits = tuple(
        dict.fromkeys(
            mapped_name
            for name, value in properties.items()
            if (mapped_name := mapping["traits"].get(f"{name}={value}", OMITTED)) != OMITTED
        )
    )
    side = side_of(slot, mapping)
    layer_levels = tuple((key, tuple(layer.levels)) for _, key, layer in piece_layers(slot.piece))
    tracks = tuple(slot.piece.notes())
    signature = slot.name, side, factors, traits, layer_levels, tracks
    mapped_name = (
        mapping["counters"].get(slot.gpid) or counters_by_signature.get(signature) or pool.word(slot.name, "counter")
    )
    mapping["counters"][slot.gpid] = mapped_name
    chart.counters_by_slot[slot.gpid] = mapped_name
    if mapped_name == OMITTED:
        return
    counters_by_signature.setdefault(signature, mapped_name)
    back = f"{mapped_name}_{BACK}" if _has_back(slot, mapping) else ""
    counter = CounterRow(mapped_name, slot.name, side, factors, traits, back)
    known = chart.counters.setdefault(mapped_name, counter)
    if (known.side, known.factors, known.traits) != (counter.side, counter.factors, counter.traits):
        notes.add_changed(
            slot.span, slot.name, f"shares the counter `{mapped_name}` with one that is printed otherwise"
        )
    if back:
        chart.counters.setdefault(back, CounterRow(back, f"{slot.name}, back", side, factors, traits))


def _has_back(slot: PaletteSlot, mapping: NameMapping) -> bool:
    """Return whether a face of a slot is the back of its counter."""
    return any(
        mapping["faces"].get(f"{key}/{level_name(layer, level)}") == BACK
        for _, key, layer in piece_layers(slot.piece)
        for level in range(1, len(layer.levels) + 1)
    )
