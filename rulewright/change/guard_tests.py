"""The conditions available for a generated rule: tests of a question's parameters and of the game.

In: a graph and the question, or action, of a rule. Out: conditions that compile in its scope.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from rulewright.errors import UsageError, suggestion_text
from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.graph.steps import phases_of_sequence
from runtime.witness.position_file import quote_name

PLAYER, PHASE = "player", "game.phase"


# The conditions by their text, each with the text of its negation.
ConditionTexts = dict[str, str]


def available_conditions(rules: graph.Graph, parameters: Sequence[graph.Parameter]) -> ConditionTexts:
    """Return the conditions that a rule with some parameters may have."""
    found: ConditionTexts = {}
    for parameter in parameters:
        found |= _of_parameter(rules, parameter)
    return found | _of_play(rules)


def parameters_of(rules: graph.Graph, name: str) -> tuple[graph.Parameter, ...]:
    """Return the parameters of a question of permission; for an action, the active side."""
    term = rules.terms.get(name)
    if term is not None:
        return term.parameters
    return (graph.Parameter(PLAYER, graph.Enum("side")),)


def condition_text(text: str, known: ConditionTexts) -> str:
    """Return a typed condition, such as `mover is not dispersed` or `not scenario.mist`, as it is written in rules."""
    condition = " ".join(text.split())
    texts = [*known, *known.values()]
    if condition in texts:
        return condition
    subject = condition.removeprefix("not ").partition(" ")[0]
    similar = [name for name in texts if name.removeprefix("not ").partition(" ")[0] == subject]
    raise UsageError(
        f"`{text}` cannot be asked here, where conditions on numbers, sets, records within records and optional fields "
        f"are left out; {suggestion_text(condition, similar or texts)}"
    )


def _tests(subject: str, words: Iterable[str]) -> ConditionTexts:
    """Return the tests whether a subject is each of some words."""
    return {f"{subject} is {word}": f"{subject} is not {word}" for word in words}


def _comparisons(subject: str, names: Iterable[str]) -> ConditionTexts:
    """Return the comparisons of a subject with each of some names."""
    return {f"{subject} = {quote_name(name)}": f"{subject} != {quote_name(name)}" for name in names}


def _of_parameter(rules: graph.Graph, parameter: graph.Parameter) -> ConditionTexts:
    """Return the conditions on a parameter, by its type."""
    name, vocabulary = parameter.name, rules.vocabulary
    match parameter.type:
        case graph.Piece(kinds):
            owners = kinds or tuple(vocabulary.kinds)
            counters = (each.id for each in rules.counters.values() if each.kind in owners)
            return (
                _tests(name, _shared_words(rules, owners))
                | _tests(name, owners if len(owners) > 1 else ())
                | _comparisons(f"{name}.side", members_of(vocabulary, "side"))
                | _comparisons(f"{name}.counter", counters)
            )
        case graph.Hex():
            return _tests(name, _shared_words(rules, ("hex",)))
        case graph.Hexside():
            return _tests(name, _shared_words(rules, ("hexside",)))
        case graph.Enum(enum):
            return _comparisons(name, members_of(vocabulary, enum))
        case graph.YesNo():
            return {name: f"not {name}"}
        case graph.RecordOf(record):
            declared = vocabulary.records[record]
            found: ConditionTexts = {}
            for field in declared.fields:
                # An optional field may be read only where it is present.
                if field.name not in declared.optional and not isinstance(field.type, graph.RecordOf):
                    found |= _of_parameter(rules, graph.Parameter(f"{name}.{field.name}", field.type))
            return found
        case _:
            return {}


def _shared_words(rules: graph.Graph, owners: Sequence[str]) -> list[str]:
    """Return the words that all owners declare; others cannot be tested for every piece."""
    seen: Counter[str] = Counter()
    for flag in rules.vocabulary.flags.values():
        if flag.owner in owners and flag.what in ("trait", "feature", "status"):
            seen[flag.name] += 1
    return [word for word, count in seen.items() if count == len(owners)]


def _of_play(rules: graph.Graph) -> ConditionTexts:
    """Return the conditions on the game: the phase, and boolean facts."""
    found = {f"{PHASE} = {name}": f"{PHASE} != {name}" for name in phases_of_sequence(rules)}
    for track in rules.vocabulary.tracks.values():
        if track.owner in ("scenario", "game") and isinstance(track.type, graph.YesNo) and track.initial is not None:
            found[f"{track.owner}.{track.name}"] = f"not {track.owner}.{track.name}"
    return found


def moments_of(rules: graph.Graph) -> list[str]:
    """Return the moments until which a status may last."""
    return ["own_turn", "turn", *phases_of_sequence(rules), "game"]


def is_of_kind(type_: graph.Type, kind: str) -> bool:
    """Return whether a type is that of a kind of pieces, or of hexes."""
    return isinstance(type_, graph.Hex) if kind == "hex" else isinstance(type_, graph.Piece) and type_.kinds == (kind,)
