"""Search, guided by one changed rule, for positions in which the answers of two stacks differ because of it.

The input is two graphs, a rule of one of them, and a term that it is a rule of, or that has it on an earlier stage that
only that graph has; the output is candidates in which the answers differ, each with the root of the difference. The
rule is made live, then decisive, and then whatever makes the other stack answer alike is silenced; the value of the
rule is moved off the value there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.answer.interpreter import bind
from runtime.graph import nodes as graph
from runtime.witness import decisive_condition, objectives
from runtime.witness.candidate import Candidate, with_argument
from runtime.witness.domain_pool import DomainPool
from runtime.witness.fitness import NO_ANSWER
from runtime.witness.paired_evaluation import Evaluation, PairedAnswers, PairedEvaluation, Root
from runtime.witness.pseudorandom import PseudoRandom
from runtime.witness.repair import Repairer
from runtime.witness.rule_difference import distinguishing_conditions
from runtime.witness.search import Instance, Objective, SearchContext, propose_candidate, search_candidates
from runtime.witness.target import Target

# Much shorter than without a good start: there are several to return to.
PATIENCE = 30


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A question that is answered differently; `which` is the stack that can express the candidate."""

    term: str
    candidate: Candidate
    which: int
    compared: PairedAnswers
    root: Root


class GuidedSearch:
    """A search for a position in which one rule is live, or one row of a chart is read, and the two stacks differ.

    Without a rule or row it perturbs at random and accepts any difference.
    """

    def __init__(
        self,
        both: PairedEvaluation,
        which: int,
        term: str,
        label: str,
        materials: Sequence[DomainPool],
        needs: list[decisive_condition.DecisiveCondition] | None = None,
    ) -> None:
        self.both = both
        self.which = which
        self.rules = both.graphs[which]
        self.term = self.rules.terms[term]
        self.rule = self.rules.rules.get(label)
        # The term of the rule: the queried term, or a stage before it.
        self.rule_term = self.term
        if self.rule is not None and label not in self.term.rules:
            self.rule_term = self.rules.terms[self.rule.terms[0]]
        self.label = label
        self.materials = materials
        self.needs = needs or []
        if self.rule is not None:
            self.needs = decisive_condition.needs_of(self.rules, self.rule_term, self.rule)
            other = both.graphs[1 - which].rules.get(label)
            if other is not None and term in both.graphs[1 - which].terms:
                self.needs += distinguishing_conditions(self.term, self.rule, other)
        self.answer = None if self.rule is None else decisive_condition.answer_of(self.rules, self.rule_term, self.rule)
        self.live = False
        self.alone = False
        self.question_count = 0
        # The number of positions examined; of those in which the rule was live, and both stacks answered.
        self.candidate_count = 0
        self.applied = 0
        # Rules of the other stack only that determined the same answer where this one was live.
        self.opposing_rules: set[str] = set()
        self.finds: list[SearchResult] = []

    def run(self, budget: int, seeds: Sequence[Candidate] = ()) -> list[SearchResult]:
        """Search until the rule itself is found to matter."""
        graded: list[tuple[float, Candidate]] = []
        for seed in seeds:
            instance = self.both.make_instance(self.which, seed)
            if instance is not None and self._met(instance):
                return self.finds
            if instance is not None:
                graded.append((self._grade(instance), seed))
        seeds = [seed for _, seed in sorted(graded, key=lambda each: -each[0])]
        name = f"differ {self.term.name} {self.label}"
        objective = Objective(name, self.term, self._grade, self._propose, self._met)
        if any(self._near(objective, seed, budget // 4) for seed in seeds[:2]):
            return self.finds
        tools = SearchContext(self.both.fast[self.which], self.materials[self.which], PATIENCE)
        search_candidates(self.rules, objective, budget, tools, seeds)
        return self.finds

    def _near(self, objective: Objective, seed: Candidate, tries: int) -> bool:
        """Try single changes to a good start, which a climb would soon leave."""
        instance = self.both.make_instance(self.which, seed)
        materials = self.materials[self.which].drawn_by(PseudoRandom(f"near {objective.name}"))
        for _ in range(tries if instance else 0):
            candidate = propose_candidate(objective, instance, materials) if instance else None
            tried = None if candidate is None else self.both.make_instance(self.which, candidate)
            if tried is not None and self._met(tried):
                return True
        return False

    def _grade(self, instance: Instance) -> float:
        """Return the fitness of this stack for the rule deciding, and of the other one for the opposite answer."""
        if not self.needs:
            return 1.0
        mine = decisive_condition.fitness_of_needs(self.needs, instance)
        if self.answer is None:
            return mine
        other = self.both.make_instance(1 - self.which, instance.candidate)
        if other is None:
            return mine / 2
        theirs = self.both.graphs[1 - self.which].terms[self.term.name]
        return (2 * mine + other.fitness.fitness_of_verdict(theirs, other.arguments, want=not self.answer)) / 3

    def _met(self, instance: Instance) -> bool:
        """Evaluate the other stack where the rule is live; return whether the difference is attributed to the rule."""
        self.candidate_count += 1
        mine = self.both.answers_in(self.which, self.term.name, instance)
        if mine is None or (self.rule and not self._spoke(mine)):
            return False
        other = self.both.evaluate_in(1 - self.which, self.term.name, instance.candidate)
        if other is None:
            self.alone = True
            return False
        live = self.rule is not None or (bool(self.needs) and self.needs[0].grade(instance) == 1.0)
        self.live = self.live or live
        self.applied += live
        self.question_count += 1
        both = PairedAnswers(mine, other) if self.which == 0 else PairedAnswers(other, mine)
        if not both.are_different:
            self._face(other.live)
            return False
        own = self.both.own_changes(self.term.name, both.here.live, both.there.live)
        if self.rule and self.rule_term is self.term and self.label not in own:
            return False
        root = self.both.find_root(self.term.name, instance.candidate)
        if root is None or not root.labels:
            return False
        self.finds.append(SearchResult(self.term.name, instance.candidate, self.which, both, root))
        return not self.label or self.label in root.labels

    def _spoke(self, mine: Evaluation) -> bool:
        """Return whether the rule was live in an answer, or in what it depends on."""
        if self.rule_term is self.term:
            return self.label in mine.live
        return self.both.was_live(self.which, self.term.name, mine.instance.candidate, self.label)

    def _face(self, live: frozenset[str]) -> None:
        """Record the rule of the other stack only that determines the same answer there, if any."""
        if not self.rule:
            return
        theirs = self.both.graphs[1 - self.which]
        term = theirs.terms[self.term.name]
        alike = [rule for label in live if (rule := theirs.rules.get(label)) is not None
                 and decisive_condition.answer_of(theirs, term, rule) == self.answer
                 and (self.rule.verb or set(rule.defeats) & set(self.rule.defeats))]  # fmt: skip
        changes = self.both.changes
        if len(alike) == 1 and alike[0].label in (changes.only_b if self.which == 0 else changes.only_a):
            self.opposing_rules.add(alike[0].label)

    def _propose(self, repairer: Repairer, instance: Instance) -> Candidate | None:
        if self.answer is not None and repairer.chance.one_in(3):
            return self._apart(repairer, instance)
        needed = decisive_condition.propose_repair(self.needs, repairer, instance) if self.needs else None
        if needed is not None:
            return needed
        match repairer.chance.number_below(4):
            case 0 if self.term.parameters:
                return self._elsewhere(repairer, instance)
            case 1:
                return self._stirred(repairer, instance)
            case _:
                return self._apart(repairer, instance)

    def _elsewhere(self, repairer: Repairer, instance: Instance) -> Candidate | None:
        """Change an argument."""
        place = repairer.chance.number_below(len(self.term.parameters))
        value = repairer.materials.make_value(self.term.parameters[place].type, instance.candidate)
        twice = isinstance(value, graph.Spot) and value in instance.candidate.arguments
        return None if value is None or twice else with_argument(instance.candidate, place, value)

    def _stirred(self, repairer: Repairer, instance: Instance) -> Candidate | None:
        """Propose a change that makes any other rule live or silent."""
        rules = [self.rules.rules[label] for label in self.term.rules if label != self.label]
        rule = repairer.chance.pick_or_none(rules)
        if rule is None:
            return None
        return repairer.make_live(self.term, rule, objectives.lazy_arguments(instance), want=repairer.chance.one_in(3))

    def _apart(self, repairer: Repairer, instance: Instance) -> Candidate | None:
        """Move this stack's answer off the other's: invert the other, or perturb this one."""
        other = self.both.make_instance(1 - self.which, instance.candidate)
        if other is None:
            return None
        if self.rule is not None and self.rule.value is not None and repairer.chance.one_in(2):
            return self._pushed(repairer, instance, self.rule)
        theirs = self.both.graphs[1 - self.which]
        term = theirs.terms[self.term.name]
        there = Repairer(
            other.fitness, instance.candidate, self.materials[1 - self.which].drawn_by(repairer.chance), repairer.types
        )
        rule, want = self._turned(repairer, theirs, term, other)
        if rule is None:
            return self._parted(there, theirs, term, other)
        try:
            return there.make_live(term, rule, objectives.lazy_arguments(other), want=want)
        except NO_ANSWER:
            return None

    def _parted(self, there: Repairer, theirs: graph.Graph, term: graph.Term, other: Instance) -> Candidate | None:
        """Perturb the value of the other stack, where nothing can be silenced, off its present value."""
        spoke = other.fitness.live_rules(term, other.arguments) or frozenset()
        values = [(rule, rule.value) for label in spoke if (rule := theirs.rules[label]).value is not None]
        if not values:
            return None
        rule, value = there.chance.pick(sorted(values, key=lambda each: each[0].label))
        said = other.fitness.value(value, bind(term, rule, other.arguments))
        try:
            return there.perturb(value, bind(term, rule, objectives.lazy_arguments(other)), Target("!=", said))
        except NO_ANSWER:
            return None

    def _turned(
        self, repairer: Repairer, theirs: graph.Graph, term: graph.Term, other: Instance
    ) -> tuple[graph.Rule | None, bool]:
        """Choose a rule of the other stack that should become live or silent, so that its answer changes."""
        rules = [theirs.rules[label] for label in term.rules if label != self.label]
        denials = [rule for rule in rules if rule.verb in {"forbids", "fails"}]
        if self.answer:
            wanted = [rule for rule in denials if self.rule is not None and rule.label in self.rule.defeats] or denials
            return repairer.chance.pick_or_none(wanted), True
        spoke = other.fitness.live_rules(term, other.arguments) or frozenset()
        live = [rule for rule in rules if rule.label in spoke]
        if self.answer is None:
            return repairer.chance.pick_or_none([rule for rule in live if rule.guard is not None]), False
        if refusing := [rule for rule in live if rule in denials]:
            return repairer.chance.pick(refusing), False
        grants = [rule for rule in rules if rule.verb in {"allows", "holds"}]
        return repairer.chance.pick_or_none(grants), True

    def _pushed(self, repairer: Repairer, instance: Instance, rule: graph.Rule) -> Candidate | None:
        if rule.value is None:
            return None
        said = instance.fitness.value(rule.value, bind(self.rule_term, rule, instance.arguments))
        asked = bind(self.rule_term, rule, objectives.lazy_arguments(instance))
        return repairer.perturb(rule.value, asked, Target("!=", said))
