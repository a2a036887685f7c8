"""`python -m tests.properties.conform -n 1000000`: compare interpreter and generated code on random positions.

Positions are drawn for each shipped stack. Answers and decision ids must be equal, and an explanation must have the
answer and the live rules of the decision id.
"""

import argparse
import random
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from rulewright.library.stacks import open_packages
from runtime.answer.answer import Answer
from runtime.answer.explain import APPLIED, IDLE, Explainer
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from tests.answers.differential import compare, questions, same
from tests.properties.fancies import fancy

# How many questions are asked of each term in one position.
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Sweep:
    """The number of questions asked in some positions of one stack, and the differences."""

    question_count: int
    wrong: tuple[str, ...]


def stacks(kinds: Collection[str] = ("base", "variant")) -> Iterator[graph.Graph]:
    """Compile the shipped layers of these kinds that have terms."""
    package_set = open_packages()
    for name in sorted(name for name, layer in package_set.library.layers.items() if layer.kind.text in kinds):
        rules = package_set.compiled(name).graph
        if rules is not None and rules.terms:
            yield rules


def sweep(rules: graph.Graph, seed: int, rounds: int = ROUNDS) -> Sweep:
    """Draw a position and ask questions of every term in it, `rounds` times each."""
    state = fancy(rules, random.Random(f"{rules.stack} {seed}"))
    question_count, differences = compare(rules, state, seed, rounds)
    wrong = [f"{rules.stack}, position {seed}: {difference}" for difference in differences]
    compiled, explainer = GeneratedEvaluator(rules), Explainer(Interpreter(rules))
    for name, arguments in questions(state, seed, 1):
        try:
            answer = compiled.ask(state, name, arguments)
            explanation = explainer.explain(state, name, arguments, depth=0)
        except Unanswered:
            continue
        live = {label for bit, label in enumerate(rules.terms[name].rules) if answer.mask >> bit & 1}
        live_labels = {clause.label for clause in explanation.clauses if clause.status in (APPLIED, IDLE)}
        if not same(Answer(explanation.value, 0), Answer(answer.value, 0)) or live_labels != live:
            wrong.append(f"{rules.stack}, position {seed}: {name}{arguments} is {answer}, explained as {explanation}")
    return Sweep(question_count, tuple(wrong))


def main() -> int:
    """Draw positions until at least `-n` questions are asked; print the differences."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.conform", description=__doc__)
    parser.add_argument("-n", type=int, default=1_000_000, help="how many questions, at least")
    given = parser.parse_args()
    graphs, question_count, seed, wrong = [*stacks()], 0, 0, 0
    while question_count < given.n:
        for rules in graphs:
            found = sweep(rules, seed)
            question_count += found.question_count
            wrong += len(found.wrong)
            sys.stdout.writelines(f"{line[:400]}\n" for line in found.wrong)
        seed += 1
    sys.stdout.write(
        f"{question_count} questions about {seed} positions of each of {len(graphs)} stacks, {wrong} wrong\n"
    )
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
