"""Run the examples of stacks, mutate the rules under them, and measure a ledger against the outcome."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import compiler
from compiler.layered.choose import choose_layers, parse_request
from compiler.report.answers import ClarifiesElsewhere, ReadingUnplayed, RulingUnplayed
from compiler.report.diagnose import Problem
from compiler.source.uncollected import uncollected
from rulewright.library import cache
from rulewright.library.pack import pack
from rulewright.library.stacks import Shelves, open_shelves
from rulewright.library.wanted import Wanted, everything, on_cards
from runtime.examples.coverage import Coverage, Item, cover
from runtime.examples.mutate import NUMBER, PART, Protection, Unit, mutate
from runtime.examples.run import Run
from runtime.examples.shown import not_shown, unplayed
from runtime.graph import nodes as graph

Progress = Callable[[int, int], None]


def clarified_elsewhere(rules: graph.Graph, runs: Sequence[Run]) -> list[ClarifiesElsewhere]:
    """List what rulings clarify and their examples do not show."""
    with uncollected():
        return [ClarifiesElsewhere(ruling.label, label, ruling.origin) for ruling, label in not_shown(rules, runs)]


def unplayed_rulings(rules: graph.Graph, runs: Sequence[Run]) -> list[RulingUnplayed]:
    """List the rulings that change the law and make no difference to their own examples."""
    return [RulingUnplayed(ruling.label, ruling.origin) for ruling in unplayed(rules, runs)]


def unplayed_readings(shelves: Shelves, rules: graph.Graph) -> list[ReadingUnplayed]:
    """List the readings of the topmost layer with rules of their own that nobody in reach chooses."""
    top = rules.layers[-1].name
    own = [each for each in rules.disputes.values() if each.origin.layer == top] if "=" not in rules.stack else []
    open_ = [(each, reading) for each in own for reading in each.readings if reading.rules and not reading.chosen]
    if not open_:
        return []
    played = {part for wanted in everything(shelves) for part in wanted.stack.split("+")}
    layers = shelves.library.layers.values()
    played |= {f"{word.text}={reading.text}" for layer in layers for word, reading in layer.readings}
    return [
        ReadingUnplayed(each.label, reading.label, top, each.origin)
        for each, reading in open_
        if f"{each.label}={reading.label}" not in played
    ]


def protect_all(shelves: Shelves, rules: graph.Graph) -> Protection:
    """Alter every rule and cell of a stack, and all it changes on a card, and see which example notices."""
    found = protect_stack(rules)
    runs, protected = [*found.runs], [*found.protected]
    left = {(unit.what, unit.name): unit for unit in found.unprotected}
    for wanted in on_cards(shelves, rules.stack):
        laid = wanted.compiled(shelves).graph
        more = mutate(laid, partial(_is_open, left)) if laid is not None else Protection((), (), ())
        runs += more.runs
        protected += more.protected
        left |= {(unit.what, unit.name): unit for unit in more.unprotected}
        for unit in more.protected:
            left.pop((unit.what, unit.name), None)
    return Protection(tuple(runs), tuple(protected), tuple(left.values()))


def _is_open(left: Mapping[tuple[str, str], Unit], unit: Unit) -> bool:
    """Tell whether an example on a card still has to notice a unit; what changes on cards is nowhere else."""
    return unit.what in (NUMBER, PART) or (unit.what, unit.name) in left


def protect_stack(rules: graph.Graph) -> Protection:
    """Alter every rule and cell in turn and see which example notices; kept until the graph changes."""
    house = Path(compiler.__file__).parent
    key = cache.key(b"protection", cache.compiler_stamp([house.parent / "runtime"]), rules.hash.encode())
    return cache.remember(key, lambda: mutate(rules))


def own_layers(rules: graph.Graph) -> frozenset[str]:
    """The layers a stack answers for: those of a complete game that it only extends have been judged there."""
    layers = {layer.name: layer for layer in rules.layers}
    below: set[str] = set()
    todo = [name for layer in rules.layers if layer.kind != "base" for name in layer.on]
    while todo:
        name = todo.pop()
        if name in layers and layers[name].kind == "base" and name not in below:
            below.add(name)
            todo += layers[name].on
    return frozenset(layers) - below


def unprotected_anywhere(shelves: Shelves, rules: graph.Graph, found: Protection) -> tuple[Unit, ...]:
    """The units of a stack's own layers that no example protects, here or in another stack that shares the layer."""
    own = own_layers(rules)
    left = {_everywhere(unit): unit for unit in found.unprotected if unit.origin.layer in own}
    here = {layer.name for layer in rules.layers}
    for wanted in [*(each for each in everything(shelves) if not each.scenario), *on_cards(shelves)]:
        homes = {unit.origin.layer for unit in left.values()}
        if not homes or wanted.stack == rules.stack:
            continue
        # Choosing layers is cheap, compiling all that is in reach is not.
        chosen, _ = choose_layers(shelves.library.layers, parse_request(wanted.stack))
        there = {layer.name.text for layer in chosen}
        if not there & homes or here < there:
            continue
        other = wanted.compiled(shelves)
        if other.graph is not None:
            for unit in mutate(other.graph, lambda unit: _everywhere(unit) in left).protected:
                left.pop(_everywhere(unit), None)
    return tuple(left.values())


def _everywhere(unit: Unit) -> tuple[str, str, graph.Origin | None]:
    """What a unit is called in every stack: hooks are numbered anew in each, but stand where they stand."""
    name, numbered, _ = unit.name.partition("#")
    return unit.what, name, unit.origin if numbered else None


def measure(
    items: Sequence[Item], wanted: Sequence[Wanted], packages: Sequence[Path], jobs: int, progress: Progress
) -> tuple[Coverage, tuple[Problem, ...], tuple[int, int]]:
    """Find out which items the examples of these stacks protect; stacks that do not compile count for nothing.

    The last part counts the cases that ran and those that failed, which count for nothing either.
    """
    found: dict[Wanted, Measured] = {}
    cache.write_down()
    pack.write_down()
    with ProcessPoolExecutor(max(1, min(jobs, len(wanted))), mp_context=get_context("spawn")) as executor:
        waiting = {executor.submit(measure_one, each, tuple(packages)): each for each in wanted}
        for done, future in enumerate(as_completed(waiting), 1):
            found[waiting[future]] = future.result()
            progress(done, len(wanted))
    measured = [found[each] for each in wanted]
    whole = [(each.graph, each.protection) for each in measured if each.graph and each.protection]
    runs = [run for _, protection in whole for run in protection.runs]
    counts = len(runs), sum(not run.passed for run in runs)
    return cover(items, whole), tuple(problem for each in measured for problem in each.problems), counts


@dataclass(frozen=True, slots=True)
class Measured:
    """What became of one stack."""

    graph: graph.Graph | None
    protection: Protection | None
    problems: tuple[Problem, ...]


def measure_one(wanted: Wanted, packages: tuple[Path, ...]) -> Measured:
    """Compile and mutate one stack, in a process of its own."""
    shelves = open_shelves(packages)
    stack = wanted.compiled(shelves)
    if stack.broken or stack.graph is None:
        return Measured(None, None, stack.problems)
    return Measured(stack.graph, protect_stack(stack.graph), ())
