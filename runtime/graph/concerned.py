"""Which procedures a ruling is about.

In: what a ruling clarifies or is carried out by, as the graph has it: `action:NAME`, `resolution:NAME`, `phase:NAME` or
`hook:EVENT`. Out: keys of procedures; a phase stands in the sequence of play, and an event may have several hooks.
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


def spoken(concerned: str) -> str:
    """Write what is meant as an author does: `action walk`, `after entered`."""
    what, _, name = concerned.partition(":")
    return f"{'after' if what == 'hook' else what} {name}"
