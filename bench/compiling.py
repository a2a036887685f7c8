"""Compiling: from cold, from the cache, a layer switched; and what grows how with the number of rules."""

import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.corpus import DICE, GROUNDS, write_corpus
from bench.finding import Finding, best, once
from compiler.analysis.prove import prove
from compiler.compile import compile_stack
from compiler.source.package import discover
from rulewright.proofs import confirm
from rulewright.shipped import rules_folder
from rulewright.stacks import load_stack
from runtime.answer.generate import Compiled
from runtime.graph import nodes as graph
from runtime.state.setup import from_position
from runtime.witness.differ import diff
from runtime.witness.find import BOUND

SECTION = "compiling"
GROWTH = "growth"
STACKS = ("panzer_leader", "panzerblitz", "panssari_salama", "panzer_grenadier", "low_tide")
SWITCHED = ("panzer_leader", "panzer_leader+quick_time")
SIZES = (1, 3, 10, 30)
# The corpus at 1x: about a small game.
TERMS, RULES = 20, 5
QUESTIONS = 3_000


def compiling(*, quick: bool) -> Iterator[Finding]:
    """Measure compiling."""
    stacks = STACKS[:1] if quick else STACKS
    cold = {name: once(partial(compile_afresh, name)) for name in stacks}
    for name, spent in cold.items():
        yield Finding(SECTION, f"{name}, from cold", "s", spent)
    if not quick:
        total = sum(cold.values())
        yield Finding(SECTION, "all shipped games from cold / 2 s", "s", total, 2.0, total / 2.0, 1.0)
    with tempfile.TemporaryDirectory() as folder:
        kept = os.environ.get("RULEWRIGHT_CACHE")
        os.environ["RULEWRIGHT_CACHE"] = folder
        try:
            load_stack(SWITCHED[0])
            cached = best(lambda: load_stack(SWITCHED[0]), rounds=3)[0]
            switched = once(lambda: load_stack(SWITCHED[1]))
            again = best(lambda: load_stack(SWITCHED[1]), rounds=3)[0]
        finally:
            os.environ.pop("RULEWRIGHT_CACHE") if kept is None else os.environ.update(RULEWRIGHT_CACHE=kept)
    yield Finding(SECTION, "panzer_leader, from the cache / 0.1 s", "s", cached, 0.1, cached / 0.1, 1.0)
    yield Finding(SECTION, "one layer switched, first time / 10 ms", "s", switched, 0.01, switched / 0.01, 1.0)
    yield Finding(SECTION, "one layer switched, seen before / 10 ms", "s", again, 0.01, again / 0.01, 1.0)


def compile_afresh(name: str) -> graph.Graph:
    """Read every file again and compile a stack."""
    library, _ = discover([rules_folder()])
    made = compile_stack(library, name).graph
    assert made is not None, name
    return made


def growth(*, quick: bool) -> Iterator[Finding]:
    """Measure how compile, check, diff and evaluation grow with a made-up rule set."""
    sizes = SIZES[:3] if quick else SIZES
    with tempfile.TemporaryDirectory() as folder:
        more_terms = [measured(Path(folder) / f"terms{size}", TERMS * size, RULES) for size in sizes]
        more_rules = [measured(Path(folder) / f"rules{size}", 1, RULES * size) for size in sizes if RULES * size < 150]
    for found in (more_terms, more_rules):
        # One beside the other: each takes less than the clock wanders between two minutes.
        for (line, _), spent in zip(found, best(*(asking(rules) for _, rules in found), rounds=9), strict=True):
            line["an evaluation"] = spent / QUESTIONS
    for name, found in (("terms", more_terms), ("rules in one term", more_rules)):
        for size, (line, _) in list(zip(sizes, found, strict=False))[1:]:
            for what, spent in line.items():
                first = found[0][0][what]
                times = spent / first
                yield Finding(GROWTH, f"{what}, {size}x the {name}", "s", spent, first, times, limit(what, name, size))


def limit(what: str, name: str, size: int) -> float | None:
    """Say how much more something may cost in a corpus so many times as large; a tenth is left to the clock.

    An evaluation may cost no more among ten times the rules of other terms; the rest may grow as the rules do.
    """
    if what == "an evaluation":
        return 1.2 if size == 10 and name == "terms" else None
    return 1.1 * size


def measured(folder: Path, terms: int, rules: int) -> tuple[dict[str, float], graph.Graph]:
    """Compile, check, and compare with itself."""
    write_corpus(folder, terms, rules)
    made: list[graph.Graph] = []

    def compile_it() -> None:
        library, _ = discover([folder])
        compiled = compile_stack(library, "corpus")
        assert compiled.graph is not None, compiled.problems[:3]
        made.append(compiled.graph)

    compiled = min(once(compile_it) for _ in range(2))
    rules_made = made[-1]
    problems: list[object] = []
    checked = once(lambda: problems.extend(prove(rules_made, lambda suspect: confirm(rules_made, suspect), BOUND)))
    compared = once(lambda: diff(made[0], rules_made, ""))
    return {"compile": compiled, "check": checked, "diff": compared}, rules_made


def asking(rules: graph.Graph) -> Callable[[], object]:
    """Prepare to ask the term in the middle many questions."""
    board = graph.Board("empty", {}, (), (), {})
    state = from_position(rules, graph.Position("empty", rules.stack, board, (), (), (), (), (), 1, "", ""))
    names = sorted(rules.terms)
    ask = Compiled(rules).values[names[len(names) // 2]]
    cases = [(f"g{number % GROUNDS}", number % DICE + 1) for number in range(QUESTIONS)]
    return lambda: [ask(state, *case) for case in cases]
