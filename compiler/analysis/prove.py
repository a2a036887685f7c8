"""The proofs of one stack: all checks, and a position search for findings that proofs cannot decide.

In: a rule graph and `confirm`, which searches for a position (the compiler knows no boards; the caller passes the
search of runtime). Out: problems, in the order of terms and rules.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from compiler.analysis.budgets import OutOfSteps, budget, budget_of_stack
from compiler.analysis.checks import OF_EXAMPLES, OF_STACK, OF_TERM
from compiler.analysis.checks.dead_rule import merge_by_defeater
from compiler.analysis.checks.unguarded_step import unguarded_step
from compiler.analysis.dead_steps import dead_steps
from compiler.analysis.expression_text import ExpressionWriter, type_name, written_out
from compiler.analysis.formula import Formula
from compiler.analysis.idle_code import TooMuchToProve
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws, laws_of, layers_below
from compiler.analysis.normal_form import with_names
from compiler.analysis.parties import Party, named_party
from compiler.analysis.problems import (
    AnswerMissing,
    DuplicateRule,
    IdleOverride,
    Problem,
    RuleAlwaysDefeated,
    RuleOutside,
    RulesOverlap,
    TableGap,
)
from compiler.analysis.proof_context import ProofContext, ProofStrategy, open_proof_context
from compiler.analysis.range_checks import range_violations, term_argument_violations
from compiler.analysis.ranged_writes import procedure_summaries
from compiler.analysis.redundant_conditions import redundant_conditions
from compiler.analysis.solve import Assignment, TooManyCases
from compiler.analysis.space import Space
from compiler.analysis.suspects import NOTHING, ProofSummary, Suspect, suspects_of
from compiler.analysis.verdicts import memoizing_strategy
from compiler.query.database import Database
from compiler.query.traces import TraceStore
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.walk import walk
from runtime.graph.witness_position import WitnessPosition

Confirm = Callable[[Suspect], WitnessPosition | None]


@dataclass(frozen=True, slots=True)
class ProofResult:
    """The problems, and the questions and procedures that case analysis left undecided without a solver.

    `searched`: the number of suspects for which positions were searched; such a search may start from those of
    examples.
    """

    problems: tuple[Problem, ...]
    open: tuple[str, ...]
    searched: int


def problems_of_examples(stack: graph.Graph) -> tuple[Problem, ...]:
    """Return the problems that depend on the examples of a stack: after an edit of one, no other can be new."""
    return tuple(problem for check in OF_EXAMPLES for problem in check(stack))


def find_suspects(
    stack: graph.Graph,
    arithmetic: ProofStrategy | None = None,
    database: Database | None = None,
    store: TraceStore | None = None,
    checked: Callable[[], Sequence[tuple[Problem, ...]]] | None = None,
) -> ProofSummary:
    """Return the certain problems of a stack, and the suspects that only a position can confirm.

    `arithmetic` is the solver, if any. Memos of a `database`, and the stored traces of earlier processes, are reused
    where they are valid; new proofs are added to both.

    `checked` returns the results of the checks of the whole stack, where another process runs some of them
    concurrently.
    """
    with budget_of_stack() as pool:
        found = _prove_all_places(stack, arithmetic, database, store)
    of_checks = checked() if checked is not None else [check() for check in stack_checks(stack)]
    of_stack = tuple(problem for each in of_checks for problem in each)
    tables_with_gaps = {problem.table.label for problem in of_stack if isinstance(problem, TableGap)}
    suspects = tuple(each for each in found.suspects if not _is_from_gap(stack, each, tables_with_gaps))
    found = replace(found, known=(*of_stack, *found.known), suspects=suspects)
    return replace(found, known=tuple(_one_of_all(found.known, pool.steps)))


def stack_checks(stack: graph.Graph) -> list[Callable[[], tuple[Problem, ...]]]:
    """Return the checks of a whole stack, which need no proof, each as a function without arguments."""

    def run_check(check: Callable[[graph.Graph], Iterator[Problem]]) -> tuple[Problem, ...]:
        return tuple(check(stack))

    return [partial(run_check, check) for check in OF_STACK]


def _one_of_all(known: Iterable[Problem], steps: int) -> Iterator[Problem]:
    """Merge the findings of all places for which the stack had no steps left into one, at the first of them."""
    problems = tuple(known)
    left = [each for each in problems if isinstance(each, TooMuchToProve) and not each.steps]
    for each in problems:
        if left and each is left[0]:
            yield replace(left[0], subject="stack", size=len(left), steps=steps)
        elif not (isinstance(each, TooMuchToProve) and not each.steps):
            yield each


def _prove_all_places(
    stack: graph.Graph, arithmetic: ProofStrategy | None, database: Database | None, store: TraceStore | None
) -> ProofSummary:
    known: list[Problem] = []
    suspects: list[Suspect] = []
    left: list[str] = []
    laws = laws_of(stack, database, store)
    arithmetic = arithmetic and memoizing_strategy(arithmetic, store)
    reading = procedure_summaries(laws)
    intervals = Intervals(laws.stack, recording=laws.recording)
    for term in stack.terms.values():
        make = partial(_prove_term, laws, term, intervals, arithmetic)
        answers = (NOTHING, ProofSummary((), (), (term.name,)))
        found = laws.recording.prove("proof", term, make, answers, bool(arithmetic))
        known += found.known
        suspects += found.suspects
        left += found.open
    known += _unguarded(laws)
    known += dead_steps(laws, reading, intervals)
    known += redundant_conditions(laws, reading, intervals)
    for escaped in range_violations(laws, reading, arithmetic, intervals, laws.fractions()):
        known += escaped.known
        suspects += escaped.suspects
        left += escaped.open
    return ProofSummary(tuple(known), tuple(suspects), tuple(dict.fromkeys(left)))


def _unguarded(laws: Laws) -> tuple[Problem, ...]:
    """Find unguarded steps.

    This depends on all procedures and few rules, so most edits of a rule leave its memo valid.
    """
    governing = laws.recording.database.tuple_of(laws.stack.preconditions)
    nothing: tuple[tuple[Problem, ...]] = ((),)
    return laws.recording.prove("unguarded", governing, lambda: tuple(unguarded_step(laws)), nothing)


def _prove_term(laws: Laws, term: graph.Term, intervals: Intervals, arithmetic: ProofStrategy | None) -> ProofSummary:
    """Examine one term, within its budget: by cases, or by arithmetic where cases cannot decide."""
    known: list[Problem] = []
    suspects: list[Suspect] = []
    left, term_budget = False, budget()
    try:
        with term_budget:
            left = _prove_by_strategies(laws, term, intervals, arithmetic, known, suspects)
    except OutOfSteps:
        party = named_party(term)
        known.append(TooMuchToProve(party, None, "rules", len(term.rules), term_budget.steps))
    argument_violations = term_argument_violations(laws, term, arithmetic, intervals)
    unsettled = (term.name,) if left or argument_violations.open else ()
    return ProofSummary((*known, *argument_violations.known), (*suspects, *argument_violations.suspects), unsettled)


def _prove_by_strategies(
    laws: Laws, term: graph.Term, intervals: Intervals, arithmetic: ProofStrategy | None, known: list[Problem],
    suspects: list[Suspect],
) -> bool:  # fmt: skip
    """Examine a term by cases, or by arithmetic where cases cannot decide; return whether arithmetic could decide more.

    Certain problems are added to `known`, suspects to `suspects`.
    """
    proof_context = open_proof_context(laws, term, intervals)
    if not proof_context.translator.is_approximate or arithmetic is None:
        examine_term(proof_context, known, suspects)
        return proof_context.translator.is_approximate
    given_up: list[TooManyCases] = []
    examine_term(open_proof_context(laws, term, intervals, recording_strategy(arithmetic, given_up)), known, suspects)
    if given_up:  # Cases may have decided what arithmetic could not.
        suspects_by_arithmetic = tuple(suspects)
        known.clear()
        suspects.clear()
        examine_term(proof_context, known, suspects)
        suspects[:] = [each for each in suspects if _same(each, suspects_by_arithmetic)]
    return False


def _is_from_gap(stack: graph.Graph, suspect: Suspect, tables_with_gaps: set[str]) -> bool:
    """Return whether a missing answer may be due to a gap in a chart, which is a separate finding."""
    read = (part.table for label in suspect.labels for part in walk(stack.rules[label]) if isinstance(part, graph.Cell))
    return suspect.kind == "gap" and not tables_with_gaps.isdisjoint(read)


def examine_term(proof_context: ProofContext, known: list[Problem], suspects: list[Suspect]) -> None:
    """Add the certain problems of a term, and its suspects."""
    for check in OF_TERM:
        known.extend(check(proof_context))  # One check at a time: the budget may end in between.
    equal_rules = {
        label for each in known if isinstance(each, DuplicateRule) for label in (each.rule.label, each.first.label)
    }
    if equal_rules:  # That two rules are equal implies that neither of them, as an exception, changes an answer.
        known[:] = [each for each in known if not (isinstance(each, IdleOverride) and each.rule.label in equal_rules)]
    suspects.extend(suspects_of(proof_context))


def recording_strategy(strategy: ProofStrategy, given_up: list[TooManyCases]) -> ProofStrategy:
    """Return a strategy that records in `given_up` the results of queries that the solver could not decide."""

    def solve(space: Space, *formulas: Formula, example: bool = True) -> Assignment | TooManyCases | None:
        answer = strategy.solve(space, *formulas, example=example)
        given_up.extend([answer] if isinstance(answer, TooManyCases) else [])
        return answer

    return ProofStrategy(strategy.translator, solve)


def _same(suspect: Suspect, others: Iterable[Suspect]) -> bool:
    return any((other.kind, other.labels) == (suspect.kind, suspect.labels) for other in others)


# ---------------------------------------------------------------- from suspects to problems


def proof_result(stack: graph.Graph, examined: ProofSummary, confirm: Confirm, bound: str) -> ProofResult:
    """Search positions for the suspects, and merge overlaps that are one finding.

    `bound` is the text for the extent of the search by `confirm`.
    """
    found = (problem_of(stack, suspect, confirm(suspect), bound) for suspect in examined.suspects)
    problems = grouped_overlaps(stack, [problem for problem in found if problem])
    clashes = [{each.left.label, each.right.label} for each in problems if isinstance(each, RulesOverlap)]
    return ProofResult(
        (*_without_conflicting_defeats(examined.known, clashes), *problems), examined.open, len(examined.suspects)
    )


def _without_conflicting_defeats(known: tuple[Problem, ...], clashes: list[set[str]]) -> Iterator[Problem]:
    """Drop findings of always defeated rules where two of the defeaters conflict: one of them has to change."""
    yield from (each for each in known if not isinstance(each, RuleAlwaysDefeated))
    defeated = (each for each in known if isinstance(each, RuleAlwaysDefeated))
    yield from merge_by_defeater(
        e for e in defeated if not any(pair <= {defeater.label for defeater in e.defeaters} for pair in clashes)
    )


def problem_of(stack: graph.Graph, suspect: Suspect, witness: WitnessPosition | None, bound: str) -> Problem | None:
    """Return the problem of a suspect: proved by a witness, or open within the bound.

    None if it needs a witness and has none. A number outside its domain must be proved by a witness: play detects it
    where it is read or set.
    """
    if suspect.escape is not None:
        if witness is None and not suspect.escape.witness_optional:
            return None
        return replace(suspect.escape.escape, when=suspect.when, witness=witness, always=False)
    parties = tuple(ExpressionWriter(stack.vocabulary).rule_party(stack.rules[label]) for label in suspect.labels)
    match suspect.kind:
        case "overlap":
            return _overlap(stack, suspect, parties, witness, bound)
        case "outside":
            return _outside_domain(stack, suspect, parties[0], witness) if witness else None
        case _:
            first = "" if witness is None else witness.nearest
            parties = tuple(sorted(parties, key=lambda party: party.label != first))
            return AnswerMissing(named_party(stack.terms[suspect.term]), parties, suspect.when, witness, bound)


def _overlap(
    stack: graph.Graph, suspect: Suspect, parties: tuple[Party, ...], witness: WitnessPosition | None, bound: str
) -> RulesOverlap:
    """Return the problem of two rules with different conclusions."""
    left, right = parties
    return RulesOverlap(
        suspect.term,
        left,
        right,
        suspect.when,
        witness,
        bound,
        _upper(stack, parties),
        unexamined_count=suspect.unexamined_count,
        independent_labels=suspect.independent_labels,
        guards=tuple(_guards(stack, suspect.labels)),
        exposed_rules=suspect.exposed_rules,
    )


def _outside_domain(stack: graph.Graph, suspect: Suspect, party: Party, witness: WitnessPosition) -> RuleOutside:
    """Return the problem of a rule whose conclusion is outside the domain of its term."""
    term = stack.terms[suspect.term]
    cells = tuple(_outside_cells(stack, stack.rules[suspect.labels[0]].value, term.type))
    return RuleOutside(named_party(term), party, type_name(term.type), suspect.when, witness, cells)


def _outside_cells(stack: graph.Graph, answer: graph.Expr | None, value_type: graph.Type) -> Iterator[Party]:
    """List the cells with values outside the range of a type, where a rule looks its answer up in a chart."""
    if not isinstance(answer, graph.Cell) or not isinstance(value_type, graph.Number):
        return
    table = stack.tables[answer.table]
    for row in table.rows:
        if row.kind == answer.kind and isinstance(row.value, graph.Num):
            below = value_type.low is not None and row.value.value < value_type.low
            if below or (value_type.high is not None and row.value.value > value_type.high):
                yield ExpressionWriter(stack.vocabulary).row_party(table, row)


def _guards(stack: graph.Graph, labels: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Format the guards of rules as they could be written in a rule on the same question."""
    for label in labels:
        rule = stack.rules[label]
        if rule.guard is not None:
            yield label, written_out(rule.guard, with_names(rule, {}), stack.vocabulary)


def _upper(stack: graph.Graph, parties: tuple[Party, ...]) -> tuple[str, ...]:
    """Return the labels of the rules whose layers are, or import, the layers of all the others.

    A card is above all layers.
    """
    special = [p.label for p in parties if stack.scenario and p.origin.file == stack.scenario.origin.file]
    if special:
        return tuple(special)
    below = layers_below(stack)
    layers = {party.origin.layer for party in parties}
    return tuple(p.label for p in parties if layers <= below.get(p.origin.layer, set()) | {p.origin.layer})


def grouped_overlaps(stack: graph.Graph, problems: Sequence[Problem]) -> list[Problem]:
    """Merge all conflicts of one rule on one term into one finding: a change of that rule resolves them."""
    clashes = [problem for problem in problems if isinstance(problem, RulesOverlap)]
    top = stack.layers[-1].name if stack.scenario is None else stack.scenario.name
    top_clashes = [each for each in clashes if {each.left.origin.layer, each.right.origin.layer} == {top}]
    if top_clashes and len(top_clashes) < len(clashes):
        # Two rules of the uppermost layer come first and separately: their conflicts with other layers are another
        # matter.
        rest = [each for each in problems if each not in top_clashes]
        return [*grouped_overlaps(stack, top_clashes), *grouped_overlaps(stack, rest)]
    found: list[Problem] = [problem for problem in problems if not isinstance(problem, RulesOverlap)]
    while clashes:
        parties = Counter((clash.term, party.label) for clash in clashes for party in (clash.left, clash.right))
        (term, label), count = parties.most_common(1)[0]
        rule_clashes = [
            clash for clash in clashes if clash.term == term and label in (clash.left.label, clash.right.label)
        ]
        found.append(rule_clashes[0] if count == 1 else _merged_overlap(stack, rule_clashes, label))
        clashes = [clash for clash in clashes if clash not in rule_clashes]
    return found


def _merged_overlap(stack: graph.Graph, clashes: list[RulesOverlap], label: str) -> RulesOverlap:
    """Return a rule's conflict that has a witness, else its first, with the parties of the rest in `others`."""
    representative = next((clash for clash in clashes if clash.witness), clashes[0])
    sides = [(c.left, c.right) if c.left.label == label else (c.right, c.left) for c in (representative, *clashes)]
    others = tuple(other for _, other in sides[1:] if other != sides[0][1])
    left, right = sides[0]
    upper, left_out = _upper(stack, (left, right, *others)), max(clash.unexamined_count for clash in clashes)
    return replace(representative, left=left, right=right, others=others, upper=upper, unexamined_count=left_out)
