"""`python -m tests.answers -n 1000000 --seed 1`: compare the evaluators on every shipped stack.

Every round takes the next stack (games, variants, and each option with its game), changes positions of its examples at
random, and asks each term about them. Prints the number of questions asked of both evaluators, and each difference.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from rulewright.library.example_targets import all_targets
from rulewright.library.stacks import open_packages
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from tests.answers.differential import Difference, agree
from tests.answers.shaken import shaken

POSITIONS = 40


@dataclass(frozen=True, slots=True)
class Round:
    """The number of questions asked of one stack, and the answers that differ."""

    stack: str
    question_count: int
    differences: tuple[Difference, ...]


def rounds(stacks: list[str], seed: int) -> Iterator[Round]:
    """Compare the evaluators on one stack after the other, without end; each round takes `POSITIONS` positions."""
    package_set = open_packages()
    for number in count():
        stack = stacks[number % len(stacks)]
        rules = package_set.compiled(stack).graph
        if rules is None:
            continue
        interpreter, compiled = Interpreter(rules), GeneratedEvaluator(rules)
        question_count, found = 0, []
        for position, drop in drawn(rules, seed, number // len(stacks)):
            state = shaken(rules, position, drop)
            more, differences = agree(interpreter, compiled, state, (drop, 3))
            question_count += more
            found += differences
        yield Round(stack, question_count, tuple(found))


def drawn(rules: graph.Graph, seed: int, lap: int) -> Iterator[tuple[graph.Position, int]]:
    """Yield the next positions of a stack's examples, each with a seed of its own."""
    positions = [e.position for e in rules.examples if not e.names and e.position.pieces and e.position.board.hexes]
    for place in range(lap * POSITIONS, (lap + 1) * POSITIONS if positions else 0):
        yield positions[place * 7 % len(positions)], seed * 1_000_003 + place


def main() -> int:
    """Run rounds until `-n` questions were asked; return 1 if an answer differs, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.answers", description=__doc__)
    parser.add_argument("-n", type=int, default=100_000, help="how many questions")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    question_count = caught = 0
    stacks = [wanted.name for wanted in all_targets(open_packages()) if not wanted.scenario]
    for number, each in enumerate(rounds(stacks, given.seed), 1):
        question_count += each.question_count
        caught += len(each.differences)
        for difference in each.differences:
            sys.stdout.write(f"{each.stack}: {difference}\n")
        if number % 10 == 0 or question_count >= given.n:
            sys.stdout.write(f"{question_count} asked, {caught} differ\n")
            sys.stdout.flush()
        if question_count >= given.n:
            return min(caught, 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
