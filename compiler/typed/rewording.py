"""Printed forms of declared words that a layer states apart from their declarations: `wording spent "way so far"`.

In: the environment with all declarations, and the wordings of layers. Out: the environment with these printed forms.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

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
    """Apply `wording NAME plural says "clause"`, once the charts and the types of all questions are known."""
    slots_by_key = _clause_slots(env)
    nouns = {*slots_by_key, *_noted(env), *env.kinds, *(f"counter.{name}" for name in env.counters)}
    for part in _in_order(wordings):
        node, span = part.node, part.node.name.span
        key = f"{as_hexes(node.of).text}.{node.name.text}" if node.of else node.name.text
        if node.number is not None and key in nouns:
            env.wording[f"number {key}"] = node.number
        elif node.number is not None:
            env.problems.append(UnknownName(span, "word with a number", key, tuple(nouns)))
        if node.says is None:
            continue
        if key not in slots_by_key:
            env.problems.append(UnknownName(span, "word with a clause", key, tuple(slots_by_key)))
            continue
        slots, denied = slots_by_key[key], node.denied or ("" if "[" in node.says else negated_template(node.says))
        env.problems.extend(unknown_fields(f"{node.says} {denied}", node.span, slots, "wording"))
        if slots and not denied:
            message = "the opposite of this clause is not known"
            env.problems.append(InvalidConstruct(node.span, message, 'write it behind the clause: `denied ".."`'))
        env.wording[f"says {key}"], env.wording[f"denies {key}"] = node.says, denied


def _clause_slots(env: Environment) -> dict[str, tuple[str, ...]]:
    """Return what has a clause that states a value of it, or that it is there, with the names in that clause."""
    slots: dict[str, tuple[str, ...]] = {
        f"{enum}.{word.name}": () for enum, words in env.enums.items() for word in words
    }
    slots |= dict.fromkeys(_fields(env), ("it", "value"))
    for chart in env.charts.values():
        slots |= {f"{chart.name}.{kind}": tuple(key.name for key in chart.keys) for kind, _ in chart.cells}
    for name, record in env.records.items():
        slots[name] = ("it", *(part.name for part in record.fields))
    for name, relation in env.relations.items():
        slots[name] = (relation.left.name, relation.right.name)
    parameters = {part.name for term in env.terms.values() for part in term.parameters}
    slots |= dict.fromkeys(parameters - slots.keys(), ("value",))
    for name, term in env.terms.items():
        value = () if isinstance(term.type, graph.YesNo) else ("value",)
        slots[name] = (*(part.name for part in term.parameters), *value)
    return slots


def _fields(env: Environment) -> Iterator[str]:
    """Yield the tracks, printed factors and fields of records with their owners."""
    yield from env.tracks
    for name, kind in env.kinds.items():
        yield from (f"{name}.{part.name}" for part in kind.printed)
    for name, record in env.records.items():
        yield from (f"{name}.{part.name}" for part in record.fields)


def _read_part(env: Environment, owner: source.Word, node: source.Wording, namespace: str) -> None:
    """Apply `wording form.direct "direct fire"`: of a member, or of a field, track or parameter of one owner."""
    term = env.terms.get(owner.text)
    known = {*_fields(env), *(f"{owner.text}.{part.name}" for part in (term.parameters if term else ()))}
    key = f"{owner.text}.{node.name.text}"
    if key not in known:
        _read_member(env, owner, node, namespace)
    elif reserve_name(env, namespace, node.name):
        env.wording[key] = node.reads or ""


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
    noted = {*env.records, *env.enums, *env.scales, *env.domains, *env.relations}
    noted |= {*GENERAL.values(), "plain"}  # The parts of a map, and a hex without printed features.
    parts: list[Any] = [*env.tracks.values()]
    for kind in env.kinds.values():
        parts += kind.printed
    for record in env.records.values():
        parts += record.fields
    for term in env.terms.values():
        parts += term.parameters
    for relation in env.relations.values():
        parts += filter(None, (relation.left, relation.right, relation.payload))
    return noted.union(part.name for part in parts)


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
