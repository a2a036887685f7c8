"""The conditions offered for a generated rule: tests of a question's parameters and of the game.

In: a graph and the question, or action, of a rule. Out: conditions that compile in its scope. They are a choice of
common ones: a rule may have any other.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.graph.steps import phases_of_sequence
from runtime.witness.position_file import quote_name

PLAYER, PHASE = "player", "game.phase"


def common_conditions(rules: graph.Graph, parameters: Sequence[graph.Parameter]) -> list[str]:
    """Return common conditions of a rule with some parameters."""
    found = [condition for parameter in parameters for condition in _of_parameter(rules, parameter)]
    return [*found, *_of_play(rules)]


def parameters_of(rules: graph.Graph, name: str) -> tuple[graph.Parameter, ...]:
    """Return the parameters of a question of permission; for an action, the active side."""
    term = rules.terms.get(name)
    if term is not None:
        return term.parameters
    return (graph.Parameter(PLAYER, graph.Enum("side")),)


def _comparisons(subject: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the comparisons of a subject with each of some names."""
    return (f"{subject} = {quote_name(name)}" for name in names)


def _of_parameter(rules: graph.Graph, parameter: graph.Parameter) -> Iterator[str]:
    """Yield the conditions on a parameter, by its type."""
    name, vocabulary = parameter.name, rules.vocabulary
    match parameter.type:
        case graph.Piece(kinds):
            owners = kinds or tuple(vocabulary.kinds)
            words = [*_shared_words(rules, owners), *(owners if len(owners) > 1 else ())]
            yield from (f"{name} is {word}" for word in words)
            yield from _comparisons(f"{name}.side", members_of(vocabulary, "side"))
            yield from _comparisons(f"{name}.counter", (c.id for c in rules.counters.values() if c.kind in owners))
        case graph.Hex():
            yield from (f"{name} is {word}" for word in _shared_words(rules, ("hex",)))
        case graph.Hexside():
            yield from (f"{name} is {word}" for word in _shared_words(rules, ("hexside",)))
        case graph.Enum(enum):
            yield from _comparisons(name, members_of(vocabulary, enum))
        case graph.YesNo():
            yield name
        case graph.RecordOf(record):
            declared = vocabulary.records[record]
            for field in declared.fields:
                # An optional field may be read only where it is present.
                if field.name not in declared.optional and not isinstance(field.type, graph.RecordOf):
                    yield from _of_parameter(rules, graph.Parameter(f"{name}.{field.name}", field.type))
        case _:
            pass


def _shared_words(rules: graph.Graph, owners: Sequence[str]) -> list[str]:
    """Return the words that all owners declare; others cannot be tested for every piece."""
    seen: Counter[str] = Counter()
    for flag in rules.vocabulary.flags.values():
        if flag.owner in owners and flag.what in ("trait", "feature", "status"):
            seen[flag.name] += 1
    return [word for word, count in seen.items() if count == len(owners)]


def _of_play(rules: graph.Graph) -> Iterator[str]:
    """Yield the conditions on the game: the phase, and boolean facts."""
    yield from (f"{PHASE} = {name}" for name in phases_of_sequence(rules))
    for track in rules.vocabulary.tracks.values():
        if track.owner in ("scenario", "game") and isinstance(track.type, graph.YesNo) and track.initial is not None:
            yield f"{track.owner}.{track.name}"


def moments_of(rules: graph.Graph) -> list[str]:
    """Return the moments until which a status may last."""
    return ["own_turn", "turn", *phases_of_sequence(rules), "game"]


def is_of_kind(type_: graph.Type, kind: str) -> bool:
    """Return whether a type is that of a kind of pieces, or of hexes."""
    return isinstance(type_, graph.Hex) if kind == "hex" else isinstance(type_, graph.Piece) and type_.kinds == (kind,)
