"""What answers rest on, told as precisely as it can be from outside: of whom each part is read.

In: a graph. Out: for each term and each expression, the parts it reads (reads.py) with a way from its
parameters to whoever they are read of: the hex of *this* unit, who stands in *that* hex. Where no way is
known (all units there are; whoever comes out of a chart), the part is read as a whole.

Ways follow questions through: what the asked term reads of its parameter, the asking one reads of its
argument. A record made for the question is looked through to what was put into its fields. What no
procedure ever sets is settled when a game begins: rules that it silences are not looked at.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any, NamedTuple

from runtime.answer.cache_keys import CacheKeyAnalysis, KeyPart, together
from runtime.answer.reads import Reads
from runtime.answer.settled import Settled, settled_facts, silent
from runtime.graph import nodes as graph
from runtime.graph.walk import fields_of
from runtime.state.memory import DependencySet, Facts, Resting, Way, anything

# Ways longer than this are not followed: what is read there is read as a whole.
LONGEST_WAY = 4


class Path(NamedTuple):
    """A way from a name."""

    name: str
    way: Way


# The member of a set that is sifted; no name is empty.
MEMBER = Path("", ())

Paths = frozenset[Path] | None  # All that a value may be reached by; None where that cannot be told.
Ground = tuple[str, Path | None]  # A part, and of whom it is read; None: as a whole.


class Thunk(NamedTuple):
    """An argument not followed yet, and the names around it."""

    expr: graph.Expr
    names: "Names"


Names = Mapping[str, Paths | Thunk]


# What was worked out for the graphs asked about last: examples are many, and of one graph.
_lately: "list[DependencyAnalysis]" = []


def grounds_of(rules: graph.Graph) -> "DependencyAnalysis":
    """Work out what the terms of a graph rest on, once."""
    found = next((each for each in _lately if each.rules is rules), None)
    if found is None:
        found = DependencyAnalysis(rules, Reads(rules))
        _lately[:] = [found, *_lately[:3]]
    return found


class DependencyAnalysis:
    """Works out what the terms and expressions of one graph rest on."""

    def __init__(self, rules: graph.Graph, reads: Reads) -> None:
        """Nothing is worked out before it is asked."""
        self.rules = rules
        self.reads = reads
        self.inquiries: dict[tuple[object, ...], DependencyQuery] = {}

    @cached_property
    def settled(self) -> tuple[str, ...]:
        """List the facts that nothing sets; an example that begins no procedure does not need them."""
        return settled_facts(self.rules)

    @cached_property
    def known_by(self) -> CacheKeyAnalysis:
        """Find what terms are known by."""
        return CacheKeyAnalysis(self.rules)

    def of_term(self, name: str) -> Resting:
        """Say what a term rests on; the key is what it is known by."""
        if self.reads.makes_new(name):
            return anything
        plain = (KeyPart(parameter.name) for parameter in self.rules.terms[name].parameters)
        return self.resting(self.known_by.parts(name) or tuple(plain), lambda inquiry: inquiry.term(name))

    def of(self, expr: graph.Expr, key: tuple[str, ...]) -> Resting:
        """Say what an expression rests on; the values of these names are the key."""
        names: Names = {name: frozenset((Path(name, ()),)) for name in key}
        if self.reads.makes_newly(expr):
            return anything
        return self.resting(tuple(map(KeyPart, key)), lambda inquiry: frozenset(inquiry.grounds(expr, names)))

    def of_members(self, made: graph.Fold, key: tuple[str, ...]) -> Resting:
        """Say the same of a set that is sifted out of another, and what each member rests on for itself."""
        names: Names = {name: frozenset((Path(name, ()),)) for name in key}
        return self.resting(tuple(map(KeyPart, key)), lambda inquiry: frozenset(inquiry.sifted(made, names)))

    def resting(self, key: tuple[KeyPart, ...], find: "Callable[[DependencyQuery], frozenset[Ground]]") -> Resting:
        """Find out where the facts are known, once for all positions that agree in what is settled."""
        known: dict[tuple[object, ...], DependencySet] = {}

        def on(facts: Facts) -> DependencySet:
            values = tuple(facts.get(fact) for fact in self.settled)
            if values not in known:
                known[values] = rests(find(self.inquiry(values)), key, frozenset(self.settled))
            return known[values]

        return on

    def inquiry(self, values: tuple[object, ...]) -> "DependencyQuery":
        """Look into the rules as they are where the settled facts have these values."""
        if values not in self.inquiries:
            self.inquiries[values] = DependencyQuery(
                self.rules, self.reads, dict(zip(self.settled, values, strict=True))
            )
        return self.inquiries[values]


def rests(grounds: Iterable[Ground], key: tuple[KeyPart, ...], given: frozenset[str]) -> DependencySet:
    """Turn names into places in a key; what is read as a whole anyway is not read of somebody too."""
    found = [(part, path, None if path is None else place(path, key)) for part, path in grounds]
    each = frozenset(part for part, path, _ in found if path == MEMBER)
    whole = frozenset(part for part, path, at in found if path != MEMBER and at is None)
    pointed: dict[str, set[tuple[int, Way]]] = {}
    for part, _, at in found:
        if at is not None and part not in whole:
            pointed.setdefault(part, set()).add(at)
    return DependencySet(
        whole, {part: tuple(sorted(ways)) for part, ways in pointed.items()}, len(key) == 1, each, given
    )


def place(path: Path, key: tuple[KeyPart, ...]) -> tuple[int, Way] | None:
    """Find the part of a key that a path begins at, and the way on from there."""
    if KeyPart(path.name) in key:
        return key.index(KeyPart(path.name)), path.way
    for number, part in enumerate(key):
        if part.parameter == path.name and path.way[:1] == (("field", part.field),):
            return number, path.way[1:]
    return None


class DependencyQuery:
    """A look at the rules where some facts are settled."""

    def __init__(self, rules: graph.Graph, reads: Reads, settled: Settled) -> None:
        """Nothing is worked out before it is asked."""
        self.rules = rules
        self.reads = reads
        self.settled = settled
        self.term = cache(self._term)

    def _term(self, name: str) -> frozenset[Ground]:
        """Collect what a term rests on, by its parameters."""
        term = self.rules.terms[name]
        names: Names = {p.name: frozenset((Path(p.name, ()),)) for p in term.parameters}
        found = set(self.grounds(term.otherwise, names))
        flag = self.rules.vocabulary.flags.get(name)
        if flag is not None and flag.what == "status":
            found.add((name, Path(term.parameters[0].name, ())))
        mute = silent([self.rules.rules[label] for label in term.rules], self.settled)
        for rule in (self.rules.rules[label] for label in term.rules if label not in mute):
            inner = names
            for with_name, expr in rule.names:
                found.update(self.grounds(expr, inner))
                inner = {**inner, with_name: Thunk(expr, inner)}
            found.update(self.grounds((rule.guard, rule.value), inner))
        return frozenset(found)

    def sifted(self, made: graph.Fold, names: Names) -> Iterator[Ground]:
        """Collect what a sifted set rests on: who of all pieces is there is a matter of each piece."""
        if among_pieces(made.source):
            yield from ((part, MEMBER) for part, _ in self.reads.looks(made.source))
        else:
            yield from self.grounds(made.source, names)
        yield from self.grounds(made.where, {**names, made.var: frozenset((MEMBER,))})

    def grounds(self, node: Any, names: Names) -> Iterator[Ground]:
        """Collect what a node rests on."""
        if isinstance(node, tuple):
            for part in node:
                yield from self.grounds(part, names)
            return
        for part, subject in self.reads.looks(node):
            yield from self.reached(part, None if subject is None else self.paths(subject, (), names))
        match node:
            case graph.Ask(term, arguments):
                yield from self.asked(term, arguments, names)
            case graph.Is(subject, tests, _):
                for test in tests:
                    if f"{test.owner}.{test.name}" in self.rules.terms:
                        yield from self.asked(f"{test.owner}.{test.name}", (subject,), names)
            case graph.Cell(table, _, _):
                yield from self.grounds(tuple(row.value for row in self.rules.tables[table].rows), {})
            case _:
                pass
        if isinstance(node, graph.Fold):
            yield from self.grounds((node.source, node.otherwise), names)
            member = self.paths(node.source, (("each", ""),), names)
            yield from self.grounds((node.where, node.body), {**names, node.var: member})
            return
        for field in fields_of(node.__class__):
            value = getattr(node, field)
            if isinstance(value, tuple) or fields_of(value.__class__):
                yield from self.grounds(value, names)

    def asked(self, term: str, arguments: tuple[graph.Expr, ...], names: Names) -> Iterator[Ground]:
        """Collect what an asked term rests on, by the names around the question."""
        given = dict(zip((p.name for p in self.rules.terms[term].parameters), arguments, strict=True))
        for part, path in self.term(term):
            yield from self.reached(part, path and self.paths(given[path.name], path.way, names))

    def reached(self, part: str, paths: Paths) -> Iterator[Ground]:
        """Tell a part of whoever it is read of."""
        if paths is None:
            yield part, None
        else:
            yield from ((part, path) for path in paths)

    # Where a value comes from.

    def paths(self, expr: graph.Expr, way: Way, names: Names) -> Paths:  # noqa: C901 - one case a node.
        """List the paths to where a way from an expression leads."""
        match expr:
            case graph.Var(name):
                return self.named(names.get(name), way)
            case graph.Get(base, "given", _, "hex"):
                return self.paths(base, (("hex", ""), *way), names)
            case graph.Get(base, "record", _, field):
                return self.paths(base, (("field", field), *way), names)
            case graph.Get(base, "partner", relation, end):
                return self.paths(base, ((end, relation), *way), names)
            case graph.Get(base, "partners", relation, end) if way and way[0][0] == "each":
                return self.paths(base, ((end, relation), *way[1:]), names)
            case graph.Pieces(_, at) if at is not None and way and way[0][0] == "each":
                return self.paths(at, (("standing", ""), *way[1:]), names)
            case graph.Op("neighbors", (inner,)) if way and way[0][0] == "each":
                return self.paths(inner, (("around", ""), *way[1:]), names)
            case graph.Op("if", (_, yes, no)):
                return together((self.paths(yes, way, names), self.paths(no, way, names)))
            case graph.SetOf(elements) if way and way[0][0] == "each":
                return together(self.paths(element, way[1:], names) for element in elements)
            case graph.New(_, fields) if way and way[0][0] == "field":
                return together(self.paths(value, way[1:], names) for name, value in fields if name == way[0][1])
            case graph.Fold("gather", _, source, _, None) if way and way[0][0] == "each":
                return self.paths(source, way, names)
            case graph.Ask(term, arguments):
                return self.defined(term, arguments, way, names)
            case _:
                return None

    def named(self, value: Paths | Thunk, way: Way) -> Paths:
        """Go on from what a name stands for."""
        if isinstance(value, Thunk):
            return self.paths(value.expr, way, value.names)
        if value is None:
            return None
        longer = frozenset(Path(path.name, shortened((*path.way, *way))) for path in value)
        return None if any(len(path.way) > LONGEST_WAY for path in longer) else longer

    def defined(self, name: str, arguments: tuple[graph.Expr, ...], way: Way, names: Names) -> Paths:
        """Look through a question that is short for an expression."""
        term = self.rules.terms[name]
        if len(term.rules) != 1 or term.form != "value":
            return None
        rule = self.rules.rules[term.rules[0]]
        if rule.guard is not None or rule.value is None or rule.names:
            return None
        given = {p.name: Thunk(a, names) for p, a in zip(term.parameters, arguments, strict=True)}
        return self.paths(rule.value, way, given)


def among_pieces(source: graph.Expr) -> bool:
    """Say whether a set is sifted out of all pieces of some kinds, those on the map or those that wait."""
    match source:
        case graph.Pieces(_, None) | graph.Op("reserve", _):
            return True
        case _:
            return False


def shortened(way: Way) -> Way:
    """Leave out turning back: whoever stands in a hex has that hex."""
    for at in range(len(way) - 1):
        if way[at : at + 2] == (("standing", ""), ("hex", "")):
            return shortened((*way[:at], *way[at + 2 :]))
    return way
