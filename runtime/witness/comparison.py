"""Search for all differences between two stacks: in their examples, then in positions where changed rules are live.

The input is two graphs and the changes between them; the output, in its fields, is search results by the term in which
they arise and the responsible labels, the terms that differ in consequence, and the effort for each changed rule.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, product

from runtime.graph import nodes as graph
from runtime.graph.rows import row_label
from runtime.witness import goals
from runtime.witness.alike_graphs import values_of
from runtime.witness.candidate import Candidate, with_piece_names
from runtime.witness.change_report import SearchEffort
from runtime.witness.dependencies import LabelChanges, rests_on_position, term_label
from runtime.witness.example_corpus import Corpus, corpus_of
from runtime.witness.guided_search import GuidedSearch, SearchResult, candidates_for_term
from runtime.witness.paired_evaluation import PairedEvaluation
from runtime.witness.pool import DomainPool, PseudoRandom
from runtime.witness.reversion import CauseAnalysis, rules_put_before
from runtime.witness.translated_position import card_facts, filled_rows, readable_names, with_facts, with_printed_values
from runtime.witness.walk import initial_candidate

# The budgets of positions for a changed rule, and for a question that may show a rule on what is none itself.
BUDGET_OF_RULE, BUDGET_OF_QUESTION = 200, 60
# The budget of positions for all changed rules together, and for one requested question: two games differ in more than
# can be searched one by one.
MOST_POSITIONS, OF_ONE = 20_000, 4_000
CROWDED = 40  # The number of rules on one term for which a position counts once against the budget.
# Arguments that can all be listed are all asked, up to so many combinations.
MOST_LISTED_ARGUMENTS = 2_000
# Those of a question that itself has changed, and rests on nothing but them.
MOST_OF_CHANGED = 20_000
# The number of differing enumerated questions whose causes are computed.
LOOKED_INTO = 40
# After a change of at most so many labels, terms that may query what differs are searched freely, too.
FEW_CHANGES = 20
EXPLORED = 30
# The number of questions that are searched for a rule that is no question's.
MOST_ASKERS = 8
# Filler hexes for boards that do not consist of whole rows.
FILLERS = 120

# Called with the progress of the search: rules searched, and rules to be searched.
ProgressListener = Callable[[int, int], None]


def no_progress(progress: int, total: int) -> None:
    """Ignore the progress of the search."""


class StackComparison:
    """A comparison of two stacks."""

    def __init__(
        self,
        a: graph.Graph,
        b: graph.Graph,
        changes: LabelChanges,
        reach: dict[str, frozenset[str]],
        only: str,
        causes: CauseAnalysis | None = None,
    ) -> None:
        self.positions_left = OF_ONE if only else MOST_POSITIONS
        # Labels whose search was omitted or shortened, because the budget was spent.
        self.cut_labels: set[str] = set()
        self.evaluation = PairedEvaluation(a, b, changes, causes)
        self.changes = changes
        # What the only requested question does not depend on need not be searched.
        relevant_labels = reach.get(only)
        self.reach = {
            name: labels if relevant_labels is None else labels & relevant_labels
            for name, labels in reach.items()
            if self._can_affect(name, reach, only)
        }
        self.only_term = only
        self.shared = frozenset(a.counters.keys() & b.counters.keys())
        self.materials = tuple(DomainPool(stack, PseudoRandom(""), self.shared) for stack in (a, b))
        self.facts = card_facts(a, b)
        self.fillers = self.materials[0].hex_names(FILLERS)
        self.example_corpora: tuple[Corpus, ...] = ()
        self.results: dict[str, dict[tuple[str, ...], list[SearchResult]]] = {}
        self.counts: dict[str, tuple[int, int]] = {}
        self.followers: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        # Terms that may query one that differs, and were equal in all that was tried.
        self.dependents: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        # The effort of each search for a changed rule, cell or default.
        self.effort_by_label: dict[str, SearchEffort] = {}
        # Questions that were evaluated exhaustively, independently of positions, with equal answers.
        self.exhausted: set[str] = set()

    @staticmethod
    def _can_affect(name: str, reach: dict[str, frozenset[str]], only: str) -> bool:
        """Return whether a term can affect the only one that is requested, as far as labels show it."""
        return only in {"", name} or not reach[name].isdisjoint(reach.get(only, ()))

    def run(self, *, follow: bool = True, moved: ProgressListener = no_progress) -> None:
        """Search everywhere; with `follow` also in the questions that query those with different answers."""
        every = self.changes.all_labels()
        if self.only_term:
            every &= frozenset().union(*self.reach.values())
        self.example_corpora = tuple(corpus_of(stack, every) for stack in self.evaluation.graphs) if every else ()
        for name in self.reach:
            for which in (0, 1):
                self._ask_all_arguments(which, name)
        self._evaluate_examples()
        self._search_all(moved)
        self._search_unasked_rules()
        self._merge_groups()
        if follow:
            self._find_consequences()

    def _evaluate_examples(self) -> None:
        """Evaluate the questions of examples, for changed rules on what cannot be a question itself, as a crossing."""
        for which, corpus in enumerate(self.example_corpora):
            terms = self.evaluation.graphs[which].terms
            for (name, label), seeds in corpus.items():
                if name in self.reach and label not in terms[name].rules:
                    for seed in seeds:
                        self._evaluate_example(which, name, label, self.prepare_candidate(which, seed))

    def _evaluate_example(self, which: int, name: str, label: str, candidate: Candidate) -> None:
        compared = self.evaluation.answers_of_pair(name, candidate)
        if compared is None:
            return
        self._count(name, 1, int(compared.are_different))
        root = self.evaluation.find_root(name, candidate) if compared.are_different else None
        if root is not None and label in root.labels:
            self._record(SearchResult(name, candidate, which, compared, root))

    def _record(self, find: SearchResult) -> None:
        """Record a difference under its term and the responsible labels."""
        self.results.setdefault(find.term, {}).setdefault(find.root.labels, []).append(find)

    def _unwitnessed_rules(self) -> Iterator[tuple[str, int, str]]:
        """Return changed rules that have not been found to matter."""
        reported_labels: set[str] = set()
        for groups in self.results.values():
            reported_labels.update(*groups)
        for name, labels in self.reach.items():
            for which, stack in enumerate(self.evaluation.graphs):
                own_labels = (*stack.terms[name].rules, *self._rows(which, name), term_label(name))
                for label in (*own_labels, *rules_put_before(stack, self.evaluation.graphs[1 - which], name)):
                    if label in labels and label not in reported_labels and not self.evaluation.only_follows(label):
                        yield name, which, label

    def _rows(self, which: int, name: str) -> dict[str, tuple[str, graph.TableRow]]:
        """Return the rows of charts that a term itself reads and that both stacks can read, by their labels."""
        stack, other = self.evaluation.graphs[which], self.evaluation.graphs[1 - which]
        rows = {}
        for chart in dict.fromkeys(cell.table for _, cell in goals.chart_reads(stack, stack.terms[name])):
            table, other_table = stack.tables[chart], other.tables.get(chart)
            if other_table is not None and goals.have_same_keys(table.keys, other_table.keys):
                for row in table.rows:
                    rows[row_label(table, row, stack.vocabulary)] = chart, row
        return rows

    def _search_all(self, moved: ProgressListener) -> None:
        """Search each changed rule that has not been found to matter, while the budget lasts."""
        missing = list(self._unwitnessed_rules())
        for number, (name, which, label) in enumerate(missing):
            moved(number, len(missing))
            if self.positions_left > 0:
                self._search_for(which, name, label)
            else:
                self.cut_labels.add(label)

    def _search_for(self, which: int, name: str, label: str) -> None:
        stack = self.evaluation.graphs[which]
        needs = None
        if label == term_label(name):
            needs = goals.conditions_of_no_answer(stack, stack.terms[name])
        elif label not in stack.rules:
            needs = goals.decisive_conditions_of_row(stack, stack.terms[name], *self._rows(which, name)[label])
        search = GuidedSearch(self.evaluation, which, name, label, self.materials, needs)
        seeds = [self.prepare_candidate(which, seed) for seed in self.example_corpora[which].get((name, label), ())]
        for find in search.run(BUDGET_OF_RULE, seeds):
            self._note(find)
        self._count(name, search.question_count, len(search.results))
        self.positions_left -= search.candidate_count * max(1, len(stack.terms[name].rules) // CROWDED)
        known = self.effort_by_label.get(label, SearchEffort())
        alone_count = known.alone + (search.candidate_count - search.question_count if search.is_live_alone else 0)
        self.effort_by_label[label] = SearchEffort(
            known.positions + search.candidate_count, known.applied + search.applied_count, alone_count
        )

    def _search_unasked_rules(self) -> None:
        """Search rules on what cannot be a question itself, such as a crossing, by the questions that query it."""
        for name, which, label in list(self._unwitnessed_rules()):
            if label in self.evaluation.graphs[which].rules and self.effort_by_label.get(label) == SearchEffort():
                askers = [asker for asker, labels in self.reach.items() if label in labels and asker != name]
                self._search_askers(which, label, askers[:MOST_ASKERS])

    def _search_askers(self, which: int, label: str, names: list[str]) -> None:
        """Query terms in positions drawn at random until an answer differs due to a label."""
        for name in names:
            search = GuidedSearch(self.evaluation, which, name, "", self.materials)
            finds = [find for find in search.run(BUDGET_OF_QUESTION) if label in find.root.labels]
            known = self.effort_by_label.get(label, SearchEffort())
            counts = known.positions + search.candidate_count, known.applied + search.question_count, known.alone
            self.effort_by_label[label] = SearchEffort(*counts)
            if finds:
                self._record(finds[0])
                self._count(name, search.question_count, len(finds))
                return

    def _note(self, find: SearchResult) -> None:
        """Record a difference that arises in the term itself, or in a chart that it reads; others are consequences."""
        if find.root.term == find.term or find.root.term not in self.evaluation.graphs[0].terms:
            self._record(find)

    def _count(self, name: str, question_count: int, differ: int) -> None:
        known = self.counts.get(name, (0, 0))
        self.counts[name] = known[0] + differ, known[1] + question_count

    def prepare_candidate(self, which: int, candidate: Candidate) -> Candidate:
        """Convert a position of one stack such that the other, and a file, can represent it."""
        names = readable_names(candidate.position)
        candidate = with_piece_names(candidate, names) if names else candidate
        position = with_printed_values(candidate.position, self.evaluation.graphs[which], self.shared)
        piece_names = {piece.name for piece in position.pieces}
        board = filled_rows(position.board, [name for name in self.fillers if name not in piece_names])
        position = with_facts(replace(position, stack=self.evaluation.graphs[which].stack, board=board), self.facts)
        return replace(candidate, position=position)

    # ------------------------------------------------------------------ what can be listed

    def _ask_all_arguments(self, which: int, name: str) -> None:
        """Evaluate a question exhaustively, if its arguments can be enumerated and are not too many."""
        rests = any(rests_on_position(stack, name) for stack in self.evaluation.graphs)
        most = MOST_LISTED_ARGUMENTS if rests or not self._is_changed(name) else MOST_OF_CHANGED
        rows = self._argument_rows(which, name, most)
        if rows is None or len(rows) > most or (which == 1 and rows == self._argument_rows(0, name, most)):
            return
        term = self.evaluation.graphs[which].terms[name]
        base_candidate = initial_candidate(self.materials[which], term)
        if base_candidate is None:
            return
        question_count = differ = 0
        for row in rows:
            candidate = Candidate(base_candidate.position, row)
            compared = self.evaluation.answers_of_pair(name, candidate)
            question_count += compared is not None
            if compared is None or not compared.are_different:
                continue
            differ += 1
            root = self.evaluation.find_root(name, candidate) if differ <= LOOKED_INTO else None
            if root is not None and root.labels:
                self._note(SearchResult(name, candidate, which, compared, root))
        self._count(name, question_count, differ)
        if not differ and question_count == len(rows) and not rests:
            self.exhausted.add(name)

    def _is_changed(self, name: str) -> bool:
        """Return whether a rule or the default of a term has changed."""
        labels = self.changes.all_labels()
        rows = (stack.terms[name].rules for stack in self.evaluation.graphs)
        return term_label(name) in labels or not all(labels.isdisjoint(rules) for rules in rows)

    def _argument_rows(self, which: int, name: str, most: int) -> list[tuple[graph.Expr, ...]] | None:
        """Return the rows of arguments of a term, at most one above the limit; None where they cannot be enumerated."""
        stack = self.evaluation.graphs[which]
        choices = [values_of(parameter.type, stack) for parameter in stack.terms[name].parameters]
        listed = [choice for choice in choices if choice is not None]
        if not choices or len(listed) < len(choices):
            return None
        return list(islice(product(*listed), most + 1))

    # ------------------------------------------------------------------ afterwards

    def _merge_groups(self) -> None:
        """Attribute a difference of several rules to fewer of them, where these were seen to suffice."""
        for groups in self.results.values():
            for labels in sorted(groups, key=lambda labels: (-len(labels), labels)):
                fewer = [other for other in groups if set(other) < set(labels)]
                if fewer and set(labels) <= {label for other in groups if other != labels for label in other}:
                    groups[min(fewer, key=lambda other: (len(other), other))] += groups.pop(labels)

    def _find_consequences(self) -> None:
        """Find the terms that are answered differently because of each difference."""
        free = len(self.changes.all_labels()) <= FEW_CHANGES
        for term, groups in list(self.results.items()):
            stages = f"{term.partition('.')[0]}."
            for labels, finds in groups.items():
                followers, dependents = [], []
                for name in self.reach:
                    if name == term or not self.reach[name].issuperset(labels):
                        continue
                    follows = self.only_term in {"", name} and self._follows(name, finds, free=free)
                    if name.startswith(stages):
                        continue
                    if follows and not self._is_stage(name):
                        followers.append(name)
                    elif not follows and "." not in name:
                        dependents.append(name)
                self.followers[term, labels] = followers
                self.dependents[term, labels] = dependents
        for (_, labels), names in self.dependents.items():
            names[:] = [name for name in names if not self._differs_by(name, labels)]
        if self.only_term:
            self.results = {name: groups for name, groups in self.results.items() if name == self.only_term}

    def _differs_by(self, name: str, labels: tuple[str, ...]) -> bool:
        """Return whether answers to a question differ because of a label, alone or with others."""
        return not all(set(labels).isdisjoint(other) for other in self.results.get(name, ()))

    def _is_stage(self, name: str) -> bool:
        """Return whether a term is only a stage, which is not a separate question."""
        return "." in name and self.evaluation.graphs[0].terms[name].form != "flag"

    def _follows(self, name: str, finds: list[SearchResult], *, free: bool) -> bool:
        """Evaluate a term where one that it may query was answered differently; return whether it differs, too."""
        seeds: list[Candidate] = []
        for find in finds[:2]:
            stack, materials = self.evaluation.graphs[find.which], self.materials[find.which]
            seeds += candidates_for_term(stack, name, find, materials, self.fillers)
        labels, which = finds[0].root.labels, finds[0].which
        for candidate in seeds:
            compared = self.evaluation.answers_of_pair(name, candidate)
            if compared and compared.are_different and self._record_consequence(name, candidate, which, labels):
                return True
        if not (free or self.only_term) or not seeds:
            return False
        search = GuidedSearch(self.evaluation, which, name, "", self.materials)
        more = search.run(EXPLORED, seeds)
        self._count(name, search.question_count, len(more))
        return any(
            find.root.labels == labels and self._record_consequence(name, find.candidate, which, labels)
            for find in more
        )

    def _record_consequence(self, name: str, candidate: Candidate, which: int, labels: tuple[str, ...]) -> bool:
        """Record a consequence as a separate result only if it is all that was requested."""
        compared, root = self.evaluation.answers_of_pair(name, candidate), self.evaluation.find_root(name, candidate)
        if compared is None or root is None or root.labels != labels:
            return False
        if name == self.only_term:
            self._record(SearchResult(name, candidate, which, compared, root))
            self._count(name, 1, 1)
        return True
