"""The procedures that a ruling concerns or that a rule amends.

In: a reference of a ruling or an amendment, as the graph has it: `action:NAME`, `resolution:NAME`, `phase:NAME`,
`hook:EVENT` or `sequence`. Out: keys of procedures; a phase belongs to the sequence of play, and an event may have
several hooks. The verb of an amendment is the whole line, such as `reorders phase x before y`.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph


def procedures_of(rules: graph.Graph, reference: str) -> tuple[str, ...]:
    """Return the procedures of a reference."""
    kind, _, name = reference.partition(":")
    if kind == "phase":
        return ("sequence",) if "sequence" in rules.procedures else ()
    if kind == "hook":
        return tuple(key for key, each in rules.procedures.items() if each.event == name)
    return (reference,) if reference in rules.procedures else ()


def rulings_on(rules: graph.Graph, key: str) -> Iterator[graph.Ruling]:
    """Yield the rulings that concern a procedure, by label."""
    for label in sorted(rules.rulings):
        if any(key in procedures_of(rules, reference) for reference in rules.rulings[label].concerns):
            yield rules.rulings[label]


def is_amendment(verb: str) -> bool:
    """Return whether a relation of a rule is an amendment; relations to labels have a single word as a verb."""
    return " " in verb


def amended_procedures(rules: graph.Graph, rule: graph.Rule) -> tuple[str, ...]:
    """Return the procedures that a rule amends."""
    references = (key for verb, key in rule.relations if is_amendment(verb))
    return tuple(dict.fromkeys(key for each in references for key in procedures_of(rules, each)))


def amending_labels(rules: graph.Graph, key: str) -> tuple[str, ...]:
    """Return the labels of the rules that amend a procedure."""
    return tuple(sorted(label for label, rule in rules.rules.items() if key in amended_procedures(rules, rule)))


def procedure_label(reference: str) -> str:
    """Return a reference, or the key of a procedure, as an author writes it: `action walk`, `after entered`."""
    kind, _, name = reference.partition(":")
    return f"{'after' if kind == 'hook' else kind} {name.partition('#')[0]}".strip()
