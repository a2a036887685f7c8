"""Mutants of rules, terms and charts, each with one change.

In: a graph. Out: `law_mutants` generates these, and those of counters, tracks and statuses (declaration_mutants.py).
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import terms_of_rule, with_beside
from runtime.graph.rows import row_label
from runtime.graph.type_of import type_of
from runtime.graph.verbs import answer_word
from runtime.mutation.altered_graph import Path, omissions
from runtime.mutation.declaration_mutants import counter_mutants, first_value_mutants, note_mutants, other_values
from runtime.mutation.expression_mutants import REMOVED
from runtime.mutation.mutant import BOUND, CELL, CONDITION, DEFAULT, EXCEPTION, RULE, Mutant, MutatedPart, OriginalRun


def law_mutants(rules: graph.Graph) -> Iterator[Mutant]:
    """Generate the mutants of all rules, terms, charts, counters, tracks and statuses."""
    for rule in rules.rules.values():
        yield from _rule_mutants(rules, rule)
    for term in rules.terms.values():
        yield from _term_mutants(rules, term)
    for table in rules.tables.values():
        for number in range(len(table.rows)):
            yield from row_mutants(rules, table, number)
    for counter in rules.counters.values():
        yield from counter_mutants(rules, counter)
    yield from first_value_mutants(rules)
    yield from note_mutants(rules)


def _rule_mutants(rules: graph.Graph, rule: graph.Rule) -> Iterator[Mutant]:
    """Generate the mutants of a rule: without it, without what it defeats, with another guard or conclusion."""
    label, path = rule.label, ("rules", rule.label)
    live = MutatedPart(rules, label, rule.cites, rule.origin, partial(_was_live, label))
    tried = replace(live, concerns=partial(_queries_any_term, frozenset(terms_of_rule(rules, rule))))
    yield live.mutant_of_variants(RULE, ("the rule", REMOVED), lambda: iter((without_rule(rules, label),)))
    for other, others in omissions(rule.defeats):
        yield live.mutant(EXCEPTION, (f"exception to {other}", REMOVED), ((*path, "defeats"), others))
    names: dict[str, graph.Type] = {}
    for term in rule.terms[:1]:
        names = {parameter.name: parameter.type for parameter in rules.terms[term].parameters}
    for index, (name, value) in enumerate(rule.names):
        yield from tried.expression_mutants((*path, "names", index, 1), names, is_observed=False)
        names[name] = type_of(value, names, rules)
    if rule.guard is not None:
        words = rule.guard, "no condition"
        yield tried.mutant(CONDITION, words, ((*path, "guard"), None), probe=graph.Truth(value=True))
        yield from tried.expression_mutants((*path, "guard"), names)
    if rule.value is not None:
        yield from live.expression_mutants((*path, "value"), names)


def _was_live(label: str, record: OriginalRun) -> bool:
    return label in record.run.rules


def _queries_any_term(terms: frozenset[str], record: OriginalRun) -> bool:
    """Return whether a case queried one of these terms."""
    return not terms.isdisjoint(record.run.terms)


def _term_mutants(rules: graph.Graph, term: graph.Term) -> Iterator[Mutant]:
    """Generate the mutants of a term: its default, its `otherwise`, the bounds of a sum."""
    path: Path = ("terms", term.name)
    concerns = partial(_queries_any_term, frozenset((term.name,)))
    part = MutatedPart(rules, term.name, term.cites, term.origin, concerns)
    yield from _beside_mutants(rules, term, part)
    if term.default is not None:
        words = answer_word(term.form, answer=term.default), answer_word(term.form, answer=not term.default)
        cited = replace(part, singled_out=bool(term.cites))
        yield cited.mutant(DEFAULT, words, ((*path, "default"), not term.default))
    if term.capped is not None:
        low, high = term.capped
        for ends in ((low + 1, high), (low - 1, high), (low, high + 1), (low, high - 1)):
            yield part.mutant(BOUND, (f"{low}..{high}", f"{ends[0]}..{ends[1]}"), ((*path, "capped"), ends))
    if term.otherwise is not None:
        names = {parameter.name: parameter.type for parameter in term.parameters}
        yield from part.expression_mutants((*path, "otherwise"), names)


def _beside_mutants(rules: graph.Graph, term: graph.Term, part: MutatedPart) -> Iterator[Mutant]:
    """Generate a term that stands beside one question less, or beside it without one of its exceptions."""
    for beside, others in omissions(term.beside):
        written = f"beside {beside.term}"
        placed = replace(part, origin=beside.origin)
        yield placed.mutant_of_variants(RULE, (written, REMOVED), partial(_with_beside, rules, term.name, others))
        for excepted in beside.excepted:
            fewer = tuple(label for label in beside.excepted if label != excepted)
            less = partial(_with_beside, rules, term.name, (*others, replace(beside, excepted=fewer)))
            yield placed.mutant_of_variants(EXCEPTION, (f"{written} but not {excepted}", REMOVED), less)


def _with_beside(rules: graph.Graph, name: str, beside: tuple[graph.Beside, ...]) -> Iterator[graph.Graph]:
    """Yield the graph in which a term stands beside these others only."""
    yield with_beside(rules, name, beside)


def row_mutants(rules: graph.Graph, table: graph.Table, number: int) -> Iterator[Mutant]:
    """Generate the mutants of a cell: other contents of the same type."""
    row = table.rows[number]
    name, key = f"{table.name}[{number}]", row_label(table, row, rules.vocabulary)
    for index, altered_row in enumerate(other_rows(rules, table, row)):
        part = MutatedPart(
            rules, name, row.cites, row.origin, lambda record: row in record.run.rows, singled_out=not index, key=key
        )
        words = _content(row), _content(altered_row)
        yield part.mutant(CELL, words, (("tables", table.name, "rows", number), altered_row))


def _content(row: graph.TableRow) -> graph.Expr | str:
    return row.kind if row.value is None else row.value


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
