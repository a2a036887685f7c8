"""Find positions for a rule on what cannot be a question itself, such as a crossing, through the terms that query it.

The input is two graphs, and a rule of one of them; the output is questions that query the term of the rule, in
positions of examples and in bare ones, each unchanged and with the features of the rule printed everywhere.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from runtime.answer.interpreter import Interpreter
from runtime.examples.set_up import set_up
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.witness.candidate import Candidate, with_argument, with_feature, with_side
from runtime.witness.dependencies import names_read
from runtime.witness.domain_pool import DomainPool, literal_text
from runtime.witness.fitness import NO_ANSWER
from runtime.witness.guided_search import SearchResult
from runtime.witness.paired_evaluation import PairedEvaluation
from runtime.witness.pseudorandom import PseudoRandom
from runtime.witness.search import initial_candidate
from runtime.witness.snapshot import position_of

# The number of questions of one example, of bare positions for a question, and of questions for all these positions.
EACH, BARE, QUESTIONS = 2, 6, 30


@dataclass
class UnaskedRule:
    """One rule of one stack, and the questions that query its term."""

    evaluation: PairedEvaluation
    which: int
    term: str
    label: str
    # Questions whose answers depend on the rule.
    askers: Collection[str]
    materials: DomainPool
    # Converts a position such that the other stack, and a file, can represent it.
    prepared: Callable[[int, Candidate], Candidate]
    # The number of questions evaluated in both stacks, and of those that depended on the rule being live.
    compared: int = 0
    live: int = 0

    def differing_questions(self) -> Iterator[SearchResult]:
        """Return the questions that are answered differently because of the rule."""
        for name, candidate in islice(self._questions(), QUESTIONS):
            for variant in self._printed_everywhere(self.prepared(self.which, candidate)):
                compared = self.evaluation.compare(name, variant)
                self.compared += compared is not None
                self.live += compared is not None and self.evaluation.was_live(self.which, name, variant, self.label)
                root = (
                    self.evaluation.find_root(name, variant)
                    if compared is not None and compared.are_different
                    else None
                )
                if compared is not None and root is not None and self.label in root.labels:
                    yield SearchResult(name, variant, self.which, compared, root)

    def _questions(self) -> Iterator[tuple[str, Candidate]]:
        """Return questions that query the term: those of examples at their start, then some in bare positions."""
        rules = self.evaluation.graphs[self.which]
        askers = sorted(self.askers, key=lambda name: f"default of {self.term}" not in names_read(rules, name))
        for asker in (name for name in askers if name != self.term):
            for example in rules.examples:
                questions = [line.question for line in example.lines if isinstance(line, graph.Check)
                         and isinstance(line.question, graph.Ask) and line.question.term == asker]  # fmt: skip
                if questions and not example.card:
                    yield from ((asker, candidate) for candidate in self._settings(example, questions[:EACH]))
            for number in range(BARE):
                materials = self.materials.with_stream(PseudoRandom(f"{self.label} {asker} {number}"))
                base_candidate = initial_candidate(materials, rules.terms[asker])
                if base_candidate is not None:
                    yield from ((asker, candidate) for candidate in _at_both_ends(base_candidate, rules.terms[asker]))

    def _settings(self, example: graph.Example, questions: list[graph.Ask]) -> Iterator[Candidate]:
        """Return questions of the first row of an example that need none of its actions."""
        rules = self.evaluation.graphs[self.which]
        answers = Interpreter(rules)
        with suppress(IndexError, ValueError, *NO_ANSWER):
            playthrough, names = set_up(rules, example, 0)
            position = position_of(playthrough.state, replace(example.position, name="witness"))
            for question in questions if position is not None else ():
                types = [parameter.type for parameter in rules.terms[question.term].parameters]
                arguments = [
                    literal_text(answers.evaluate(playthrough.state, argument, names), type_, playthrough.state)
                    for argument, type_ in zip(question.arguments, types, strict=True)
                ]
                if position is not None and None not in arguments:
                    yield Candidate(position, tuple(each for each in arguments if each is not None))

    def _printed_everywhere(self, candidate: Candidate) -> Iterator[Candidate]:
        """Return a position unchanged, and with the features of the rule in all hexes and on all hexsides."""
        yield candidate
        rule = self.evaluation.graphs[self.which].rules[self.label]
        tests = [each for each in walk((rule.guard, rule.names)) if isinstance(each, graph.Test)
                 and each.what == "feature"]  # fmt: skip
        combined_candidate = candidate
        for test in dict.fromkeys(tests):
            single_candidate = self._with(candidate, test)
            yield single_candidate
            combined_candidate = self._with(combined_candidate, test)
        if len(tests) > 1:
            yield combined_candidate

    def _with(self, candidate: Candidate, test: graph.Test) -> Candidate:
        """Add a feature everywhere."""
        instance = self.evaluation.make_instance(self.which, candidate)
        if instance is None:
            return candidate
        board = instance.state.board
        for name in candidate.position.board.hexes:
            here = board.index[name]
            if test.owner == "hex":
                candidate = with_feature(candidate, name, test.name, present=True)
            else:
                ends = ((name, board.names[there]) for there in board.beside[here] if here < there)
                for pair in ends:
                    candidate = with_side(candidate, pair, test.name, present=True)
        return candidate


def _at_both_ends(candidate: Candidate, term: graph.Term) -> Iterator[Candidate]:
    """Use the last and the first hex of a map as arguments: what lies between two hexes matters at a distance."""
    places = [place for place, each in enumerate(term.parameters) if isinstance(each.type, graph.Hex)]
    names = list(candidate.position.board.hexes)
    for name in (names[-1], names[0]) if places else ():
        candidate = with_argument(candidate, places[-1], graph.Spot("hex", name))
        yield candidate
    if not places:
        yield candidate
