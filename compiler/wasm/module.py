"""Assemble a WebAssembly module from helpers, terms, and the constants behind the layout.

The input is a rule graph and the size of the situation; the output is the text of the module and the layout of its
memory. `write_game` emits a module that plays, `write_module` one from terms that the caller has lowered. A module
imports nothing and accesses only its own memory.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from compiler.core import ir
from compiler.core.game import LoweredGame, lower_game
from compiler.core.representation import Representation
from compiler.core.sharing import Memo
from compiler.core.trap_reason import TrapReason
from compiler.wasm.counting import CountWriter
from compiler.wasm.function import STEP_CODE, FunctionWriter, UnsupportedError
from compiler.wasm.inlining import COMMENT, Inlining
from compiler.wasm.memory import ConstantPool, used_arrays
from compiler.wasm.play import arrays_of_play, play_functions, sites_of, write_play
from compiler.wasm.validity import AnswerValidity
from runtime.graph import nodes as graph
from runtime.graph.count_layout import CountRequest
from runtime.graph.effects.primitives import MovePiece
from runtime.graph.layout import MOST_SLOTS, Layout, enum_members_in_order, lay_out, partner_masks, round_to_words
from runtime.graph.walk import walk
from runtime.graph.word_order import word_ranks

UNBOUNDED = 1 << 62  # The number of steps without a limit of the caller.
LOOP = re.compile(r"\(loop \$[^\s()]+")
# The classes of most nodes, which refer to no arrays and no members of enumerations.
WITHOUT_ARRAYS = frozenset({ir.Local, ir.Const, ir.If, ir.Let, ir.Force, *get_args(Representation)})
MOST_CREATED_PIECES = 40  # The number of pieces that play may create beyond those of an opening.
NEAR_SETS = 512  # Sets of hexes within some distance of one that helpers.wat keeps.
OTHER_WORDS = 32  # Boards and counters of a position besides those of the graph.
GLOBALS = {
    "board_x": "board:x",
    "board_y": "board:y",
    "board_sheet": "board:sheet",
    "board_slots": "board:slots",
    "board_beside": "board:beside",
    "board_near": "board:near",
    "board_around": "board:around",
    "board_neighbor": "board:neighbor",
    "board_by_place": "board:by_place",
    "board_size": "board:size",
    "board_far": "board:far",
    "first_at": "first_at",
    "next_at": "next_at",
}


def helper_functions() -> str:
    """Return the text of the functions that generated code calls."""
    folder = Path(__file__).parent
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in ("helpers.wat", "sightline.wat"))


def _inlining_of(library: str) -> Inlining:
    """Return the inlining of a library; each iteration of its loops takes a step."""
    return Inlining(_with_step_count(COMMENT.sub("", library)))


def write_game(rules: graph.Graph, pieces: int, hexes: int, watched: CountRequest | None = None) -> tuple[str, Layout]:
    """Lower a graph, and emit a module that plays it from openings of at most `pieces` pieces and `hexes` hexes.

    With `watched` the module also records the use of these rules.
    """
    lowered = lower_game(rules, watched)
    fractional = frozenset(lowered.denominators.fractional)
    most_pieces = pieces + MOST_CREATED_PIECES
    return write_module(lowered.module, rules, fractional, most_pieces, hexes, lowered, has_one_map=True)


def write_module(  # noqa: PLR0913 -- what a module consists of
    module: ir.Module,
    rules: graph.Graph,
    fractional: frozenset[str],
    pieces: int,
    hexes: int,
    play: LoweredGame | None = None,
    *,
    has_one_map: bool = False,
) -> tuple[str, Layout]:
    """Emit a module for situations of at most `pieces` pieces and `hexes` hexes; with `play` it also plays them.

    With `has_one_map` all situations that are loaded into one instance have the same map.
    """
    vocabulary = rules.vocabulary
    bodies = tuple(function.body for function in module.values())
    parts = (bodies, play.procedures, play.faces, play.first) if play else bodies
    nodes = [node for node in walk(parts) if node.__class__ not in WITHOUT_ARRAYS]
    uses = used_arrays(nodes, vocabulary)
    if play:
        uses = _merged_uses(uses, arrays_of_play(nodes, play.procedures.endings, vocabulary))
    validity = AnswerValidity(
        (node.footprint for node in nodes if isinstance(node, Memo)), play.read_by_endings if play else frozenset()
    )
    uses |= validity.needed_arrays()
    counts = CountWriter(play, play.watched, module) if play and play.watched else None
    if counts and counts.watched.counters:
        uses["counter"] = "piece", "i32"
    uses = {name: (index, "i64" if element == "?" else element) for name, (index, element) in uses.items()}
    uses |= dict.fromkeys((mask for name in uses for mask in partner_masks(name)), ("piece", "bits"))
    line = word_ranks([[member.name for member in enum.members] for _, enum in sorted(vocabulary.enums.items())])
    named = {*rules.counters, "open", "", *_enum_members_in(nodes)}
    words = enum_members_in_order(vocabulary, named, line)
    names = hexes if "hex_name" in uses else 0
    layout = lay_out(
        uses,
        round_to_words(pieces),
        round_to_words(hexes + 1),
        round_to_words(len(words) + OTHER_WORDS + names),
        words,
        fractional,
    )
    memory = ConstantPool(layout, validity, counts)
    memory.has_one_map = has_one_map
    inlining = _inlining_of("\n".join([helper_functions(), *([play_functions()] if play else [])]))
    # Calls are inlined where the time goes: in answers. The code of procedures is executed once a step.
    functions = [inlining.inlined(_with_step_count(_term_function(memory, function))) for function in module.values()]
    variables: list[str] = []
    if play:
        variables, more = write_play(memory, rules, play)
        functions += map(_with_step_count, more)
    near_sets = memory.reserve(NEAR_SETS * 8 * (1 + layout.bitset_words("hex")))
    layout = replace(
        layout,
        heap=memory.end_address,
        sites=sites_of(rules, play) if play else (),
        counts=counts.layout() if counts else None,
    )
    texts = [
        f'(module (memory (export "memory") {layout.heap // 65536 + 1})',
        *(f"(global ${name} i32 (i32.const {layout.arrays[array].base}))" for name, array in GLOBALS.items()),
        *(f"(global ${name}_words i32 (i32.const {layout.bitset_words(name)}))" for name in ("piece", "hex")),
        f"(global $near_sets i32 (i32.const {near_sets}))",
        f"(global $place_slots i32 (i32.const {layout.hexes * MOST_SLOTS}))",
        *(f'(global ${name} (export "{name}") (mut i32) (i32.const 0))' for name in VARIABLES),
        *variables,
        '(global $epoch (export "epoch") (mut i64) (i64.const 1))',
        f'(global $steps (export "steps") (mut i64) (i64.const {UNBOUNDED}))',
        '(func (export "allow") (param $steps i64) (global.set $steps (local.get $steps)))',
        inlining.library,
        *functions,
        *validity.invalidation_functions(layout),
        *(f'(data (i32.const {address}) "{_escape_bytes(data)}")' for address, data in memory.data),
        ")",
    ]
    return "\n".join(texts), layout


Uses = dict[str, tuple[str, str]]


def _merged_uses(read_uses: Uses, written_uses: Uses) -> Uses:
    """Merge the arrays that are read with those that are written; an unknown element type is taken from the other."""
    uses = {**written_uses, **read_uses}
    return {
        name: (index, written_uses.get(name, (index, "?"))[1] if element == "?" else element)
        for name, (index, element) in uses.items()
    }


def _enum_members_in(nodes: Iterable[Any]) -> set[str]:
    """Return the members of enumerations that nodes refer to, with the places to which pieces move."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ir.EnumConst):
            found.add(node.word)
        elif isinstance(node, MovePiece):
            found.add(node.place)
    return found


def _term_function(memory: ConstantPool, function: ir.Function) -> str:
    """Emit a term; an unsupported term traps with that reason, as do its callers."""
    name = f"t:{function.name}"
    try:
        return FunctionWriter(memory, name, function.parameters).function(function.body, name)
    except UnsupportedError:
        trap = ir.Trap(TrapReason.UNSUPPORTED, function.body.representation)
        return FunctionWriter(memory, name, function.parameters).function(trap, name)


# Globals that the host reads and writes: the bounds of free memory, the table of sight with its addresses, the reason
# of a trap, and the number of the last change (`$epoch`, counted from 1).
VARIABLES = (
    "sp", "end", "lines", "line_mask", "line_at", "line_begin", "line_end", "line_count", "reason"
)  # fmt: skip


def _with_step_count(text: str) -> str:
    """Return a text in which each iteration of each loop takes one of the steps that `allow` sets."""
    return LOOP.sub(lambda loop: f"{loop[0]} {STEP_CODE}", text)


def _escape_bytes(data: bytes) -> str:
    """Format bytes as a string literal."""
    return "".join(f"\\{byte:02x}" for byte in data)
