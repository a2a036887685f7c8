"""The declarations of kinds of pieces, and of what pieces and hexes are: traits, features, paths, places, statuses."""

from typing import cast

from compiler.source import nodes as source
from compiler.typed import added_factors
from compiler.typed.declarations.record import DeclarationRecord, Wave, display_name, resolve_parameters
from compiler.typed.duplicate_names import holds_name, reserve_name
from compiler.typed.environment import Environment
from compiler.typed.flag_owners import check_owner
from runtime.graph import nodes as graph
from runtime.graph.words import readable_name


def _enter_kind(env: Environment, node: source.Kind) -> None:
    name = node.name.text
    if added_factors.reserve_kind(env, node.name):
        env.kinds[name] = graph.Kind(name, readable_name(name), ())


def _enter_printed(env: Environment, node: source.Kind) -> None:
    """Enter the printed factors of a kind."""
    name = node.name.text
    if holds_name(env, "type", node.name):
        env.kinds[name] = graph.Kind(name, readable_name(name), resolve_parameters(env, node.printed))
        added_factors.reserve_printed(env, node)


def _enter_flags(env: Environment, node: source.Flags) -> None:
    kind, owner = cast(graph.FlagKind, node.what), node.owner_name
    check_owner(env, kind, node.owner)
    for item in node.items:
        if item.marker is not None and (kind, owner) != ("feature", "hex"):
            message = "only statuses and features of hexes can have a marker"
            env.report_invalid(item.span, message, "delete the `marker`")
        _enter_flag(env, graph.Flag(kind, owner, item.name.text, display_name(item), item.marker or "", ""), item.name)


def _enter_flag(env: Environment, flag: graph.Flag, name: source.Word) -> None:
    if reserve_name(env, f"flag of {flag.owner}", name):
        env.flags[f"{flag.owner}.{flag.name}"] = flag


def _enter_place(env: Environment, node: source.Place) -> None:
    owner, name = node.of.text, node.name.text
    if reserve_name(env, f"flag of {owner}", node.name):
        check_owner(env, "place", node.of)
        env.flags[f"{owner}.{name}"] = graph.Flag("place", owner, name, readable_name(name), "", "")


def _enter_statuses(env: Environment, node: source.Status) -> None:
    check_owner(env, "status", node.owner)
    for item in node.items:
        name = item.name.text
        reads, until = item.reads or readable_name(name), item.until.name.text if item.until else ""
        _enter_flag(env, graph.Flag("status", node.owner.text, name, reads, item.marker or "", until), item.name)


KINDS_AND_FLAGS = (
    DeclarationRecord(
        source.Kind,
        forms=("kind unit has movement: 0..12 MP, gait: gait",),
        binds={Wave.TYPE_NAMES: _enter_kind, Wave.TYPED_NOTES: _enter_printed},
        names={"name": "declares type", "printed": "binds printed {name}"},
        outline="class",
    ),
    DeclarationRecord(
        source.ExtendKind,
        forms=("extend kind unit has morale: 0..9 = 5",),
        binds={Wave.ADDED_FACTORS: added_factors.enter_added_factors},
        names={"name": "uses kind", "added": "declares printed {name}"},
        outline="class",
    ),
    DeclarationRecord(
        source.Flags,
        forms=("trait unit: NAME", "feature hex: NAME", 'path NAME "Name"'),
        binds={Wave.FLAGS_AND_RANGES: _enter_flags},
        names={"owner": "uses kind", "items": "declares {what} {owner_name}"},
        outline=None,
    ),
    DeclarationRecord(
        source.Place,
        forms=("place NAME of unit",),
        binds={Wave.FLAGS_AND_RANGES: _enter_place},
        names={"name": "declares place {of}", "of": "uses kind"},
        outline=None,
    ),
    DeclarationRecord(
        source.Status,
        forms=('status unit: tired "is tired" marker "T" until end of turn',),
        binds={Wave.FLAGS_AND_RANGES: _enter_statuses},
        names={"owner": "uses kind", "items": "declares status {owner}"},
        outline=None,
    ),
)
