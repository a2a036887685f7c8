"""Generate alterations that may undo a fault: those of mutation testing, and more words, numbers, cells and exceptions.

The input is a graph and a place in it; the output is mutants of that place. To show that examples detect a fault, the
next word of a list suffices; to undo one, it has to be the right word. The replacements occur elsewhere in the same
stack: most faults are undone by existing code (Barr and others, The Plastic Surgery Hypothesis, 2014).
"""

from collections.abc import Hashable, Iterator, Mapping, Set
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import cast

from runtime.answer.conditions import conjuncts
from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names
from runtime.graph.operators import OPERATORS
from runtime.graph.rows import row_label
from runtime.graph.type_of import YES_NO, type_of
from runtime.mutation.expressions import (
    AMOUNT,
    ARGUMENT,
    ARITHMETIC,
    COMPARISON,
    CONNECTIVE,
    ELEMENT,
    FILTER,
    GONE,
    NEGATION,
    OPERAND,
    QUANTIFIER,
    WORD,
    Alterations,
    Instead,
    Names,
    sort_of,
)
from runtime.mutation.laws import (
    counter_mutants,
    note_mutants,
    row_mutants,
    rule_mutants,
    term_mutants,
    was_tried,
    with_row,
    with_rule,
)
from runtime.mutation.mutant import CELL, CONDITION, EXCEPTION, ORDER, PROCEDURE, RULE, STEP, Mutant
from runtime.mutation.procedures import of_procedure

Place = tuple[str, Hashable]  # A kind of thing, and which: a label, a term, a row, a counter, the key of a procedure.
# Kinds of alterations, the most plausible first: another word or sign, one more step, something less.
LIKELIEST = (
    CONNECTIVE, COMPARISON, NEGATION, QUANTIFIER, ARITHMETIC, ARGUMENT, EXCEPTION, WORD, AMOUNT, ELEMENT, STEP, ORDER,
    OPERAND, FILTER,
)  # fmt: skip
WORDS = (graph.Member, graph.Place)
ANSWERING = (graph.Ask, graph.Get, graph.GameTrack)
# The number of conditions that are tried as missing from a rule.
CONDITIONS = 80
ORDERED = ("<", "<=", ">", ">=")
OPPOSITE: Mapping[str, graph.Verb] = {"allows": "forbids", "forbids": "allows", "holds": "fails", "fails": "holds"}


class RepairAlterations(Alterations):
    """A generator with all words of the same sort, and given numbers, besides the usual replacements."""

    def __init__(self, rules: graph.Graph, numbers: Set[Fraction]) -> None:
        """Store the numbers."""
        super().__init__(rules)
        self.numbers = sorted(numbers)
        # Terms that map a thing to another of its type, as a side to its enemy.
        self.partners: dict[graph.Type, list[str]] = {}
        for name, term in rules.terms.items():
            types = {sort_of(each.type) for each in term.parameters}
            if len(term.parameters) == 1 and types == {sort_of(term.type)}:
                self.partners.setdefault(sort_of(term.type), []).append(name)

    def alterations_at(self, expr: graph.Expr, names: Names) -> Iterator[Instead]:
        """Generate the replacements of an expression; for a name, the others of its type, for words, one more."""
        if isinstance(expr, graph.Var) and expr.name in names:
            type_ = sort_of(names[expr.name])
            same = (name for name, other in names.items() if name != expr.name and sort_of(other) == type_)
            yield from ((ARGUMENT, graph.Var(name)) for name in same if type_ != graph.Nothing())
            yield from ((ARGUMENT, graph.Ask(term, (expr,))) for term in self.partners.get(type_, ()))
        yield from super().alterations_at(expr, names)
        if isinstance(expr, ANSWERING) and type_of(expr, names, self.rules) == YES_NO:
            yield NEGATION, graph.Op("not", (expr,))
        if isinstance(expr, graph.Op) and expr.op in ORDERED:
            others = (op for op in ORDERED if op not in (expr.op, *OPERATORS[expr.op].alterations))
            yield from ((COMPARISON, replace(expr, op=op)) for op in others)
        if isinstance(expr, graph.Ask) and any(expr.term in terms for terms in self.partners.values()):
            yield ARGUMENT, expr.arguments[0]
        if isinstance(expr, graph.Ask):
            yield from ((ARGUMENT, replace(expr, arguments=made)) for made in self.exchanged_arguments(expr))
            yield from ((ARGUMENT, replace(expr, arguments=made)) for made in self.renamed_arguments(expr, names))
        if isinstance(expr, graph.SetOf) and expr.elements:
            last = expr.elements[-1]
            more = (
                (each for each in self.other_values(last) if each not in expr.elements)
                if last.__class__ in WORDS
                else ()
            )
            yield from ((ELEMENT, replace(expr, elements=(*expr.elements, each)), GONE, each) for each in more)
        if isinstance(expr, graph.Has) and expr.what == "path":
            paths = (replace(expr, name=name) for name in self.paths() if name != expr.name)
            op = "and" if expr.negated else "or"
            yield from ((ELEMENT, graph.Op(op, (expr, other))) for other in paths)
        if isinstance(expr, graph.Get):
            type_ = sort_of(type_of(expr, names, self.rules))
            yield from ((ARGUMENT, graph.Ask(term, (expr,))) for term in self.partners.get(type_, ()))
        if isinstance(expr, graph.Is):
            more_tests = (each for each in self.other_tests(expr.tests[-1]) if each not in expr.tests)
            yield from ((OPERAND, replace(expr, tests=(*expr.tests, each))) for each in more_tests)

    def exchanged_arguments(self, ask: graph.Ask) -> Iterator[tuple[graph.Expr, ...]]:
        """Generate the arguments of a query with two of one type exchanged."""
        sorts = [sort_of(each.type) for each in self.rules.terms[ask.term].parameters]
        for one, other in combinations(range(len(ask.arguments)), 2):
            if sorts[one] == sorts[other] and ask.arguments[one] != ask.arguments[other]:
                made = [*ask.arguments]
                made[one], made[other] = made[other], made[one]
                yield tuple(made)

    def renamed_arguments(self, ask: graph.Ask, names: Names) -> Iterator[tuple[graph.Expr, ...]]:
        """Generate the arguments of a query with a name in place of one that is derived from another name."""
        for at, (given, wanted) in enumerate(zip(ask.arguments, self.rules.terms[ask.term].parameters, strict=True)):
            fitting = (name for name, type_ in names.items() if sort_of(type_) == sort_of(wanted.type))
            for name in fitting if isinstance(given, graph.Get) else ():
                yield (*ask.arguments[:at], graph.Var(name), *ask.arguments[at + 1 :])

    def other_values(self, value: graph.Expr) -> Iterator[graph.Expr]:
        """Return other values of the same type."""
        match value:
            case graph.Num(value=number):
                near = {number + 1, number - 1}
                yield from super().other_values(value)
                yield from (replace(value, value=each) for each in self.numbers if each not in {number, *near})
            case graph.Member(enum=enum, name=name) if enum in self.words.enums:
                others = (word.name for word in self.words.enums[enum].members if word.name != name)
                yield from (replace(value, name=other) for other in others)
            case _:
                yield from super().other_values(value)

    def other_tests(self, test: graph.Test) -> Iterator[graph.Test]:
        """Return the other words of the same sort."""
        flags = self.words.flags.values()
        names = [flag.name for flag in flags if (flag.what, flag.owner) == (test.what, test.owner)]
        if test.name not in names:
            yield from super().other_tests(test)
        yield from (replace(test, name=name) for name in names if test.name in names and name != test.name)


def of_place(rules: graph.Graph, place: Place, inner: RepairAlterations) -> Iterator[Mutant]:
    """Generate the alterations of one place that may undo a fault."""
    what, name = place
    match what:
        case "rule":
            rule = rules.rules[str(name)]
            yield from rule_mutants(rules, rule, inner)
            yield from _overruling_others(rules, rule)
            yield from _narrowed(rules, rule)
        case "term":
            yield from term_mutants(rules, rules.terms[str(name)])
        case "row":
            yield from _of_row(rules, cast("graph.TableRow", name), inner)
        case "counter":
            yield from counter_mutants(rules, rules.counters[str(name)], partial(_in_column, rules, str(name), inner))
        case "note":
            yield from (each for each in note_mutants(rules) if each.name == name)
        case _:
            yield from of_procedure(rules, str(name), inner)


def plausibility(mutant: Mutant) -> tuple[int, int]:
    """Return the rank of an alteration, the most plausible first; an inserted step, by how well its names match."""
    return _rank(mutant), mutant.key if mutant.what == STEP and mutant.key else 0


def _rank(mutant: Mutant) -> int:
    if mutant.was == GONE and mutant.what == OPERAND:
        return LIKELIEST.index(ELEMENT)
    if mutant.now in (GONE, "no condition") and mutant.what not in (ELEMENT, EXCEPTION):
        return len(LIKELIEST) + (mutant.what in (RULE, CONDITION, PROCEDURE))
    if mutant.what == CONNECTIVE and isinstance(mutant.now, graph.Op) and mutant.now.op == "or":
        return LIKELIEST.index(ARGUMENT)  # An author who means "or" seldom writes "and".
    return LIKELIEST.index(mutant.what) if mutant.what in LIKELIEST else LIKELIEST.index(AMOUNT)


def _overruling_others(rules: graph.Graph, rule: graph.Rule) -> Iterator[Mutant]:
    """Generate changes of conclusion and defeat: the opposite; defeating one more rule of its term, or another one."""
    made: list[tuple[str, str, str, graph.Rule]] = []
    if rule.verb in OPPOSITE:
        verb = OPPOSITE[rule.verb]
        made.append((RULE, rule.verb, verb, replace(rule, verb=verb)))
    terms = [rules.terms[name] for name in rule.terms if name in rules.terms]
    siblings = dict.fromkeys(label for term in terms for label in term.rules if label != rule.label)
    for label in siblings:
        if label not in rule.defeats:
            added = replace(rule, defeats=(*rule.defeats, label))
            made.append((EXCEPTION, "nothing", f"exception to {label}", added))
            for at, other in enumerate(rule.defeats):
                turned = (*rule.defeats[:at], label, *rule.defeats[at + 1 :])
                was, now = f"exception to {other}", f"exception to {label}"
                made.append((EXCEPTION, was, now, replace(rule, defeats=turned)))
    tried = partial(was_tried, frozenset(rule.terms))
    for what, was, now, put in made:
        yield Mutant(what, rule.label, was, now, rule.cites, rule.origin, with_rule(rules, put), tried)


def _narrowed(rules: graph.Graph, rule: graph.Rule) -> Iterator[Mutant]:
    """Generate the rule with one more condition of other rules on the same names, those of its term first."""
    if rule.guard is None or not rule.terms or rule.terms[0] not in rules.terms:
        return
    names = {each.name: sort_of(each.type) for each in rules.terms[rule.terms[0]].parameters}
    own = set(conjuncts(rule.guard))
    found: dict[graph.Expr, int] = {}
    for other in rules.rules.values():
        if other.guard is None or not other.terms or other.terms[0] not in rules.terms:
            continue
        called = {each.name: sort_of(each.type) for each in rules.terms[other.terms[0]].parameters}
        shared = {name for name, sort in names.items() if called.get(name) == sort}
        far = 0 if set(other.terms) & set(rule.terms) else 1 if other.case == rule.case else 2
        for part in conjuncts(other.guard):
            if free_names(part) and free_names(part) <= shared:
                for each in (part, *_opposite(part)):
                    found[each] = min(found.get(each, far), far)
    more = sorted((each for each in found if each not in own), key=lambda each: found[each])
    tried = partial(was_tried, frozenset(rule.terms))
    for part in more[:CONDITIONS]:
        both = graph.Op("and", (*conjuncts(rule.guard), part))
        put = with_rule(rules, replace(rule, guard=both))
        yield Mutant(OPERAND, rule.label, GONE, part, rule.cites, rule.origin, put, tried, rule.guard, both)


def _opposite(part: graph.Expr) -> Iterator[graph.Expr]:
    """Return the negation of a condition that is one word, or of each operand of an `or` of these."""
    match part:
        case graph.Is() | graph.Has():
            yield replace(part, negated=not part.negated)
        case graph.Op("or", sides):
            yield from (made for side in sides for made in _opposite(side))
        case graph.Op("not", (inner,)):
            yield inner
        case graph.Ask():
            yield graph.Op("not", (part,))
        case _:
            return


def _of_row(rules: graph.Graph, row: graph.TableRow, inner: RepairAlterations) -> Iterator[Mutant]:
    """Generate contents of a cell: those of mutation, the given numbers, and the contents of other cells."""
    for table in rules.tables.values():
        for number in (number for number, each in enumerate(table.rows) if each == row):
            yield from row_mutants(rules, table, number)
            given = inner.other_values(row.value) if isinstance(row.value, graph.Num) else ()
            others = ((each.kind, each.value) for each in table.rows)
            for kind, value in dict.fromkeys((*others, *((row.kind, value) for value in given))):
                if (kind, value) != (row.kind, row.value):
                    yield _with_cell(rules, table, number, replace(row, kind=kind, value=value))


def _in_column(
    rules: graph.Graph, counter: str, inner: RepairAlterations, column: str, value: graph.Expr
) -> Iterator[graph.Expr]:
    """Return values for a column: the given numbers, and those of other counters."""
    kind = rules.counters[counter].kind
    others = [printed for each in rules.counters.values() if each.kind == kind for printed in each.printed]
    there = (other for name, other in others if name == column)
    yield from dict.fromkeys(each for each in (*inner.other_values(value), *there) if each != value)


def _with_cell(rules: graph.Graph, table: graph.Table, number: int, made: graph.TableRow) -> Mutant:
    """Return the mutant with another cell."""
    row = table.rows[number]
    was, now = (each.kind if each.value is None else each.value for each in (row, made))
    return Mutant(
        CELL, f"{table.name}[{number}]", was, now, row.cites, row.origin, with_row(rules, table, number, made),
        lambda record: row in record.run.rows, key=row_label(table, row, rules.vocabulary),
    )  # fmt: skip
