"""The members of an enumeration: a declared one, or the kinds of pieces."""

from runtime.graph.nodes.vocabulary import Vocabulary


def members_of(vocabulary: Vocabulary, enum: str) -> tuple[str, ...]:
    """Return the members in canonical order; () for an open enumeration, such as counters or names of hexes."""
    if enum == "kind":
        return tuple(sorted(vocabulary.kinds))
    declared = vocabulary.enums.get(enum)
    return tuple(member.name for member in declared.members) if declared else ()
