"""Passes change no answer: random functions are evaluated before and after the passes."""

import random
from dataclasses import replace
from functools import cache

from compiler.core import ir
from compiler.core.passes import optimize
from compiler.core.representation import BOOL, ENUM, HEX, INT, PIECE, Representation, is_bit_set
from compiler.wasm.module import write_module
from runtime.engine.module import CompiledModule, ModuleInstance
from runtime.engine.trap import TrapError
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value
from tests.core.random_core import SIDES, RandomCore
from tests.core.test_agreement import positions
from tests.sample import LONG
from tests.toys.build import HEX as A_HEX
from tests.toys.build import YES_NO, term
from tests.toys.hares import HARE, HARES, SIDE, hares

FUNCTIONS, QUESTIONS = 60, 12
TYPES: dict[Representation, graph.Type] = {
    BOOL: YES_NO, INT: graph.Number(None, None, ""), HEX: A_HEX, PIECE: HARE, ENUM: SIDE
}  # fmt: skip


@cache
def sample_positions() -> list[State]:
    """Return positions of the toy: at the beginning, with pieces off the map, and later."""
    return positions(hares(), (0, 25), 5)


def type_of(of: Representation) -> graph.Type:
    """Return the type of the language for a representation."""
    if is_bit_set(of):
        return graph.Many("set", A_HEX) if of.element == HEX else HARES
    return TYPES[of]


def ask_functions(module: ir.Module, names: list[str], state: State) -> ModuleInstance:
    """Compile functions as terms; return the module on a state."""
    terms = {
        name: term(
            "value",
            name,
            type_of(module[name].body.representation),
            tuple(graph.Parameter(each.name, TYPES[each.representation]) for each in module[name].parameters),
        )
        for name in names
    }
    rules = replace(hares(), terms=terms)
    return ModuleInstance(
        CompiledModule(rules, *write_module(module, rules, frozenset(), 64, 200)), state, fuel=20_000_000
    )


def answer(terms: ModuleInstance, name: str, arguments: tuple[Value, ...]) -> tuple[str, Value]:
    """Ask a function; return the reason of a trap or "", and the answer."""
    try:
        return "", terms.ask(name, arguments)
    except TrapError as trap:
        return trap.reason, None


def differences(seed: str) -> tuple[list[str], dict[str, int]]:
    """Compare a random module before and after the passes; also count the answers and traps by reason."""
    chance = random.Random(f"questions {seed}")
    module = RandomCore(seed).module(FUNCTIONS)
    names, found = list(module), []
    seen: dict[str, int] = {}
    optimized = optimize(module)
    for state in sample_positions():
        before, after = (ask_functions(each, names, state) for each in (module, optimized))
        values: dict[Representation, list[Value]] = {
            PIECE: list(range(len(state.sheets))),
            HEX: list(range(state.board.size)),
            ENUM: list(SIDES),
            INT: [-1, 0, 1, 4],
        }
        for name in names:
            parameters = module[name].parameters
            for _ in range(QUESTIONS):
                arguments = tuple(chance.choice(values[each.representation]) for each in parameters)
                one = answer(before, name, arguments)
                if one[0] == "exhausted":
                    continue  # Passes change the number of steps.
                seen[one[0]] = seen.get(one[0], 0) + 1
                other = answer(after, name, arguments)
                # If both trap, a pass may have changed which trap comes first.
                if one != other and not (one[0] and other[0]):
                    found.append(f"{seed} {name}{arguments}: {one} became {other}")
    return found, seen


def compare_modules(seeds: range) -> None:
    """Compare modules; more than a third of the results are answers, and there are traps of two reasons."""
    reasons: dict[str, int] = {}
    for seed in seeds:
        found, seen = differences(str(seed))
        assert found == []
        reasons = {name: reasons.get(name, 0) + seen.get(name, 0) for name in reasons | seen}
    assert reasons[""] > sum(reasons.values()) / 3
    assert {"absent", "gap"} <= {*reasons}


def test_random_functions() -> None:
    compare_modules(range(1))


@LONG
def test_many_random_functions() -> None:
    compare_modules(range(1, 3))
    compare_modules(range(100, 160))
