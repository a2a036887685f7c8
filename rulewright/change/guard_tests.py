"""The conditions available for a generated rule: tests of a question's parameters and of the game.

In: a graph and the question, or action, of a rule. Out: conditions that compile in its scope.
"""

from collections.abc import Iterator, Sequence

from rulewright.change.change_kinds import Condition
from rulewright.errors import UsageError, suggestion_text
from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.graph.steps import phases_of_sequence
from runtime.witness.position_file import quote_name

PLAYER, PHASE = "player", "game.phase"


def available_conditions(rules: graph.Graph, parameters: Sequence[graph.Parameter]) -> list[Condition]:
    """Return the conditions that a rule with some parameters may have, without negations."""
    found = [each for parameter in parameters for each in _of_parameter(rules, parameter)]
    return list(dict.fromkeys((*found, *_of_play(rules))))


def parameters_of(rules: graph.Graph, name: str) -> tuple[graph.Parameter, ...]:
    """Return the parameters of a question of permission; for an action, the active side."""
    term = rules.terms.get(name)
    if term is not None:
        return term.parameters
    return (graph.Parameter(PLAYER, graph.Enum("side")),)


def parse_condition(text: str, known: Sequence[Condition]) -> Condition:
    """Parse a typed condition: `mover is not dispersed`, `not scenario.mist`."""
    condition = " ".join(text.split())
    conditions_by_text = {each.text: each for each in known}
    conditions_by_text |= {negated_condition(each).text: negated_condition(each) for each in known}
    if condition in conditions_by_text:
        return conditions_by_text[condition]
    subject = condition.removeprefix("not ").partition(" ")[0]
    suggestions = [
        name for name in conditions_by_text if name.removeprefix("not ").partition(" ")[0] == subject
    ] or list(conditions_by_text)
    raise UsageError(
        f"`{text}` cannot be asked here, where conditions on numbers, sets, records within records and optional fields "
        f"are left out; {suggestion_text(condition, suggestions)}"
    )


def negated_condition(each: Condition) -> Condition:
    """Negate a condition."""
    return Condition(each.subject, each.test, each.word, not each.negated)


def _of_parameter(rules: graph.Graph, parameter: graph.Parameter) -> Iterator[Condition]:
    """Yield the conditions on a parameter, by its type."""
    name, vocabulary = parameter.name, rules.vocabulary
    match parameter.type:
        case graph.Piece(kinds):
            owners = kinds or tuple(vocabulary.kinds)
            yield from _flags(rules, name, owners, len(owners))
            if len(owners) > 1:
                yield from (Condition(name, "is", kind) for kind in owners)
            yield from (Condition(f"{name}.side", "=", quote_name(side)) for side in _members(rules, "side"))
            counters = (each.id for each in rules.counters.values() if each.kind in owners)
            yield from (Condition(f"{name}.counter", "=", quote_name(each)) for each in counters)
        case graph.Hex():
            yield from _flags(rules, name, ("hex",), 1)
        case graph.Hexside():
            yield from _flags(rules, name, ("hexside",), 1)
        case graph.Enum(enum):
            yield from (Condition(name, "=", quote_name(member)) for member in _members(rules, enum))
        case graph.YesNo():
            yield Condition(name, "", "")
        case graph.RecordOf(record):
            declared = vocabulary.records[record]
            for field in declared.fields:
                # An optional field may be read only where it is present.
                if field.name not in declared.optional and not isinstance(field.type, graph.RecordOf):
                    yield from _of_parameter(rules, graph.Parameter(f"{name}.{field.name}", field.type))
        case _:
            pass


def _flags(rules: graph.Graph, name: str, owners: Sequence[str], owner_count: int) -> Iterator[Condition]:
    """Yield the tests of words that all owners declare; others cannot be tested for every piece."""
    seen: dict[str, int] = {}
    for flag in rules.vocabulary.flags.values():
        if flag.owner in owners and flag.what in ("trait", "feature", "status"):
            seen[flag.name] = seen.get(flag.name, 0) + 1
    yield from (Condition(name, "is", word) for word, count in seen.items() if count == owner_count)


def _of_play(rules: graph.Graph) -> Iterator[Condition]:
    """Yield the conditions on the game: the phase, and boolean facts."""
    yield from (Condition(PHASE, "=", name) for name in phases_of_sequence(rules))
    for track in rules.vocabulary.tracks.values():
        if track.owner in ("scenario", "game") and isinstance(track.type, graph.YesNo) and track.initial is not None:
            yield Condition(f"{track.owner}.{track.name}", "", "")


def _members(rules: graph.Graph, enum: str) -> list[str]:
    return list(members_of(rules.vocabulary, enum))


def moments_of(rules: graph.Graph) -> list[str]:
    """Return the moments until which a status may last."""
    return ["own_turn", "turn", *phases_of_sequence(rules), "game"]


def is_of_kind(type_: graph.Type, kind: str) -> bool:
    """Return whether a type is that of a kind of pieces, or of hexes."""
    return isinstance(type_, graph.Hex) if kind == "hex" else isinstance(type_, graph.Piece) and type_.kinds == (kind,)
