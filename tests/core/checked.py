"""Compile modules that recompute each memoized answer, and count those that differ."""

from importlib import import_module
from unittest.mock import patch

import compiler.wasm.expression as expressions
import compiler.wasm.module as modules
from compiler.core.sharing import Memo
from compiler.wasm.function import FunctionWriter, type_of, write_equality
from compiler.wasm.module import write_game
from compiler.wasm.sharing import write_memo
from runtime.engine.module import CompiledModule
from runtime.graph import nodes as graph

# The package also exports a function of this name.
MEMOIZATION = import_module("compiler.core.passes.memoization")
VARIABLES = "".join(
    f'(global ${name} (export "{name}") (mut i32) (i32.const 0))' for name in ("checking", "checked", "wrong")
)


def write_checked(to: FunctionWriter, node: Memo) -> str:
    """Write a memo whose body is evaluated again and compared; memos read in that evaluation are not checked."""
    type_ = type_of(node.representation)
    line, memo_value = to.spill(write_memo(to, node), type_)
    first = f"(global.set $checking (i32.const 1)) {one_more('checked')}"
    again_line, body_value = to.spill(to.write(node.body), type_)
    is_equal = write_equality(to.pool, memo_value, body_value, node.representation)
    differs = f"(if (i32.eqz {is_equal}) (then {one_more('wrong')}))"
    check = f"{first} {again_line} (global.set $checking (i32.const 0)) {differs}"
    return f"(block (result {type_}) {line} (if (i32.eqz (global.get $checking)) (then {check})) {memo_value})"


def one_more(variable: str) -> str:
    """Write the increment of a global counter."""
    return f"(global.set ${variable} (i32.add (global.get ${variable}) (i32.const 1)))"


def checked_program(rules: graph.Graph, pieces: int, hexes: int) -> CompiledModule:
    """Compile a checked module in which every function is memoized that can be."""
    helpers = modules.helper_functions()
    with (
        patch.multiple(MEMOIZATION, WORTH=0.0, WORTH_OF_POSITION=0.0, WORTH_OF_CONTENTS=0.0),
        patch.object(MEMOIZATION, "called_in_loops", lambda functions, _: set(functions)),
        patch.object(expressions, "write_memo", write_checked),
        patch.object(modules, "helper_functions", lambda: f"{helpers}\n{VARIABLES}"),
    ):
        return CompiledModule(rules, *write_game(rules, pieces, hexes))
