"""Export of a position as a save of VASSAL.

The base is a save of the module, or its initial set-up. What has no equivalent here is copied from the base: decks,
notes, properties of the game, markers that the mapping omits.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from rulewright.adapters.vassal import saved_game
from rulewright.adapters.vassal.archive import ModuleArchive, open_archive
from rulewright.adapters.vassal.atlas import PICKER, REVERSED, AtlasPlacement
from rulewright.adapters.vassal.exporting import PieceExporter
from rulewright.adapters.vassal.module_import import MODULE_DATA, LoadedModule, load_module, note_other_module
from rulewright.adapters.vassal.piece_traits import STACK_TYPE, VassalPiece, read_piece
from rulewright.adapters.vassal.sequences import join_list
from rulewright.adapters.vassal.setup_conversion import OPENING, Setup, read_setup
from rulewright.exchange.notes import Notes
from rulewright.exchange.records import Exporter, SaveResult
from rulewright.system.errors import UsageError
from runtime.state.position import State

# The initial set-up of the module is on the map already.
LAID_OUT = "SETUP_STACK\t"

FIRST_STACK = 2_000_000_000_000
# The prefix of a new stack that has no number yet.
NEW = "new "
# The beginning of the last member of a stack, which is no piece.
DEPTH_MARK = "@@"


def export_state(state: State, module: Path, mapping: Path | None, base: Path | None) -> SaveResult:
    """Encode a state as a save."""
    notes = Notes()
    loaded_module = load_module(module, [base] if base else [], mapping, Notes())
    commands = _read_base(base, loaded_module, notes) if base is not None else []
    exporter = PieceExporter(loaded_module, _base_setup(loaded_module, base, commands), notes)
    exporter.match_pieces(state)
    pieces = exporter.pieces_of_state(state)
    written = _commands_with_base(commands, exporter, pieces) if commands else _commands_from_module(exporter, pieces)
    save = saved_game.write_commands(
        list(written), _meta(open_archive(base) if base else loaded_module.module.archive, loaded_module)
    )
    return SaveResult(save, len(pieces), notes)


def _read_base(base: Path, loaded_module: LoadedModule, notes: Notes) -> list[saved_game.Command]:
    """Return the commands of a save, of a log those of its beginning."""
    save = open_archive(base)
    save_notes = Notes()
    commands = saved_game.read_commands(save, save_notes)
    if not commands:
        reasons = "".join(f": {note.line()}" for note in save_notes.entries[-1:])
        raise UsageError(f"{base} is no save of VASSAL that can be read{reasons}")
    note_other_module(save, loaded_module.module, notes)
    steps = [command for command in commands if command.text.startswith(saved_game.LOG)]
    if steps:
        remark = "the steps of a log are left out: what is changed is its beginning"
        notes.add_omission(steps[0].span, base.name, remark)
    return [command for command in commands if not command.text.startswith(saved_game.LOG)]


def _base_setup(loaded_module: LoadedModule, base: Path | None, commands: list[saved_game.Command]) -> Setup:
    """Return the set-up of the base; without one, the initial set-up of the module, or its empty maps."""
    module, atlas = loaded_module.module, loaded_module.atlas
    if base is not None:
        return read_setup(base.stem, commands, module, atlas, Notes())
    opening = next((setup for setup, _ in loaded_module.setups if setup.name == OPENING), None)
    if opening is not None and opening.placements:
        return opening
    beginning = [saved_game.Command(1, saved_game.BEGIN, module.archive.name)]
    return read_setup(OPENING, beginning, module, atlas, Notes())


def _commands_with_base(
    commands: list[saved_game.Command], exporter: PieceExporter, pieces: dict[str, VassalPiece]
) -> Iterator[str]:
    """Yield the commands of a save in their order: known pieces in their current state, all others unchanged.

    A map that has got further boards has a command with all of them, in place of its own or at the end.
    """
    pickers = {
        f"{name}{PICKER}": _boards_command(name, exporter.base.placements[name]) for name in exporter.extended_maps
    }
    known = {placed.source.piece.id for placed in exporter.placed.values()}
    left = {piece.id: piece for piece in pieces.values()}
    added = [
        (command.text, read_piece(command.text) if command.text.startswith(saved_game.ADD) else None)
        for command in commands
    ]
    stacks = _stacks([piece for _, piece in added if piece is not None and piece.kind == STACK_TYPE], known, left)
    last = max((number for number, (_, piece) in enumerate(added) if piece is not None), default=0)
    # A command that adds a stack may only refer to pieces added before it: a stack with later pieces is postponed.
    later_ids, waiting = {*left}, []
    for number, (text, piece) in enumerate(added):
        opening = text.partition("\t")[0]
        if piece is not None and piece.kind == STACK_TYPE:
            command = stacks.get(piece.id, "")
            stack = read_piece(command)
            if stack is not None and later_ids.isdisjoint(_stacked_pieces(stack)):
                yield command
            elif stack is not None:
                waiting.append(command)
        elif opening in pickers:
            yield pickers.pop(opening)
        elif text == saved_game.END:
            yield from (*pickers.values(), text)
        elif piece is None or piece.id not in known:
            yield text
        elif piece.id in left:
            later_ids.discard(piece.id)
            yield left.pop(piece.id).command()
        if number == last:
            yield from (new_piece.command() for new_piece in left.values())
            yield from (*waiting, *(command for id_, command in stacks.items() if id_.startswith(NEW)))


def _stacks(stacks: list[VassalPiece], known: set[str], pieces: dict[str, VassalPiece]) -> dict[str, str]:
    """Return commands for the current stacks: pieces that left are removed, others added on top or in new stacks."""
    contents: dict[str, list[str]] = {}
    stack_ids: dict[tuple[str, int, int], str] = {}
    remaining_ids: set[str] = set()
    for stack in stacks:
        contents[stack.id] = []
        for id_ in _stacked_pieces(stack):
            if id_ not in known or (id_ in pieces and pieces[id_].place == stack.place):
                contents[stack.id].append(id_)
        remaining_ids.update(contents[stack.id])
        if contents[stack.id]:
            stack_ids.setdefault(stack.place, stack.id)
    for piece in pieces.values():
        if piece.id not in remaining_ids and piece.can_stack:
            number = stack_ids.setdefault(piece.place, f"{NEW}{len(stack_ids)}")
            contents.setdefault(number, []).append(piece.id)
    written: dict[str, str] = {}
    for (map_name, x, y), number in stack_ids.items():
        if number.startswith(NEW):
            content = join_list([map_name, str(x), str(y), *contents[number], f"{DEPTH_MARK}-1"], ";")
            id_ = str(FIRST_STACK + int(number.removeprefix(NEW)))
            written[number] = saved_game.ADD + join_list([id_, STACK_TYPE, content], "/")
    for stack in stacks:
        if contents[stack.id]:
            states = stack.traits[-1].states()
            depth = [member for member in states[3:] if member.startswith(DEPTH_MARK)]
            content = join_list([*states[:3], *contents[stack.id], *depth], ";")
            written[stack.id] = stack.with_state(0, content).command()
    return written


def _commands_from_module(exporter: PieceExporter, pieces: dict[str, VassalPiece]) -> Iterator[str]:
    """Yield the commands of a save without a base: the pieces, the initial set-up except decks, and the boards."""
    yield saved_game.BEGIN
    known = {placed.source.piece.id for placed in exporter.placed.values()}
    for placed in exporter.base.placed:
        if placed.piece.id not in known:
            yield placed.piece.command()
    yield from (piece.command() for piece in pieces.values())
    yield from _stacks([], known, {piece.id: piece for piece in pieces.values()}).values()
    for stack in exporter.loaded_module.module.stacks:
        if stack.is_deck and stack.slots:
            remark = "a deck is laid out by VASSAL alone: save a new game there and give it with --from"
            exporter.notes.add_omission(stack.span, stack.name, remark)
    yield LAID_OUT
    yield from (_boards_command(name, placements) for name, placements in exporter.base.placements.items())
    yield saved_game.END


def _boards_command(map_name: str, placements: Iterable[AtlasPlacement]) -> str:
    """Return the command that puts boards on a map."""
    words = [f"{map_name}{PICKER}"]
    for placement in placements:
        board = join_list([placement.module_board.name, *([REVERSED] if placement.is_rotated else [])], "/")
        words += [board, str(placement.column), str(placement.row)]
    return join_list(words, "\t")


def _meta(archive: ModuleArchive, loaded_module: LoadedModule) -> dict[str, bytes]:
    """Return the members that identify the module of a save: those of the base, or built from the module."""
    module = loaded_module.module
    version = f"<version>{escape(module.version)}</version>\n<VassalVersion>{escape(module.vassal)}</VassalVersion>\n"
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<data version="1">\n'
    texts = {"savedata": version, MODULE_DATA: f"{version}<name>{escape(module.name)}</name>\n"}
    members = {}
    for name in (MODULE_DATA, "savedata"):
        content = archive.read(name, Notes()) if name in archive.members else None
        if content is not None:
            members[name] = content
    return members | {name: f"{head}{text}</data>\n".encode() for name, text in texts.items() if name not in members}


def _stacked_pieces(stack: VassalPiece) -> list[str]:
    """Return the pieces of a stack, from bottom to top."""
    return [member for member in stack.traits[-1].states()[3:] if not member.startswith(DEPTH_MARK)]


EXPORTER = Exporter(saved_game.SAVE_ENDING, export_state)
