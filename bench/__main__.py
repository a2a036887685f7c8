"""`python -m bench [--quick] [--json]`: the workload by hand, by generated code, with reasons, and by the interpreter.

Every engine's answers are checked against the hand-written function first. Numbers are ratios to it,
taken in the same run, best of several rounds; nothing here is asserted in tests.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.floor import GROUNDS, MANNERS, TROOPS, by_hand
from compiler.compile import compile_stack
from compiler.source.package import discover
from runtime.answer.generate import Compiled
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.setup import from_position

HERE = Path(__file__).parent
TARGETS = {"generated": 1.5, "generated, with decision id": 3.0}  # docs/performance.md
ROUNDS = 5
Case = tuple[int, int, str, str, str]


def main() -> int:
    """Run the benchmark and print what it found."""
    parser = argparse.ArgumentParser(prog="bench")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    cases = questions(2_000 if asked.quick else 50_000)
    began = time.perf_counter()
    rules = load()
    load_time = time.perf_counter() - began
    found = measure(rules, cases)
    found.append({"name": "compile the package, cold", "ours": load_time, "peer": None, "ratio": None, "target": None})
    for row in found:
        row["met"] = None if row["target"] is None else row["ratio"] <= row["target"]
    sys.stdout.write(json.dumps(found, indent=2) + "\n" if asked.json else table(found))
    return 0


def questions(count: int) -> list[Case]:
    """Uniformly random questions, the same in every run."""
    chance = random.Random(1970)
    return [
        (
            chance.randrange(6),
            chance.randint(1, 6),
            chance.choice(GROUNDS),
            chance.choice(TROOPS),
            chance.choice(MANNERS),
        )
        for _ in range(count)
    ]


def load() -> graph.Graph:
    """Compile the workload's package."""
    library, _ = discover([HERE / "workload"])
    compiled = compile_stack(library, "bench_workload")
    assert compiled.graph is not None, compiled.problems
    return compiled.graph


def nowhere(rules: graph.Graph) -> State:
    """A state without a board: the workload does not look at one."""
    board = graph.Board("empty", {}, (), (), {})
    return from_position(rules, graph.Position("empty", rules.stack, board, (), (), (), (), (), 1, "", ""))


def measure(rules: graph.Graph, cases: list[Case]) -> list[dict[str, Any]]:
    """Time every engine on the same questions, answers checked first."""
    state = nowhere(rules)
    compiled, interpreter = Compiled(rules), Interpreter(rules)
    engines: list[tuple[str, Callable[[Case], Any], int]] = [
        ("generated", lambda case: compiled.value(state, "result", case), 1),
        ("generated, with decision id", lambda case: compiled.ask(state, "result", case).value, 1),
        ("interpreter", lambda case: interpreter.ask(state, "result", case).value, 20),
    ]
    floor = best(lambda case: by_hand(*case), cases)
    rows: list[dict[str, Any]] = []
    for name, answer, share in engines:
        some = cases[: max(1, len(cases) // share)]
        wrong = [case for case in some[:500] if answer(case) != by_hand(*case)]
        assert not wrong, (name, wrong[0])
        ours = best(answer, some)
        rows.append({"name": name, "ours": ours, "peer": floor, "ratio": ours / floor, "target": TARGETS.get(name)})
    return rows


def best(answer: Callable[[Case], Any], cases: list[Case]) -> float:
    """Seconds a question, the best of several rounds."""
    rounds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for case in cases:
            answer(case)
        rounds.append((time.perf_counter() - began) / len(cases))
    return min(rounds)


def table(rows: list[dict[str, Any]]) -> str:
    """The findings as lines of text."""
    lines = [f"{'':32} {'microseconds':>13} {'x by hand':>10} {'target':>7}"]
    for row in rows:
        ratio = f"{row['ratio']:.2f}" if row["ratio"] is not None else ""
        target = f"{row['target']:.1f}" if row["target"] is not None else ""
        lines.append(f"{row['name']:32} {row['ours'] * 1e6:>13.2f} {ratio:>10} {target:>7}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
