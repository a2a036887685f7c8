"""The members of an enumeration by its name: a declared one, or the kinds of pieces, which are declared one by one."""

from runtime.graph.nodes.vocabulary import Vocabulary


def members_of(vocabulary: Vocabulary, enum: str) -> tuple[str, ...]:
    """List the members in canonical order; () of what has no list here, as counters and names of hexes have none."""
    if enum == "kind":
        return tuple(sorted(vocabulary.kinds))
    declared = vocabulary.enums.get(enum)
    return tuple(member.name for member in declared.members) if declared else ()
