"""Locate the fault that makes examples fail.

The input is a graph and the runs of its examples; the output is causes, each with the failing cases that it explains. A
cause has one of two kinds of evidence. Repair: with one place altered, these cases pass and no passing one fails
(mutation-based fault localization: Papadakis and Le Traon, Metallaxis-FL, 2015). Suspicion: failing lines reach a rule,
a row of a chart or a procedure that passing lines seldom reach (spectrum-based: Abreu and others, On the Accuracy of
Spectrum-based Fault Localization, 2007; the measure is that of Ochiai); a procedure is more suspicious if it writes
what the failing line reads.

Each repair was verified by running it. Examples on a card run on its graph, and are handled there. The effort is
bounded for each case and in total, and the likeliest places come first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from runtime.answer.reads import ReadSetAnalysis
from runtime.examples.expectations import ALLOWED
from runtime.examples.row_result import Run
from runtime.examples.run import run_result
from runtime.graph import nodes as graph
from runtime.graph.budget import allow_members
from runtime.graph.call_graph import procedures_called
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import walk
from runtime.mutation.card_mutants import card_mutants
from runtime.mutation.declaration_mutants import uses_counter
from runtime.mutation.dependence import Dependence
from runtime.mutation.fail_fast import MEMBERS_PER_QUERY, PlayBudget, kills_mutant, passes_repaired
from runtime.mutation.insertions import list_insertions, steps_setting, unreachable_steps
from runtime.mutation.mutant import Mutant, OriginalRun, probes_by_root
from runtime.mutation.recorded_run import RecordedRun
from runtime.mutation.repairs import Place, RepairAlterations, plausibility_rank, repairs_of_place
from runtime.mutation.spectrum import Spectrum, case_coverage, line_coverage
from runtime.play.game import SEQUENCE

# The number of failing cases that are examined, each with those sharing its cause, and of alterations tried for one.
CASES, MOST_ALTERATIONS = 3, 600
# The budget of questions of a whole search: a few seconds. A case takes at most half of the rest.
QUERIES_OF_SEARCH = 100_000
# The number of alterations of a place that are tried before those of the next.
AT_ONCE = 15
# The budget of a case in an altered graph, unless it is known to query more.
QUERIES_PER_CASE = 2_000
# More equally likely places than this give no indication.
MOST_PLACES = 3
# The likelihood of a procedure that calls one which writes what the failing line reads, and of one that does neither.
CALLS, UNRELATED = 0.7, 0.5
# The likelihood of what only led to the position in which the failing line queries.
LED_THERE = 0.3
# The likelihood of a track that the failing line reads.
TRACK_LIKELIHOOD = 0.4
# A likelihood within this distance of the greatest counts as equal.
EQUAL_LIKELIHOOD = 0.8
# Places below this likelihood are not reported.
FLOOR = 0.25


@dataclass(frozen=True, slots=True)
class FailureCause:
    """A likely cause: the failing cases `accounted` for, with repairs, or else places that mostly they reach.

    `repairs` are alterations that each repair all of them. `inactive_rules` are rules that an example expects to be
    live, and that are not. `suspects` are labels of rules, keys of procedures and rows of charts. `cut`: the budget was
    spent before all was tried.
    """

    accounted: tuple[Run, ...]
    repairs: tuple[Mutant, ...]
    inactive_rules: tuple[str, ...] = ()
    suspects: tuple[Place, ...] = ()
    cut: bool = False


def failure_causes(rules: graph.Graph, runs: Sequence[Run], budget: PlayBudget | None) -> list[FailureCause]:
    """Return the causes of failures, repairs before suspicions; several faults are found one after the other.

    The cost is subtracted from the budget, which several searches may share.
    """
    budget = budget or PlayBudget(QUERIES_OF_SEARCH)
    relevant_runs = [run for run in runs if bool(run.example.card) == (rules.scenario is not None)]
    passing = [run for run in relevant_runs if run.has_passed]
    left = [run for run in relevant_runs if run.failures]
    found: list[FailureCause] = []
    while left and len(found) < CASES:
        case = min(left, key=lambda run: (len(run.terms) + 5 * len(run.entered), len(run.rules)))
        if budget.is_spent:
            break
        allowance = (budget.left + 1) // 2
        share = PlayBudget(allowance)
        # The cost of the case itself, line by line and with its alterations beside it, is part of the share as well.
        with allow_members(MEMBERS_PER_QUERY * allowance) as used:
            search = FaultSearch(rules, left, passing, case, share)
            cause = search.repair() or search.suspicion()
            share.left = max(0, min(share.left, allowance - int(used()) // MEMBERS_PER_QUERY))
        budget.left += share.left - allowance
        found.append(replace(cause, cut=share.is_spent))
        left = [run for run in left if all(run is not each for each in (case, *cause.accounted))]
    return [each for each in found if each.repairs or each.suspects or each.inactive_rules]


class FaultSearch:
    """The search for the cause of one failing case, and of others with the same cause."""

    def __init__(
        self, rules: graph.Graph, failing: Sequence[Run], passing: Sequence[Run], case: Run, budget: PlayBudget
    ) -> None:
        """Run the case line by line."""
        self.rules = rules
        self.budget = budget
        self.failing = failing
        self.passing = passing
        self.case = case
        lines = line_coverage(rules, case)
        self.line = next((each for each in lines if each.failed), case_coverage(case, failed=True))
        wrong = {each.origin for each in case.failures}
        acts = (each for each in case.example.lines if isinstance(each, graph.Perform | graph.Order | graph.Narrated))
        self.asks = self.line.asks or next((each for each in acts if each.origin in wrong), None)
        others = [case_coverage(run, failed=True) for run in failing if run is not case]
        good = [each for each in lines if not each.failed]
        self.cases = Spectrum(
            rules, [case_coverage(run, failed=True) for run in failing], [*map(case_coverage, passing)]
        )
        self.lines = Spectrum(rules, [self.line, *others], [*good, *map(case_coverage, passing)])
        self.dependence = Dependence(rules, ReadSetAnalysis(rules))
        self.read = self.dependence.reads.reads_of_nodes(tuple(walk(tuple(self.failing_expressions()))))
        self.overrules = frozenset(self.overruling_rules(self.inactive_rules()))
        self.setting_steps = tuple(steps_setting(rules, self.read, self.dependence))

    def failing_expressions(self) -> Iterator[graph.Expr | None]:
        """Return what the failing line queries: where it expects a rule to be live, the guard of that rule."""
        guards = [self.rules.rules[label].guard for label in self.inactive_rules()]
        if guards:
            yield from guards
        elif isinstance(self.asks, graph.Check):
            yield self.asks.question

    def inactive_rules(self) -> tuple[str, ...]:
        """Return the rules that the failing line expects to be live and that are not."""
        match self.asks:
            case graph.Check(by=rule_labels, because=because):
                labels = (*rule_labels, *because)
            case graph.Perform(refusals=refusals):
                labels = tuple(label for each in refusals for label in (*each.by, *each.because))
            case _:
                labels = ()
        return tuple(label for label in labels if label in self.rules.rules and label not in self.line.rules)

    def previous_procedure(self) -> str:
        """Return the procedure that the last line with one before the failing line runs."""
        found = ""
        for line in self.case.example.lines:
            if line is self.asks:
                break
            keys = (
                [f"action:{line.action}"] if isinstance(line, graph.Perform) else procedures_called(self.rules, (line,))
            )
            found = next((key for key in keys if key in self.rules.procedures), found)
        return found

    def failing_name(self) -> str:
        """Return the action of the failing line, or the term without an answer that stops the case."""
        stopped = next((each.without_answer for each in self.case.failures if each.without_answer), "")
        return f"action:{self.asks.action}" if isinstance(self.asks, graph.Perform) else stopped

    # ------------------------------------------------------------ repair

    def repair(self) -> FailureCause | None:
        """Search for alterations under which the case passes and no passing one fails.

        Return those that repair most.
        """
        best: list[Mutant] = []
        best_runs: tuple[Run, ...] = ()
        for mutant in self.candidates():
            if self.budget.is_spent:
                break
            altered = next(mutant.variants(), None)
            if altered is None or not passes_repaired(altered, record_of(self.case), self.budget):
                continue
            repaired_runs = self.repaired_cases(altered, mutant, len(best_runs))
            if len(repaired_runs) < len(best_runs) or _breaks_case(altered, mutant, self.passing, self.budget):
                continue
            if len(repaired_runs) > len(best_runs):
                best, best_runs = [], repaired_runs
            best.append(mutant)
        return FailureCause(best_runs, tuple(sorted(best, key=plausibility_rank))) if best else None

    def repaired_cases(self, altered: graph.Graph, mutant: Mutant, least: int) -> tuple[Run, ...]:
        """Return the cases that pass under an alteration, including the shown one; stop if there are too few."""
        others = [run for run in self.failing if run is not self.case and mutant.concerns(record_of(run))]
        found = [self.case]
        for left, run in zip(range(len(others), 0, -1), others, strict=True):
            if len(found) + left < least:
                break
            if passes_repaired(altered, record_of(run), self.budget):
                found.append(run)
        return tuple(found)

    def candidates(self) -> list[Mutant]:
        """Return the alterations that can affect the case, the likeliest places first."""
        inner = RepairAlterations(self.rules, self.expected_numbers())
        places = self.suspect_places()
        keys = [str(name) for kind, name in places if kind == "procedure" and name != SEQUENCE]
        waiting = tuple(unreachable_steps(self.rules))
        mutants = [each for key in keys if waiting for each in list_insertions(self.rules, key, waiting)]
        mutants += round_robin([sorted(self.mutants_of_place(place, inner), key=plausibility_rank) for place in places])
        if self.rules.scenario is not None:
            mutants += card_mutants(self.rules, self.rules.scenario)
        playing = RecordedRun(self.rules, self.case.example, self.case.row, probes_by_root(mutants))
        playing.run_case()
        seen = playing.probing
        record = replace(
            record_of(run_result(playing)), evaluated=frozenset(seen.evaluated), infected=frozenset(seen.infected_ids)
        )  # fmt: skip
        return [mutant for mutant in mutants if mutant.may_change_result(record)][:MOST_ALTERATIONS]

    def mutants_of_place(self, place: Place, inner: RepairAlterations) -> Iterator[Mutant]:
        """Generate the alterations of one place and, for a procedure that the case reaches, insertions."""
        yield from repairs_of_place(self.rules, place, inner)
        if place[0] == "procedure" and place[1] != SEQUENCE:
            yield from list_insertions(self.rules, str(place[1]), self.setting_steps)

    def expected_numbers(self) -> frozenset[Fraction]:
        """Collect the numbers that the failing case expects."""
        example = self.case.example
        values = example.rows[self.case.row] if example.rows else ()
        expected = tuple(line.expected for line in example.lines if isinstance(line, graph.Check))
        return frozenset(node.value for node in walk((*values, *expected)) if isinstance(node, graph.Num))

    # ------------------------------------------------------------ places

    def suspect_places(self) -> list[Place]:
        """Return the places that the case reaches, the likeliest first."""
        case, rules = self.case, self.rules
        found: list[Place] = [
            ("rule", label) for label, rule in rules.rules.items() if not case.terms.isdisjoint(rule.terms)
        ]
        found += [("term", name) for name in case.terms if name in rules.terms]
        found += [("row", row) for row in case.rows]
        found += [("procedure", key) for key in case.entered | case.procedures if key in rules.procedures]
        found += [("procedure", SEQUENCE)] if case.follows_sequence and SEQUENCE in rules.procedures else []
        # What play records can be declared wrongly only if something writes it: otherwise a step is missing.
        steps = (step for each in rules.procedures.values() for step in walk(each.body))
        set_ = {part for step in steps for part in self.dependence.written_parts(step)}
        noted = rules.vocabulary.tracks.keys() | rules.vocabulary.flags.keys()
        found += [("note", key) for key in self.read if key in noted and key in set_]
        found += [("counter", name) for name in rules.counters if uses_counter(rules, case.example, name)]
        known = {place: self.likelihood(place) for place in found}
        return sorted(known, key=lambda place: (-known[place], str(place[1])))

    def likelihood(self, place: Place) -> float:
        """Return the likelihood of a place; an expected rule that was not live has that of its question."""
        kind, name = place
        if name == self.failing_name() or name in self.inactive_rules() or name in self.overrules:
            return 1.0
        if kind == "procedure":
            return self.cases.suspicion(place) * self.procedure_relation(str(name))
        if kind == "note":
            return TRACK_LIKELIHOOD
        if kind == "rule" and name not in self.case.rules:
            return max(self.likelihood(("term", term)) for term in self.rules.rules[str(name)].terms)
        if kind == "counter" or self.line.covers(place):
            return self.lines.suspicion(place)
        return self.cases.suspicion(place) * (LED_THERE if isinstance(self.asks, graph.Check) else UNRELATED)

    def procedure_relation(self, key: str) -> float:
        """Return the weight of a procedure: it writes what the failing line reads, calls one that does, or neither."""
        if not isinstance(self.asks, graph.Check) or key == SEQUENCE or self.writes_failing_read(key):
            return 1.0
        called = (
            f"resolution:{node.resolution}"
            for node in walk(self.rules.procedures[key].body)
            if isinstance(node, graph.Do)
        )
        return CALLS if any(map(self.writes_failing_read, called)) else UNRELATED

    def writes_failing_read(self, key: str) -> bool:
        """Return whether a procedure itself writes something that the failing line reads."""
        steps = walk(self.rules.procedures[key].body)
        return any(part in self.read for step in steps for part in self.dependence.written_parts(step))

    # ------------------------------------------------------------ suspicion

    def suspicion(self) -> FailureCause:
        """Return the places that failing lines reach and others do not, or seldom, if they are few."""
        silent = self.inactive_rules()
        places = [place for place in self.suspect_places() if place[0] in ("rule", "row", "procedure")]
        places = [place for place in places if place[1] not in silent and self.may_be_named(place)]
        if silent:  # Then the fault may also be in what should have led there, but not in live rules.
            places = [place for place in places if place[0] == "procedure"]
        most = max(map(self.likelihood, places), default=0.0)
        likely = tuple(place for place in places if self.likelihood(place) >= EQUAL_LIKELIHOOD * most and most >= FLOOR)
        if len(likely) > MOST_PLACES:
            likely = tuple(place for place in likely if self.answers_failing_line(place))
        if len(likely) > MOST_PLACES:
            likely = ()
        # A live rule that defeats the expected one is as near to the fault as that.
        likely = (*(("rule", label) for label in self.overruling_rules(silent)), *likely)
        last = ("procedure", self.previous_procedure())
        if (
            last[1] in self.rules.procedures
            and last not in likely
            and not any(kind != "procedure" for kind, _ in likely)
        ):
            is_likelier = bool(likely) and self.cases.suspicion(likely[0]) > self.cases.suspicion(last)
            likely = (*likely, last) if is_likelier else (last, *likely)
        accounted = [run for run in self.failing if likely and case_coverage(run).covers(likely[0])]
        return FailureCause((*accounted,) or (self.case,), (), silent, likely)

    def overruling_rules(self, inactive: Sequence[str]) -> list[str]:
        """Return the rules that were live in the failing line and defeat one of these."""
        rules = self.rules.rules
        return sorted(label for label in self.line.rules if label in rules and {*inactive} & {*rules[label].defeats})[
            :MOST_PLACES
        ]

    def may_be_named(self, place: Place) -> bool:
        """Return whether a place took part in the case, or is a rule that could have given the expected answer."""
        kind, name = place
        if case_coverage(self.case).covers(place) or kind == "procedure":
            return True
        if kind != "rule" or not self.answers_failing_line(place):
            return False
        rule = self.rules.rules[str(name)]
        stopped = any(each.without_answer in rule.terms for each in self.case.failures if each.without_answer)
        answer = rule_answer(rule)
        would_answer = answer is not None and answer == self.expected_answer()
        return stopped or would_answer or name == self.case.example.protects

    def expected_answer(self) -> bool | None:
        """Return the answer that the failing line expects to a yes-or-no question; None for other lines."""
        expected = self.asks.expected if isinstance(self.asks, graph.Check) else None
        example = self.case.example
        if isinstance(expected, graph.Var) and expected.name in example.names:
            expected = example.rows[self.case.row][example.names.index(expected.name)]
        if isinstance(self.asks, graph.Check) and self.asks.verdict:
            return self.asks.verdict in ALLOWED
        return expected.value if isinstance(expected, graph.Truth) else None

    def answers_failing_line(self, place: Place) -> bool:
        """Return whether a rule answers the question of the failing line, or the question without an answer."""
        terms = {each.without_answer for each in self.case.failures}
        if isinstance(self.asks, graph.Check) and isinstance(self.asks.question, graph.Ask):
            terms.add(self.asks.question.term)
        return place[0] == "rule" and not terms.isdisjoint(self.rules.rules[str(place[1])].terms)


def round_robin(places: Sequence[Sequence[Mutant]]) -> list[Mutant]:
    """Interleave the alterations of places: some of each, the likeliest places first, then some more of each."""
    rounds = range(0, max(map(len, places), default=0), AT_ONCE)
    return [mutant for start in rounds for each in places for mutant in each[start : start + AT_ONCE]]


def _breaks_case(altered: graph.Graph, mutant: Mutant, passing: Iterable[Run], budget: PlayBudget) -> bool:
    """Return whether a passing case fails under an alteration; cases in which the place was live come first."""
    concerned = [run for run in passing if mutant.concerns(record_of(run))]
    place = mutant.procedure or mutant.name
    concerned.sort(key=lambda run: (place not in run.rules | run.entered, len(run.entered), len(run.terms)))
    return any(kills_mutant(altered, record_of(run), budget) for run in concerned)


def record_of(run: Run) -> OriginalRun:
    """Return the coverage of a case, with which a mutant decides whether it can affect the case."""
    return OriginalRun(run, run.entered | run.procedures, frozenset(), frozenset(), QUERIES_PER_CASE)
