"""Names in scope, hexes and pieces of an example, facts of the game, and fields of values."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.amounts import is_participial_amount
from runtime.graph.english import agreeing_verb, holding_phrase, possessive, predicate_text
from runtime.graph.expressions.record import ExpressionRecord, Symbol, TypeScope
from runtime.graph.operators.record import whether_phrase
from runtime.graph.phrases import CROSSED, FIELD_NOUNS, OF_STEP, PREPOSITIONAL_NAMES
from runtime.graph.predeclared_types import CLOCK, CROSSING, HEXES, PREDECLARED_TYPES, SIDE, UNKNOWN

if TYPE_CHECKING:
    from runtime.graph.wording import Wording

# The wording of predeclared keys of situation cards.
ON_CARDS: Mapping[str, str] = {"set_up": "order of setting up", "turns": "number of turns"}
SITUATION = "the situation"
SPOT_TYPES: Mapping[graph.SpotKind, graph.Type] = {
    "hex": graph.Hex(), "region": HEXES, "piece": graph.Piece(()), "step": graph.Piece(()),
}  # fmt: skip


def _variable_phrase(wording: "Wording", variable: graph.Var) -> str:
    if isinstance(wording.names.get(variable.name), graph.YesNo):
        return whether_phrase(wording, variable)
    return wording.variable(variable.name)


def _track_type(track: graph.GameTrack, scope: TypeScope) -> graph.Type:
    declared = scope.rules.vocabulary.tracks.get(f"{track.owner}.{track.name}")
    return declared.type if declared else CLOCK.get(track.name, UNKNOWN)


def _track_phrase(wording: "Wording", track: graph.GameTrack) -> str:
    card_phrase = ON_CARDS.get(track.name) if track.owner == "scenario" else None
    card_phrase = "current turn" if track.name == "turn" else card_phrase
    name_text = card_phrase or words.factor_name(track.name, wording.vocabulary)
    return wording.with_number(f"the {name_text}" if track.owner == "game" else possessive(SITUATION, name_text), track)


def _track_clause(wording: "Wording", track: graph.GameTrack, holds: bool) -> str:  # noqa: FBT001 - as every clause
    """Return the clause of a fact of the game, or of what a card says."""
    fact = words.factor_name(track.name, wording.vocabulary)
    if track.owner != "game":
        return f"{SITUATION} {'says' if holds else 'does not say'} {fact}"
    if fact.startswith("that "):
        return holding_phrase(fact, holds=holds)
    return predicate_text("the game", fact, holds=holds)


def field_symbol(expr: graph.Get | graph.Has) -> Symbol:
    """Return the symbol of a field or of what a `has` tests."""
    namespace = "end" if expr.what in ("partner", "partners") else expr.what
    return Symbol(namespace, expr.owner, expr.name)


def _field_type(field: graph.Get, scope: TypeScope) -> graph.Type:
    vocabulary, name = scope.rules.vocabulary, field.name
    match field.what:
        case "printed":
            printed = {part.name: part.type for kind in vocabulary.kinds.values() for part in kind.printed}
            return printed.get(name, UNKNOWN)
        case "track":
            track = vocabulary.tracks.get(f"{field.owner}.{name}")
            return track.type if track else UNKNOWN
        case "record":
            record = vocabulary.records.get(field.owner)
            fields = {part.name: part.type for part in record.fields} if record else CROSSING
            return fields.get(name, UNKNOWN)
        case "partner" | "partners":
            end = vocabulary.relations[field.owner].end(name).type
            return end if field.what == "partner" else graph.Many("set", end)
        case "given":
            return PREDECLARED_TYPES.get(name, UNKNOWN)


def _field_phrase(wording: "Wording", field: graph.Get) -> str:
    """Return the phrase of a field in its number: "the cart's speed", "the form of the order", "its side"."""
    return wording.with_number(_field_text(wording, field), field)


def _field_text(wording: "Wording", field: graph.Get) -> str:
    own_name = wording.vocabulary.wording.get(f"{field.owner}.{field.name}")
    name = own_name or words.factor_name(field.name, wording.vocabulary)
    base = wording.phrase(field.base)
    if field.what == "record" and field.owner not in wording.vocabulary.records:
        crossed = words.with_space_nouns(CROSSED[field.name], wording.vocabulary)
        return f"its {crossed}" if base == "it" else f"the {crossed} at {base}"
    if field.what in ("partner", "partners"):
        end = wording.vocabulary.relations[field.owner].end(field.name)
        name = words.factor_name(end.name, wording.vocabulary)
    elif field.name in PREPOSITIONAL_NAMES and not own_name:
        name = wording.prepositional_name(field.name, wording.type_of(field))
    elif field.what == "given":
        name = FIELD_NOUNS.get(field.name, name)
    elif is_participial_amount(wording, field):
        return f"what {base} {agreeing_verb(base, 'has')} {name}"
    owner = wording.type_of(field.base)
    if base == "it" or isinstance(owner, graph.Piece) or owner == SIDE:
        return possessive(base, name)
    return f"the {name} of {base}"


def _field_clause(wording: "Wording", field: graph.Get, holds: bool) -> str:  # noqa: FBT001 - as every clause
    """Return the clause of a field that is yes or no."""
    if field.what == "record" and field.name == "along":
        return f"the line {'runs' if holds else 'does not run'} along {wording.phrase(field.base)}"
    if field.what in ("track", "printed", "record"):
        return predicate_text(
            wording.phrase(field.base), words.factor_name(field.name, wording.vocabulary), holds=holds
        )
    return holding_phrase(wording.phrase(field), holds=holds)


NAMES = (
    ExpressionRecord(
        graph.Var,
        result=lambda variable, scope: scope.names.get(variable.name, UNKNOWN),
        symbols=lambda variable: (Symbol("local", "", variable.name),),
        phrase=_variable_phrase,
        clause=lambda wording, variable, holds: holding_phrase(wording.variable(variable.name), holds=holds),
        text=lambda _, variable: variable.name,
    ),
    ExpressionRecord(
        graph.Spot,
        result=lambda spot, _: SPOT_TYPES[spot.what],
        symbols=lambda spot: (Symbol(spot.what, "", spot.name),),
        phrase=lambda _, spot: OF_STEP[spot.name] if spot.what == "step" else spot.name,
        clause=None,
        text=lambda writer, spot: writer.name(spot.name),
    ),
    ExpressionRecord(
        graph.GameTrack,
        result=_track_type,
        symbols=lambda track: (Symbol("track", track.owner, track.name),),
        phrase=_track_phrase,
        clause=_track_clause,
        text=lambda _, track: f"{track.owner}.{track.name}",
    ),
    ExpressionRecord(
        graph.Get,
        result=_field_type,
        symbols=lambda field: (field_symbol(field),),
        phrase=_field_phrase,
        clause=_field_clause,
        text=lambda writer, field: f"{writer.parenthesized(field.base)}.{writer.field(field)}",
    ),
)  # fmt: skip
