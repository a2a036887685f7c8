"""Keep the compiled modules of graphs, so that the same rules are not compiled again.

In: a game (a graph with its card). Out: a `Program`. Machine code is run as it is read, so it lies in the user's cache
as generated code does (cache.py): signed by a key that only this user can read, in a folder that no other user may
write to, or nowhere. It is known by the graph, the size of the situation, the compiler, the release of wasmtime and the
kind of machine.
"""

import platform
from importlib.metadata import version

from compiler.wasm.game import write_game
from rulewright.library import cache
from runtime.engine.terms import MachineCode, MisfitError, NoRoomError, Program
from runtime.play.game import Game

# Three to ten megabytes each for a large game; a card played under several stacks has one for each.
MODULES = cache.CachePool(".module", 24)
# Rows of charts that a module is compiled with; 62,500 take more than a minute and a gigabyte.
MOST_ROWS = 10_000


def program_of(game: Game) -> Program:
    """Compile a module that plays a game, or take the one that was compiled before.

    `NoRoomError` for charts of so many rows that compiling them would take minutes.
    """
    if (rows := sum(len(table.rows) for table in game.graph.tables.values())) > MOST_ROWS:
        raise NoRoomError(f"the charts have {rows:,} rows, and compiled code holds {MOST_ROWS:,} at most")
    opening = game.set_up()
    pieces, hexes = len(opening.sheets), opening.board.size
    # The code that reads and writes the memory of a module uses the layout that is kept with it.
    stamp = cache.compiler_stamp("compiler", "runtime/graph")
    machine = f"{version('wasmtime')} {platform.system()} {platform.machine()} {pieces} {hexes}"
    name = cache.cache_key(b"module", stamp, game.graph.hash.encode(), machine.encode())
    kept = cache.get(name, MODULES)
    if isinstance(kept, MachineCode):
        try:
            return Program(game.graph, kept, kept.layout)
        except MisfitError:  # Of a machine with other instructions: a home may be shared by several.
            pass
    program = Program(game.graph, *write_game(game.graph, pieces, hexes))
    cache.put(name, program.machine_code(), MODULES)
    return program
