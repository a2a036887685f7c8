"""Procedures that stand in the place of others, and procedures that are withdrawn.

In: a catalog, and which layers a layer may speak of. Out: what is done in this stack, each replacement where the
procedure stood that it replaces, under its name; and a list of all that no longer stands. What is withdrawn is also
taken out of the offers, and a withdrawn phase out of the sequence.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from compiler.layered import nodes as layered
from compiler.layered.catalog import Catalog
from compiler.layered.problems import (
    NamesUpward,
    NotAsExpected,
    NothingToReplace,
    PatchesNothing,
    Problem,
    RemovedTarget,
    ReplacedTwice,
    ReplacementDiffers,
    StillNeeded,
)
from compiler.layered.withdrawn import needs, without
from compiler.source import nodes as source
from compiler.source.same import same
from compiler.source.span import Span

Part = layered.Placed[Any]
# What stands before the `{` of a procedure and is its own: a replacement says it anew.
OWN = frozenset({"span", "replaces", "cites", "prose", "title", "label", "stands"})


@dataclass(slots=True)
class Standing:
    """What is done, as far as it is known: the procedures, who put each there last, and what no longer stands."""

    parts: list[Part]
    by: dict[int, source.Replacing] = field(default_factory=dict)  # by the identity of a node
    homes: dict[int, str] = field(default_factory=dict)  # the layers of phases
    gone: dict[str, tuple[Span, str, Span]] = field(default_factory=dict)  # who withdrew: place, label, what
    displaced: list[layered.Displaced] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Found:
    """A procedure that is meant: the part that holds it, the procedure or the phase itself, and its layer."""

    part: int
    node: Any
    layer: str


def in_place(catalog: Catalog, reach: Mapping[str, frozenset[str]]) -> Standing:
    """Put every replacement where it belongs, and take out what is withdrawn, layer by layer from below."""
    new = [part for part in catalog.conduct if _replacing(part.node) is not None]
    stands = Standing([part for part in catalog.conduct if _replacing(part.node) is None])
    taken = [
        (entry.layer, entry.node, each)
        for entry in catalog.related
        for relation in entry.node.relations
        if relation.verb == "withdraws"
        for each in relation.doings
    ]
    if not new and not taken:
        return stands
    order = {name: number for number, name in enumerate(catalog.said)}
    for layer in sorted({*(part.layer for part in new), *(name for name, *_ in taken)}, key=lambda name: order[name]):
        for part in (part for part in new if part.layer == layer):
            _replace(stands, part, reach)
        for _, rule, doing in (each for each in taken if each[0] == layer):
            _withdraw(stands, layer, rule, doing, reach)
    _take_out(stands, catalog)
    return stands


def _replacing(node: source.Conduct) -> source.Replacing | None:
    return None if isinstance(node, source.Sequence | source.Insert | source.Beside) else node.replaces


def called(doing: source.Doing) -> str:
    """Write what is named of play as its author does."""
    return f"after {doing.event}" if doing.what in {"hook", "end"} else f"{doing.what} {doing.name.text}"


def _kind(node: Any) -> str:
    """Say what sort of thing a procedure is, as `replaces` names it."""
    match node:
        case source.Hook():
            return "hook"
        case source.Reaction():
            return "reaction"
        case _:
            return type(node).__name__.lower()


def _name(node: Any) -> str:
    return str(node.event.text if isinstance(node, source.Hook) else node.name.text)


def _replace(stands: Standing, part: Part, reach: Mapping[str, frozenset[str]]) -> None:
    """Put one replacement in its place."""
    node, wish = part.node, part.node.replaces
    doing = wish.target
    if (_kind(node), _name(node)) != ("hook" if doing.what == "end" else doing.what, doing.event):
        stands.problems.append(NothingToReplace(doing.span, called(doing), "", (_heading(node),)))
        return
    found = _targets(stands, part.layer, wish, reach)
    if found is None:
        return
    below = found.node
    earlier = stands.by.get(id(below))
    if earlier is not None and found.layer not in reach[part.layer] - {part.layer}:
        stands.problems.append(ReplacedTwice(wish.span, earlier.span, called(doing), _place(below)))
        return
    _check(stands, node, below)
    fresh = _carried(node, below)
    stands.by[id(fresh)] = wish
    stands.displaced.append(
        layered.Displaced(doing.key, part.layer, wish.span, layered.Placed(found.layer, below), fresh)
    )
    old = stands.parts[found.part]
    if isinstance(fresh, source.Phase):
        stands.homes[id(fresh)] = part.layer
        stands.parts[found.part] = layered.Placed(old.layer, _with_phase(old.node, below, fresh))
    else:
        stands.parts[found.part] = layered.Placed(part.layer, fresh)


def _targets(stands: Standing, layer: str, wish: source.Replacing, reach: Mapping[str, frozenset[str]]) -> Found | None:
    """Find the one procedure that is meant, or say why there is none."""
    doing = wish.target
    named = list(_all_of(stands, doing))
    found = [each for each in named if wish.layer is None or each.layer == wish.layer.text]
    label = doing.key
    if label in stands.gone and not found:
        remover, rule, target = stands.gone[label]
        stands.problems.append(RemovedTarget(wish.span, called(doing), target, remover, rule, below=False))
        return None
    if len(found) == 1 and found[0].layer not in reach[layer] and id(found[0].node) in stands.by:
        return found[0]  # Another layer stands there already, which knows nothing of this one.
    if len(found) == 1 and found[0].layer not in reach[layer]:
        stands.problems.append(NamesUpward(doing.span, called(doing), _place(found[0].node), layer, found[0].layer))
        return None
    below = [each for each in found if each.layer in reach[layer]]
    others = [each for each in below if each.layer != layer] if wish.layer is None else below
    if len(others or below) == 1:
        return (others or below)[0]
    layers = tuple(dict.fromkeys(each.layer for each in (below or named)))
    known = tuple(dict.fromkeys(f"{_kind(part.node)} {_name(part.node)}" for part in stands.parts if _has_name(part)))
    stands.problems.append(
        NothingToReplace(wish.span, called(doing), layers[0] if len(layers) == 1 else "", layers or known, len(below))
    )
    return None


def _has_name(part: Part) -> bool:
    return isinstance(part.node, source.Action | source.Reaction | source.Resolution)


def _all_of(stands: Standing, doing: source.Doing) -> Iterator[Found]:
    """List what goes by this name."""
    for number, part in enumerate(stands.parts):
        match part.node:
            case source.Sequence(body=body) if doing.what == "phase":
                found = _phases(body)
            case source.Insert(phase=phase) if doing.what == "phase":
                found = _phases((phase,))
            case source.Sequence() | source.Insert() | source.Beside():
                continue
            case node:
                wanted = "hook" if doing.what == "end" else doing.what
                found = iter((node,) if (_kind(node), _name(node)) == (wanted, doing.event) else ())
        yield from (
            Found(number, node, stands.homes.get(id(node), part.layer))
            for node in found
            if not isinstance(node, source.Phase) or node.name.text == doing.name.text
        )


def _phases(body: Iterable[source.Step]) -> Iterator[source.Phase]:
    for step in body:
        match step:
            case source.Phase():
                yield step
                yield from _phases(step.body)
            case source.Each() | source.Loop():
                yield from _phases(step.body)
            case _:
                pass


def _with_phase(node: Any, old: source.Phase, new: source.Phase) -> Any:
    """Put a phase in the place of another, wherever that stands."""
    if node is old:
        return new
    match node:
        case source.Insert(phase=phase):
            return replace(node, phase=_with_phase(phase, old, new))
        case source.Sequence() | source.Each() | source.Loop() | source.Phase():
            return replace(node, body=tuple(_with_phase(step, old, new) for step in node.body))
        case _:
            return node


def _check(stands: Standing, node: Any, below: Any) -> None:
    """See that a replacement takes what its callers give, changes something, and finds what it expects."""
    wish = node.replaces
    what = called(wish.target)
    if _heading(node) != _heading(below):
        stands.problems.append(ReplacementDiffers(wish.span, _place(below), what, _heading(below), _heading(node)))
    print_ = print_of(below)
    if wish.expecting is not None and wish.expecting.text != print_:
        stands.problems.append(NotAsExpected(wish.expecting.span, _place(below), what, wish.expecting.text, print_))
    elif all(same(getattr(node, name), getattr(below, name)) for name in _said_anew(node)):
        stands.problems.append(PatchesNothing(wish.span, _place(below), what, "so"))


def _said_anew(node: Any) -> list[str]:
    """Name the parts in which a replacement may differ from what it replaces."""
    return [
        each.name for each in fields(node) if each.name not in OWN and not (each.name == "reads" and not node.reads)
    ]


def _heading(node: Any) -> str:
    """Write a procedure's name with what it is called with; those who hear an event may call that as they like."""
    match node:
        case source.Action(parameters=given) | source.Resolution(parameters=given):
            return (
                f"{_kind(node)} {_name(node)}({', '.join(f'{each.name.text}: {_type(each.type)}' for each in given)})"
            )
        case source.Reaction(parameters=words):
            heard = ", ".join(word.text for word in words)
            return f"reaction {_name(node)} by {node.by.text} to {node.event.text}({heard})"
        case source.Hook():
            return f"after {_name(node)}"
        case _:
            return f"{_kind(node)} {_name(node)}"


def _type(written: source.Type) -> str:
    match written:
        case source.RangeType(low=low, high=high, measure=measure):
            return f"{low}..{high}" + (f" {measure.text}" if measure else "")
        case source.ManyType(shape=shape, of=of):
            return f"{shape} of {_type(of)}"
        case source.NameType(names=names):
            return "|".join(word.text for word in names)


def _carried(node: Any, below: Any) -> Any:
    """Let a replacement keep the name, the order and the wording of what it replaces, unless it has its own."""
    if isinstance(node, source.Hook):
        return replace(node, label=node.label or below.label, stands=node.stands or below.stands)
    if isinstance(node, source.Action | source.Reaction):
        return replace(node, reads=node.reads or below.reads)
    if isinstance(node, source.Phase):
        return replace(node, title=node.title or below.title)
    return node


def print_of(node: Any) -> str:
    """Give eight signs that change when what a procedure does changes, wherever and however it is laid out."""
    return hashlib.sha256(repr(_bare(node)).encode()).hexdigest()[:8]


def _bare(node: Any) -> Any:
    if isinstance(node, tuple):
        return tuple(_bare(each) for each in node)
    if is_dataclass(node) and not isinstance(node, type):
        parts = (
            (each.name, getattr(node, each.name))
            for each in fields(node)
            if each.name not in {"span", "replaces", "unpreferred"}
        )
        return (type(node).__name__, *((name, _bare(value)) for name, value in parts if not isinstance(value, Span)))
    return node


def _place(node: Any) -> Span:
    found: Span = (node.event if isinstance(node, source.Hook) else node.name).span
    return found


def _withdraw(
    stands: Standing, layer: str, rule: source.Rule, doing: source.Doing, reach: Mapping[str, frozenset[str]]
) -> None:
    """Take out all that goes by a name in the layers below."""
    label = rule.label.text
    if doing.key in stands.gone:
        before, _, target = stands.gone[doing.key]
        stands.problems.append(ReplacedTwice(doing.span, before, called(doing), target))
        return
    found = [each for each in _all_of(stands, doing) if each.layer in reach[layer]]
    if not found:
        known = tuple(
            dict.fromkeys(f"{_kind(each.node)} {_name(each.node)}" for each in stands.parts if _has_name(each))
        )
        stands.problems.append(NothingToReplace(doing.span, called(doing), "", known, verb="withdraw"))
        return
    for each in found:
        stands.displaced.append(
            layered.Displaced(doing.key, layer, doing.span, layered.Placed(each.layer, each.node), None)
        )
    stands.gone[doing.key] = (doing.span, label, _place(found[0].node))
    lost = {each.part for each in found if not isinstance(each.node, source.Phase)}
    stands.parts = [part for number, part in enumerate(stands.parts) if number not in lost]


def _take_out(stands: Standing, catalog: Catalog) -> None:
    """Take withdrawn actions out of offers and withdrawn phases out of the sequence; tell who still needs them."""
    if not stands.gone:
        return
    gone = frozenset(stands.gone)
    kept = [layered.Placed(part.layer, node) for part in stands.parts if (node := without(part.node, gone)) is not None]
    stands.parts = kept
    declared = [part for parts in catalog.said.values() for part in parts]
    for key, who, place in needs((*kept, *declared), gone):
        at, _, target = stands.gone[key]
        stands.problems.append(StillNeeded(at, target, key.replace(":", " "), place, who))
