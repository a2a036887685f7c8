"""The declarations of kinds of pieces, and of what pieces and hexes are: traits, features, paths, places, statuses."""

from collections.abc import Iterator
from typing import cast

from compiler.source import nodes as source
from compiler.typed import added_factors
from compiler.typed.declarations.record import DeclarationRecord, NamePart, Wave, display_name, resolve_parameters
from compiler.typed.duplicate_names import holds_name, reserve_name
from compiler.typed.environment import Environment
from compiler.typed.findings.invalid_constructs import InvalidConstruct
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


def _first_value_names(node: source.ExtendKind) -> Iterator[NamePart]:
    """Yield the first values that are a member of a list or a place of a scale."""
    for factor in node.added:
        if isinstance(factor.type, source.NameType) and factor.first is not None:
            type_name, first = factor.type.names[0].text, factor.first
            namespace = "member" if first.text.isidentifier() else "place of scale"
            if type_name != "yes_no":
                yield NamePart("uses", source.Word(first.span, first.text), f"{namespace} {type_name}")


def _enter_flags(env: Environment, node: source.Flags) -> None:
    kind = cast(graph.FlagKind, node.what)
    owner = node.owner.text if node.owner else "path"
    check_owner(env, kind, node.owner)
    for item in node.items:
        if item.marker is not None and (kind, owner) != ("feature", "hex"):
            message = "only statuses and features of hexes have a marker"
            env.problems.append(InvalidConstruct(item.span, message, "take the `marker` away"))
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
        names=lambda node: [
            NamePart("declares", node.name, "type"),
            NamePart("binds", node.printed, f"printed {node.name.text}"),
        ],
        outline="class",
    ),
    DeclarationRecord(
        source.ExtendKind,
        forms=("extend kind unit has morale: 0..9 = 5",),
        binds={Wave.ADDED_FACTORS: added_factors.enter_added_factors},
        names=lambda node: [
            NamePart("uses", node.name, "kind"),
            NamePart("declares", node.added, f"printed {node.name.text}"),
            *_first_value_names(node),
        ],
        outline="class",
    ),
    DeclarationRecord(
        source.Flags,
        forms=("trait unit: NAME", "feature hex: NAME", 'path NAME "Name"'),
        binds={Wave.FLAGS_AND_RANGES: _enter_flags},
        names=lambda node: [
            NamePart("uses", node.owner, "kind"),
            NamePart("declares", node.items, f"{node.what} {node.owner.text if node.owner else 'path'}"),
        ],
        outline=None,
    ),
    DeclarationRecord(
        source.Place,
        forms=("place NAME of unit",),
        binds={Wave.FLAGS_AND_RANGES: _enter_place},
        names=lambda node: [
            NamePart("declares", node.name, f"place {node.of.text}"),
            NamePart("uses", node.of, "kind"),
        ],
        outline=None,
    ),
    DeclarationRecord(
        source.Status,
        forms=('status unit: tired "is tired" marker "T" until end of turn',),
        binds={Wave.FLAGS_AND_RANGES: _enter_statuses},
        names=lambda node: [
            NamePart("uses", node.owner, "kind"),
            NamePart("declares", node.items, f"status {node.owner.text}"),
        ],
        outline=None,
    ),
)
