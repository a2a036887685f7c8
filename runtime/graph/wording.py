"""Turn expressions of the graph into plain English.

In: an expression, and what its names are called. Out: a phrase ("the speed of the cart") or a
clause ("the cart is old"), or its opposite. Questions read as they were declared to; nothing
else is needed, and nothing here looks at a position.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.gatherings import fold, members, quantified
from runtime.graph.type_of import type_of

Calls = Mapping[str, str]

# Parameters are often named by the preposition that leads to them.
PREPOSITIONS = {"at", "by", "from", "here", "in", "into", "of", "onto", "over", "to", "toward", "via"}

COMPARED = {
    "=": ("is", "is not"),
    "!=": ("is not", "is"),
    "<": ("is less than", "is at least"),
    "<=": ("is at most", "is more than"),
    ">": ("is more than", "is at most"),
    ">=": ("is at least", "is less than"),
}

PHRASES = {
    "+": "{0} plus {1}",
    "-": "{0} minus {1}",
    "*": "{0} times {1}",
    "/": "{0} divided by {1}",
    "neg": "minus {0}",
    "round_down": "{0}, rounded down",
    "round_up": "{0}, rounded up",
    "clamp": "{0}, but no less than {1} and no more than {2}",
    "place": "{0}",
    "number": "{0}",
    "span": "{0} to {1}",
    "union": "{0} together with {1}",
    "without": "{0} without {1}",
    "distance": "the distance from {0} to {1}",
    "neighbors": "the neighbors of {0}",
    "within": "the hexes within {1} of {0}",
    "between": "the hexside between {0} and {1}",
    "beyond": "the hex beyond {1}, seen from {0}",
    "toward": "the hexes from {0} in direction {1}",
    "line": "what the line from {0} to {1} crosses",
    "touching": "the hexsides touching {0}",
    "ends": "the hexes beside {0}",
    "linked": "the hexes that a chain links to {0} in {1}",
    "reserve": "what waits off the map of {0}",
}

HALF = graph.Num(Fraction(2), "")

CLAUSES = {
    "adjacent": ("{0} is next to {1}", "{0} is not next to {1}"),
    "edge": ("{0} lies at the edge of the map", "{0} does not lie at the edge of the map"),
}


class Wording:
    """Speaks the language of one graph. `calls` says what names are called, if not as they are spelled."""

    def __init__(
        self, rules: graph.Graph, calls: Calls | None = None, names: Mapping[str, graph.Type] | None = None
    ) -> None:
        """Keep the graph, and the types of names where members of sets should be called by what they are."""
        self.rules = rules
        self.vocabulary = rules.vocabulary
        self.calls = dict(calls or {})
        self.names = dict(names or {})

    def calling(self, name: str, call: str, type_: graph.Type) -> "Wording":
        """Speak with one more name bound."""
        return Wording(self.rules, {**self.calls, name: call}, {**self.names, name: type_})

    def also(self, calls: Calls) -> "Wording":
        """Speak with some names called differently."""
        return Wording(self.rules, {**self.calls, **calls}, self.names)

    # Names and terms.

    def variable(self, name: str) -> str:
        """Call a parameter."""
        if name in self.calls:
            return self.calls[name]
        if name in PREPOSITIONS:
            return f"the {preposed(name, self.names.get(name, graph.Hex()))}"
        return f"the {words.spaced(name)}" if len(name) > 1 else name

    def term(self, name: str, arguments: tuple[str, ...]) -> str:
        """Read a question with its arguments as a phrase or, for yes-and-no questions, a clause."""
        term = self.rules.terms[name]
        if term.reads:
            return self.filled(term.reads, term.parameters, arguments)
        if term.form == "flag":
            owner, _, flag = name.partition(".")
            return being(arguments[0], words.flag(owner, flag, self.vocabulary))
        told = words.spaced(name.replace(".", ", "))
        asked = words.listed(arguments)
        if yes_no(term):
            return f"{told} holds for {asked}" if asked else f"{told} holds"
        return f"the {told} of {asked}" if asked else f"the {told}"

    def denied(self, name: str, arguments: tuple[str, ...]) -> str:
        """Read the opposite of a yes-and-no question."""
        term = self.rules.terms[name]
        if term.denied:
            return self.filled(term.denied, term.parameters, arguments)
        return opposite(self.term(name, arguments))

    def filled(self, template: str, parameters: tuple[graph.Parameter, ...], arguments: tuple[str, ...]) -> str:
        """Put arguments into a `reads` template; a possessive of `it` is `its`."""
        calls = {p.name: a for p, a in zip(parameters, arguments, strict=False)}
        return re.sub(r"\{(\w+)\}", lambda found: calls.get(found[1], found[0]), template)

    # Values.

    def phrase(self, expr: graph.Expr) -> str:  # noqa: C901 - one case a node.
        """Read an expression as what it stands for."""
        match expr:
            case graph.Num(value, measure):
                return words.amount(value, measure, self.vocabulary)
            case graph.Truth(value):
                return "yes" if value else "no"
            case graph.Member(enum, name):
                return words.member(enum, name, self.vocabulary)
            case graph.Place(_, name, _) | graph.Spot(_, name):
                return name
            case graph.Var(name):
                return self.variable(name)
            case graph.Get():
                return self.field(expr)
            case graph.GameTrack(owner, name):
                called = words.noted(name, self.vocabulary)
                return f"the {called}" if owner == "game" else f"the {called} of the {owner}"
            case graph.Ask(term, arguments):
                asked = self.term(term, tuple(self.phrase(a) for a in arguments))
                return f"whether {asked}" if yes_no(self.rules.terms[term]) else asked
            case graph.Cell(table, keys, _):
                return self.cell(table, tuple(self.phrase(key) for key in keys))
            case graph.Op():
                return self.operation(expr)
            case graph.Pieces() | graph.All():
                return members(self, expr)
            case graph.Fold():
                return fold(self, expr)
            case graph.SetOf(elements):
                return words.listed([self.phrase(element) for element in elements]) or "nobody"
            case graph.New(record, fields):
                inside = words.listed([f"{words.spaced(name)} {self.phrase(value)}" for name, value in fields])
                return (
                    f"{words.article(words.spaced(record))} ({inside})"
                    if inside
                    else words.article(words.spaced(record))
                )
            case graph.Is() | graph.Has():
                return f"whether {self.clause(expr)}"
            case _:
                assert_never(expr)

    def field(self, expr: graph.Get) -> str:
        """Read a field: "the speed of the cart", "its side"."""
        name = words.noted(expr.name, self.vocabulary)
        if expr.what in ("partner", "partners"):
            relation = self.vocabulary.relations[expr.owner]
            name = words.spaced((relation.left if expr.name == "left" else relation.right).name)
        elif expr.name in PREPOSITIONS:
            name = preposed(expr.name, type_of(expr, self.names, self.rules))
        base = self.phrase(expr.base)
        return f"its {name}" if base == "it" else f"the {name} of {base}"

    def cell(self, table: str, keys: tuple[str, ...]) -> str:
        """Read a chart's cell."""
        reads = self.rules.tables[table].reads
        if "{" in reads:
            return self.filled(reads, self.rules.tables[table].keys, keys)
        return f"what {reads or f'the chart {words.spaced(table)}'} says for {words.listed(keys)}"

    def operation(self, expr: graph.Op) -> str:
        """Read a built-in as a phrase."""
        if expr.op in COMPARED or expr.op in ("and", "or", "not", "in", "adjacent", "edge", "related"):
            return f"whether {self.clause(expr)}"
        if expr.op == "if":
            condition, yes, no = expr.arguments
            return f"{self.phrase(yes)} if {self.clause(condition)}, otherwise {self.phrase(no)}"
        if expr.op in ("min", "max"):
            few = "er" if len(expr.arguments) == 2 else "est"
            return f"the {'small' if expr.op == 'min' else 'great'}{few} of {words.listed(self.all(expr.arguments))}"
        if expr.op == "payload":
            return self.payload(expr)
        if expr.op == "/" and expr.arguments[1] == HALF:
            return f"half of {self.phrase(expr.arguments[0])}"
        return PHRASES[expr.op].format(*self.all(expr.arguments))

    def payload(self, expr: graph.Op) -> str:
        """Read what a pair keeps."""
        name, left, right = self.all(expr.arguments)
        relation = self.vocabulary.relations[expr.arguments[0].name]  # type: ignore[union-attr]  # a Member, by its form
        kept = words.spaced(relation.payload.name) if relation.payload else "note"
        return f"the {kept} that {left} and {right} keep as {name}"

    def all(self, exprs: tuple[graph.Expr, ...]) -> list[str]:
        """Read several expressions as phrases."""
        return [self.phrase(expr) for expr in exprs]

    # Yes or no.

    def clause(self, expr: graph.Expr) -> str:
        """Read a condition as a clause."""
        return self.said(expr, holds=True)

    def opposite(self, expr: graph.Expr) -> str:
        """Read the opposite of a condition."""
        return self.said(expr, holds=False)

    def said(self, expr: graph.Expr, *, holds: bool) -> str:  # noqa: C901 - one case a node.
        """Read a condition, or its opposite."""
        match expr:
            case graph.Op("not", (inner,)):
                return self.said(inner, holds=not holds)
            case graph.Op("and" | "or" as link, arguments):
                return self.joined(arguments, link if holds else {"and": "or", "or": "and"}[link], holds=holds)
            case graph.Op(op, (left, right)) if op in COMPARED:
                return f"{self.phrase(left)} {COMPARED[op][not holds]} {self.phrase(right)}"
            case graph.Op("in", (left, right)):
                return f"{self.phrase(left)} {'is' if holds else 'is not'} {self.membership(right)}"
            case graph.Op("related", (relation, left, right)):
                are = "are" if holds else "are not"
                return f"{self.phrase(left)} and {self.phrase(right)} {are} related by {self.phrase(relation)}"
            case graph.Op(op, arguments) if op in CLAUSES:
                return CLAUSES[op][not holds].format(*self.all(arguments))
            case graph.Op("if", (condition, yes, no)):
                ends = [self.said(end, holds=holds) for end in (yes, no)]
                return f"{ends[0]} if {self.clause(condition)}, otherwise {ends[1]}"
            case graph.Is(subject, _, negated):
                return being(self.phrase(subject), self.tests(expr), holds=holds != negated)
            case graph.Has(subject, _, _, _, negated):
                owned = self.possession(expr)
                if holds != negated:
                    return f"{self.phrase(subject)} has {words.article(owned)}"
                lacks = f"does not have {owned}" if words.has_article(owned) else f"has no {owned}"
                return f"{self.phrase(subject)} {lacks}"
            case graph.Ask(term, arguments):
                return (self.term if holds else self.denied)(term, tuple(self.all(arguments)))
            case graph.Fold("some" | "none" | "every"):
                return quantified(self, expr, holds=holds)
            case graph.GameTrack(owner, name):
                return f"the {owner} {'says' if holds else 'does not say'} {words.noted(name, self.vocabulary)}"
            case graph.Truth(value):
                return "always" if value == holds else "never"
            case _:
                return f"{self.phrase(expr)} is {'yes' if holds else 'no'}"

    def joined(self, parts: tuple[graph.Expr, ...], link: str, *, holds: bool) -> str:
        """Join clauses; an `or` inside an `and` says either."""
        said = [self.said(part, holds=holds) for part in parts]
        mixed = {"and": "or", "or": "and"}[link] if holds else link
        inner = [isinstance(part, graph.Op) and part.op == mixed and holds for part in parts]
        said = [f"either {text}" if deep and link == "and" else text for text, deep in zip(said, inner, strict=True)]
        return (
            f", {link} ".join(said) if any(inner) else words.listed(said, link) if link == "or" else " and ".join(said)
        )

    def membership(self, collection: graph.Expr) -> str:
        """Read what something is a member of."""
        match collection:
            case graph.SetOf((only,)):
                return self.phrase(only)
            case graph.SetOf(elements):
                return words.listed(self.all(elements), "or")
            case graph.Op("span", (low, high)):
                return f"between {self.phrase(low)} and {self.phrase(high)}"
            case _:
                return f"among {self.phrase(collection)}"

    def tests(self, expr: graph.Is) -> str:
        """Read the words after `is`."""
        return words.listed([self.test(test) for test in expr.tests], "or")

    def test(self, test: graph.Test) -> str:
        """Read one word after `is`."""
        match test.what:
            case "kind":
                return words.article(words.kind(test.name, self.vocabulary))
            case "gone":
                return "out of the game"
            case "off":
                return "off the map"
            case "cell":
                return words.spaced(test.name)
            case _:
                return words.flag(test.owner, test.name, self.vocabulary)

    def possession(self, expr: graph.Has) -> str:
        """Read the word after `has`."""
        if expr.what == "partner":
            relation = self.vocabulary.relations[expr.owner]
            return words.spaced((relation.left if expr.name == "left" else relation.right).name)
        if expr.what == "path":
            return words.flag("path", expr.name, self.vocabulary)
        return words.noted(expr.name, self.vocabulary)


def preposed(name: str, type_: graph.Type) -> str:
    """Read a name that is a preposition by what it leads to: the to-hex, the side it is done by."""
    match type_:
        case graph.Hex():
            return "hex" if name == "here" else f"{name}-hex"
        case graph.Enum("side"):
            return "side"
        case _:
            return words.spaced(name)


def being(subject: str, what: str, *, holds: bool = True) -> str:
    """Say what something is or is not; of what "has fired" that it has, or has not, fired."""
    verb, rest = ("has", what.removeprefix("has ")) if what.startswith("has ") else ("is", what)
    return f"{subject} {verb} {'' if holds else 'not '}{rest}"


def yes_no(term: graph.Term) -> bool:
    """Say whether a question is answered by yes or no."""
    return isinstance(term.type, graph.YesNo)


def opposite(clause: str) -> str:
    """Turn a clause round by its verb, or say that it is not so."""
    for verb in ("may", "can", "must", "is", "are", "has", "does"):
        if f" {verb} " in clause:
            head, _, tail = clause.partition(f" {verb} ")
            if verb != "has":
                return f"{head} {verb} not {tail}"
            return f"{head} does not have {tail}" if words.has_article(tail) else f"{head} has no {tail}"
    return f"it is not so that {clause}"
