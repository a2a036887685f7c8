"""Generate alterations that may undo a fault: those of mutation testing, and more words, numbers, cells and exceptions.

The input is a graph and a place in it; the output is mutants of that place. To show that examples detect a fault, the
next word of a list suffices; to undo one, it has to be the right word. The replacements occur elsewhere in the same
stack: most faults are undone by existing code (Barr and others, The Plastic Surgery Hypothesis, 2014).
"""

from collections.abc import Hashable, Iterator, Set
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain, combinations
from typing import cast

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import terms_of_rule
from runtime.graph.conjuncts import conjuncts
from runtime.graph.free_names import free_names
from runtime.graph.members import members_of
from runtime.graph.operators import OPERATORS
from runtime.graph.type_of import YES_NO, type_of
from runtime.graph.verbs import opposite_verb
from runtime.mutation.declaration_mutants import counter_mutants, note_mutants, other_durations
from runtime.mutation.expression_mutants import (
    AMOUNT,
    ARGUMENT,
    ARITHMETIC,
    COMPARISON,
    CONNECTIVE,
    ELEMENT,
    FILTER,
    NEGATION,
    OPERAND,
    QUANTIFIER,
    REMOVED,
    WORD,
    Alterations,
    Names,
    ReplacementNodes,
    type_without_bounds,
)
from runtime.mutation.law_mutants import (
    cell_mutant,
    queries_any_term,
    row_mutants,
    rule_mutants,
    term_mutants,
    with_rule,
)
from runtime.mutation.mutant import CONDITION, EXCEPTION, ORDER, PROCEDURE, RULE, STEP, Mutant
from runtime.mutation.procedure_mutants import procedure_mutants

Place = tuple[str, Hashable]  # A kind of thing, and which: a label, a term, a row, a counter, the key of a procedure.
# Kinds of alterations, the most plausible first: another word or sign, one more step, something less.
LIKELIEST = (
    CONNECTIVE, COMPARISON, NEGATION, QUANTIFIER, ARITHMETIC, ARGUMENT, EXCEPTION, WORD, AMOUNT, ELEMENT, STEP, ORDER,
    OPERAND, FILTER,
)  # fmt: skip
WORD_NODES = (graph.Member, graph.Place)
ANSWERING = (graph.Ask, graph.Get, graph.GameTrack)
# The number of conditions that are tried as missing from a rule.
CONDITIONS = 80
ORDERED = ("<", "<=", ">", ">=")


class RepairAlterations(Alterations):
    """A generator with all words of the same sort, and given numbers, besides the usual replacements."""

    def __init__(self, rules: graph.Graph, numbers: Set[Fraction]) -> None:
        """Store the numbers."""
        super().__init__(rules)
        self.numbers = sorted(numbers)
        # Terms that map a thing to another of its type, as a side to its enemy.
        self.partners: dict[graph.Type, list[str]] = {}
        for name, term in rules.terms.items():
            types = {type_without_bounds(each.type) for each in term.parameters}
            if len(term.parameters) == 1 and types == {type_without_bounds(term.type)}:
                self.partners.setdefault(type_without_bounds(term.type), []).append(name)

    def alterations_at(self, expr: graph.Expr, names: Names) -> Iterator[ReplacementNodes]:
        """Generate the replacements of an expression; for a name, the others of its type, for words, one more."""
        if isinstance(expr, graph.Var) and expr.name in names:
            type_ = type_without_bounds(names[expr.name])
            if type_ != graph.Nothing():
                same = (name for name, other in names.items() if type_without_bounds(other) == type_)
                yield from ((ARGUMENT, graph.Var(name)) for name in same if name != expr.name)
            yield from self.mapped(expr, type_)
        yield from super().alterations_at(expr, names)
        if isinstance(expr, ANSWERING) and type_of(expr, names, self.rules) == YES_NO:
            yield NEGATION, graph.Op("not", (expr,))
        match expr:
            case graph.Op(op) if op in ORDERED:
                others = (other for other in ORDERED if other not in (op, *OPERATORS[op].alterations))
                yield from ((COMPARISON, replace(expr, op=other)) for other in others)
            case graph.Ask(term, (first, *_)) if any(term in terms for terms in self.partners.values()):
                yield ARGUMENT, first
                yield from self.altered_calls(expr, names)
            case graph.Ask():
                yield from self.altered_calls(expr, names)
            case graph.SetOf((*_, last) as elements) if last.__class__ in WORD_NODES:
                more = (each for each in self.other_values(last) if each not in elements)
                yield from ((ELEMENT, replace(expr, elements=(*elements, each)), REMOVED, each) for each in more)
            case graph.Has(what="path", name=path, negated=negated):
                paths = (replace(expr, name=name) for name in self.paths() if name != path)
                yield from ((ELEMENT, graph.Op("and" if negated else "or", (expr, other))) for other in paths)
            case graph.Get():
                yield from self.mapped(expr, type_without_bounds(type_of(expr, names, self.rules)))
            case graph.Is(tests=tests):
                more_tests = (each for each in self.other_tests(tests[-1]) if each not in tests)
                yield from ((OPERAND, replace(expr, tests=(*tests, each))) for each in more_tests)
            case _:
                pass

    def mapped(self, expr: graph.Expr, type_: graph.Type) -> Iterator[ReplacementNodes]:
        """Generate the queries of terms that map a value to another of its type."""
        yield from ((ARGUMENT, graph.Ask(term, (expr,))) for term in self.partners.get(type_, ()))

    def altered_calls(self, ask: graph.Ask, names: Names) -> Iterator[ReplacementNodes]:
        """Generate a query with two arguments exchanged, or with a name in place of one derived from another name."""
        for arguments in chain(self.exchanged_arguments(ask), self.renamed_arguments(ask, names)):
            yield ARGUMENT, replace(ask, arguments=arguments)

    def exchanged_arguments(self, ask: graph.Ask) -> Iterator[tuple[graph.Expr, ...]]:
        """Generate the arguments of a query with two of one type exchanged."""
        sorts = [type_without_bounds(each.type) for each in self.rules.terms[ask.term].parameters]
        for first, second in combinations(range(len(ask.arguments)), 2):
            if sorts[first] == sorts[second] and ask.arguments[first] != ask.arguments[second]:
                arguments = [*ask.arguments]
                arguments[first], arguments[second] = arguments[second], arguments[first]
                yield tuple(arguments)

    def renamed_arguments(self, ask: graph.Ask, names: Names) -> Iterator[tuple[graph.Expr, ...]]:
        """Generate the arguments of a query with a name in place of one that is derived from another name."""
        for index, (argument, parameter) in enumerate(
            zip(ask.arguments, self.rules.terms[ask.term].parameters, strict=True)
        ):
            fitting_names = (
                name
                for name, type_ in names.items()
                if type_without_bounds(type_) == type_without_bounds(parameter.type)
            )
            for name in fitting_names if isinstance(argument, graph.Get) else ():
                yield (*ask.arguments[:index], graph.Var(name), *ask.arguments[index + 1 :])

    def other_values(self, value: graph.Expr) -> Iterator[graph.LiteralExpr]:
        """Return other values of the same type."""
        match value:
            case graph.Num(value=number):
                neighbors = {number + 1, number - 1}
                yield from super().other_values(value)
                yield from (replace(value, value=each) for each in self.numbers if each not in {number, *neighbors})
            case graph.Member(enum=enum, name=name) if enum in self.words.enums:
                others = (word for word in members_of(self.words, enum) if word != name)
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


def repairs_of_place(rules: graph.Graph, place: Place, inner: RepairAlterations) -> Iterator[Mutant]:
    """Generate the alterations of one place that may undo a fault."""
    kind, name = place
    match kind:
        case "rule":
            rule = rules.rules[str(name)]
            yield from rule_mutants(rules, rule, inner)
            yield from _overruling_others(rules, rule)
            yield from _added_conditions(rules, rule)
        case "term":
            yield from term_mutants(rules, rules.terms[str(name)])
        case "row":
            yield from _of_row(rules, cast("graph.TableRow", name), inner)
        case "counter":
            yield from counter_mutants(rules, rules.counters[str(name)], partial(_in_column, rules, str(name), inner))
        case "note":
            yield from (
                each for each in note_mutants(rules) if each.name == name and not isinstance(each.original, str)
            )
            yield from other_durations(rules, str(name))
        case _:
            yield from procedure_mutants(rules, str(name), inner)


def plausibility_rank(mutant: Mutant) -> tuple[int, int]:
    """Return the rank of an alteration, the most plausible first; an inserted step, by how well its names match."""
    return _rank(mutant), mutant.key if mutant.kind == STEP and mutant.key else 0


def _rank(mutant: Mutant) -> int:
    if mutant.original == REMOVED and mutant.kind == OPERAND:
        return LIKELIEST.index(ELEMENT)
    if mutant.replacement in (REMOVED, "no condition") and mutant.kind not in (ELEMENT, EXCEPTION):
        return len(LIKELIEST) + (mutant.kind in (RULE, CONDITION, PROCEDURE))
    if mutant.kind == CONNECTIVE and isinstance(mutant.replacement, graph.Op) and mutant.replacement.op == "or":
        return LIKELIEST.index(ARGUMENT)  # An author who means "or" seldom writes "and".
    return LIKELIEST.index(mutant.kind) if mutant.kind in LIKELIEST else LIKELIEST.index(AMOUNT)


def _overruling_others(rules: graph.Graph, rule: graph.Rule) -> Iterator[Mutant]:
    """Generate changes of conclusion and defeat: the opposite; defeating one more rule of its term, or another one."""
    alterations: list[tuple[str, str, str, graph.Rule]] = []
    if (verb := opposite_verb(rule.verb)) is not None:
        alterations.append((RULE, rule.verb, verb, replace(rule, verb=verb)))
    terms = [rules.terms[name] for name in rule.terms if name in rules.terms]
    siblings = dict.fromkeys(label for term in terms for label in term.rules if label != rule.label)
    for label in siblings:
        if label not in rule.defeats:
            added = replace(rule, defeats=(*rule.defeats, label))
            alterations.append((EXCEPTION, "nothing", f"exception to {label}", added))
            for index, other in enumerate(rule.defeats):
                altered_defeats = (*rule.defeats[:index], label, *rule.defeats[index + 1 :])
                original, replacement = f"exception to {other}", f"exception to {label}"
                alterations.append((EXCEPTION, original, replacement, replace(rule, defeats=altered_defeats)))
    tried = partial(queries_any_term, frozenset(terms_of_rule(rules, rule)))
    for kind, original, replacement, altered_rule in alterations:
        yield Mutant(
            kind, rule.label, original, replacement, rule.cites, rule.origin, with_rule(rules, altered_rule), tried
        )


def _added_conditions(rules: graph.Graph, rule: graph.Rule) -> Iterator[Mutant]:
    """Generate the rule with one more condition of other rules on the same names, those of its term first."""
    if rule.guard is None or not rule.terms or rule.terms[0] not in rules.terms:
        return
    names = {each.name: type_without_bounds(each.type) for each in rules.terms[rule.terms[0]].parameters}
    own_conditions = set(conjuncts(rule.guard))
    found: dict[graph.Expr, int] = {}
    for other in rules.rules.values():
        if other.guard is None or not other.terms or other.terms[0] not in rules.terms:
            continue
        called = {each.name: type_without_bounds(each.type) for each in rules.terms[other.terms[0]].parameters}
        shared = {name for name, sort in names.items() if called.get(name) == sort}
        far = 0 if set(other.terms) & set(rule.terms) else 1 if other.case == rule.case else 2
        for part in conjuncts(other.guard):
            if free_names(part) and free_names(part) <= shared:
                for each in (part, *_opposite(part)):
                    found[each] = min(found.get(each, far), far)
    more = sorted((each for each in found if each not in own_conditions), key=lambda each: found[each])
    tried = partial(queries_any_term, frozenset(terms_of_rule(rules, rule)))
    for part in more[:CONDITIONS]:
        conjoined_guard = graph.Op("and", (*conjuncts(rule.guard), part))
        variants = with_rule(rules, replace(rule, guard=conjoined_guard))
        yield Mutant(
            OPERAND, rule.label, REMOVED, part, rule.cites, rule.origin, variants, tried, rule.guard, conjoined_guard
        )


def _opposite(part: graph.Expr) -> Iterator[graph.Expr]:
    """Return the negation of a condition that is one word, or of each operand of an `or` of these."""
    match part:
        case graph.Is() | graph.Has():
            yield replace(part, negated=not part.negated)
        case graph.Op("or", sides):
            yield from (negation for side in sides for negation in _opposite(side))
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
            numbers = inner.other_values(row.value) if isinstance(row.value, graph.Num) else ()
            others = ((each.kind, each.value) for each in table.rows)
            for kind, value in dict.fromkeys((*others, *((row.kind, value) for value in numbers))):
                if (kind, value) != (row.kind, row.value):
                    yield cell_mutant(rules, table, number, replace(row, kind=kind, value=value))


def _in_column(
    rules: graph.Graph, counter: str, inner: RepairAlterations, column: str, value: graph.Expr
) -> Iterator[graph.Expr]:
    """Return values for a column: the given numbers, and those of other counters."""
    kind = rules.counters[counter].kind
    others = [printed for each in rules.counters.values() if each.kind == kind for printed in each.printed]
    column_values = (other for name, other in others if name == column)
    yield from dict.fromkeys(each for each in (*inner.other_values(value), *column_values) if each != value)
