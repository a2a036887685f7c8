"""Time terms in a compiled module, before and after the passes, against generated Python, in one run.

    python -m tests.core.timing [CARD ...]

Every term is asked with drawn arguments in positions of random play: by generated code, whose memory of answers is
cleared before each round, and in batches by the module before and after the passes. The best of several rounds counts.
A factor is the time of generated code over that of the module.
"""

import random
import struct
import sys
import time
from collections.abc import Callable, Iterator
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from compiler.core import ir
from compiler.core.passes import optimize
from compiler.core.passes.rewriting import subexpressions
from compiler.core.questions import lower_questions
from compiler.core.sharing import Memo
from compiler.wasm.function import type_of
from compiler.wasm.module import write_module
from runtime.answer.generate import GeneratedEvaluator
from runtime.engine.module import CompiledModule, ModuleInstance
from runtime.engine.trap import TrapError
from runtime.engine.values import NotRepresentableError
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.state.position import State
from runtime.state.record import Value
from tests.core.agreement import samples
from tests.core.test_agreement import PACKAGES, positions
from tests.soak.stacks import compiled

Rows = list[tuple[Value, ...]]
CARDS = ("bridge_at_millbrook", "easthay", "hazel_ford")
MOMENTS = (40, 200)
ROUNDS = 3
LONG = 0.005  # Seconds that a batch should take.
FUEL = 1 << 60  # No batch is stopped.
MOST_ROWS, MOST_SETS = 2000, 200  # Rows of a batch; sets stay in memory until its end, so their terms have fewer.
SLOWEST = 10


class Timing(NamedTuple):
    """Microseconds per question: of generated code, and of the module before and after the passes."""

    term: str
    generated: float
    lowered: float
    optimized: float

    @property
    def before(self) -> float:
        """Return the factor by which the module before the passes is faster than generated code."""
        return self.generated / self.lowered

    @property
    def after(self) -> float:
        """Return the factor by which the module after the passes is faster than generated code."""
        return self.generated / self.optimized


def timings(rules: graph.Graph, states: list[State]) -> Iterator[Timing]:
    """Time every term that has an answer for drawn arguments."""
    lowered, denominators = lower_questions(rules, {})
    modules = lowered, optimize(lowered)
    programs = [batching_program(module, rules, frozenset(denominators.fractional)) for module in modules]
    answers = GeneratedEvaluator(rules)
    tables = [memoized_functions(module) for module in modules]
    engines = [[ModuleInstance(program, state, FUEL) for state in states] for program in programs]
    for name, term in rules.terms.items():
        spent, question_count = [0.0, 0.0, 0.0], 0
        for at, state in enumerate(states):
            rows = answered_rows(answers, engines[0][at], state, term)
            if not rows:
                continue
            question_count += len(rows)
            spent[0] += len(rows) * best_seconds(lambda: ask_without_memory(answers, state, name, rows), len(rows))  # noqa: B023
            for number in (0, 1):
                spent[1 + number] += len(rows) * batch_seconds(
                    engines[number][at], name, rows, keeps=name in tables[number]
                )
        if question_count:
            yield Timing(name, *(each / question_count * 1e6 for each in spent))


def batching_program(module: ir.Module, rules: graph.Graph, fractional: frozenset[str]) -> CompiledModule:
    """Add to a module a function for each term that evaluates it for many rows of arguments."""
    text, layout = write_module(module, rules, fractional, 128, 1000)
    batches = (batch_function(function) for name, function in module.items() if name in rules.terms)
    return CompiledModule(rules, "\n".join([text.removesuffix(")"), *batches, ")"]), layout)


def batch_function(function: ir.Function) -> str:
    """Emit a function that evaluates a term for rows of arguments, 8 bytes each, and stores the answers as a column."""
    count = len(function.parameters)
    arguments = " ".join(
        f"(i64.load offset={8 * index} (local.get $rows))"
        if type_of(each.representation) == "i64"
        else f"(i32.load offset={8 * index} (local.get $rows))"
        for index, each in enumerate(function.parameters)
    )
    answer = f"(call $t:{function.name} {arguments})"
    wide = answer if type_of(function.body.representation) == "i64" else f"(i64.extend_i32_s {answer})"
    return (
        f'(func (export "batch:{function.name}") (param $rows i32) (param $n i32) (param $out i32)\n'
        "  (block $none (loop $next (br_if $none (i32.eqz (local.get $n)))\n"
        f"    (i64.store (local.get $out) {wide})\n"
        f"    (local.set $rows (i32.add (local.get $rows) (i32.const {8 * count})))\n"
        "    (local.set $out (i32.add (local.get $out) (i32.const 8)))\n"
        "    (local.set $n (i32.sub (local.get $n) (i32.const 1))) (br $next))))"
    )


def answered_rows(answers: GeneratedEvaluator, terms: ModuleInstance, state: State, term: graph.Term) -> Rows:
    """Return the drawn arguments for which both engines have an answer."""
    found: Rows = []
    for arguments in samples(terms.module.rules, state, term, random.Random(term.name)):
        try:
            answers.ask(state, term.name, arguments)
            terms.ask(term.name, arguments)
        except (Unanswered, TrapError, NotRepresentableError):
            continue
        found.append(arguments)
    return found


def ask_without_memory(answers: GeneratedEvaluator, state: State, name: str, rows: Rows) -> None:
    """Ask generated code with an empty memory of answers."""
    state.forget_answers()
    ask = answers.ask
    for arguments in rows:
        ask(state, name, arguments)


def best_seconds(run: Callable[[], None], questions: int) -> float:
    """Return the seconds per question, the best of several rounds."""
    found = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        run()
        found = min(found, time.perf_counter() - began)
    return found / questions


def batch_seconds(terms: ModuleInstance, name: str, rows: Rows, *, keeps: bool) -> float:
    """Return the seconds per question in batches; a memoized term is asked once per row and position."""
    collects = isinstance(terms.module.rules.terms[name].type, graph.Many | graph.RecordOf)
    most = (MOST_SETS if collects else MOST_ROWS) // len(rows)
    with terms.with_arguments(name, rows) as (raw, free):
        packed = struct.pack(f"<{most * sum(map(len, raw))}q", *[each for row in raw for each in row] * most)
        out = free + len(packed)
        terms.write_bytes(free, packed)

        def run(count: int) -> None:
            terms.assign(sp=out + 8 * count)
            terms.call_function(f"batch:{name}", free, count, out)

        def another_position() -> None:
            terms.load()

        run(len(rows))  # The first run allocates the pages of memory.
        first = run_seconds(run, len(rows), another_position)
        times = 1 if keeps else min(most, max(1, int(LONG / first)))
        rounds = ROUNDS if first > LONG else ROUNDS * 4
        spent = min(run_seconds(run, times * len(rows), another_position) for _ in range(rounds))
        call = min(run_seconds(run, 0, another_position) for _ in range(rounds))
        return max(spent - call, 1e-9) / (times * len(rows))


def run_seconds(run: Callable[[int], None], count: int, before: Callable[[], None]) -> float:
    """Return the seconds of one run."""
    before()
    began = time.perf_counter()
    run(count)
    return time.perf_counter() - began


def memoized_functions(module: ir.Module) -> set[str]:
    """Return the functions that read memos, or call such functions."""
    calls = {
        name: {node.function for node in subexpressions(function.body) if isinstance(node, ir.Call)}
        for name, function in module.items()
    }
    found = {name for name, function in module.items() if isinstance(function.body, Memo)}
    while more := {name for name, called in calls.items() if called & found} - found:
        found |= more
    return found


def main(cards: tuple[str, ...]) -> None:
    """Print the median and the slowest terms of each card."""
    for card in cards:
        scenario = PACKAGES.library.scenarios[card]
        rules = compiled(PACKAGES, scenario, scenario.uses.text)
        found = list(timings(rules, positions(rules, MOMENTS, 3)))
        sys.stdout.write("\n".join(table(card, len(rules.terms), found)) + "\n")


def table(card: str, count: int, found: list[Timing]) -> Iterator[str]:
    """Yield the lines of the table of one card."""
    yield f"{card}: {len(found)} terms of {count}; times faster than generated Python"
    yield f"  median {median(t.before for t in found):8.1f} -> {median(t.after for t in found):8.1f}"
    slower = sum(t.before < 1 for t in found), sum(t.after < 1 for t in found)
    yield f"  slower than generated Python {slower[0]} -> {slower[1]}"
    yield f"  {'':28} {'Python us':>10} {'lowered':>10} {'passes':>10} {'before':>8} {'after':>8}"
    for title, key in (("slowest before", BEFORE), ("slowest after", AFTER)):
        yield f"  {title}"
        for t in sorted(found, key=key)[:SLOWEST]:
            numbers = f"{t.generated:10.2f} {t.lowered:10.3f} {t.optimized:10.3f} {t.before:8.2f} {t.after:8.2f}"
            yield f"    {t.term:26} {numbers}"


BEFORE, AFTER = attrgetter("before"), attrgetter("after")

if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or CARDS)
