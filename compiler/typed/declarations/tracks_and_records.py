"""The declarations of what play notes and announces: tracks, relations, records, tasks, events; and of facts."""

from compiler.source import nodes as source
from compiler.typed.declarations.record import DeclarationRecord, Wave, resolve_parameters
from compiler.typed.duplicate_names import holds_name, reserve_name
from compiler.typed.environment import UNKNOWN_TYPE, Environment, resolve_type
from compiler.typed.findings.mismatches import MissingField
from compiler.typed.unknown_names import check_known
from runtime.graph import nodes as graph


def _enter_track(env: Environment, node: source.Track) -> None:
    owner, name = node.owner.text, node.name.text
    track_type = resolve_type(env, node.type) or UNKNOWN_TYPE
    if reserve_name(env, f"track of {owner}", node.name):
        until = node.until.name.text if node.until else ""
        env.tracks[f"{owner}.{name}"] = graph.Track(owner, name, track_type, None, until)
        if node.initial is not None or isinstance(track_type, graph.Many) or track_type is UNKNOWN_TYPE:
            env.initial[f"{owner}.{name}"] = True  # sets and lists are initially empty


def _enter_relation(env: Environment, node: source.Relation) -> None:
    if not reserve_name(env, "relation", node.name):
        return
    left, right = resolve_parameters(env, (node.left, node.right))
    end = _unique_end(env, node)
    payload = resolve_parameters(env, (node.keeps,))[0] if node.keeps else None
    env.relations[node.name.text] = graph.Relation(node.name.text, left, right, end, payload)


def _unique_end(env: Environment, node: source.Relation) -> graph.RelationEnd:
    """Return the end with at most one partner; report a name that is none of the two ends."""
    ends: dict[str, graph.RelationEnd] = {node.left.name.text: "left", node.right.name.text: "right"}
    if node.one is None or not check_known(env, f"end of {node.name.text}", node.one, ends):
        return ""
    return ends[node.one.text]


def _reserve_record(env: Environment, node: source.Record | source.Task) -> None:
    if reserve_name(env, "type", node.name):
        env.records[node.name.text] = graph.Record(node.name.text, ())


def _enter_record(env: Environment, node: source.Record) -> None:
    if not holds_name(env, "type", node.name):
        return
    optional = tuple(word.text for word in node.optional)
    record = graph.Record(node.name.text, resolve_parameters(env, node.fields), optional, node.secret)
    env.records[record.name] = record
    if node.secret and graph.Parameter("by", graph.Enum("side")) not in record.fields:
        env.problems.append(MissingField(node.name.span, f"secret record {record.name}", ("by",)))


def _enter_task(env: Environment, node: source.Task) -> None:
    if holds_name(env, "type", node.name):
        name = node.name.text
        env.records[name] = graph.Record(name, resolve_parameters(env, (*node.fields, node.counter)))
        env.counters_of[name] = node.counter.name.text


def _enter_event(env: Environment, node: source.Event) -> None:
    if reserve_name(env, "event", node.name):
        env.events[node.name.text] = graph.Event(node.name.text, resolve_parameters(env, node.parameters))


TRACKS_AND_RECORDS = (
    DeclarationRecord(
        source.Track,
        forms=("track unit.spent: 0..12 MP = 0 MP until end of movement",),
        binds={Wave.TYPED_NOTES: _enter_track},
        names={"name": "declares track {owner}", "owner": "uses kind"},
        outline=None,
    ),
    DeclarationRecord(
        source.Requires,
        forms=('requires scenario.FACT "why" when CONDITION',),
        binds={},
        names={"name": "uses track {owner}", "owner": "uses kind"},
        outline=None,
    ),
    DeclarationRecord(
        source.Relation,
        forms=("relation NAME(one: unit, other: unit)",),
        binds={Wave.TYPED_NOTES: _enter_relation},
        names={
            "name": "declares relation",
            **dict.fromkeys(("left", "right", "keeps"), "binds end {name}"),
            "one": "uses end {name}",
        },
        outline="key",
    ),
    DeclarationRecord(
        source.Record,
        forms=("record NAME {FIELD: TYPE}",),
        binds={Wave.TYPE_NAMES: _reserve_record, Wave.TYPED_NOTES: _enter_record},
        names={"name": "declares type", "fields": "binds record {name}"},
        outline="struct",
    ),
    DeclarationRecord(
        source.Task,
        forms=("task NAME(h: hex) counts FIELD: 0..9 turns each end of turn [SOURCE] { .. }",),
        binds={Wave.TYPE_NAMES: _reserve_record, Wave.TYPED_NOTES: _enter_task},
        names={"name": "declares type", "fields": "binds record {name}", "counter": "binds record {name}"},
        outline="struct",
    ),
    DeclarationRecord(
        source.Event,
        forms=("event NAME(u: unit)",),
        binds={Wave.TYPED_NOTES: _enter_event},
        names={"name": "declares event", "parameters": "binds parameter {name}"},
        outline=None,
    ),
    DeclarationRecord(
        source.Always,
        forms=("always LABEL [SOURCE] CONDITION",),
        binds={},
        names={"label": "declares label"},
        outline=None,
    ),
    DeclarationRecord(
        source.Outcome,
        forms=("outcome QUESTION from QUESTION",),
        binds={},
        names={"term": "uses term", "collected": "uses term"},
        outline=None,
    ),
    DeclarationRecord(
        source.Aim,
        forms=("aim QUESTION", "aim QUESTION instead of QUESTION", 'aim none "WHY"'),
        binds={},
        names={"term": "uses term", "replaced": "uses term"},
        outline=None,
    ),
)
