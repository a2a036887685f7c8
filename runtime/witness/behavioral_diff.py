"""Report where two stacks answer differently, rule by rule: the term in which it arises, and a small position for each.

The input is two graphs; the output is for each term in which something has changed the differences grouped by the
responsible rules, the terms that differ in consequence, and the number of positions in which they were found. The
positions are those of the stacks' own examples, and others found by search so that each changed rule is live in some;
the counts express how broad a change is, not how often it would matter in play.
"""

from collections.abc import Callable
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.state.visibility import secret_types
from runtime.witness.alike_graphs import with_flags_of, with_names_of, with_rows_split_alike
from runtime.witness.behavior_difference import (
    NO_BEHAVIOR_DIFFERENCE,
    BehaviorDifference,
    behavior_difference,
    plays_by_change,
    procedure_label,
)
from runtime.witness.candidate import Candidate, with_short_names
from runtime.witness.change_report import (
    BESIDE_OTHERS_NOTE,
    UNKNOWN_EFFECT,
    WITNESS_FOUND,
    ChangeReport,
    ChangeWitness,
    Evidence,
    change_reports,
    renaming_report,
)
from runtime.witness.comparison import ProgressListener, StackComparison, no_progress
from runtime.witness.dependencies import (
    LabelChanges,
    collect_label_changes,
    extended_enumerations,
    ineffective_rules,
    labels_of_terms,
    labels_read,
    readers_of,
)
from runtime.witness.example_corpus import AskedQuestions
from runtime.witness.guided_search import SearchResult
from runtime.witness.paired_evaluation import PairedAnswers
from runtime.witness.position_file import ask_text, position_file
from runtime.witness.printed_differences import (
    ChartDifference,
    CounterDifference,
    chart_differences,
    counter_differences,
)
from runtime.witness.reversion import MOST_SEARCHED_CHANGES, REVERSIBLE, CauseAnalysis, revert_changes
from runtime.witness.shrinking import as_on_a_table, shrink
from runtime.witness.structural_difference import NodeChange, structural_difference
from runtime.witness.translated_position import missing_words

# The number of changes without a visible difference that are reverted alone.
MOST_TAKEN_BACK = 4
ANY_ANSWER = "any answer"  # The result of a reader that reads nothing back.
# The number of positions that are tried for a group, if a file cannot represent the first.
MOST_FINDS = 5


@frozen_dataclass
class DiffCase:
    """One question that two stacks answer differently: the position file, and both answers as text.

    `missing_words` are names in it that only one of the stacks declares: it was evaluated there without them.
    `position` is the content of the file, in the words of the stack `stack`; `arguments` are those of the question.
    """

    question: str
    file: str
    a: str
    b: str
    missing_words: tuple[str, ...] = ()
    position: graph.Position | None = None
    stack: str = ""
    arguments: tuple[graph.Expr, ...] = ()


@frozen_dataclass
class DiffGroup:
    """Differences with the same responsible rules; `witness` is a smallest one.

    `follows` are other terms that are answered differently because of this, `dependents` those that may query it and
    were equal in all that was tried: whether they differ elsewhere is unknown.
    """

    summary: str
    rules: tuple[str, ...]
    differs: int
    witness: DiffCase
    follows: tuple[str, ...]
    dependents: tuple[str, ...]


@frozen_dataclass
class TermDifference:
    """The differences of a term in `differs` of `positions`. `only` is "a" or "b" if one stack has no such term."""

    term: str
    differs: int
    positions: int
    groups: tuple[DiffGroup, ...]
    only: str


@frozen_dataclass
class DifferingTerms:
    """The terms in which a difference arises, or that one stack alone has.

    `changes` gives an account of each change, whatever was changed. `shared_examples` is the number of examples of
    stacks inside both that were played as well. Rules and charts that are only called otherwise stand here under the
    names that the second stack has for them.
    """

    terms: tuple[TermDifference, ...]
    counters: tuple[CounterDifference, ...] = ()
    charts: tuple[ChartDifference, ...] = ()
    behavior: BehaviorDifference = NO_BEHAVIOR_DIFFERENCE
    changes: tuple[ChangeReport, ...] = ()
    shared_examples: int = 0


# Reads a position file in one of the stacks, and evaluates a question in it; None if that is impossible.
Read = Callable[[int, str, str], str | None]


def behavioral_diff(
    a: graph.Graph, b: graph.Graph, only: str = "", read: Read | None = None, moved: ProgressListener = no_progress,
    example_runs: AskedQuestions | None = None,
) -> DifferingTerms:  # fmt: skip
    """Compare two stacks; `only` limits the report to one term, whatever its differences are consequences of.

    With `read`, each position is read back from its file before it is reported, and has to yield the same answers.
    `moved` is called with the number of changed rules that have been searched, and their total.
    `example_runs` saves time where the first stack is compared with several others.
    """
    a, renamings = with_names_of(a, b)
    difference = _compare(a, b, only, read, moved, example_runs)
    renamed = () if only else (renaming_report(renaming.kind, renaming.old, renaming.new) for renaming in renamings)
    return replace(difference, changes=(*renamed, *difference.changes))


def _compare(
    a: graph.Graph, b: graph.Graph, only: str, read: Read | None, moved: ProgressListener,
    example_runs: AskedQuestions | None,
) -> DifferingTerms:  # fmt: skip
    """Compare two stacks that call by one name what is the same."""
    a, b = with_rows_split_alike(with_flags_of(a, b), with_flags_of(b, a))
    structure = structural_difference(a, b)
    changes = collect_label_changes(structure)
    causes = CauseAnalysis(a, b, structure)
    comparison = StackComparison(a, b, changes, labels_of_terms(a, b, changes), only, causes)
    comparison.run(moved=moved)
    written = _FindingWriter(comparison, changes, read)
    terms = [written.build_difference(name) for name in comparison.results]
    missing = [(name, "a") for name in a.terms if name not in b.terms]
    missing += [(name, "b") for name in b.terms if name not in a.terms]
    listed = (TermDifference(name, 0, 0, (), side) for name, side in missing if only in {"", name})
    found = (*(term for term in terms if term.groups), *listed)
    if only:
        concerned = comparison.reach.get(only, frozenset())
        structure = tuple(change for change in structure if not concerned.isdisjoint(change.labels))
    played = NO_BEHAVIOR_DIFFERENCE
    if not only:
        prepared, quick = comparison.prepare_candidate, comparison.evaluation.interpreters
        played = behavior_difference((a, b), quick, changes, prepared, causes.following, example_runs)
    evidence = _evidence(comparison, found, played, changes)
    known = replace(
        evidence,
        unwritable=frozenset(written.unwritable),
        cut=frozenset(comparison.cut_labels),
        ineffective_rules=ineffective_rules(a, b),
        following=causes.following,
        secret=frozenset(secret_types(b)),
    )
    account = change_reports(structure, known)
    if only:
        return DifferingTerms(found, changes=account)
    account = _interaction_changes(a, b, account, read)
    counters, charts = tuple(counter_differences(a, b)), tuple(chart_differences(a, b))
    return DifferingTerms(found, counters, charts, played, account)


def _evidence(
    comparison: StackComparison, terms: tuple[TermDifference, ...], played: BehaviorDifference, changes: LabelChanges
) -> Evidence:
    """Collect the evidence for each changed label."""
    (a, b), every = comparison.evaluation.graphs, changes.all_labels()
    witnesses: dict[str, ChangeWitness] = {}
    for term in terms:
        for group in term.groups:
            case = group.witness
            for label in group.rules:
                witnesses.setdefault(label, ChangeWitness(case.question, case.a, case.b, case.file))
    for label, play in plays_by_change(played):
        witness = ChangeWitness(play.act, play.a, play.b, play.file, play.question)
        witnesses.setdefault(label, witness)
    common_terms = a.terms.keys() & b.terms.keys()
    rules = (*a.rules.values(), *b.rules.values())
    return Evidence(
        witnesses,
        comparison.effort_by_label,
        frozenset().union(*comparison.reach.values()),
        labels_read(a) | labels_read(b),
        frozenset(label for label in every if _is_listed(label, comparison)),
        comparison.evaluation.missing_facts,
        played.plays,
        one_sided_rules=frozenset(rule.label for rule in rules if common_terms.isdisjoint(rule.terms)),
        runs=_runs_by_label(played),
        extended_enumerations=extended_enumerations(a, b) if every else frozenset(),
    )


def _runs_by_label(played: BehaviorDifference) -> dict[str, tuple[int, int]]:
    """Return the runs of each procedure; hooks on one event have one label, and which of them ran is unknown."""
    runs = {}
    labels = [procedure_label(procedure.kind, procedure.name) for procedure in played.procedures]
    for label, procedure in zip(labels, played.procedures, strict=True):
        if labels.count(label) == 1:
            runs[label] = procedure.runs, procedure.tried
    return runs


def _interaction_changes(
    a: graph.Graph, b: graph.Graph, reports: tuple[ChangeReport, ...], read: Read | None
) -> tuple[ChangeReport, ...]:
    """Revert single changes that show no difference from the first stack, as another change may mask their effect."""
    change_count = sum(report.change.operation != "printed" for report in reports)
    if not 1 < change_count <= MOST_SEARCHED_CHANGES:
        return reports
    unknown = [report for report in reports if report.status == UNKNOWN_EFFECT and report.change.kind in REVERSIBLE]
    witnesses = {report.label: _without_change(a, b, report.change, read) for report in unknown[:MOST_TAKEN_BACK]}
    return tuple(
        replace(report, status=WITNESS_FOUND, reason=BESIDE_OTHERS_NOTE, witness=witness)
        if (witness := witnesses.get(report.label))
        else report
        for report in reports
    )


def _without_change(a: graph.Graph, b: graph.Graph, change: NodeChange, read: Read | None) -> ChangeWitness | None:
    """Compare the second stack without a change to itself; `a` of the result is the answer without it."""
    reverted_graph = revert_changes(a, b, (change,))
    if reverted_graph is None:
        return None
    changes = collect_label_changes((change,))
    first, second = with_flags_of(reverted_graph, b), with_flags_of(b, reverted_graph)
    comparison = StackComparison(first, second, changes, labels_of_terms(first, second, changes), "")
    comparison.run(follow=False)
    second_reader = None if read is None else _second_stack_reader(read)
    written = _FindingWriter(comparison, changes, second_reader)
    groups = (group for name in comparison.results for group in written.build_difference(name).groups)
    case = next((group.witness for group in groups), None)
    return None if case is None else ChangeWitness(case.question, case.a, case.b, case.file)


def _second_stack_reader(read: Read) -> Read:
    """Return a reader of positions in the second stack only: the stack without the change has no files."""
    return lambda which, file, question: read(1, file, question) if which == 1 else ANY_ANSWER


def _is_listed(label: str, comparison: StackComparison) -> bool:
    """Return whether all questions that depend on a label were asked exhaustively, independently of positions."""
    if not comparison.exhausted:
        return False
    readers = frozenset().union(*(readers_of(each, label) for each in comparison.evaluation.graphs))
    return bool(readers) and readers <= comparison.exhausted


class _FindingWriter:
    """A builder of reports of what was found."""

    def __init__(self, comparison: StackComparison, changes: LabelChanges, read: Read | None) -> None:
        self.comparison = comparison
        self.read = read
        # Labels of differences that no position file can show.
        self.unwritable: set[str] = set()
        self.evaluation = comparison.evaluation
        self.a, self.b = self.evaluation.graphs
        self.changes = changes

    def build_difference(self, name: str) -> TermDifference:
        """Build the report of a term."""
        groups = []
        for labels, finds in self.comparison.results[name].items():
            group = self._group(labels, finds)
            if group is not None:
                groups.append(group)
        groups.sort(key=lambda group: (-group.differs, group.rules))
        return TermDifference(name, *self.comparison.counts[name], tuple(groups), "")

    def _group(self, labels: tuple[str, ...], finds: list[SearchResult]) -> DiffGroup | None:
        """Build a group: the responsible rules, what changes, and the smallest case that a file can represent."""
        find = finds[0]
        witness = next(filter(None, map(self._smallest_case, finds[:MOST_FINDS])), None)
        if witness is None:
            self.unwritable.update(labels)
            return None
        summary = self._summary(labels, witness)
        follows = self.comparison.followers.get((find.term, labels), ())
        resting = self.comparison.dependents.get((find.term, labels), ())
        return DiffGroup(summary, labels, len(finds), witness, tuple(follows), tuple(resting))

    def _smallest_case(self, find: SearchResult) -> DiffCase | None:
        return self._case(find, self._smallest(find)) or self._case(find, find.candidate)

    def _case(self, find: SearchResult, candidate: Candidate) -> DiffCase | None:
        """Build a case; None if the file does not yield the same answers when it is read back."""
        stack, other = self.evaluation.graphs[find.which], self.evaluation.graphs[1 - find.which]
        candidate = with_short_names(candidate, stack)
        compared = self.evaluation.answers_of_pair(find.term, candidate) or find.compared
        term = stack.terms[find.term]
        file = position_file(candidate.position, stack.vocabulary)
        question = ask_text(term, candidate.arguments)
        words = missing_words(candidate.position, other)
        read = self.read
        if term.form != "flag" and "." in find.term:
            # A stage is not a separate question: users ask for the whole value.
            whole, _, stage = find.term.partition(".")
            whole_answers = self.evaluation.answers_of_pair(whole, candidate)
            if whole_answers is None or not whole_answers.are_different:
                question, read = f"{question}, at the stage {stage}", None
            else:
                compared = whole_answers
        texts = compared.first.text, compared.second.text
        # A file with words that the other stack lacks is read in its own one alone.
        for which in ((find.which,) if words else (0, 1)) if read else ():
            if read and read(which, file, question) not in {texts[which], ANY_ANSWER}:
                return None
        return DiffCase(question, file, *texts, words, candidate.position, stack.stack, candidate.arguments)

    def _smallest(self, find: SearchResult) -> Candidate:
        """Shrink a case; the labels in the term itself are preserved while it shrinks, and in the end the root."""
        first = self.evaluation.answers_of_pair(find.term, find.candidate)
        wanted = None if first is None else self._signature(find.term, first)

        def holds(candidate: Candidate) -> bool:
            compared = self.evaluation.answers_of_pair(find.term, candidate)
            return compared is not None and compared.are_different and self._signature(find.term, compared) == wanted

        def has_same_root(candidate: Candidate) -> bool:
            return self.evaluation.find_root(find.term, candidate) == find.root

        small = shrink(find.candidate, holds, self.evaluation.graphs[find.which].vocabulary.records)
        materials, shared = self.comparison.materials[find.which], self.comparison.shared
        on_a_table = as_on_a_table(small, holds, materials, shared)
        if has_same_root(on_a_table):
            return on_a_table
        # A root is expensive to find: piece by piece it is compared for the nearest counter alone.
        start = small if has_same_root(small) else find.candidate
        return as_on_a_table(start, lambda tried: holds(tried) and has_same_root(tried), materials, shared, 1)

    def _signature(self, term: str, compared: PairedAnswers) -> tuple[tuple[bool, bool], set[str]]:
        """Return which stacks have an answer, and the changes responsible for a difference of the two."""
        live = compared.first.live, compared.second.live
        return compared.have_answers, self.evaluation.own_changes(term, *live)

    def _summary(self, labels: tuple[str, ...], witness: DiffCase) -> str:
        """Return a sentence with what changes and, in the rules' own words, why."""
        reasons = [self._reason(label) for label in labels]
        explanation = "; ".join([*(reason.removesuffix(".") for reason in reasons[:-1]), *reasons[-1:]])
        return f"{witness.b} instead of {witness.a} ({explanation})"

    def _reason(self, label: str) -> str:
        rule = self.b.rules.get(label) or self.a.rules.get(label)
        text = f"{label}: {rule.prose}" if rule is not None and rule.prose else label
        return f"without {text}" if label in self.changes.only_a else text
