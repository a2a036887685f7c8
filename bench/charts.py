"""The workload of two charts: by hand, by generated code, and by the rule engines one would install instead.

Every engine's answers are checked against the hand-written function first; one that answers otherwise
stops the benchmark.
"""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench.batch import dense_answers
from bench.by_hand import GROUNDS, MANNERS, TROOPS, by_hand
from bench.finding import AT_LEAST, Finding, best, each, once
from bench.peers import PEERS
from bench.peers.engine import Batch, Case, Engine
from compiler.compile import compile_stack
from compiler.source.package import discover_layers
from rulewright.system.environment import command_for
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.setup import from_position

HERE = Path(__file__).parent
SECTION = "two charts and a clamp"
CHECKED = 500
MICRO = 1e6


def charts(*, quick: bool) -> Iterator[Finding]:
    """Measure the workload in every engine there is."""
    cases = questions(2_000 if quick else 20_000)
    began = time.process_time()
    rules = load()
    yield Finding(SECTION, "compile the package, cold", "s", time.process_time() - began)
    state, compiled = nowhere(rules), GeneratedEvaluator(rules)
    value = partial(compiled.values["result"], state)
    ask = partial(compiled.terms["result"], state)
    check("generated", value, cases)
    check("generated, with decision id", lambda *case: ask(*case)[0], cases)
    floor, own_time, explained = (
        t / len(cases) * MICRO for t in best(each(by_hand, cases), each(value, cases), each(ask, cases))
    )
    yield Finding(SECTION, "one question, generated / by hand", "us", own_time, floor, own_time / floor, 1.5)
    yield Finding(
        SECTION, "one question with its decision id / by hand", "us", explained, floor, explained / floor, 3.0
    )
    yield from interpreted(rules, state, cases[: len(cases) // 20], floor)
    batched = whole_columns(compiled, cases)
    yield from batched
    yield from peers(cases, own_time, explained, batched[0].own_value or own_time)


def questions(count: int) -> list[Case]:
    """Uniformly random questions, the same in every run."""
    chance = random.Random(1970)
    return [
        (
            chance.randrange(6), chance.randint(1, 6), chance.choice(GROUNDS), chance.choice(TROOPS),
            chance.choice(MANNERS),
        )
        for _ in range(count)
    ]  # fmt: skip


def load() -> graph.Graph:
    """Compile the workload's package."""
    library, _ = discover_layers([HERE / "workload"])
    compiled = compile_stack(library, "bench_workload")
    assert compiled.graph is not None, compiled.problems
    return compiled.graph


def nowhere(rules: graph.Graph) -> State:
    """A state without a board: the workload does not look at one."""
    board = graph.Board("empty", {}, (), (), {})
    return from_position(rules, graph.Position("empty", rules.stack, board, (), (), (), (), (), 1, "", ""))


def check(name: str, answer: Callable[..., object], cases: list[Case]) -> None:
    """Compare answers with the hand-written function."""
    wrong = [case for case in cases[:CHECKED] if answer(*case) != by_hand(*case)]
    assert not wrong, (name, wrong[0])


def check_batch(name: str, batch: Batch, cases: list[Case]) -> None:
    """Compare a batch with the hand-written function."""
    some = cases[:CHECKED]
    assert batch(some) == [by_hand(*case) for case in some], name


def interpreted(rules: graph.Graph, state: State, cases: list[Case], floor: float) -> Iterator[Finding]:
    """Time the reference."""
    interpreter = Interpreter(rules)
    check("interpreter", lambda *case: interpreter.ask(state, "result", case).value, cases)
    spent = once(lambda: [interpreter.ask(state, "result", case) for case in cases]) / len(cases) * MICRO
    yield Finding(SECTION, "one question, interpreted / by hand", "us", spent, floor, spent / floor)


def whole_columns(compiled: GeneratedEvaluator, cases: list[Case]) -> list[Finding]:
    """Time a column of questions: the gather alone, and with words turned into places."""
    table = dense_answers(compiled, "result")
    assert table is not None
    columns = [*zip(*(cases * 10), strict=True)]
    codes = [table.encode(number, column) for number, column in enumerate(columns)]
    found = table.decode_answers(table.ask(*codes))[:CHECKED]
    assert found == [by_hand(*case) for case in cases[:CHECKED]]
    count = len(columns[0])
    alone, encoded = best(
        lambda: table.ask(*codes),
        lambda: table.ask(*(table.encode(number, column) for number, column in enumerate(columns))),
    )
    alone, encoded = alone / count * MICRO, encoded / count * MICRO
    return [
        Finding(SECTION, "a batch, per question / 0.05 us", "us", alone, 0.05, alone / 0.05, 1.0),
        Finding(SECTION, "a batch with its words encoded, per question", "us", encoded),
    ]


def peers(cases: list[Case], own_time: float, explained: float, batched: float) -> Iterator[Finding]:
    """Time every peer in each mode, and compare the fastest with ours."""
    fastest: list[float] = []
    for package, make in PEERS.items():
        try:
            released = version(package)
        except PackageNotFoundError:
            yield Finding(SECTION, package, "us", None, note=f"absent: {command_for('bench')}")
            continue
        began = time.process_time()
        engine = make()
        yield Finding(SECTION, f"{package} {released}, load", "s", None, time.process_time() - began)
        for mode, engine_variant, spent in timed(engine, cases):
            against = {"scalar": own_time, "explained": explained, "batch": batched}[engine_variant]
            # One question is held against one question; a batch is what some offer instead.
            target = 20.0 if engine_variant == "scalar" else None
            fastest += [spent] if engine_variant == "scalar" else []
            yield Finding(SECTION, f"{package}, {mode}", "us", against, spent, spent / against, target, AT_LEAST)
    if fastest:
        top = min(fastest)
        yield Finding(SECTION, "the fastest engine / generated", "us", own_time, top, top / own_time, 20.0, AT_LEAST)


def timed(engine: Engine, cases: list[Case]) -> Iterator[tuple[str, str, float]]:
    """Check and time an engine; yield its mode, our comparable mode, and microseconds per question."""
    some = cases[: max(200, len(cases) // engine.share)]
    modes = (("one question", "scalar", engine.answer), ("one question, explained", "explained", engine.explained))
    for mode, engine_variant, answer in modes:
        if answer is not None:
            check(engine.name, answer, some[:100])
            yield mode, engine_variant, min(best(each(answer, some), rounds=2)) / len(some) * MICRO
    if engine.batch is not None:
        batch = engine.batch
        check_batch(engine.name, batch, some)
        yield f"a batch of {len(some):,}", "batch", best(lambda: batch(some), rounds=2)[0] / len(some) * MICRO
