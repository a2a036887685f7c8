"""The wording of the language's own names: predeclared fields, prepositions. The phrases of operators are in their
records (`operators`).
"""

from runtime.graph import nodes as graph
from runtime.graph.english import verb_stem

# Prepositions that are common names of parameters.
PREPOSITIONAL_NAMES = {"at", "by", "from", "here", "in", "into", "of", "onto", "over", "to", "toward", "via"}

# The two hexes of each step of a search.
OF_STEP = {"from": "one hex", "to": "the next"}
HEX_BY = {"from": "start hex", "to": "end hex", "over": "hex passed over", "via": "hex passed through"}
# The crossing of a hexside by a line; the predeclared fields of a piece.
CROSSED = {"side": "hexside", "back": "hex behind", "over": "hex", "along": "hexside", "at": "place on the line"}
PREDECLARED_CLAUSES = {"piece.side": "{it} belongs to {value}", "piece.hex": "{it} is in {value}"}
FIELD_NOUNS = {"arrives": "turn of arrival"}


def prepositional_phrase(name: str, type_: graph.Type, *, is_alone: bool) -> str:
    """Return the phrase of a name that is a preposition, by its type; "" where the type has none."""
    match type_:
        case graph.Hex():
            return "hex" if is_alone else HEX_BY.get(name, "hex")
        case graph.Enum("side"):
            return "side"
        case _:
            return ""


def pair_sentence(relation: str, left: str, right: str, *, holds: bool) -> str:
    """Return the clause of a pair: one carries the other, or they are assigned to each other."""
    if relation.endswith("s") and not relation.endswith("ss"):
        return f"{left} {relation if holds else f'does not {verb_stem(relation)}'} {right}"
    together = f"{relation} to each other" if relation.endswith("ed") else f"related by {relation}"
    return f"{left} and {right} are {'' if holds else 'not '}{together}"
