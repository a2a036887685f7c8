"""Declaration of the factors that layers add to kinds, and the check that their names are unambiguous.

In: an environment with kinds, flags, tracks and relations. Out: kinds with the added factors and their first values. A
member access such as `u.morale` has one meaning: a factor, a track, an attribute of all pieces, or a partner.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.typed.counters import TITLE
from compiler.typed.duplicate_names import holds_name, reserve_name
from compiler.typed.environment import BACK, UNKNOWN_TYPE, Environment, resolve_type, type_text
from compiler.typed.findings.declared_twice import DuplicateName, FactorsDiffer, FactorTaken
from compiler.typed.tables import scalar_value
from compiler.typed.unknown_names import check_known
from compiler.typed.values.names import PIECE_GIVEN
from runtime.graph import nodes as graph

# The columns of the unit chart that are no factors, with their meaning.
COLUMNS = {
    **dict.fromkeys(PIECE_GIVEN, "what every piece has"),
    "side": "what every piece has",
    **dict.fromkeys(("id", "traits", "cites", TITLE, BACK), "a column of every unit chart"),
}
# Replaces a missing or invalid first value, which is reported, so that no follow-up problems arise for counters.
FILLER = graph.Truth(value=False)


def reserve_kind(env: Environment, name: source.Word) -> bool:
    """Reserve the name of a kind; if it is taken, return False and report that an extension may be meant."""
    fresh = reserve_name(env, "type", name)
    if not fresh and name.text in env.kinds:
        env.problems[-1] = DuplicateName(name.span, env.spans["type", name.text], "kind", name.text)
    return fresh


def reserve_printed(env: Environment, node: source.Kind) -> None:
    """Record where the factors of a kind are declared; a duplicate is reported when the list is resolved."""
    for part in node.printed:
        env.spans.setdefault((f"factor of {node.name.text}", part.name.text), part.name.span)


def enter_added_factors(env: Environment, node: source.ExtendKind) -> None:
    """Add factors to a kind; their first values are elaborated later, as they may use any declaration."""
    if not check_known(env, "kind of piece", node.name, env.kinds):
        return
    kind = env.kinds[node.name.text]
    printed = list(kind.printed)
    for factor in node.added:
        name = factor.name.text
        found = resolve_type(env, factor.type) or UNKNOWN_TYPE
        if name in COLUMNS:
            message = f"a factor of {kind.name} cannot be called `{name}`, which is {COLUMNS[name]}"
            env.report_invalid(factor.name.span, message, "choose another name")
        elif reserve_name(env, f"factor of {kind.name}", factor.name):
            printed.append(graph.Parameter(name, found))
        else:
            printed = [_reconciled(env, kind.name, factor, found, part) for part in printed]
    env.kinds[kind.name] = replace(kind, printed=tuple(printed))


def _reconciled(
    env: Environment, kind: str, factor: source.AddedFactor, found: graph.Type, part: graph.Parameter
) -> graph.Parameter:
    """Return a factor that is declared again; of unknown type, if the second domain is another, which is reported.

    The unknown type suppresses follow-up problems: each layer reads the factor with its own domain.
    """
    if part.name != factor.name.text or UNKNOWN_TYPE in (found, part.type) or found == part.type:
        return part
    first = env.spans[f"factor of {kind}", part.name]
    env.problems[-1] = FactorsDiffer(factor.name.span, first, part.name, kind, type_text(found), type_text(part.type))
    return replace(part, type=UNKNOWN_TYPE)


def enter_first_values(env: Environment, nodes: Iterable[source.ExtendKind]) -> None:
    """Assign kinds the first values of what layers added to them."""
    for node in nodes:
        kind = env.kinds.get(node.name.text)
        if kind is not None:
            types = {part.name: part.type for part in kind.printed}
            fresh = tuple(
                (factor.name.text, _first_value(env, kind.name, factor, types[factor.name.text]))
                for factor in node.added
                if holds_name(env, f"factor of {kind.name}", factor.name)
            )
            env.kinds[kind.name] = replace(kind, first=(*kind.first, *fresh))
    env.intern(env.kinds)


def _first_value(env: Environment, kind: str, factor: source.AddedFactor, type_: graph.Type) -> graph.Expr:
    name = factor.name.text
    if factor.first is None:
        message = f"`{name}` lacks the value that counters have by default"
        env.report_invalid(factor.span, message, f"write it after its type, `{name}: .. = VALUE`")
        return FILLER
    return (scalar_value(env, factor.first, type_, f"{kind}.{name}") if type_ is not UNKNOWN_TYPE else None) or FILLER


def drop_taken_factors(env: Environment) -> None:
    """Report factors whose names have another meaning, and drop those that layers added: the other one holds."""
    conflicts = list(_clashing_factors(env))
    env.problems += (*conflicts, *_clashing_tracks(env))
    for each in conflicts:
        kind = env.kinds[each.kind]
        if each.name in dict(kind.first):
            printed = tuple(part for part in kind.printed if part.name != each.name)
            first = tuple(value for value in kind.first if value[0] != each.name)
            env.kinds[each.kind] = replace(kind, printed=printed, first=first)


def _clashing_factors(env: Environment) -> Iterator[FactorTaken]:
    """Yield factors with the name of a track, a trait, a status or a partner of the same kind, or of another factor.

    Kinds may share a factor name if its type is the same.
    """
    for kind in env.kinds.values():
        for factor in (part.name for part in kind.printed):
            span = env.spans.get((f"factor of {kind.name}", factor))
            for category, other in _other_holders(env, kind.name, factor):
                if span is not None and other is not None:
                    later, earlier = (span, other) if factor in dict(kind.first) else (other, span)
                    yield FactorTaken(later, earlier, factor, kind.name, category)
    first: dict[str, tuple[str, graph.Type]] = {}
    for kind in env.kinds.values():
        for part in kind.printed:
            home, type_ = first.setdefault(part.name, (kind.name, part.type))
            own_span, first_span = (env.spans.get((f"factor of {each}", part.name)) for each in (kind.name, home))
            if not _same_sort(part.type, type_) and own_span is not None and first_span is not None:
                yield FactorTaken(own_span, first_span, part.name, kind.name, f"factor of another type of {home}")


def _clashing_tracks(env: Environment) -> Iterator[FactorTaken]:
    """Yield tracks with the name of a trait, a feature, a status or a partner of their owner."""
    for key in env.tracks:
        owner, _, name = key.partition(".")
        span = env.spans.get((f"track of {owner}", name))
        for category, other in _other_holders(env, owner, name):
            if span is not None and other is not None and other != span:
                yield FactorTaken(span, other, name, owner, category, "a track of")


def _same_sort(type_: graph.Type, other: graph.Type) -> bool:
    """Return whether two types differ at most in range and measure; a type that is unknown differs from none."""
    numbers = isinstance(type_, graph.Number) and isinstance(other, graph.Number)
    return numbers or UNKNOWN_TYPE in (type_, other) or type_ == other


def _other_holders(env: Environment, kind: str, name: str) -> Iterator[tuple[str, Span | None]]:
    key = f"{kind}.{name}"
    if key in env.tracks:
        yield "track", env.spans.get((f"track of {kind}", name))
    if key in env.flags:
        yield env.flags[key].what, env.spans.get((f"flag of {kind}", name))
    for relation in env.relations.values():
        ends = ((relation.left, relation.right), (relation.right, relation.left))
        if any(
            end.name == name and isinstance(other.type, graph.Piece) and other.type.admits(kind) for end, other in ends
        ):
            yield f"end of the relation `{relation.name}`", env.spans.get(("relation", relation.name))
