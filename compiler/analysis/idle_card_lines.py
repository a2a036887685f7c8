"""Idle lines of a situation card: a level of victory that no side can reach, a special rule that never applies.

In: the stack of a card. Out: the lines, each with the conditions that exclude one another there. Proofs use what the
card fixes for the whole game: facts, areas, forces, turns (card_invariants.py). A level that is reached only where a
higher one is reached as well decides nothing. Lines that work against their own side are found besides
(findings/contrary_aim.py).
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from compiler.analysis.budgets import OutOfSteps, budget
from compiler.analysis.card_invariants import card_invariants_of
from compiler.analysis.checks import check_of_card
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.facts import facts_of
from compiler.analysis.findings.contrary_aim import contrary_aim
from compiler.analysis.findings.dead_rule import DeadRule
from compiler.analysis.findings.idle_aim import IdleAim
from compiler.analysis.findings.never_holds import never_holds
from compiler.analysis.formula import Formula
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws, laws_of
from compiler.analysis.normal_form import normalize, with_names
from compiler.analysis.question_sites import question_sites_of_rule
from compiler.analysis.solve import minimal_conflict, solve
from compiler.analysis.translate import Translator, conjunction_of, negation_of
from compiler.analysis.victory_lines import LineConditions, victory_line
from compiler.source.finding import Finding
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts


def idle_lines(rules: graph.Graph, laws: Laws | None) -> tuple[Finding, ...]:
    """Return the findings about idle lines and rules of a card; `laws` are those of its stack, if already built."""
    if rules.scenario is None:
        return ()
    laws = laws or laws_of(rules)
    stack = laws.stack
    intervals = Intervals(stack, card_invariants=card_invariants_of(laws))
    card_rules = rules_of_card(rules)
    lines = [line for rule in card_rules if (line := victory_line(rule, stack)) is not None]
    rest = [rule for rule in card_rules if all(line.rule is not rule for line in lines)]
    sites = tuple(each for rule in card_rules for each in question_sites_of_rule(rule, stack))
    return (
        *(problem for check in check_of_card.checks() for problem in check(stack)),
        *contrary_aim(stack, lines),
        *_unreached(laws, lines, intervals),
        *_dead_rules(laws, rest, intervals),
        *never_holds(laws, sites, intervals),
    )


def rules_of_card(rules: graph.Graph) -> list[graph.Rule]:
    """List the rules that are written in the card's file."""
    card = rules.scenario
    return [rule for rule in rules.rules.values() if card is not None and rule.origin.file == card.origin.file]


def _unreached(laws: Laws, lines: list[LineConditions], intervals: Intervals) -> Iterator[IdleAim]:
    """Find levels that are never reached, or never without a higher one."""
    writer = ExpressionWriter(laws.stack.vocabulary)
    dead: set[str] = set()
    for line in lines:
        clashing = _clashing(laws, line.rule, line.conditions, intervals)
        if clashing:
            dead.add(line.rule.label)
            yield IdleAim(
                writer.rule_party(line.rule), line.side, line.level.name, tuple(map(writer.text, clashing)), None
            )
    reachable_lines = [line for line in lines if line.rule.label not in dead]
    for line in reachable_lines:
        higher = (other for other in reachable_lines if other.side == line.side and other.level.at > line.level.at)
        implied_line = next((other for other in higher if _implies(laws, line, other, intervals)), None)
        if implied_line is not None:
            party = writer.rule_party(implied_line.rule)
            yield IdleAim(writer.rule_party(line.rule), line.side, line.level.name, (implied_line.level.name,), party)


def _dead_rules(laws: Laws, rules: Iterable[graph.Rule], intervals: Intervals) -> Iterator[DeadRule]:
    """Find special rules that never apply on this card."""
    writer = ExpressionWriter(laws.stack.vocabulary)
    for rule in rules:
        clashing = _clashing(laws, rule, conjuncts(rule.guard), intervals)
        if clashing:
            yield DeadRule(writer.rule_party(rule), tuple(map(writer.text, clashing)))


def _clashing(
    laws: Laws, rule: graph.Rule, conditions: tuple[graph.Expr, ...], intervals: Intervals
) -> tuple[graph.Expr, ...]:
    """Return the conditions that exclude one another on this card; empty if none do, or the budget is spent."""
    translator = _translator(laws, rule, intervals)
    names = with_names(rule, {})
    formulas = {part: _translated(translator, part, names, intervals) for part in conditions}
    facts = _facts(translator, intervals)

    def is_unsatisfiable(*parts: graph.Expr) -> bool:
        return solve(translator.space, *(formulas[part] for part in parts), *facts) is None

    with suppress(OutOfSteps), budget():
        return minimal_conflict(tuple(formulas), is_unsatisfiable) if is_unsatisfiable(*formulas) else ()
    return ()


def _implies(laws: Laws, line: LineConditions, other: LineConditions, intervals: Intervals) -> bool:
    """Return whether the conditions of one line imply those of the other; False if the budget is spent."""
    translator = _translator(laws, line.rule, intervals)
    line_formula, other_formula = (
        conjunction_of(
            *(_translated(translator, part, with_names(each.rule, {}), intervals) for part in each.conditions)
        )
        for each in (line, other)
    )
    with suppress(OutOfSteps), budget():
        return solve(translator.space, line_formula, negation_of(other_formula), *_facts(translator, intervals)) is None
    return False


def _translated(
    translator: Translator, part: graph.Expr, names: Mapping[str, graph.Expr], intervals: Intervals
) -> Formula:
    """Return the formula of a condition; what holds for every member of a fixed set is a count of its members."""
    counted = part if intervals.card_invariants is None else intervals.card_invariants.in_counts(part)
    return translator.translate_expression(normalize(counted, names))


def _translator(laws: Laws, rule: graph.Rule, intervals: Intervals) -> Translator:
    types = {part.name: part.type for name in rule.terms[:1] for part in laws.stack.terms[name].parameters}
    return Translator(laws, types, intervals, deepest=0)


def _facts(translator: Translator, intervals: Intervals) -> tuple[Formula, ...]:
    """Return the facts that hold in all positions of the card."""
    return (*card_constants(translator, intervals), *facts_of(translator))


def card_constants(translator: Translator, intervals: Intervals) -> tuple[Formula, ...]:
    """Return formulas for the card's constant facts that are unknowns of a translator."""
    facts = intervals.card_invariants.facts.items() if intervals.card_invariants is not None else ()
    return tuple(
        translator.translate_comparison("=", track, value)
        for track, value in facts
        if isinstance(value, graph.LiteralExpr) and translator.space.has_unknown(translator.unknowns.text(track))
    )
