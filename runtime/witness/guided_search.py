"""Search, guided by one changed rule, for positions in which the answers of two stacks differ because of it.

The input is two graphs, a rule of one of them, and a term that it is a rule of, or that has it on an earlier stage that
only that graph has; the output is candidates in which the answers differ, each with the root of the difference. The
rule is made live, then decisive, by silencing what would answer in its place, and its value is moved. A candidate that
was found is carried to other terms: a term that queries a differing one may differ, too.
"""

from collections.abc import Iterator, Sequence

from runtime.answer.interpreter import bindings_of
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rule_of_term, rules_of_term
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.witness import goals
from runtime.witness.candidate import Candidate, with_argument, with_hexes, with_piece
from runtime.witness.paired_evaluation import Evaluation, PairedAnswers, PairedEvaluation, Root
from runtime.witness.pool import DomainPool, PseudoRandom, Target
from runtime.witness.repair import Repairer
from runtime.witness.set_up import Instance
from runtime.witness.walk import Objective, SearchContext, propose_candidate, search_candidates

# Much shorter than without a good start: there are several to return to.
MOST_IDLE_STEPS = 30


@frozen_dataclass
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
        evaluation: PairedEvaluation,
        which: int,
        term: str,
        label: str,
        materials: Sequence[DomainPool],
        needs: list[goals.DecisiveCondition] | None = None,
    ) -> None:
        self.evaluation = evaluation
        self.which = which
        self.rules = evaluation.graphs[which]
        self.term = self.rules.terms[term]
        self.rule = self.rules.rules.get(label)
        # The term of the rule: the queried term, or a stage before it.
        self.rule_term = self.term
        if self.rule is not None and label not in self.term.rules:
            self.rule_term = self.rules.terms[self.rule.terms[0]]
        elif self.rule is not None:
            self.rule = rule_of_term(self.rules, self.term, label)
        self.label = label
        self.materials = materials
        self.needs = needs or []
        if self.rule is not None:
            self.needs = goals.decisive_conditions(self.rules, self.rule_term, self.rule)
            other_term = evaluation.graphs[1 - which].terms.get(term)
            if other_term is not None and label in evaluation.graphs[1 - which].rules:
                other = rule_of_term(evaluation.graphs[1 - which], other_term, label)
                self.needs += goals.distinguishing_conditions(self.term, self.rule, other)
        self.is_live_alone = False
        self.question_count = 0
        # The number of positions examined; of those in which the rule was live, and both stacks answered.
        self.candidate_count = 0
        self.applied_count = 0
        self.results: list[SearchResult] = []

    def run(self, budget: int, seeds: Sequence[Candidate] = ()) -> list[SearchResult]:
        """Search until the rule itself is found to matter."""
        instances = [instance for seed in seeds if (instance := self.evaluation.make_instance(self.which, seed))]
        if any(self._is_met(instance) for instance in instances):
            return self.results
        instances.sort(key=lambda instance: -sum(need.is_met(instance) for need in self.needs))
        name = f"differ {self.term.name} {self.label}"
        objective = Objective(name, self.term, self._propose, self._is_met)
        if any(self._search_around(objective, instance, budget // 4) for instance in instances[:2]):
            return self.results
        tools = SearchContext(self.evaluation.interpreters[self.which], self.materials[self.which], MOST_IDLE_STEPS)
        search_candidates(self.rules, objective, budget, tools, [each.candidate for each in instances])
        return self.results

    def _search_around(self, objective: Objective, instance: Instance, tries: int) -> bool:
        """Try single changes to a good start, which a walk would soon leave."""
        materials = self.materials[self.which].with_stream(PseudoRandom(f"near {objective.name}"))
        for _ in range(tries):
            candidate = propose_candidate(objective, instance, materials, is_sound=True)
            tried = None if candidate is None else self.evaluation.make_instance(self.which, candidate)
            if tried is not None and self._is_met(tried):
                return True
        return False

    def _is_met(self, instance: Instance) -> bool:
        """Evaluate the other stack where the rule is live; return whether the difference is attributed to the rule."""
        self.candidate_count += 1
        own_evaluation = self.evaluation.answers_in(self.which, self.term.name, instance)
        if own_evaluation is None or (self.rule and not self._was_live(own_evaluation)):
            return False
        other = self.evaluation.evaluate_in(1 - self.which, self.term.name, instance.candidate)
        if other is None:
            self.is_live_alone = True
            return False
        self.applied_count += self.rule is not None or (bool(self.needs) and self.needs[0].is_met(instance))
        self.question_count += 1
        answers = PairedAnswers(own_evaluation, other) if self.which == 0 else PairedAnswers(other, own_evaluation)
        if not answers.are_different:
            return False
        changes = self.evaluation.own_changes(self.term.name, answers.first.live, answers.second.live)
        if self.rule and self.rule_term is self.term and self.label not in changes:
            return False
        root = self.evaluation.find_root(self.term.name, instance.candidate)
        if root is None or not root.labels:
            return False
        self.results.append(SearchResult(self.term.name, instance.candidate, self.which, answers, root))
        return not self.label or self.label in root.labels

    def _was_live(self, evaluation: Evaluation) -> bool:
        """Return whether the rule was live in an answer, or in what it depends on."""
        if self.rule_term is self.term:
            return self.label in evaluation.live
        return self.evaluation.was_live(self.which, self.term.name, evaluation.instance.candidate, self.label)

    def _propose(self, repairer: Repairer, instance: Instance) -> Candidate | None:
        """Propose what makes the rule decide, else another argument, rule or value; None leaves it to chance."""
        needed = goals.propose_repair(self.needs, repairer, instance) if self.needs else None
        if needed is not None:
            return needed
        match repairer.chance.number_below(4):
            case 0 if self.term.parameters:
                return self._change_argument(repairer, instance)
            case 1:
                return self._change_live_rule(repairer, instance)
            case _:
                return self._perturb_value(repairer, instance)

    def _change_argument(self, repairer: Repairer, instance: Instance) -> Candidate | None:
        """Change an argument."""
        place = repairer.chance.number_below(len(self.term.parameters))
        value = repairer.materials.make_value(self.term.parameters[place].type, instance.candidate)
        twice = isinstance(value, graph.Spot) and value in instance.candidate.arguments
        return None if value is None or twice else with_argument(instance.candidate, place, value)

    def _change_live_rule(self, repairer: Repairer, instance: Instance) -> Candidate | None:
        """Propose a change that makes any other rule live or silent."""
        rules = [rule for rule in rules_of_term(self.rules, self.term) if rule.label != self.label]
        rule = repairer.chance.pick_or_none(rules)
        if rule is None:
            return None
        return repairer.make_live(self.term, rule, instance.lazy_arguments(), want=repairer.chance.one_in(3))

    def _perturb_value(self, repairer: Repairer, instance: Instance) -> Candidate | None:
        """Move the value of the rule; None if it has none."""
        if self.rule is None or self.rule.value is None:
            return None
        current_value = instance.value(self.rule.value, bindings_of(self.rule_term, self.rule, instance.arguments))
        names = bindings_of(self.rule_term, self.rule, instance.lazy_arguments())
        return repairer.perturb(self.rule.value, names, Target("!=", current_value))


# The least number of hexes to choose from.
NEIGHBORS = 3


def candidates_for_term(
    stack: graph.Graph, name: str, find: SearchResult, materials: DomainPool, fillers: Sequence[str]
) -> Iterator[Candidate]:
    """Return candidates for the term `name`: arguments by name, else by type, once for each possible parameter.

    `fillers` are names for hexes that are missing.
    """
    by_name, by_type = dict[tuple[str, graph.Type], graph.Expr](), dict[graph.Type, graph.Expr]()
    for parameter, value in zip(stack.terms[find.term].parameters, find.candidate.arguments, strict=True):
        by_name[parameter.name, parameter.type] = value
        by_type[parameter.type] = value
    parameters = stack.terms[name].parameters
    values = [by_name.get((parameter.name, parameter.type)) for parameter in parameters]
    # One parameter without a value of its name at a time gets a value of its type.
    alternatives = []
    for index, parameter in enumerate(parameters):
        if values[index] is None and parameter.type in by_type:
            alternatives.append([*values[:index], by_type[parameter.type], *values[index + 1 :]])
    materials = materials.with_stream(PseudoRandom(f"{name} {find.term}"))
    for alternative in alternatives or [values]:
        candidate = _fill_parameters(parameters, alternative, find.candidate, materials, fillers)
        if candidate is not None:
            yield candidate


def _fill_parameters(
    parameters: Sequence[graph.Parameter],
    known_values: Sequence[graph.Expr | None],
    candidate: Candidate,
    materials: DomainPool,
    fillers: Sequence[str],
) -> Candidate | None:
    """Choose values for the parameters without one; pieces are added where there are none."""
    wide = candidate
    if len(candidate.position.board.hexes) < NEIGHBORS:
        piece_names = {piece.name for piece in candidate.position.pieces}
        free = [name for name in fillers[: 2 * NEIGHBORS] if name not in piece_names]
        wide = with_hexes(candidate, free[:NEIGHBORS])
    values = []
    for parameter, known_value in zip(parameters, known_values, strict=True):
        value = known_value or materials.make_value(parameter.type, wide)
        if value is None and isinstance(parameter.type, graph.Piece):
            kind = materials.kind_of(parameter.type)
            space = materials.chance.pick(tuple(wide.position.board.hexes))
            piece = materials.make_piece(wide, kind, parameter.name, space)
            wide, value = with_piece(wide, piece), graph.Spot("piece", piece.name)
        if value is None:
            return None
        values.append(value)
    return Candidate(wide.position, tuple(values))
