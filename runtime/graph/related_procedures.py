"""Which procedures a ruling is about, and which a rule amends.

In: what a ruling clarifies or is carried out by, or a rule amends, as the graph has it: `action:NAME`,
`resolution:NAME`, `phase:NAME`, `hook:EVENT` or `sequence`. Out: keys of procedures; a phase stands in the sequence of
play, and an event may have several hooks. The verb of an amendment is the whole line, as `reorders phase x before y`.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph


def procedures_of(rules: graph.Graph, concerned: str) -> tuple[str, ...]:
    """List the procedures that are meant."""
    what, _, name = concerned.partition(":")
    if what == "phase":
        return ("sequence",) if "sequence" in rules.procedures else ()
    if what == "hook":
        return tuple(key for key, each in rules.procedures.items() if each.event == name)
    return (concerned,) if concerned in rules.procedures else ()


def rulings_on(rules: graph.Graph, key: str) -> Iterator[graph.Ruling]:
    """List the rulings that are about a procedure, in the order of their labels."""
    for label in sorted(rules.rulings):
        if any(key in procedures_of(rules, concerned) for concerned in rules.rulings[label].concerns):
            yield rules.rulings[label]


def is_amendment(verb: str) -> bool:
    """Return whether a relation of a rule amends what is done; those to labels have one word for a verb."""
    return " " in verb


def amended_by(rules: graph.Graph, rule: graph.Rule) -> tuple[str, ...]:
    """List the procedures that a rule amends."""
    concerned = (key for verb, key in rule.relations if is_amendment(verb))
    return tuple(dict.fromkeys(key for each in concerned for key in procedures_of(rules, each)))


def amending_labels(rules: graph.Graph, key: str) -> tuple[str, ...]:
    """List the labels of the rules that amend a procedure."""
    return tuple(sorted(label for label, rule in rules.rules.items() if key in amended_by(rules, rule)))


def procedure_label(concerned: str) -> str:
    """Write what is meant as an author does: `action walk`, `after entered`."""
    what, _, name = concerned.partition(":")
    return f"{'after' if what == 'hook' else what} {name}"
