"""The problems of suspects: each is searched for a position, and conflicts with one cause become one finding.

In: suspects, and `confirm`, which searches for a position (the compiler knows no boards; the caller passes the search
of runtime). Out: problems, with the position that shows them, or with the extent of the search.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from compiler.analysis.expression_text import ExpressionWriter, written_out
from compiler.analysis.findings.dead_rule import RuleAlwaysDefeated, merge_by_defeater
from compiler.analysis.findings.term_answers import RuleOutside, RulesOverlap, TermGap
from compiler.analysis.laws import layers_below
from compiler.analysis.normal_form import with_names
from compiler.analysis.parties import Party, named_party
from compiler.analysis.suspects import ProofSummary, Suspect
from compiler.source.finding import Finding
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.type_names import type_name
from runtime.graph.witness_position import WitnessPosition

ConfirmFunction = Callable[[Suspect], WitnessPosition | None]


@frozen_dataclass
class ProofResult:
    """The problems, and the questions and procedures that case analysis left undecided without a solver.

    `searched`: the number of suspects for which positions were searched; such a search may start from those of
    examples.
    """

    problems: tuple[Finding, ...]
    open: tuple[str, ...]
    searched: int


def proof_result(stack: graph.Graph, summary: ProofSummary, confirm: ConfirmFunction, bound: str) -> ProofResult:
    """Search positions for the suspects, and merge overlaps that are one finding.

    `bound` is the text for the extent of the search by `confirm`.
    """
    found = (problem_of(stack, suspect, confirm(suspect), bound) for suspect in summary.suspects)
    problems = grouped_overlaps(stack, [problem for problem in found if problem])
    clashes = [{each.left.label, each.right.label} for each in problems if isinstance(each, RulesOverlap)]
    return ProofResult(
        (*_without_conflicting_defeats(summary.problems, clashes), *problems), summary.undecided, len(summary.suspects)
    )


def _without_conflicting_defeats(known: tuple[Finding, ...], clashes: list[set[str]]) -> Iterator[Finding]:
    """Drop findings of always defeated rules where two of the defeaters conflict: one of them has to change."""
    yield from (each for each in known if not isinstance(each, RuleAlwaysDefeated))
    defeated = (each for each in known if isinstance(each, RuleAlwaysDefeated))
    yield from merge_by_defeater(
        e for e in defeated if not any(pair <= {defeater.label for defeater in e.defeaters} for pair in clashes)
    )


def problem_of(stack: graph.Graph, suspect: Suspect, witness: WitnessPosition | None, bound: str) -> Finding | None:
    """Return the problem of a suspect: proved by a witness, or open within the bound.

    None if it needs a witness and has none. A number outside its domain must be proved by a witness: play detects it
    where it is read or set.
    """
    parties = tuple(ExpressionWriter(stack.vocabulary).rule_party(stack.rules[label]) for label in suspect.labels)
    match suspect.kind:
        case "overlap":
            return _overlap(stack, suspect, parties, witness, bound)
        case "outside":
            return _outside_domain(stack, suspect, parties[0], witness) if witness else None
        case "out of range":
            assert suspect.out_of_range is not None
            if witness is None and not suspect.out_of_range.witness_optional:
                return None
            return replace(suspect.out_of_range.finding, when=suspect.when, witness=witness, always=False)
        case "gap":
            first = "" if witness is None else witness.nearest
            parties = tuple(sorted(parties, key=lambda party: party.label != first))
            return TermGap(named_party(stack.terms[suspect.term]), parties, suspect.when, witness, bound)


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


def grouped_overlaps(stack: graph.Graph, problems: Sequence[Finding]) -> list[Finding]:
    """Merge all conflicts of one rule on one term into one finding: a change of that rule resolves them."""
    clashes = [problem for problem in problems if isinstance(problem, RulesOverlap)]
    top = stack.layers[-1].name if stack.scenario is None else stack.scenario.name
    top_clashes = [each for each in clashes if {each.left.origin.layer, each.right.origin.layer} == {top}]
    if top_clashes and len(top_clashes) < len(clashes):
        # Two rules of the uppermost layer come first and separately: their conflicts with other layers are another
        # matter.
        rest = [each for each in problems if each not in top_clashes]
        return [*grouped_overlaps(stack, top_clashes), *grouped_overlaps(stack, rest)]
    found: list[Finding] = [problem for problem in problems if not isinstance(problem, RulesOverlap)]
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
