"""The phrases that the language's own words read as: fields that everybody has, prepositions. Those of operators are
in their records (`operators`).
"""

from runtime.graph import nodes as graph
from runtime.graph.english import verb_stem

# Parameters are often named by the preposition that leads to them.
PREPOSITIONS = {"at", "by", "from", "here", "in", "into", "of", "onto", "over", "to", "toward", "via"}

# The hexes that a move or a line joins, and the hex that a name leads to.
ORDINAL = {"from": "first", "to": "second"}
# The two hexes of each step of a search.
OF_STEP = {"from": "one hex", "to": "the next"}
HEX_BY = {"from": "start hex", "to": "end hex", "over": "hex passed over", "via": "hex passed through"}
# Where a line crosses a hexside; what every piece is given.
CROSSED = {"side": "hexside", "back": "hex behind", "over": "hex", "along": "hexside", "at": "place on the line"}
GIVEN = {"arrives": "turn of arrival"}


def prepositional_phrase(name: str, type_: graph.Type, *, alone: bool = False) -> str:
    """Read a name that is a preposition by what it leads to: a hex, the side it is done by; "" by its type alone."""
    match type_:
        case graph.Hex():
            return "hex" if alone else HEX_BY.get(name, "hex")
        case graph.Enum("side"):
            return "side"
        case _:
            return ""


def pair_sentence(relation: str, left: str, right: str, *, holds: bool) -> str:
    """State that two belong together: one carries the other, or they are assigned to each other."""
    if relation.endswith("s") and not relation.endswith("ss"):
        return f"{left} {relation if holds else f'does not {verb_stem(relation)}'} {right}"
    together = f"{relation} to each other" if relation.endswith("ed") else f"related by {relation}"
    return f"{left} and {right} are {'' if holds else 'not '}{together}"
