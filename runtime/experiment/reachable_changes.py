"""Compute the changes between two sets of rules that play can reach: what an experiment has to try.

The input is two graphs; the output is their `Changes`. A change is whatever is in one graph only, or differs in the
other: a rule, a cell of a chart, a default, a counter, an action, a reaction, a resolution, a hook, a phase, a step of
the sequence of play. Other differences are listed by name: their use is not counted.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import ProcedurePair, procedure_pairs
from runtime.graph.rows import row_label
from runtime.graph.steps import Steps, inner_bodies, is_preferred, offered_in
from runtime.witness.dependencies import collect_label_changes, counter_label, term_label
from runtime.witness.structural_difference import HOOK_ORDER, WORDY, NodeChange, structural_difference

RULE, CELL, CHART, DEFAULT, COUNTER = "rule", "cell", "chart", "default", "counter"
ACTION, REACTION, RESOLUTION, HOOK = "action", "reaction", "resolution", "hook"
PHASE, OFFER, STEP = "phase", "offer", "step"
# What is offered to a player, so that it may be offered and never taken.
OFFERED = frozenset({ACTION, REACTION, OFFER})
PHASES = "enum phase"  # The label of the names of all phases.


class GraphChange(NamedTuple):
    """A change: its keys in the two graphs, "" where it is absent, and its readable name.

    `preferred`: for an action, whether anything in it is `preferring`; greedy players start no other. `no_preference`
    is the reason stated by its rules, "" if none.
    """

    kind: str
    name: str
    first_key: str
    second_key: str
    preferred: bool = True
    no_preference: str = ""


class Changes(NamedTuple):
    """The changes between two graphs; `uncounted` contains the names of differences that are not watched."""

    watched: tuple[GraphChange, ...]
    uncounted: tuple[str, ...]


def changes_of(a: graph.Graph, b: graph.Graph) -> Changes:
    """Return the differences between two graphs. A changed action is not listed again where it is offered."""
    procedures = tuple(_procedures(a, b))
    actions = {change.name for change in procedures if change.kind in OFFERED}
    stops = [stop for stop in _stops(a, b) if stop.kind != OFFER or stop.name.partition(" ")[0] not in actions]
    structure = structural_difference(a, b)
    return Changes((*procedures, *stops, *_labels(a, b, structure)), tuple(_uncounted(a, b, structure)))


def watched_keys(changes: Changes) -> tuple[frozenset[str], frozenset[str]]:
    """Return the keys to be watched in each of the two graphs."""
    first_keys = frozenset(change.first_key for change in changes.watched)
    second_keys = frozenset(change.second_key for change in changes.watched)
    return first_keys - {""}, second_keys - {""}


def _labels(a: graph.Graph, b: graph.Graph, structure: Iterable[NodeChange]) -> Iterator[GraphChange]:
    charts = sorted(a.tables.keys() ^ b.tables.keys())
    for chart in charts:
        yield _change(f"{CHART}:{chart}", chart in a.tables, chart in b.tables)
    first_keys, second_keys = dict(_keys(a)), dict(_keys(b))
    keys = {**second_keys, **first_keys}
    # Other labels are those of procedures, or of what cannot be counted.
    for label in sorted(collect_label_changes(structure).all_labels() & keys.keys()):
        is_in_first, is_in_second = label in first_keys, label in second_keys
        kind, _, name = keys[label].partition(":")
        # A question that only one of them has, and a chart, are changed as a whole.
        is_of_one = kind == DEFAULT and is_in_first != is_in_second
        if not is_of_one and not (kind == CELL and name.partition("[")[0] in charts):
            yield _change(keys[label], is_in_first, is_in_second)


def _change(key: str, is_in_first: bool, is_in_second: bool) -> GraphChange:  # noqa: FBT001 - whether it stands in one and in the other
    kind, _, name = key.partition(":")
    return GraphChange(kind, name, key if is_in_first else "", key if is_in_second else "")


def _keys(rules: graph.Graph) -> Iterator[tuple[str, str]]:
    """Return the key of each label that `collect_label_changes` may return."""
    # A rule that only amends or withdraws procedures is never queried; the changes it makes are counted.
    yield from ((label, f"{RULE}:{label}") for label, rule in rules.rules.items() if rule.verb or rule.defeats)
    for table in rules.tables.values():
        labels = (row_label(table, row, rules.vocabulary) for row in table.rows)
        yield from ((label, f"{CELL}:{label}") for label in labels)
    yield from ((counter_label(id_), f"{COUNTER}:{id_}") for id_ in rules.counters)
    yield from ((term_label(name), f"{DEFAULT}:{name}") for name in rules.terms)


def _procedures(a: graph.Graph, b: graph.Graph) -> Iterator[GraphChange]:
    reactions = _reactions_of(a) | _reactions_of(b)
    for pair in procedure_pairs(a, b):
        if pair.is_equal or "sequence" in pair[:2]:
            continue
        versions = _versions(a, b, pair)
        if pair.is_hook and any(any(offered_in(version)) for version in versions):
            continue  # It offers a reaction, which is counted itself.
        yield _procedure(versions, pair, reactions)


def _versions(a: graph.Graph, b: graph.Graph, pair: ProcedurePair) -> list[graph.Procedure]:
    """Return a procedure as each of the graphs that have it has it."""
    return [rules.procedures[key] for rules, key in ((a, pair.first_key), (b, pair.second_key)) if key]


def _procedure(versions: list[graph.Procedure], pair: ProcedurePair, reactions: set[str]) -> GraphChange:
    procedure = versions[-1]
    if procedure.what == "hook":
        place = f"{procedure.origin.file}:{procedure.origin.line}"
        return GraphChange(HOOK, f"{procedure.event} ({place})", pair.first_key, pair.second_key)
    kind = REACTION if procedure.what == "action" and procedure.name in reactions else procedure.what
    preferred = procedure.what != "action" or any(map(is_preferred, versions))
    return GraphChange(kind, procedure.name, pair.first_key, pair.second_key, preferred, procedure.no_preference)


def _reactions_of(rules: graph.Graph) -> set[str]:
    """Return the actions that hooks offer."""
    hooks = (procedure for procedure in rules.procedures.values() if procedure.what == "hook")
    return {name for hook in hooks for name in offered_in(hook)}


def _stops(a: graph.Graph, b: graph.Graph) -> Iterator[GraphChange]:
    """Return the phases, offers and resolutions that one sequence of play alone has, or has elsewhere."""
    first, second = dict(_stops_of(a)), dict(_stops_of(b))
    for key in sorted(first.keys() ^ second.keys()):
        name = first.get(key) or second[key]
        yield GraphChange(key.partition(":")[0], name, key if key in first else "", key if key in second else "")


def _stops_of(rules: graph.Graph) -> Iterator[tuple[str, str]]:
    """Yield the stops of a sequence of play by their keys, each with its readable name."""
    sequence = rules.procedures.get("sequence")
    yield from _stops_in(sequence.body if sequence else (), "")


def _stops_in(steps: Steps, phase: str) -> Iterator[tuple[str, str]]:
    location = f" in {phase}" if phase else ""
    for step in steps:
        within = phase
        match step:
            case graph.Phase(name):
                yield f"{PHASE}:{name}", name
                within = name
            case graph.Offer(actions):
                yield from ((f"{OFFER}:{name}@{phase}", f"{name}{location}") for name, _ in actions)
            case graph.Do(name):
                yield f"{STEP}:{name}@{phase}", f"{name}{location}"
            case _:
                pass
        for block in inner_bodies(step):
            yield from _stops_in(block, within)


def _uncounted(a: graph.Graph, b: graph.Graph, structure: Iterable[NodeChange]) -> Iterator[str]:
    """Return the names of other differences: declarations, the outcome, the card, other steps of the sequence."""
    # What is declared in one graph only matters to rules and procedures, which are listed themselves, as phases are.
    for change in structure:
        if change.operation == "changed" and change.kind in (*WORDY, HOOK_ORDER) and change.labels != (PHASES,):
            yield f"{change.kind} {change.name}"
    yield from _differing_parts("question", _question_heads(a), _question_heads(b))
    yield from _differing_parts("chart", _chart_heads(a), _chart_heads(b))
    if a.outcome != b.outcome:
        yield "who wins"
    if a.aims != b.aims:
        yield "the aims of greedy players"
    if a.scenario != b.scenario:
        yield "the card"
    is_sequence_changed = any("sequence" in pair[:2] and not pair.is_equal for pair in procedure_pairs(a, b))
    if is_sequence_changed and not any(_stops(a, b)):
        yield "steps of the sequence of play"


def _question_heads(rules: graph.Graph) -> dict[str, Any]:
    return {name: (term.form, term.parameters, term.type) for name, term in rules.terms.items()}


def _chart_heads(rules: graph.Graph) -> dict[str, Any]:
    return {name: (table.keys, table.cells, table.hit, table.operator) for name, table in rules.tables.items()}


def _differing_parts(kind: str, first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{kind} {name}" for name in sorted(first.keys() & second.keys()) if first[name] != second[name])


# ---------------------------------------------------------------- differences between cards
