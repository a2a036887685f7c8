"""Emit the part of a module that plays: procedures, sites, the endings of pairs, resets at moments, and chance.

The input is the lowered procedures of a graph; the output is functions and data beside those of its terms.
"""

import struct
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from compiler.core import control
from compiler.core.game import LoweredGame
from compiler.core.heads import SECRET_SIDE_FIELD
from compiler.core.representation import (
    BOOL,
    CROSSING,
    HEX,
    PIECE,
    RATIO,
    Record,
    Representation,
    is_bit_set,
    is_sequence,
)
from compiler.core.trap_reason import TrapReason
from compiler.wasm.counter import write_counters
from compiler.wasm.counting import recount_functions
from compiler.wasm.effect import Effects, write_persisting
from compiler.wasm.expiry import write_endings, write_expiry
from compiler.wasm.function import FunctionWriter, UnsupportedError, i32_const, write_trap
from compiler.wasm.memory import ConstantPool, element_type, index_type
from compiler.wasm.preference import write_best_completion, write_worth
from compiler.wasm.procedure import (
    FRAME_HEADER_BYTES,
    FrameWriter,
    FunctionIndex,
    function_name,
    write_procedure,
    write_unset_names,
)
from compiler.wasm.site import write_site
from compiler.wasm.validity import EVERYTHING
from runtime.graph import nodes as graph
from runtime.graph.budget import LEAST_TRIALS, TRIALS_OF_DECISION, TRIALS_OF_OPTION
from runtime.graph.digest import text_key
from runtime.graph.effects.primitives import (
    CreatePiece,
    FlipPiece,
    RelatePieces,
    RemovePiece,
    StrikeRecord,
    WriteRecord,
)
from runtime.graph.layout import ABSENT32, BELOW, PLAIN_WORD, RATIO_NUMBER, UNLOGGED, Site, size_of
from runtime.graph.walk import walk

VARIABLES = (
    "arena", "arena_end", "base", "top", "site", "pieces", "drawn", "dice",
    "dice_end", "dice_top", "choices", "mark_turn", "mark_player", "mark_phase", "mark_number", "players", "options",
    "asked", "before", "tries", "log_end", "log_top", "plan", "plan_slots", "scratch", "arrays_end", "heap", "heap_end",
    "arena_begin", "by_action", "trying", "goal", "goal_site", "tried", "most_tried",
    "trial_base", "trial_end", "trial_at", "faces", "faces_known", "faces_at", "unsettled",
)  # fmt: skip
# Keys of random numbers (chance.wat), of 64 bits.
KEYS = ("seed_key", "choice_key", "dice_subject")
ARRAYS_OF_PLAY: dict[str, tuple[str, str]] = {
    "gone": ("piece", "bits"), "off": ("piece", "bits"), "place": ("piece", "i32"), "side": ("piece", "i32"),
    "kind": ("piece", "i32"), "counter": ("piece", "i32"), "fact:game.turn": ("", "i64"),
    "fact:game.player": ("", "i32"), "fact:game.phase": ("", "i32"),
}  # fmt: skip
# The functions that generated code of play calls.
WAT_FILES = ("play", "chance", "greedy", "subsets", "obligation")
# Where the rows of offers end and may end, and the log of a game that is played again (recount.wat).
COUNTING_VARIABLES = ("offers_end", "offers_top", "replay_end")
ASKS = control.AskOffer | control.AskChoice
BASES = {
    "hex": "hex", "on_map": "on_map", "gone": "gone", "off": "off", "reserve": "reserve", "turn": "fact:game.turn",
    "player": "fact:game.player", "phase": "fact:game.phase",
}  # fmt: skip


def play_functions() -> str:
    """Return the text of the functions that procedures call."""
    return "\n".join((Path(__file__).parent / f"{name}.wat").read_text(encoding="utf-8") for name in WAT_FILES)


def arrays_of_play(
    nodes: Iterable[Any], endings: Iterable[control.PairEnding], vocabulary: graph.Vocabulary
) -> dict[str, tuple[str, str]]:
    """Return the arrays that the nodes of procedures write, each with the type of its index and of its elements."""
    found = dict(ARRAYS_OF_PLAY)

    def add_array(array: str, representation: Representation | None) -> None:
        found[array] = (index_type(array, vocabulary), "?" if representation is None else element_type(representation))

    for node in nodes:
        match node:
            case control.Store(array, _, value) if value is not None:
                add_array(array, value.representation)
            case control.StoreBit(array):
                found[array] = (index_type(array, vocabulary), "bits")
            case control.Extend(array, _, _, representation) if array:
                add_array(array, representation)
            case RelatePieces(relation):
                found[f"pairs:{relation}"] = ("piece", "pair")
            case WriteRecord(record=record) | StrikeRecord(record):
                found[f"written:{record.representation.type}"] = ("", "i32")
            case control.BeginLoop(record=type_) | control.NextMember(record=type_) if type_:
                found[f"written:{type_}"] = ("", "i32")
            case CreatePiece(kind):
                found[f"kind:{kind}"] = ("piece", "bits")
                found["came_as"] = ("piece", "i32")
            case FlipPiece("front") | RemovePiece(as_lost=True):
                found["regained"] = ("piece", "i32")
            case _:
                pass
    for ending in endings:
        found[f"pairs:{ending.relation}"] = ("piece", "pair")
    return found


def write_play(pool: ConstantPool, rules: graph.Graph, play: LoweredGame) -> tuple[list[str], list[str]]:
    """Emit the globals of play, and the functions of procedures, sites and their completions."""
    function_index = FunctionIndex(play.procedures, play.sites)
    effects = Effects(rules.vocabulary.relations)
    procedures = tuple(play.procedures.procedures_by_key.values())
    functions = [_start_function(play, function_index)]
    logged = [PLAIN_WORD] * play.sites
    nodes: list[ASKS] = []
    for procedure in procedures:
        sites = [(index, node) for index, node in enumerate(procedure.code) if isinstance(node, ASKS)]
        nodes += [node for _, node in sites]
        for _, node in sites:
            logged[node.site] = _log_code(pool, node)
        functions += _functions_of_procedure(pool, procedure, sites, function_index, effects)
    functions += write_persisting(play.fields, effects, FunctionWriter(pool, "", ()))
    kinds = {node.kind for node in walk(procedures) if isinstance(node, CreatePiece)}
    functions += write_counters(pool, rules, play.faces, play.first, kinds)
    functions += [write_endings(pool, play.procedures), *write_expiry(pool, play.procedures, rules.vocabulary)]
    functions.append(_write_hiding(pool, rules))
    flags = {name: {node.site for node in nodes if is_such(node)} for name, is_such in SITE_TESTS.items()}
    if pool.counts:
        flags["counted_sites"] = pool.counts.counted_sites()
        functions.append(recount_functions())
    return [*_globals_of(pool, play, function_index, flags, logged), *_function_table(play, function_index)], functions


def _functions_of_procedure(
    pool: ConstantPool,
    procedure: control.Procedure,
    sites: list[tuple[int, ASKS]],
    function_index: FunctionIndex,
    effects: Effects,
) -> list[str]:
    """Emit a procedure with its sites; functions that stop if it has something that a module cannot do."""
    try:
        functions = [
            write_procedure(pool, procedure, function_index, effects),
            *_completion_tests(pool, procedure, function_index),
            *write_best_completion(pool, procedure, function_index),
        ]
        for index, node in sites:
            functions += write_site(pool, procedure, function_index, node, index)
            functions.append(write_worth(pool, procedure, function_index, node))
    except UnsupportedError:
        return _stopping_functions(procedure, [node.site for _, node in sites])
    return functions


def sites_of(rules: graph.Graph, play: LoweredGame) -> tuple[Site, ...]:
    """Return, for each site, what its options represent."""
    found = dict.fromkeys(range(play.sites), Site("", (), "", ""))
    members = {HEX: "hex", PIECE: "piece"}
    for key, procedure in play.procedures.procedures_by_key.items():
        for node in procedure.code:
            if isinstance(node, control.AskOffer):
                actions = tuple(name for name, _ in node.actions)
                found[node.site] = Site(f"offer {', '.join(actions)}", actions, "", key)
            elif isinstance(node, control.AskChoice):
                name = f"{rules.procedures[key].name}.{node.name.name.partition('.')[0]}"
                found[node.site] = Site(name, (), members.get(node.member.representation, ""), key)
    return tuple(found[number] for number in range(play.sites))


def _start_function(play: LoweredGame, function_index: FunctionIndex) -> str:
    """Emit the function that starts a game before the first step of its sequence of play."""
    sequence = play.procedures.procedures_by_key["sequence"]
    size = FRAME_HEADER_BYTES + 8 * len(sequence.names)
    return (
        '(func (export "start") (local $frame i32)\n'
        f"  (local.set $frame (call $begin {i32_const(function_index.index_by_key['sequence'])} {i32_const(size)}"
        f" (global.get $sp) (i32.load (global.get $player)))) {write_unset_names('(local.get $frame)', sequence)})"
    )


def _stopping_functions(procedure: control.Procedure, sites: list[int]) -> list[str]:
    """Emit the functions of an unsupported procedure: a game that reaches it traps with that reason."""
    stop = f"{write_trap(TrapReason.UNSUPPORTED)} unreachable"
    names = [f"p:{function_name(procedure.key)}"]
    stages = range(len(procedure.head.finish) if procedure.head else 0)
    names += map(procedure.completion_test, stages)
    names += [f"{sort}:{site}" for site in sites for sort in ("side", "members")]
    texts_of_draws = [f"(func $draw:{site} (param $frame i32) (param $side i32) (result i32) {stop})" for site in sites]
    texts = [f"(func ${name} (param $frame i32) (result i32) {stop})" for name in names]
    texts += [f"(func $ahead:{procedure.action}:{number} (param $frame i32) (result i64) {stop})" for number in stages]
    texts += [f"(func $open:{site} (param $frame i32) (param $value i64) (result i32) {stop})" for site in sites]
    texts += [f"(func $worth:{site} (param $frame i32) (param $value i64) (result i64) {stop})" for site in sites]
    return (
        texts + texts_of_draws + [f"(func $take:{site} (param $frame i32) (param $value i64) {stop})" for site in sites]
    )


def _ends_without_options(node: control.AskOffer | control.AskChoice) -> bool:
    """Return whether an empty set of options is no fault: an offer may escape, an empty order is complete."""
    if isinstance(node, control.AskOffer):
        return node.escapes
    return node.mode == "order" and node.most is None


def _grows_greedily(node: control.AskOffer | control.AskChoice) -> bool:
    """Return whether a greedy player adds members to a set at this site as long as its worth increases."""
    return isinstance(node, control.AskChoice) and node.mode == "any" and node.preferring is not None


# The sites that a module distinguishes, by the name under which it has them as a bit set.
SITE_TESTS: Mapping[str, Callable[[ASKS], bool]] = {
    "escapes": _ends_without_options,
    "offers": lambda site: isinstance(site, control.AskOffer),
    "growing": _grows_greedily,
    "of_pieces": lambda site: isinstance(site, control.AskChoice) and site.member.representation == PIECE,
    "musts": lambda site: isinstance(site, control.AskOffer) and site.obligation is not None,
    "keeps": lambda site: isinstance(site, control.AskOffer) and site.keeps,
}


def _log_code(pool: ConstantPool, node: control.AskOffer | control.AskChoice) -> int:
    """Return how what is taken at a site is logged; for written records, the address of their line."""
    if isinstance(node, control.AskOffer):
        return PLAIN_WORD
    representation = node.member.representation
    if isinstance(representation, Record):
        line = pool.layout.arrays.get(f"written:{representation.type}")
        return UNLOGGED if line is None else line.base
    if is_bit_set(representation) or is_sequence(representation) or representation == CROSSING:
        return UNLOGGED
    return RATIO_NUMBER if representation == RATIO else PLAIN_WORD


def _globals_of(
    pool: ConstantPool, play: LoweredGame, function_index: FunctionIndex, flags: dict[str, set[int]], logged: list[int]
) -> list[str]:
    """Emit variables and the addresses of constant data; `flags` are bit sets of sites by name.

    `logged` states how what is taken at each site is logged.
    """
    offering = sum(
        1 << function_index.index_by_key[each.key] for each in play.procedures.procedures_by_key.values() if each.offers
    )
    size = (max(len(function_index.index_by_key), play.sites) + 64) // 64 * 8
    addresses = {
        "word_keys": _store_text_keys(pool, pool.layout.enum_members),
        "procedure_keys": _store_text_keys(pool, function_index.index_by_key),
        "bit_places": pool.store(_bit_places()),
        "offering": pool.store(offering.to_bytes(size, "little")),
        **{
            name: pool.store(sum(1 << site for site in chosen).to_bytes(size, "little"))
            for name, chosen in flags.items()
        },
        "sites": function_index.sites,
        "draws": function_index.draws,
        "obliges": int(bool(flags["musts"])),
        "changing": pool.layout.changing,
        "changes": pool.layout.changes,
        "logged_as": pool.store(struct.pack(f"<{len(logged)}i", *logged)),
        "piece_count": pool.layout.pieces,
        "trials_of_decision": TRIALS_OF_DECISION,
        "trials_of_option": TRIALS_OF_OPTION,
        "least_trials": LEAST_TRIALS,
        **{name: pool.address_of(array) for name, array in BASES.items()},
    }
    variables: tuple[str, ...] = VARIABLES
    if pool.counts:
        variables += COUNTING_VARIABLES
        addresses["counter_faces"] = pool.counts.faces_at
        addresses["counter_of"] = pool.address_of("counter") if pool.counts.faces_at else 0
        addresses["enum_capacity"] = pool.layout.enum_capacity
    return [
        *(f'(global ${name} (export "{name}") (mut i32) (i32.const 0))' for name in variables),
        *(f"(global ${name} (mut i64) (i64.const 0))" for name in KEYS),
        *(f"(global ${name} i32 (i32.const {value}))" for name, value in addresses.items()),
    ]


def _store_text_keys(pool: ConstantPool, texts: Iterable[str]) -> int:
    """Store the keys of texts for random numbers; return the address of the table."""
    return pool.store(b"".join(struct.pack("<Q", text_key(text)) for text in texts))


def _bit_places() -> bytes:
    """Return the table of the places of bits: of number n among those set in byte b, at 256 n + b."""
    places = [[place for place in range(8) if byte >> place & 1] for byte in range(256)]
    return bytes(row[number] if number < len(row) else 0 for number in range(8) for row in places)


def _function_table(play: LoweredGame, function_index: FunctionIndex) -> list[str]:
    """Emit the types of functions that are called indirectly, and their table."""
    listed = [f"$p:{function_name(key)}" for key in function_index.index_by_key]
    for site in range(play.sites):
        listed += [f"${sort}:{site}" for sort in ("side", "members", "open", "take", "worth")]
    listed += [f"${name}" for name in function_index.finish]
    listed += [f"$draw:{site}" for site in range(play.sites)]
    return [
        "(type $function (func (param i32) (result i32)))",
        "(type $test (func (param i32 i64) (result i32)))",
        "(type $take (func (param i32 i64)))",
        "(type $draw (func (param i32 i32) (result i32)))",
        "(type $worth (func (param i32 i64) (result i64)))",
        f"(table {function_index.count} funcref)",
        f"(elem (i32.const 0) {' '.join(listed)})",
    ]


def _completion_tests(pool: ConstantPool, procedure: control.Procedure, function_index: FunctionIndex) -> list[str]:
    """Emit the tests whether an action can be completed, before its choices and after each of them."""
    if procedure.head is None:
        return []
    texts = []
    for number, condition in enumerate(procedure.head.finish):
        to = FrameWriter(pool, procedure.completion_test(number), procedure, function_index)
        lines = to.write_release(to.write(condition), BOOL, "i32")
        texts.append(to.text(lines, "(param $frame i32)", "(result i32)"))
    return texts


# ---------------------------------------------------------------- what a side does not know


def _write_hiding(pool: ConstantPool, rules: graph.Graph) -> str:
    """Emit `$hide`: it removes from a position what a side does not know (runtime/state/visibility.py)."""
    arrays, vocabulary = pool.layout.arrays, rules.vocabulary
    field = {
        name: i32_const(8 * [part.name for part in record.fields].index(SECRET_SIDE_FIELD))
        for name, record in vocabulary.records.items()
        if record.secret
    }
    to = FunctionWriter(pool, "hide", ())
    lines: list[str] = []

    def write_hidden(address: str, type_: str, *, is_many: bool) -> str:
        value = f"(i32.load {address})"
        if is_many:
            return f"(i32.store {address} (call $known_of {value} (local.get $side) {field[type_]}))"
        unknown = f"(i32.eqz (call $is_known {value} (local.get $side) {field[type_]}))"
        erasure = f"(i32.store {address} {i32_const(ABSENT32)})"
        return f"(if (i32.ge_s {value} (i32.const 0)) (then (if {unknown} (then {erasure}))))"

    lines += [
        write_hidden(i32_const(pool.address_of(f"written:{name}")), name, is_many=True)
        for name in field
        if f"written:{name}" in arrays
    ]
    for key, track in vocabulary.tracks.items():
        array = arrays.get(f"{'fact' if track.owner in ('game', 'scenario') else 'track'}:{key}")
        is_many = isinstance(track.type, graph.Many)
        value_type = track.type.of if isinstance(track.type, graph.Many) else track.type
        if array is None or not isinstance(value_type, graph.RecordOf) or value_type.name not in field:
            continue
        if not array.index:
            lines.append(write_hidden(i32_const(array.base), value_type.name, is_many=is_many))
            continue
        count = size_of(array.index, pool.layout.pieces, pool.layout.hexes, pool.layout.enum_capacity)
        index, loop = to.declare_local("i32"), to.label()
        element_address = f"(i32.add {i32_const(array.base)} (i32.shl (local.get {index}) (i32.const 2)))"
        lines.append(
            f"(local.set {index} {i32_const(-BELOW if array.index == 'hex' else 0)}) (loop {loop}"
            f" {write_hidden(element_address, value_type.name, is_many=is_many)} (local.set "
            f"{index} (i32.add (local.get {index}) (i32.const 1)))"
            f" (br_if {loop} (i32.lt_s (local.get {index}) (i32.const {count}))))"
        )
    declared = to.local_declarations()
    changed = pool.validity.write_stale(pool.layout, EVERYTHING)
    return f"(func $hide (param $side i32) {declared}\n  {' '.join(lines)} {changed})"
