"""A cache of the compiled modules of graphs.

In: a game (a graph with its card). Out: a `CompiledModule`. Machine code is executed as it is read, so it is stored in
the user's cache like generated code (cache.py): signed by a key that only this user can read, in a folder that no other
user may write to, or not at all. The key consists of what is played under the graph, the size of the situation, the
compiler, the release of wasmtime and the platform.
"""

import platform
from importlib.metadata import version

from compiler.source.garbage_collection import without_garbage_collection
from compiler.wasm.module import write_game
from rulewright.library import cache
from runtime.engine.module import CompiledModule, MachineCode, MemoryLimitError, MisfitError
from runtime.graph.count_layout import CountRequest
from runtime.graph.digest import play_digest
from runtime.play.game import Game

# An entry of a large game has three to ten megabytes; a card played under several stacks has one for each.
MODULES = cache.CachePool(".module", 24)
# The most rows of charts in a module; 62,500 take more than a minute and a gigabyte to compile.
MOST_CHART_ROWS = 10_000


def module_of(game: Game, watched: CountRequest | None = None) -> CompiledModule:
    """Return the module that plays a game, and counts what is watched, from the cache or by compiling it.

    Raises `MemoryLimitError` if the charts have more rows than the limit.
    """
    if (rows := sum(len(table.rows) for table in game.graph.tables.values())) > MOST_CHART_ROWS:
        raise MemoryLimitError(f"the charts have {rows:,} rows, and compiled code holds {MOST_CHART_ROWS:,} at most")
    opening = game.set_up()
    pieces, hexes = len(opening.sheets), opening.board.size
    # The code that accesses the memory of a module uses the layout stored with it.
    stamp = cache.compiler_stamp("compiler", "runtime/graph")
    machine = f"{version('wasmtime')} {platform.system()} {platform.machine()} {pieces} {hexes}"
    name = cache.cache_key(b"module", stamp, play_digest(game.graph).encode(), machine.encode(), repr(watched).encode())
    stored_code = cache.cached_entry(name, MODULES)
    if isinstance(stored_code, MachineCode):
        try:
            return CompiledModule(game.graph, stored_code, stored_code.layout)
        except MisfitError:  # Of a machine with other instructions: a home may be shared by several.
            pass
    with without_garbage_collection():
        module = CompiledModule(game.graph, *write_game(game.graph, pieces, hexes, watched))
    cache.store_entry(name, module.machine_code(), MODULES)
    return module
