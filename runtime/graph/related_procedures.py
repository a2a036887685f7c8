"""The procedures that a ruling concerns or that a rule amends.

In: a reference of a ruling or an amendment, as the graph has it: `action:NAME`, `resolution:NAME`, `phase:NAME`,
`hook:EVENT` or `sequence`. Out: keys of procedures; a phase belongs to the sequence of play, and an event may have
several hooks. The verb of an amendment is the whole line, such as `reorders phase x before y`.
"""

from collections.abc import Collection, Iterator

from runtime.graph import nodes as graph

# The relations of a rule to another rule that does not apply then.
LIFTING = frozenset({"exception", "replaces", "suppresses", "withdraws"})


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


def differing_amendments(a: graph.Graph, b: graph.Graph, key: str) -> tuple[set[str], set[str]]:
    """Return the labels of rules by which a procedure differs in two graphs: those of the first, of the second.

    `key` is as in a reference. A rule counts that amends or withdraws the procedure in one graph only, or otherwise
    there, and a rule that lifts such a rule. Of a procedure that only one graph has, the other may say who withdrew it.
    """
    is_common = all(procedures_of(rules, key) for rules in (a, b))
    first, second = (_changing_rules(rules, key, is_common=is_common) for rules in (a, b))
    labels = first.keys() | second.keys()
    first, second = (changing | _lifting_rules(rules, labels) for changing, rules in ((first, a), (second, b)))
    return (
        {label for label, relations in first.items() if second.get(label) != relations},
        {label for label, relations in second.items() if first.get(label) != relations},
    )


def _changing_rules(rules: graph.Graph, key: str, *, is_common: bool) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the relations of the rules that withdraw a procedure, or amend one that both graphs have, by label."""
    return {
        label: rule.relations
        for label, rule in rules.rules.items()
        for verb, reference in rule.relations
        if ((is_common and is_amendment(verb)) or verb == "withdraws")
        and (reference == key or key in procedures_of(rules, reference))
    }


def _lifting_rules(rules: graph.Graph, labels: Collection[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the relations of the rules that are exceptions to others, or remove them, by label."""
    return {
        label: rule.relations
        for label, rule in rules.rules.items()
        if any(verb in LIFTING and other in labels for verb, other in rule.relations)
    }


def amending_labels(rules: graph.Graph, key: str) -> tuple[str, ...]:
    """Return the labels of the rules that amend a procedure."""
    return tuple(sorted(label for label, rule in rules.rules.items() if key in amended_procedures(rules, rule)))


def procedure_label(reference: str) -> str:
    """Return a reference, or the key of a procedure, as an author writes it: `action walk`, `after entered`."""
    kind, _, name = reference.partition(":")
    return f"{'after' if kind == 'hook' else kind} {name.partition('#')[0]}".strip()
