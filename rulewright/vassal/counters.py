"""Counters of ours out of those of VASSAL: whose they are, what is printed on them, which faces they have.

Markers that hold numbers become printed factors, others traits; what players note on a counter becomes a track; the
levels of its layers become statuses, or the back of the counter. Slots that are alike share a counter.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulewright.importing.notes import Notes
from rulewright.vassal.mapping import BACK, OMITTED, NameMapping
from rulewright.vassal.module import Module, Slot
from rulewright.vassal.names import NamePool
from rulewright.vassal.pieces import HIDDEN, MASK, Layer, Piece, split_range

# More kinds of a thing than this are no traits, but text; more levels are pictures of something else.
MOST_VALUES, MOST_LEVELS, MOST_FACES = 16, 24, 300
LARGEST_FACTOR = 9_999
USUAL_SIDES = ("side", "nation", "nationality", "faction", "owner", "army", "country", "team", "player", "force")
_WHOLE = re.compile(r"\d{1,4}")


@dataclass(frozen=True, slots=True)
class Counter:
    """A row of the chart: its name, what players call it, its side, its factors and traits, its other side."""

    id: str
    title: str
    side: str
    factors: tuple[tuple[str, str], ...]
    traits: tuple[str, ...]
    back: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """A level of a layer by its key in the mapping, and the trait and level that show it."""

    key: str
    trait: int
    level: int


@dataclass(slots=True)
class Chart:
    """Counters by name, and the name of each slot; ranges of factors and tracks."""

    mapping: NameMapping
    counters: dict[str, Counter] = field(default_factory=dict)
    by_slot: dict[str, str] = field(default_factory=dict)
    factors: dict[str, tuple[int, int]] = field(default_factory=dict)
    tracks: dict[str, tuple[int, int]] = field(default_factory=dict)

    def statuses(self) -> list[str]:
        """List the statuses that faces have become."""
        return list(dict.fromkeys(ours for ours in self.mapping["faces"].values() if ours not in {OMITTED, BACK}))

    def traits(self) -> list[str]:
        """List the traits of all counters."""
        return list(dict.fromkeys(each for counter in self.counters.values() for each in counter.traits))


def make_chart(module: Module, mapping: NameMapping, pieces: Iterable[Piece], notes: Notes) -> Chart:
    """Make a counter of every kind of slot; the mapping gets a name for each thing that it has none for.

    `pieces` are those of set-ups: numbers that players have noted on them belong to the ranges of tracks.
    """
    given = [name for table in ("sides", "factors", "traits", "tracks", "faces", "counters")
             for name in mapping[table].values() if name not in {OMITTED, BACK}]  # fmt: skip
    pool = NamePool([*given, mapping.kind, mapping.stack, *mapping["boards"].values()])
    chart = Chart(mapping)
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
    alike: dict[tuple[object, ...], str] = {}
    for slot in module.slots.values():
        _add(slot, chart, alike, pool, notes)
    return chart


def piece_faces(piece: Piece) -> Iterator[Face]:
    """List the faces that a piece shows, other than those it shows when nothing has been done to it."""
    for number, key, layer in piece_layers(piece):
        if layer.level > (1 if layer.always else 0):
            yield Face(f"{key}/{level_name(layer, layer.level)}", number, layer.level)
    for number, trait in enumerate(piece.traits):
        if trait.id in {MASK, HIDDEN} and trait.states()[0] not in {"null", ""}:
            yield Face(f"{trait.id}/1", number, 1)


def piece_layers(piece: Piece) -> Iterator[tuple[int, str, Layer]]:
    """List the layers of a piece with the numbers of their traits and their names; those without one are numbered."""
    unnamed = 0
    for number, layer in piece.layers():
        if not layer.name:
            unnamed += 1
        yield number, layer.name or ("layer" if unnamed == 1 else f"layer {unnamed}"), layer


def level_name(layer: Layer, level: int) -> str:
    """Name a level of a layer, by its number where it has no name of its own."""
    same = layer.levels.count(layer.levels[level - 1])
    return layer.levels[level - 1] if layer.levels[level - 1] and same == 1 else str(level)


def side_of(slot: Slot, mapping: NameMapping) -> str:
    """Return whose a counter is: by a property, else by a heading or a prototype that names a side; "" if none does."""
    properties = slot.piece.properties()
    for name in mapping.side_of:
        if found := _side_named(mapping, properties.get(name, "")):
            return found
    for text in (*reversed(slot.palette), *slot.prototypes):
        for theirs, ours in mapping["sides"].items():
            # Without its plural, and at the beginning of a word: the units of the Germans stand under `German Army`.
            stem = re.escape(theirs.removesuffix("s") or theirs)
            if ours != OMITTED and re.search(rf"\b{stem}", text, re.IGNORECASE):
                return ours
    return ""


def _side_named(mapping: NameMapping, value: str) -> str:
    found = next((ours for theirs, ours in mapping["sides"].items() if theirs.lower() == value.lower()), "")
    return "" if found == OMITTED else found


def _properties(module: Module) -> dict[str, dict[str, int]]:
    """Count the values of each marker over all slots."""
    found: dict[str, dict[str, int]] = {}
    for slot in module.slots.values():
        for name, value in slot.piece.properties().items():
            values = found.setdefault(name, {})
            values[value] = values.get(value, 0) + 1
    return found


def _side_properties(properties: dict[str, dict[str, int]], sides: Iterable[str]) -> tuple[str, ...]:
    """Find the properties that say whose a counter is: by their name, or because their values are sides."""
    known = {side.lower() for side in sides}
    found = [name for name, values in properties.items() if known & {value.lower() for value in values}]
    found += [name for name in properties if name.lower() in USUAL_SIDES and len(properties[name]) <= MOST_VALUES]
    return tuple(dict.fromkeys(found))


def _name(table: dict[str, str], theirs: str, pool: NamePool, otherwise: str, word: str = "") -> str:
    """Return the name that the mapping has, or a new one."""
    if theirs not in table:
        table[theirs] = pool.word(word or theirs, otherwise)
    return table[theirs]


def _name_properties(
    module: Module, chart: Chart, properties: dict[str, dict[str, int]], pool: NamePool, notes: Notes
) -> None:
    """Make factors of markers that hold whole numbers, traits of those that hold a few words."""
    place = module.archive.span
    for name, values in properties.items():
        written = [value for value in values if value]
        if name in chart.mapping.side_of or not written or not name:
            continue
        if name in chart.mapping["factors"] or all(_WHOLE.fullmatch(value) for value in written):
            ours = _name(chart.mapping["factors"], name, pool, "factor")
            numbers = [int(value) for value in written if _WHOLE.fullmatch(value)] or [0]
            # A counter that lacks a number has 0.
            lacks = sum(values.values()) - values.get("", 0) < len(module.slots)
            if ours != OMITTED:
                chart.factors[ours] = 0 if lacks else min(numbers), max(numbers)
        elif set(written) <= {"true", "false", "yes", "no"} or len(written) <= MOST_VALUES:
            for value in written:
                if value not in {"false", "no"}:
                    word = name if value in {"true", "yes"} else value
                    _name(chart.mapping["traits"], f"{name}={value}", pool, "trait", word)
        else:
            notes.add_lost(place, name, f"this property has {len(written)} different texts, too many for traits")


def _name_tracks(pieces: Iterable[Piece], chart: Chart, pool: NamePool) -> None:
    """Make tracks of what players count on counters."""
    for piece in pieces:
        for name, (number, value) in piece.notes().items():
            low, high, counts = split_range(piece.traits[number])
            if not counts and not _WHOLE.fullmatch(value):
                continue
            ours = _name(chart.mapping["tracks"], name, pool, "track")
            if ours == OMITTED:
                continue
            numbers = [low, high] if counts else []
            numbers += [int(value)] if _WHOLE.fullmatch(value) else []
            known = chart.tracks.get(ours, (numbers[0], numbers[0]))
            chart.tracks[ours] = max(0, min(*known, *numbers)), min(LARGEST_FACTOR, max(*known, *numbers))


def _name_faces(module: Module, chart: Chart, pool: NamePool, notes: Notes) -> None:
    """Make statuses of the levels of layers, of masks and of what is hidden."""
    table = chart.mapping["faces"]
    crowded: set[str] = set()
    for slot in module.slots.values():
        for _, key, layer in piece_layers(slot.piece):
            first = 2 if layer.always else 1
            if len(layer.levels) > MOST_LEVELS or len(table) > MOST_FACES:
                if key not in crowded:
                    said = f"this layer has {len(layer.levels)} levels: which one shows is not carried over"
                    notes.add_lost(
                        slot.span, key, said if len(layer.levels) > MOST_LEVELS else "too many layers: left out"
                    )
                crowded.add(key)
                continue
            for level in range(first, len(layer.levels) + 1):
                word = f"{key}_{level_name(layer, level)}" if len(layer.levels) > 1 or not key else key
                _name(table, f"{key}/{level_name(layer, level)}", pool, "face", word)
        for trait in slot.piece.traits:
            if trait.id in {MASK, HIDDEN}:
                _name(table, f"{trait.id}/1", pool, "face", "masked" if trait.id == MASK else "hidden")


def _add(slot: Slot, chart: Chart, alike: dict[tuple[object, ...], str], pool: NamePool, notes: Notes) -> None:
    """Add the counter of a slot, unless one like it is there."""
    mapping, properties = chart.mapping, slot.piece.properties()
    factors = tuple(
        (mapping["factors"][name], value) for name, value in properties.items()
        if mapping["factors"].get(name, OMITTED) != OMITTED and _WHOLE.fullmatch(value)
    )  # fmt: skip
    traits = tuple(dict.fromkeys(
        ours for name, value in properties.items()
        if (ours := mapping["traits"].get(f"{name}={value}", OMITTED)) != OMITTED
    ))  # fmt: skip
    side = side_of(slot, mapping)
    shown = tuple((key, tuple(layer.levels)) for _, key, layer in piece_layers(slot.piece))
    tracks = tuple(slot.piece.notes())
    signature = slot.name, side, factors, traits, shown, tracks
    ours = mapping["counters"].get(slot.gpid) or alike.get(signature) or pool.word(slot.name, "counter")
    mapping["counters"][slot.gpid] = ours
    chart.by_slot[slot.gpid] = ours
    if ours == OMITTED:
        return
    alike.setdefault(signature, ours)
    back = f"{ours}_{BACK}" if _turns(slot, mapping) else ""
    made = Counter(ours, slot.name, side, factors, traits, back)
    known = chart.counters.setdefault(ours, made)
    if (known.side, known.factors, known.traits) != (made.side, made.factors, made.traits):
        notes.add_changed(slot.span, slot.name, f"shares the counter `{ours}` with one that is printed otherwise")
    if back:
        chart.counters.setdefault(back, Counter(back, f"{slot.name}, back", side, factors, traits))


def _turns(slot: Slot, mapping: NameMapping) -> bool:
    """Return whether a face of a slot is the back of its counter."""
    return any(
        mapping["faces"].get(f"{key}/{level_name(layer, level)}") == BACK
        for _, key, layer in piece_layers(slot.piece)
        for level in range(1, len(layer.levels) + 1)
    )
