"""The phrases that the language's own words read as: operators, fields that everybody has, prepositions.

In: names of operators and fields. Out: templates, `{0}` for the first argument.
"""

from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import bare

# Parameters are often named by the preposition that leads to them.
PREPOSITIONS = {"at", "by", "from", "here", "in", "into", "of", "onto", "over", "to", "toward", "via"}

COMPARED = {
    "=": ("", "not "),
    "!=": ("not ", ""),
    "<": ("less than ", "at least "),
    "<=": ("at most ", "more than "),
    ">": ("more than ", "at most "),
    ">=": ("at least ", "less than "),
}

# Against none at all: whether there is one.
SOME = {">": True, "!=": True, "=": False, "<=": False}

# How tightly a phrase holds together; what holds less tightly than what is around it takes brackets.
TIGHT = {"if": 0, "round_down": 1, "round_up": 1, "+": 2, "-": 2, "*": 3, "/": 3, "neg": 4}

PHRASES = {
    "+": "{0} plus {1}",
    "-": "{0} minus {1}",
    "*": "{0} times {1}",
    "/": "{0} divided by {1}",
    "neg": "minus {0}",
    "round_down": "{0}, rounded down",
    "round_up": "{0}, rounded up",
    "clamp": "{0} (at least {1}, at most {2})",
    "place": "{0}",
    "number": "{0}",
    "span": "{0} to {1}",
    "union": "{0} together with {1}",
    "flat": "{0}",
    "without": "{0} without {1}",
    "distance": "the distance from {0} to {1}",
    "neighbors": "the neighbors of {0}",
    "within": "the hexes within {1} of {0}",
    "between": "the hexside between {0} and {1}",
    "beyond": "the hex beyond {1}, seen from {0}",
    "toward": "the hexes from {0} in direction {1}",
    "line": "the crossings of the line from {0} to {1}",
    "touching": "the hexsides touching {0}",
    "ends": "the hexes beside {0}",
    "linked": "the hexes that a chain links to {0} in {1}",
    "reserve": "those off the map of the kind {0}",
}

# The hexes that a move or a line joins, and the hex that a name leads to.
ORDINAL = {"from": "first", "to": "second"}
# The two hexes of each step of a search.
OF_STEP = {"from": "one hex", "to": "the next"}
HEX_BY = {"from": "start hex", "to": "end hex", "over": "hex passed over", "via": "hex passed through"}
# Where a line crosses a hexside; what every piece is given.
CROSSED = {"side": "hexside", "back": "hex behind", "over": "hex", "along": "hexside", "at": "place on the line"}
GIVEN = {"arrives": "turn of arrival"}

HALF = graph.Num(Fraction(2), "")

CLAUSES = {
    "adjacent": ("{0} is next to {1}", "{0} is not next to {1}"),
    "edge": ("{0} lies at the edge of the map", "{0} does not lie at the edge of the map"),
}


def preposed(name: str, type_: graph.Type, *, alone: bool = False) -> str:
    """Read a name that is a preposition by what it leads to: the hex it leads to, the side it is done by."""
    match type_:
        case graph.Hex():
            return "hex" if alone else HEX_BY.get(name, "hex")
        case graph.Enum("side"):
            return "side"
        case _:
            return words.spaced(name)


def paired(relation: str, left: str, right: str, *, holds: bool) -> str:
    """Say that two belong together: one carries the other, or they are assigned to each other."""
    if relation.endswith("s") and not relation.endswith("ss"):
        return f"{left} {relation if holds else f'does not {bare(relation)}'} {right}"
    together = f"{relation} to each other" if relation.endswith("ed") else f"related by {relation}"
    return f"{left} and {right} are {'' if holds else 'not '}{together}"
