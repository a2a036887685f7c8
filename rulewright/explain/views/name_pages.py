"""The page of `explain` for a name that is no label: a question, chart, procedure, piece, word, or item of a source."""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from compiler.analysis.expression_text import ExpressionWriter
from compiler.rulebook.added_factors import counter_cites
from compiler.rulebook.index.mentions import citations_by_item
from compiler.typed.values.calls import function_arguments
from rulewright.explain.views.declaration_text import chart_data, chart_text
from rulewright.explain.views.procedure_text import procedure_text, procedure_title, step_texts
from rulewright.explain.views.word_uses import callers_of, uses_of
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.adopted_rules import is_adopted
from runtime.graph.grouping import group_by
from runtime.graph.members import members_of
from runtime.graph.operators import OPERATORS
from runtime.graph.related_procedures import amending_labels, rulings_on
from runtime.graph.steps import path_to_phase
from runtime.graph.type_names import type_name
from runtime.graph.walk import nodes_of, walk


def named_pages(rules: graph.Graph, name: str) -> list[dict[str, Any]]:
    """Return the pages of everything with a name; [] if there is nothing. The name of a source has no other meaning."""
    known = rules.vocabulary
    found = [
        *([_term_page(rules, rules.terms[name])] if name in rules.terms else []),
        *([_chart_page(rules, rules.tables[name])] if name in rules.tables else []),
        *(
            _procedure_page(rules, key)
            for key, each in rules.procedures.items()
            if name in (key, procedure_title(each))
        ),
        *_phase_pages(rules, name.removeprefix("phase:")),
        *([_event_page(rules, known.events[name])] if name in known.events else []),
        *([_counter_page(rules, rules.counters[name])] if name in rules.counters else []),
        *([_kind_page(rules, known.kinds[name])] if name in known.kinds else _owner_pages(rules, name)),
        *(_declared_page(rules, key) for key in sorted(known.origins) if _names(key, name)),
    ]
    declared = {page.get("status") for page in found}
    found += (
        _flag_page(rules, key)
        for key in sorted(known.flags)
        if name in (key, key.partition(".")[2]) and key not in declared
    )
    found += _vocabulary_pages(rules, name)
    if not found and (page := _source_page(rules, name) or _function_page(name)):
        found = [page]
    return found


def _function_page(name: str) -> dict[str, Any] | None:
    """Return the page of a built-in function; None if there is none of that name."""
    takes = function_arguments(name)
    if not takes:
        return None
    gives = OPERATORS[name].documentation
    return {"function": name, "paragraph": "", "written": f"{name}({', '.join(takes)})", "gives": gives}


def _declared_page(rules: graph.Graph, key: str) -> dict[str, Any]:
    """Collect what is known of a note, a relation, a record or an added factor, by its key: `track unit.spent`."""
    kind, _, name = key.partition(" ")
    if kind == "factor":
        return _factor_page(rules, *name.split("."))
    record = rules.vocabulary.records.get(name) if kind in {"record", "task"} else None
    fields = ", ".join(f"{part.name}: {type_name(part.type)}" for part in record.fields) if record else ""
    return {
        kind: name,
        **_place(rules.vocabulary.origins[key]),
        "paragraph": "",
        "fields": fields,
        **uses_of(rules, name),
    }


def _factor_page(rules: graph.Graph, kind: str, name: str) -> dict[str, Any]:
    """Collect what is known of a factor that a layer added to a kind."""
    writer, declared = ExpressionWriter(rules.vocabulary), rules.vocabulary.kinds[kind]
    values = {counter.id: dict(counter.printed).get(name) for counter in rules.counters.values()
             if counter.kind == kind and name not in counter.first}  # fmt: skip
    value_texts = [
        f"{id_} {'nothing' if value is None else writer.text(value)}" for id_, value in sorted(values.items())
    ]
    return {
        "factor": f"{kind}.{name}",
        **_place(rules.vocabulary.origins[f"factor {kind}.{name}"]),
        "paragraph": "",
        "type": next(type_name(part.type) for part in declared.printed if part.name == name),
        "at first": writer.text(dict(declared.first)[name]),
        "otherwise": words.list_text(value_texts),
        **uses_of(rules, name),
    }


def names_of(rules: graph.Graph) -> set[str]:
    """Return the names that have a page."""
    procedures = {procedure.name for procedure in rules.procedures.values() if procedure.what != "hook"}
    flags = {key.partition(".")[2] for key in rules.vocabulary.flags}
    pieces = {*rules.counters, *rules.vocabulary.kinds}
    known = rules.vocabulary
    members = {member.name for enum in known.enums.values() for member in enum.members}
    return {
        *rules.terms,
        *rules.tables,
        *known.measures,
        *known.domains,
        *known.enums,
        *known.scales,
        *members,
        *procedures,
        *flags,
        *pieces,
        *known.events,
        *(key.split(".")[-1] for key in rules.vocabulary.origins),
    }


def _term_page(rules: graph.Graph, term: graph.Term) -> dict[str, Any]:
    parameters = ", ".join(f"{part.name}: {type_name(part.type)}" for part in term.parameters)
    writer = ExpressionWriter(rules.vocabulary)
    adopted_labels = [label for label in term.rules if is_adopted(rules.rules[label], term)]
    return {
        "question": term.name,
        **_place(term.origin),
        "paragraph": "",
        "asked as": f"{term.name}({parameters})",
        "form": term.form,
        "reads": term.reads,
        "cites": ", ".join(term.cites),
        "answered by": words.list_text(sorted(label for label in term.rules if label not in adopted_labels)),
        "stands beside": "; ".join(map(writer.beside_text, term.beside)),
        "and so answered by": words.list_text(sorted(adopted_labels)),
        "asked by": words.list_text(sorted({*callers_of(rules, term.name)})),
        "more": f"rulewright tree {rules.stack} {term.name}",
    }


def _chart_page(rules: graph.Graph, table: graph.Table) -> dict[str, Any]:
    return {
        "chart": table.name,
        **_place(table.origin),
        "paragraph": chart_text(rules, table),
        "title": table.title,
        "read by keys": ", ".join(f"{part.name}: {type_name(part.type)}" for part in table.keys),
        "hit": table.hit,
        "cells": chart_data(rules, table),
        "changed by": words.list_text(
            sorted({row.origin.layer for row in table.rows if row.origin.layer != table.origin.layer})
        ),
        "cites": ", ".join(table.cites),
        "asked by": words.list_text(sorted({*callers_of(rules, table.name)})),
    }


def _procedure_page(rules: graph.Graph, key: str) -> dict[str, Any]:
    procedure = rules.procedures[key]
    callers = {procedure_title(each) for each in rules.procedures.values() if _calls(each, procedure)}
    return {
        procedure.what: procedure_title(procedure),
        **_place(procedure.origin),
        "paragraph": "",
        "parameters": ", ".join(f"{part.name}: {type_name(part.type)}" for part in procedure.parameters),
        "cites": ", ".join(procedure.cites),
        "says": procedure.prose,
        "in the place of": _below(procedure),
        "amended by": words.list_text(amending_labels(rules, key)),
        "ruled on by": words.list_text([f"{on.label} ({on.kind}, {on.impact})" for on in rulings_on(rules, key)]),
        "in phases": ", ".join(procedure.phases),
        "preferred by nobody": procedure.no_preference,
        "called by": words.list_text(sorted(callers)),
        "in words": list(procedure_text(procedure, rules)),
    }


def _event_page(rules: graph.Graph, event: graph.Event) -> dict[str, Any]:
    """Return the page of an event: the procedures that emit it, and the hooks that run after it."""
    tellers = {
        procedure_title(procedure)
        for procedure in rules.procedures.values()
        if any(node.event == event.name for node in nodes_of(graph.Tell, procedure.body))
    }
    hooks = [
        procedure
        for procedure in rules.procedures.values()
        if procedure.what == "hook" and procedure.event == event.name
    ]
    return {
        "event": event.name,
        "paragraph": "",
        "parameters": ", ".join(f"{part.name}: {type_name(part.type)}" for part in event.parameters),
        "told by": words.list_text(sorted(tellers)) or "nothing",
        "heard by": words.list_text([f"{hook.origin.file}:{hook.origin.line}" for hook in hooks]),
    }


def _phase_pages(rules: graph.Graph, name: str) -> Iterator[dict[str, Any]]:
    """Yield the page of a phase of the sequence of play, with the branches directly around it."""
    sequence = rules.procedures.get("sequence")
    path = path_to_phase(sequence.body, name) if sequence else ()
    if not path or not isinstance(phase := path[-1], graph.Phase):
        return
    branches = [*takewhile(lambda step: isinstance(step, graph.Branch), reversed(path[:-1]))]
    enclosing_step = branches[-1] if branches else phase
    changed = (
        label
        for label, rule in rules.rules.items()
        if any(key == f"phase:{phase.name}" or f"phase {phase.name}" in verb for verb, key in rule.relations)
    )
    ruled = (ruling for ruling in rules.rulings.values() if f"phase:{phase.name}" in ruling.concerns)
    offered = (procedure.name for procedure in rules.procedures.values() if phase.name in procedure.phases)
    yield {
        "phase": phase.name,
        **(_place(phase.cited.origin) if phase.cited else {}),
        "paragraph": "",
        "title": phase.title,
        "cites": ", ".join(phase.cited.cites) if phase.cited else "",
        "actions": words.list_text(sorted(offered)),
        "amended by": words.list_text(sorted(changed)),
        "ruled on by": words.list_text([f"{on.label} ({on.kind}, {on.impact})" for on in ruled]),
        **uses_of(rules, phase.name),
        "in words": list(step_texts((enclosing_step,), rules)),
    }


def _below(procedure: graph.Procedure) -> str:
    """Return the origin of the procedure that a procedure replaces; "" if there is none."""
    below = procedure.instead_of
    return "" if below is None else f"that of {below.origin.layer}, {below.origin.file}:{below.origin.line}"


def _counter_page(rules: graph.Graph, counter: graph.Counter) -> dict[str, Any]:
    writer = ExpressionWriter(rules.vocabulary)
    on_card = dict(unit for force in rules.scenario.forces for unit in force.units) if rules.scenario else {}
    return {
        "counter": counter.id,
        **_place(counter.origin),
        "paragraph": "",
        "is": words.kind(counter.kind, rules.vocabulary),
        "of": counter.owner and words.member("side", counter.owner, rules.vocabulary),
        **{words.readable_name(name): writer.text(value) for name, value in counter.printed},
        "traits": words.list_text([words.flag(counter.kind, trait, rules.vocabulary) for trait in counter.traits]),
        "besides": "; ".join(_added_factor_lines(rules, counter)),
        "cites": ", ".join(counter_cites(counter)),
        "on the card": str(on_card.get(counter.id, "")),
    }


def _added_factor_lines(rules: graph.Graph, counter: graph.Counter) -> Iterator[str]:
    """Return which layers print something on a counter besides its row, and where."""
    for each in counter.added:
        yield f"{words.readable_name(each.name)} by {each.origin.layer}, {each.origin.file}:{each.origin.line}"
    for name in counter.first:
        origin = rules.vocabulary.origins[f"factor {counter.kind}.{name}"]
        yield f"{words.readable_name(name)} by {origin.layer}, at first"


def _kind_page(rules: graph.Graph, kind: graph.Kind) -> dict[str, Any]:
    counters = sorted(name for name, counter in rules.counters.items() if counter.kind == kind.name)
    return {
        "kind": kind.name,
        "paragraph": "",
        "reads": words.kind(kind.name, rules.vocabulary),
        "printed": ", ".join(f"{part.name}: {type_name(part.type)}" for part in kind.printed),
        **_attribute_rows(rules, kind.name),
        "counters": words.list_text(counters),
    }


def _owner_pages(rules: graph.Graph, name: str) -> Iterator[dict[str, Any]]:
    """Yield the page of a built-in owner of flags or tracks, such as `hex`, `side` or `scenario`."""
    if rows := _attribute_rows(rules, name):
        yield {"type": name, "paragraph": "", **rows}


def _attribute_rows(rules: graph.Graph, owner: str) -> dict[str, str]:
    """Return the names of the flags and tracks of a kind or a built-in owner, by what they are: `traits`, `tracks`."""
    known = rules.vocabulary
    flags = group_by((flag for flag in known.flags.values() if flag.owner == owner), lambda each: each.what)
    rows: dict[str, list[str]] = {what: sorted(member.name for member in members) for what, members in flags.items()}
    rows["track"] = [
        f"{track.name}: {type_name(track.type)}" for track in known.tracks.values() if track.owner == owner
    ]
    return {words.plural(what): words.list_text(names) for what, names in sorted(rows.items()) if names}


def _flag_page(rules: graph.Graph, key: str) -> dict[str, Any]:
    flag = rules.vocabulary.flags[key]
    bearers = sorted(name for name, counter in rules.counters.items() if flag.name in counter.traits)
    return {
        flag.what: flag.name,
        "paragraph": "",
        "of": words.readable_name(flag.owner),
        "reads": words.flag(flag.owner, flag.name, rules.vocabulary),
        "counters": words.list_text(bearers if flag.what == "trait" else []),
        **uses_of(rules, flag.name),
    }


def _vocabulary_pages(rules: graph.Graph, name: str) -> Iterator[dict[str, Any]]:
    """Yield the pages of a measure, domain, enumeration, scale or member of one."""
    known = rules.vocabulary
    if name in known.measures:
        yield {"measure": name, "paragraph": "", "reads": known.measures[name]}
    if name in known.domains:
        yield {"domain": name, "paragraph": "", "is": type_name(known.domains[name])}
    if name in known.enums:
        members = list(members_of(known, name))
        yield {"enumeration": name, "paragraph": "", "members": words.list_text(members)}
    if name in known.scales:
        places = [place for place, _ in known.scales[name].places]
        yield {"scale": name, "paragraph": "", "places": words.list_text(places)}
    if found := [enum.name for enum in known.enums.values() if name in {member.name for member in enum.members}]:
        bearers = [key for key, each in rules.counters.items() if name in (each.owner, *_printed_members(each))]
        yield {
            "member": name,
            "paragraph": "",
            "of": words.list_text(found),
            "reads": words.member(found[0], name, known),
            "counters": words.list_text(sorted(bearers)),
            **uses_of(rules, name),
        }


def _printed_members(counter: graph.Counter) -> Iterator[str]:
    """Yield the members of enumerations that are printed on a counter."""
    yield from (value.name for _, value in counter.printed if isinstance(value, graph.Member))


def _source_page(rules: graph.Graph, item: str) -> dict[str, Any] | None:
    """Return the page of an item of a source, with everything that cites it; None if nothing does."""
    citing: dict[str, list[str]] = {plural: [] for plural in _CITING.values()}
    for kind, name in citations_by_item(rules).get(item, ()):
        if kind in _CITING:
            citing[_CITING[kind]].append(procedure_title(rules.procedures[name]) if kind == "procedure" else name)
    citing["preconditions"] = [precondition.label for precondition in rules.preconditions if item in precondition.cites]
    citing["facts"] = [fact.label for fact in rules.always if item in fact.cites]
    citing["layers"] = [layer.name for layer in rules.layers if item in layer.cites]
    if not any(citing.values()):
        return None
    prefix = item.partition(".")[0]
    document = next((each for each in rules.documents if each.prefix == prefix), None)
    citations = {plural: words.list_text(sorted(labels)) for plural, labels in citing.items()}
    return {"source": item, "document": document.title if document else "", "paragraph": "", **citations}


# The kinds of things that cite items of sources, with their plurals.
_CITING = {
    "rule": "rules", "ruling": "rulings", "term": "questions", "dispute": "disputes", "chart": "charts",
    "counter": "counters", "procedure": "procedures",
}  # fmt: skip


def _calls(caller: graph.Procedure, called: graph.Procedure) -> bool:
    for step in walk(caller.body):
        match step:
            case graph.Offer(actions) if called.what == "action" and called.name in {name for name, _ in actions}:
                return True
            case graph.Do(called.name) if called.what == "resolution":
                return True
    return False


def _names(key: str, name: str) -> bool:
    qualified_name = key.partition(" ")[2]
    return name in (key, qualified_name, qualified_name.rpartition(".")[2])


def _place(origin: graph.Origin) -> dict[str, Any]:
    return {"layer": origin.layer, "file": f"{origin.file}:{origin.line}"}
