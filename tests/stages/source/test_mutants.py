"""The parser handles any text.

Mutants of a valid one give trees and problems in time, and the same at a second call.
"""

import random
import re
import time
from pathlib import Path

import pytest

from compiler.report.diagnose import sentence_of
from compiler.source.documents import read_documents
from compiler.source.garbage_collection import without_garbage_collection
from compiler.source.parse import parse_rules
from tests.sample import first_of_each, sampled

HERE = Path(__file__).parent
TOY = (HERE / "toy.rules").read_text(encoding="utf-8")
CARD = """
scenario: mill
uses: toy
map: [[near_shore, far_shore turned]]
turns: 8
order: [elves, dwarves]
forces:
  - {side: elves, units: {imp: 3}, sets_up: [{board: near_shore, columns: 1..4}, {where: h is fen}]}
victory: {elves: {narrow: "count(u in all unit) = 0"}}
special: |
  rule fen [T.1] "x"
    cost is 1
---
table: fare
cites: T.3 .4
keys: {row: ground, column: gait}
cell: {cost: MP, barred: word}
columns: [paw, hoof]
grid:
  fen: [1, {is: barred, cites: T.5}]
---
board: near_shore
numbering: {style: letter_number, columns: [3, 4], rows: 2, shift: left}
terrain: {fen: A1..A3 B2, heath: [B1]}
paths: {lane: [A1-B1-B2, A3]}
"""
JUNK = """{ } ( ) [ ] " ' | : = - .. ? # rule when is set value 1/0 0.5 [T.1 [1] 'x é § \0 \u202e & * ! %""".split(" ")
SLOWEST = 1.0


def mutants(text: str, count: int, seed: int) -> list[str]:
    """Return texts with random deletions, insertions, exchanges, truncations and repetitions."""
    dice = random.Random(seed)
    pieces = re.findall(r"\s+|\w+|.", text, re.DOTALL)
    found = []
    for _ in range(count):
        parts = list(pieces)
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(parts))
            match dice.randrange(5):
                case 0:
                    del parts[at : at + dice.randint(1, 3)]
                case 1:
                    parts.insert(at, dice.choice(JUNK))
                case 2:
                    other = dice.randrange(len(parts))
                    parts[at], parts[other] = parts[other], parts[at]
                case 3:
                    parts = parts[: at + 1]
                case _:
                    parts[at:at] = parts[at : at + dice.randint(1, 30)]
            parts = parts or [" "]
        found.append("".join(parts))
    return found


@sampled(0)
@pytest.mark.parametrize("seed", first_of_each(range(4), lambda _: ""))
def test_mutants_of_rules(seed: int) -> None:
    parse_rules("", "warm.rules")
    for text in mutants(TOY, 80, seed):
        started = time.process_time()
        with without_garbage_collection():  # Garbage of other tests must not be collected during the measurement.
            parsed, found = parse_rules(text, "mutant.rules")
        assert time.process_time() - started < SLOWEST
        assert parse_rules(text, "mutant.rules") == (parsed, found)
        lines = text.replace("\r", "\n").count("\n") + 1
        for problem in found:
            assert all(1 <= label.span.line <= lines for label in sentence_of(problem).spans)


@pytest.mark.parametrize("seed", first_of_each(range(4), lambda _: ""))
def test_mutants_of_yaml(seed: int) -> None:
    read_documents("", "warm.yaml")
    for text in mutants(CARD, 80, seed):
        started = time.process_time()
        with without_garbage_collection():
            nodes, found = read_documents(text, "mutant.yaml")
        assert time.process_time() - started < SLOWEST
        assert read_documents(text, "mutant.yaml") == (nodes, found)
        for problem in found:
            assert sentence_of(problem).message
