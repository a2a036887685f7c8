"""Printed forms of declared words that a layer states apart from their declarations: `wording spent "way so far"`.

In: the environment with all declarations, and the wordings of layers. Out: the environment with these printed forms.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.nodes.words import GENERAL, as_hexes
from compiler.typed.duplicate_names import reserve_name
from compiler.typed.environment import Environment
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.names import UnknownName
from compiler.typed.placeholders import unknown_fields
from runtime.graph import nodes as graph
from runtime.graph.english import negated_template

WordingStatement = layered.LayerStatement[source.Wording]


def apply_rewording(env: Environment, wordings: Iterable[WordingStatement]) -> None:
    """Apply `wording NAME "text" says "clause"`, of an enumeration, factor, track, record, field, note or question."""
    noted = _noted(env)
    homes = _owners_by_name(env, noted)
    for part in _in_order(wordings):
        node, owner = part.node, part.node.of and as_hexes(part.node.of)
        if node.reads is None:
            continue
        if owner is not None:
            _read_part(env, owner, node, f"wording of {owner.text} in {part.layer}")
        # A layer above may state another text; within one layer it would be ambiguous.
        elif reserve_name(env, f"wording in {part.layer}", node.name):
            name, reads = as_hexes(node.name).text, node.reads
            found = _read_otherwise(env, name, reads, homes)
            if name in noted:
                env.wording[name] = reads
            elif not found:
                pool = [*env.measures, *env.kinds, *(flag.name for flag in env.flags.values()), *sorted(noted)]
                env.problems.append(UnknownName(node.name.span, "declared word", name, tuple(pool)))


def enter_clauses(env: Environment, wordings: Iterable[WordingStatement]) -> None:
    """Apply `wording NAME says "clause"`, once the charts and the types of all questions are known."""
    for part in _in_order(wordings):
        if part.node.says is not None:
            _enter_clause(env, part.node, part.node.of and as_hexes(part.node.of))


def _enter_clause(env: Environment, node: source.Wording, owner: source.Word | None) -> None:
    """Enter the clause that states a value of a field, track or question, or that there is a record."""
    assert node.says is not None
    key = f"{owner.text}.{node.name.text}" if owner else node.name.text
    slots = _clause_slots(env, node, owner)
    if slots is None:
        known = [*env.terms, *env.records] if owner is None else _parts_of(env, owner.text)
        env.problems.append(UnknownName(node.name.span, "declared word", node.name.text, tuple(known)))
        return
    env.problems.extend(unknown_fields(f"{node.says} {node.denied or ''}", node.span, slots, "wording"))
    denied = node.denied or ("" if "[" in node.says else negated_template(node.says))
    if not denied and slots:
        message = "the opposite of this clause is not known"
        env.problems.append(InvalidConstruct(node.span, message, 'write it behind the clause: `denied ".."`'))
    env.wording[f"says {key}"], env.wording[f"denies {key}"] = node.says, denied


def _clause_slots(env: Environment, node: source.Wording, owner: source.Word | None) -> tuple[str, ...] | None:
    """Return the names that a clause may contain; None if nothing that has a clause is called so."""
    name = node.name.text
    if owner is not None:
        chart = env.charts.get(owner.text)
        if chart is not None and name in dict(chart.cells):
            return tuple(part.name for part in chart.keys)
        if any(word.name == name for word in env.enums.get(owner.text) or ()):
            return ()
        return ("it", "value") if name in _parts_of(env, owner.text) else None
    if (term := env.terms.get(name)) is not None:
        value = () if isinstance(term.type, graph.YesNo) else ("value",)
        return (*(part.name for part in term.parameters), *value)
    if (relation := env.relations.get(name)) is not None:
        return (relation.left.name, relation.right.name)
    record = env.records.get(name)
    return None if record is None else ("it", *(part.name for part in record.fields))


def _parts_of(env: Environment, owner: str) -> list[str]:
    """Return the fields of a record, the tracks and printed factors of an owner, and the parameters of a question."""
    kind, record, term = env.kinds.get(owner), env.records.get(owner), env.terms.get(owner)
    tracks = [track.name for track in env.tracks.values() if track.owner == owner]
    parts = [*(kind.printed if kind else ()), *(record.fields if record else ()), *(term.parameters if term else ())]
    return [*tracks, *(part.name for part in parts)]


def _read_part(env: Environment, owner: source.Word, node: source.Wording, namespace: str) -> None:
    """Apply `wording form.direct "direct fire"`: of a member, or of a field, track or parameter of one owner."""
    known = _parts_of(env, owner.text)
    if owner.text in env.enums or not known:
        _read_member(env, owner, node, namespace)
    elif node.name.text not in known:
        env.report_unknown(f"part of {owner.text}", node.name, known)
    elif reserve_name(env, namespace, node.name):
        env.wording[f"{owner.text}.{node.name.text}"] = node.reads or ""


def _in_order(wordings: Iterable[WordingStatement]) -> Iterator[WordingStatement]:
    """Sort wordings by layer, upward; in each, those with an explicit owner come after the others."""
    for _, layer in groupby(wordings, key=lambda part: part.layer):
        yield from sorted(layer, key=lambda part: part.node.of is not None)


def _read_member(env: Environment, enumeration: source.Word, node: source.Wording, namespace: str) -> None:
    """Apply `wording form.direct "direct fire"`, the printed form of one member of one enumeration."""
    members = env.enums.get(enumeration.text)
    if members is None:
        env.report_unknown("list of names", enumeration, env.enums)
    elif node.name.text not in {word.name for word in members}:
        env.report_unknown(f"member of {enumeration.text}", node.name, (word.name for word in members))
    elif reserve_name(env, namespace, node.name):
        env.enums[enumeration.text] = _with_member(members, node.name.text, node.reads or "")


def _with_member(members: tuple[graph.Word, ...], name: str, reads: str) -> tuple[graph.Word, ...]:
    return tuple(graph.Word(name, reads) if word.name == name else word for word in members)


def _noted(env: Environment) -> set[str]:
    """Return the names of enumerations, scales, ranges, factors, tracks, records, fields, and parts of relations."""
    noted = {part.name for kind in env.kinds.values() for part in kind.printed}
    noted |= {track.name for track in env.tracks.values()}
    noted |= {part.name for record in env.records.values() for part in record.fields}
    noted |= {*env.records, *env.enums, *env.scales, *env.domains}
    noted |= {*GENERAL.values(), "plain"}  # The parts of a map, and a hex without printed features.
    noted |= {*env.relations, *(part.name for term in env.terms.values() for part in term.parameters)}
    noted |= {end.name for relation in env.relations.values() for end in (relation.left, relation.right)}
    return noted | {relation.payload.name for relation in env.relations.values() if relation.payload}


def _owners_by_name(env: Environment, noted: Container[str]) -> dict[str, list[tuple[str, str]]]:
    """Return the owners of flags and members by name: `flag` and its key, `enum` and its name.

    A member that has the name of a list, factor or field and a stated form of its own is left out: it keeps that form.
    """
    homes: dict[str, list[tuple[str, str]]] = {}
    for key, flag in env.flags.items():
        homes.setdefault(flag.name, []).append(("flag", key))
    for enum, members in env.enums.items():
        for name, reads in {word.name: word.reads for word in members}.items():
            if name not in noted or reads == name.replace("_", " "):
                homes.setdefault(name, []).append(("enum", enum))
    return homes


def _read_otherwise(env: Environment, name: str, reads: str, homes: Mapping[str, list[tuple[str, str]]]) -> bool:
    """Set the printed form of measures, kinds of pieces, flags and members of a name; return whether there are any."""
    if name in env.measures:
        env.measures[name] = reads
    if name in env.kinds:
        env.kinds[name] = replace(env.kinds[name], reads=reads)
    for category, home in homes.get(name, ()):
        if category == "flag":
            flag = env.flags[home]
            env.flags[home] = graph.Flag(flag.what, flag.owner, name, reads, flag.marker, flag.until)
        else:
            env.enums[home] = _with_member(env.enums[home], name, reads)
    return name in env.measures or name in env.kinds or name in homes
