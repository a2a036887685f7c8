"""Mutants of rules, terms and charts, each with one change.

In: a graph. Out: `law_mutants` generates these, and those of counters, tracks and statuses (declaration_mutants.py).
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import terms_of_rule, with_beside
from runtime.graph.rows import row_label
from runtime.graph.type_of import type_of
from runtime.graph.verbs import answer_word
from runtime.mutation.declaration_mutants import counter_mutants, first_value_mutants, note_mutants, other_values
from runtime.mutation.expression_mutants import Alterations
from runtime.mutation.mutant import BOUND, CELL, CONDITION, DEFAULT, EXCEPTION, RULE, Mutant, OriginalRun


def law_mutants(rules: graph.Graph) -> Iterator[Mutant]:
    """Generate the mutants of all rules, terms, charts, counters, tracks and statuses."""
    for rule in rules.rules.values():
        yield from rule_mutants(rules, rule)
    for term in rules.terms.values():
        yield from term_mutants(rules, term)
    for table in rules.tables.values():
        for number in range(len(table.rows)):
            yield from row_mutants(rules, table, number)
    for counter in rules.counters.values():
        yield from counter_mutants(rules, counter)
    yield from first_value_mutants(rules)
    yield from note_mutants(rules)


def rule_mutants(rules: graph.Graph, rule: graph.Rule) -> Iterator[Mutant]:
    """Generate the mutants of a rule: without it, without what it defeats, with another guard or conclusion."""
    label, cites, origin = rule.label, rule.cites, rule.origin
    live = partial(_was_live, label)
    yield Mutant(
        RULE, label, "the rule", "nothing", cites, origin, lambda: iter((without_rule(rules, label),)), live
    )  # fmt: skip
    tried = partial(_queries_any_term, frozenset(terms_of_rule(rules, rule)))
    for other in rule.defeats:
        less = replace(rule, defeats=tuple(name for name in rule.defeats if name != other))
        yield Mutant(EXCEPTION, label, f"exception to {other}", "nothing", cites, origin, _with_rule(rules, less), live)
    names: dict[str, graph.Type] = {}
    for term in rule.terms[:1]:
        names = {each.name: each.type for each in rules.terms[term].parameters}
    inner = Alterations(rules)
    for index, (name, value) in enumerate(rule.names):
        for each in inner.alterations_of(value, names):
            altered_names = (*rule.names[:index], (name, each.altered_expr), *rule.names[index + 1 :])
            changed = replace(rule, names=altered_names)
            yield Mutant(
                each.kind, label, each.original, each.replacement, cites, origin, _with_rule(rules, changed), tried
            )
        names[name] = type_of(value, names, rules)
    if rule.guard is not None:
        yield Mutant(
            CONDITION, label, rule.guard, "no condition", cites, origin,
            _with_rule(rules, replace(rule, guard=None)), tried, rule.guard, graph.Truth(value=True),
        )  # fmt: skip
    places: tuple[tuple[graph.Expr | None, Callable[[OriginalRun], bool], Callable[[graph.Expr], graph.Rule]], ...] = (
        (rule.guard, tried, lambda altered: replace(rule, guard=altered)),
        (rule.value, live, lambda altered: replace(rule, value=altered)),
    )
    for expr, concerns, with_altered in places:
        for each in inner.alterations_of(expr, names) if expr is not None else ():
            variants = _with_rule(rules, with_altered(each.altered_expr))
            yield Mutant(
                each.kind, label, each.original, each.replacement, cites, origin, variants, concerns, expr,
                each.altered_expr,
            )  # fmt: skip


def _was_live(label: str, record: OriginalRun) -> bool:
    return label in record.run.rules


def _queries_any_term(terms: frozenset[str], record: OriginalRun) -> bool:
    """Return whether a case queried one of these terms."""
    return not terms.isdisjoint(record.run.terms)


def _with_rule(rules: graph.Graph, rule: graph.Rule) -> Callable[[], Iterator[graph.Graph]]:
    """Return the graph with another rule of the same label."""
    return lambda: iter((replace(rules, rules={**rules.rules, rule.label: rule}),))


def term_mutants(rules: graph.Graph, term: graph.Term) -> Iterator[Mutant]:
    """Generate the mutants of a term: its default, its `otherwise`, the bounds of a sum."""
    concerns = partial(_queries_any_term, frozenset((term.name,)))

    def mutant(
        kind: str, words: tuple[graph.Expr | str, graph.Expr | str], other: graph.Term,
        altered: tuple[graph.Expr | None, graph.Expr | None] = (None, None), *, singled_out: bool = True,
    ) -> Mutant:  # fmt: skip
        return Mutant(
            kind, term.name, *words, term.cites, term.origin,
            lambda: iter((replace(rules, terms={**rules.terms, term.name: other}),)), concerns, *altered,
            singled_out=singled_out,
        )  # fmt: skip

    for index, beside in enumerate(term.beside):
        others = (*term.beside[:index], *term.beside[index + 1 :])
        for excepted in ((), *((label,) for label in beside.excepted)):
            fewer = tuple(label for label in beside.excepted if label not in excepted)
            less = (*others, replace(beside, excepted=fewer)) if excepted else others
            original = f"beside {beside.term}{' but not '.join(('', *excepted))}"
            yield Mutant(
                EXCEPTION if excepted else RULE, term.name, original, "nothing", term.cites, beside.origin,
                partial(_with_beside, rules, term.name, less), concerns,
            )  # fmt: skip
    if term.default is not None:
        words = answer_word(term.form, answer=term.default), answer_word(term.form, answer=not term.default)
        yield mutant(DEFAULT, words, replace(term, default=not term.default), singled_out=bool(term.cites))
    if term.capped is not None:
        for index, delta in ((0, 1), (0, -1), (1, 1), (1, -1)):
            ends = [*term.capped]
            ends[index] += delta
            words = f"{term.capped[0]}..{term.capped[1]}", f"{ends[0]}..{ends[1]}"
            yield mutant(BOUND, words, replace(term, capped=(ends[0], ends[1])))
    if term.otherwise is not None:
        names = {each.name: each.type for each in term.parameters}
        for each in Alterations(rules).alterations_of(term.otherwise, names):
            other, altered = replace(term, otherwise=each.altered_expr), (term.otherwise, each.altered_expr)
            yield mutant(each.kind, (each.original, each.replacement), other, altered)


def _with_beside(rules: graph.Graph, name: str, beside: tuple[graph.Beside, ...]) -> Iterator[graph.Graph]:
    """Yield the graph in which a term stands beside these others only."""
    yield with_beside(rules, name, beside)


def row_mutants(rules: graph.Graph, table: graph.Table, number: int) -> Iterator[Mutant]:
    """Generate the mutants of a cell: other contents of the same type."""
    row = table.rows[number]
    for index, altered_row in enumerate(other_rows(rules, table, row)):
        original, replacement = (each.kind if each.value is None else each.value for each in (row, altered_row))
        yield Mutant(
            CELL, f"{table.name}[{number}]", original, replacement, row.cites, row.origin,
            _with_row(rules, table, number, altered_row), lambda record: row in record.run.rows,
            singled_out=not index, key=row_label(table, row, rules.vocabulary),
        )  # fmt: skip


def _with_row(
    rules: graph.Graph, table: graph.Table, number: int, row: graph.TableRow
) -> Callable[[], Iterator[graph.Graph]]:
    """Return the graph with another cell."""
    rows = (*table.rows[:number], row, *table.rows[number + 1 :])
    return lambda: iter((replace(rules, tables={**rules.tables, table.name: replace(table, rows=rows)}),))


def other_rows(rules: graph.Graph, table: graph.Table, row: graph.TableRow) -> Iterator[graph.TableRow]:
    """Generate other contents of a cell."""
    if row.value is not None:
        yield from (replace(row, value=value) for value in other_values(rules, row.value))
    else:
        words = [kind for kind, type_ in table.cells if type_ is None and kind != row.kind]
        valued = [other for other in table.rows if other.value is not None]
        if words:
            yield replace(row, kind=words[0])
        elif valued:
            yield replace(row, kind=valued[0].kind, value=valued[0].value)


def without_rule(rules: graph.Graph, label: str) -> graph.Graph:
    """Return the graph without one rule: it neither concludes nor defeats."""
    left = {name: rule for name, rule in rules.rules.items() if name != label}
    terms = {
        name: replace(term, rules=tuple(part for part in term.rules if part != label)) if label in term.rules else term
        for name, term in rules.terms.items()
    }
    return replace(rules, rules=left, terms=terms)


def rules_under_label(rules: graph.Graph, label: str) -> Iterator[str]:
    """Return the rules that a label denotes."""
    if label in rules.rules:
        yield label
    else:
        yield from (name for name, rule in rules.rules.items() if label in {rule.case, rule.ruling, rule.reading})
