"""Pieces in the encoding of VASSAL: traits around a basic piece, each with a constant type and a mutable state.

A prototype is a named list of traits that pieces share; a save contains it expanded.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulewright.adapters.vassal.sequences import join_list, join_nested, split_list, split_nested
from runtime.graph.frozen_dataclass import frozen_dataclass

BASIC, STACK_TYPE, DECK = "piece", "stack", "deck"
# The token for no map and for no piece.
NULL = "null"
PROTOTYPE, LAYER, OLD_LAYER, MARKER, DYNAMIC = "prototype", "emb2", "emb", "mark", "PROP"
MASK, HIDDEN, FROZEN, MAT, NAME_TRAIT = "obs", "hide", "immob", "mat", "basicName"
# Each level of nested traits doubles the escape characters, so that deeper nesting is not realistic.
MOST_TRAITS = 300
# The fields of the type of a layer: the key that activates it, its images, their names, its own name, whether its
# level follows a property, its version, and whether it is always active.
ACTIVATE_KEY, IMAGES, LEVEL_NAMES, LEVEL_NAME, FOLLOWS, LAYER_VERSION, ALWAYS_ACTIVE = 3, 16, 17, 19, 22, 25, 26
OLD_KEY, OLD_IMAGES = 1, 9
# The field of an immobile piece with its exception for stacking, and the letter for a piece that stacks.
STACKING, STACKING_LETTER = 3, "L"
_LEVEL = re.compile(r"-?\d{1,4}")


@frozen_dataclass
class Trait:
    """A trait, or the basic piece: its id, and its encoded type and state."""

    id: str
    type: str
    state: str

    def fields(self) -> list[str]:
        """Split the type into its members, the first of which is the id."""
        return split_list(self.type, ";")

    def states(self) -> list[str]:
        """Split the state into its members."""
        return split_list(self.state, ";")


@frozen_dataclass
class PictureLayer:
    """A layer of pictures on a counter: `levels` are the names of its levels, `level` the visible one, 0 if none.

    By default a layer that is `always` on shows its first level, another layer none.
    """

    name: str
    levels: tuple[str, ...]
    level: int
    always: bool


@frozen_dataclass
class VassalPiece:
    """A piece: its traits from the outermost to the basic piece."""

    id: str
    traits: tuple[Trait, ...]

    @property
    def kind(self) -> str:
        """Return the id of the innermost trait, which distinguishes a piece, a stack and a deck."""
        return self.traits[-1].id

    @property
    def name(self) -> str:
        """Return the name of the basic piece; in newer modules it is in a separate trait."""
        named = next((trait for trait in self.traits if trait.id == NAME_TRAIT), None)
        return member_at(named.fields(), 1) if named else member_at(self.traits[-1].fields(), 4)

    @property
    def gpid(self) -> str:
        """Return the number of the slot that the piece was made from."""
        return member_at(self.traits[-1].states(), 3)

    @property
    def place(self) -> tuple[str, int, int]:
        """Return the map ("" for none) and the pixel of the piece."""
        states = self.traits[-1].states()
        name = member_at(states, 0)
        return ("" if name == NULL else name), whole_number(member_at(states, 1)), whole_number(member_at(states, 2))

    @property
    def can_stack(self) -> bool:
        """Return whether the piece may be in a stack; a mat and a piece with the trait against stacking may not."""
        return all(
            trait.id != MAT and (trait.id != FROZEN or member_at(trait.fields(), STACKING) == STACKING_LETTER)
            for trait in self.traits
        )

    def with_place(self, name: str, x: int, y: int) -> "VassalPiece":
        """Return the piece with another place."""
        states = self.traits[-1].states()
        states = [name or NULL, str(x), str(y), *states[3:]]
        return self.with_state(len(self.traits) - 1, join_list(states, ";"))

    def layers(self) -> Iterator[tuple[int, PictureLayer]]:
        """Yield the layers with the numbers of their traits."""
        for number, trait in enumerate(self.traits):
            if trait.id in {LAYER, OLD_LAYER} and (found := _layer(trait)) is not None:
                yield number, found

    def properties(self) -> dict[str, str]:
        """Return the values of the markers by name; of several with one name, that of the outermost."""
        found: dict[str, str] = {}
        for trait in self.traits:
            if trait.id == MARKER:
                keys, values = split_list(trait.type[len(MARKER) + 1 :], ","), split_list(trait.state, ",")
                for number, key in enumerate(keys):
                    found.setdefault(key, member_at(values, number))
        return found

    def notes(self) -> dict[str, tuple[int, str]]:
        """Return the dynamic properties, which players edit, by name: the number of the trait and the value."""
        found: dict[str, tuple[int, str]] = {}
        for number, trait in enumerate(self.traits):
            if trait.id == DYNAMIC:
                found.setdefault(member_at(trait.fields(), 1), (number, trait.state))
        return found

    def with_state(self, number: int, state: str) -> "VassalPiece":
        """Return the piece with another state of one trait."""
        traits = list(self.traits)
        traits[number] = replace(traits[number], state=state)
        return replace(self, traits=tuple(traits))

    def command(self) -> str:
        """Encode the command that adds the piece."""
        return "+/" + join_list((self.id, self.type_text(), self.state_text()), "/")

    def type_text(self) -> str:
        """Encode the types of all traits."""
        return join_nested(trait.type for trait in self.traits)

    def state_text(self) -> str:
        """Encode the states of all traits."""
        return join_nested(trait.state for trait in self.traits)


def read_piece(command: str) -> VassalPiece | None:
    """Decode a command that adds a piece; None if it is incomplete or exceeds the limit of traits."""
    parts = split_list(command.removeprefix("+/"), "/")
    if len(parts) != 3 or not command.startswith("+/"):
        return None
    types, states = split_nested(parts[1], MOST_TRAITS), split_nested(parts[2], MOST_TRAITS)
    if types is None or states is None or len(states) > len(types):
        return None
    states += [""] * (len(types) - len(states))
    traits = tuple(Trait(type_.partition(";")[0], type_, state) for type_, state in zip(types, states, strict=True))
    return VassalPiece("" if parts[0] == NULL else parts[0], traits)


def expand_prototypes(piece: VassalPiece, prototypes: Mapping[str, VassalPiece], missing: set[str]) -> VassalPiece:
    """Expand the prototypes of a piece; the names of those that cannot be expanded are added to `missing`.

    These are undefined, recursive, or beyond the limit of expansions, which bounds the exponential growth of prototypes
    that each contain the next one twice.
    """
    traits: list[Trait] = []
    opened = 0
    pending: list[tuple[Trait, tuple[str, ...]]] = [(trait, ()) for trait in reversed(piece.traits)]
    while pending:
        trait, within = pending.pop()
        if trait.id != PROTOTYPE:
            traits.append(trait)
            continue
        name = member_at(trait.fields(), 1)
        found = prototypes.get(name)
        opened += 1
        if found is None or name in within or opened > MOST_TRAITS or len(traits) + len(pending) > 10 * MOST_TRAITS:
            missing.add(name)
            continue
        inner = [each for each in found.traits if each.id != BASIC]
        pending += [(each, (*within, name)) for each in reversed(inner)]
    return replace(piece, traits=tuple(traits))


def prototypes_of(piece: VassalPiece) -> list[str]:
    """Return the names of the prototypes of a piece."""
    return [member_at(trait.fields(), 1) for trait in piece.traits if trait.id == PROTOTYPE]


def member_at(members: Sequence[str], number: int) -> str:
    """Return a member of a list; "" if the list is shorter."""
    return members[number] if number < len(members) else ""


def whole_number(text: str) -> int:
    """Parse an integer of at most seven digits; 0 otherwise."""
    return int(text) if re.fullmatch(r"-?\d{1,7}", text) else 0


def _layer(trait: Trait) -> PictureLayer | None:
    """Decode a layer; None if it is incomplete, or if its level follows a property and is no state of the layer."""
    fields = trait.fields()
    level = max(0, int(trait.states()[0])) if _LEVEL.fullmatch(trait.states()[0]) else 0
    if trait.id == OLD_LAYER:
        pictures = [split_list(field, ",") for field in fields[OLD_IMAGES:]]
        levels = tuple(member_at(picture, 1) for picture in pictures)
        return PictureLayer(
            "", levels, min(level, len(levels)), always=not split_list(member_at(fields, OLD_KEY), ";")[0]
        )
    if len(fields) <= LEVEL_NAME or member_at(fields, FOLLOWS) == "true":
        return None
    images, names = split_list(fields[IMAGES], ","), split_list(fields[LEVEL_NAMES], ",")
    levels = tuple(member_at(names, number).strip("+ ") for number in range(len(images)))
    always = (
        member_at(fields, ALWAYS_ACTIVE) != "false"
        if member_at(fields, LAYER_VERSION) not in {"", "0"}
        else not fields[ACTIVATE_KEY]
    )
    return PictureLayer(fields[LEVEL_NAME], levels, min(level, len(levels)), always)


def split_range(trait: Trait) -> tuple[int, int, bool]:
    """Return the minimum and the maximum of a dynamic property, and whether it is numeric."""
    limits = split_list(member_at(trait.fields(), 2), ",")
    counts = member_at(limits, 0) == "true"
    low = max(0, whole_number(member_at(limits, 1)))
    high = max(0, whole_number(member_at(limits, 2)))
    return low, min(9_999, high), counts
