"""Compiling: from cold, from the cache, a layer switched; and what grows how with the number of rules."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

from bench.corpus import DICE, GROUNDS, write_corpus
from bench.finding import Finding, best, once
from compiler.analysis.confirmation import proof_result
from compiler.analysis.prove import prove_graph
from compiler.compile import compile_stack
from compiler.query.database import Database
from compiler.source.package import discover_layers
from rulewright.checks.confirming_witness import confirming_witness
from rulewright.library.example_targets import all_targets
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import load_stack, open_packages
from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.state.setup import from_position
from runtime.witness.behavioral_diff import behavioral_diff
from runtime.witness.find_witness import BOUND

SECTION = "compiling"
GROWTH = "growth"
# What is compiled alone; all that ship, options and readings included, are compiled together.
STACKS = ("panzer_leader", "panzerblitz", "panssari_salama", "panzer_grenadier", "low_tide")
GAME = "panzer_leader"
OPTIONS = ("quick_time", "opportunity_fire", "smoke_shells", "field_of_fire", "naval_support")
SIZES = (1, 3, 10, 30)
# The corpus at 1x: about a small game.
TERMS, RULES = 20, 5
QUESTIONS = 3_000
# Run in a process that knows nothing yet: loads a stack, then puts one layer after the other on top of it. Prints
# seconds of CPU without the start of Python and its modules.
LOADING = (
    "import gc, time\n"
    "from rulewright.library.stacks import load_stack, open_packages\n"
    "gc.disable()\n"
    "began = time.process_time()\n"
    "load_stack({stack!r})\n"
    "print(time.process_time() - began)\n"
    "package_set = open_packages()\n"
    "for option in {options!r}:\n"
    "    began = time.process_time()\n"
    "    package_set.compiled({stack!r} + '+' + option)\n"
    "    print(time.process_time() - began)\n"
)


def compiling(*, quick: bool) -> Iterator[Finding]:
    """Measure compiling."""
    compile_afresh(STACKS[-1])  # The tables of the grammar are built once for a Python, as its modules are.
    for name in STACKS[:1] if quick else STACKS:
        yield Finding(SECTION, f"{name}, from cold", "s", once(partial(compile_afresh, name)))
    if not quick:
        stacks = [each.stack for each in all_targets(open_packages()) if not each.scenario]
        spent, *_ = best(partial(compile_afresh, *stacks), rounds=3)
        yield held(f"all {len(stacks)} shipped stacks, from cold / 2 s", spent, 2.0)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "RULEWRIGHT_CACHE": folder}
        first, *later = [loaded(environment) for _ in range(2 if quick else 4)]
    yield Finding(SECTION, f"{GAME}, loaded by a new process, first time", "s", first[0])
    yield held(f"{GAME}, from the cache / 0.1 s", min(spent[0] for spent in later), 0.1)
    yield from switching(OPTIONS)
    switched = min(median(spent[1:]) for spent in later)
    yield Finding(SECTION, "one layer switched, loaded from the cache", "s", switched)
    yield from proving(quick=quick)


def proving(*, quick: bool) -> Iterator[Finding]:
    """Measure proofs by cases: of a stack, of the same with another of its rules changed each time, of all stacks."""
    library, _ = discover_layers([rules_folder()])

    def graph_of(name: str) -> graph.Graph:
        compiled_rules = compile_stack(library, name).graph
        assert compiled_rules is not None, name
        return compiled_rules

    rules, database = graph_of(GAME), Database()
    whole = once(partial(prove_graph, rules, None, database))
    reversed_rules = [(rule, turned_round(rule.guard)) for rule in rules.rules.values() if rule.guard is not None]
    altered = [
        replace(rules, rules={**rules.rules, rule.label: replace(rule, guard=guard)})
        for rule, guard in reversed_rules[:: 200 if quick else 50]
    ]
    second_time = once(lambda: [prove_graph(each, None, database) for each in altered]) / len(altered)
    yield Finding(SECTION, f"{GAME}, proved by cases", "s", whole)
    name = f"{GAME} with one rule turned round, proved after the whole"
    yield Finding(SECTION, name, "s", second_time, whole, second_time / whole)
    if not quick:
        graphs = [graph_of(each.stack) for each in all_targets(open_packages()) if not each.scenario]
        together = once(lambda: [prove_graph(each, None, database) for each in graphs])
        yield Finding(SECTION, f"all {len(graphs)} shipped stacks, proved by cases one after another", "s", together)


def turned_round(guard: graph.Expr) -> graph.Expr:
    """Say the opposite."""
    return graph.Op("not", (guard,))


def switching(options: tuple[str, ...]) -> Iterator[Finding]:
    """Measure a layer put on top in a program that has its rules open, and the same once more from its name."""
    with tempfile.TemporaryDirectory() as folder, environment_with(RULEWRIGHT_CACHE=folder):
        package_set = open_packages()
        package_set.compiled(GAME)
        spent = [once(partial(package_set.compiled, f"{GAME}+{option}")) for option in options]
        second_time = best(lambda: load_stack(f"{GAME}+{options[0]}"), rounds=3)[0]
    yield held("one layer switched, first time / 10 ms", median(spent), 0.01)
    yield held("one layer switched, seen before / 10 ms", second_time, 0.01)


def held(name: str, spent: float, wanted: float) -> Finding:
    """Compare the measured time with the target."""
    return Finding(SECTION, name, "s", spent, wanted, spent / wanted, 1.0)


def loaded(environment: dict[str, str]) -> list[float]:
    """Load a stack in a process of its own, then the same with each option; give the seconds of CPU of each."""
    command = [sys.executable, "-c", LOADING.format(stack=GAME, options=OPTIONS)]
    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    return [float(line) for line in output.splitlines()]


@contextmanager
def environment_with(**wanted: str) -> Iterator[None]:
    """Set variables for a while."""
    remaining = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in remaining.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def compile_afresh(*names: str) -> graph.Graph:
    """Read every file again and compile stacks; give the last."""
    library, _ = discover_layers([rules_folder()])
    rules = [compile_stack(library, name).graph for name in names]
    assert rules[-1] is not None, names[-1]
    return rules[-1]


def growth(*, quick: bool) -> Iterator[Finding]:
    """Measure how compile, check, diff and evaluation grow with a made-up rule set."""
    sizes = SIZES[:3] if quick else SIZES
    with tempfile.TemporaryDirectory() as folder:
        more_terms = [measured(Path(folder) / f"terms{size}", TERMS * size, RULES) for size in sizes]
        more_rules = [measured(Path(folder) / f"rules{size}", 1, RULES * size) for size in sizes]
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
    created: list[graph.Graph] = []

    def compile_it() -> None:
        library, _ = discover_layers([folder])
        compiled = compile_stack(library, "corpus")
        assert compiled.graph is not None, compiled.problems[:3]
        created.append(compiled.graph)

    compiled = min(once(compile_it) for _ in range(2))
    rules_made = created[-1]
    confirm = partial(confirming_witness, rules_made)
    checked = min(once(lambda: proof_result(rules_made, prove_graph(rules_made), confirm, BOUND)) for _ in range(2))
    compared = once(lambda: behavioral_diff(created[0], rules_made, ""))
    return {"compile": compiled, "check": checked, "diff": compared}, rules_made


def asking(rules: graph.Graph) -> Callable[[], object]:
    """Prepare to ask the term in the middle many questions."""
    board = graph.Board("empty", {}, (), (), {})
    state = from_position(rules, graph.Position("empty", rules.stack, board, (), (), (), (), (), 1, "", ""))
    names = sorted(rules.terms)
    ask = GeneratedEvaluator(rules).values[names[len(names) // 2]]
    cases = [(f"g{number % GROUNDS}", number % DICE + 1) for number in range(QUESTIONS)]
    return lambda: [ask(state, *case) for case in cases]
