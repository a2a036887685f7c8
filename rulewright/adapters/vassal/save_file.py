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
META = (MODULE_DATA, "savedata")
FIRST_STACK = 2_000_000_000_000
# The prefix of a new stack that has no number yet.
NEW = "new "
# The beginning of the last member of a stack, which is no piece.
DEPTH_MARK = "@@"


def export_state(state: State, module: Path, mapping: Path | None, base: Path | None) -> SaveResult:
    """Encode a state as a save."""
    read_notes, notes = Notes(), Notes()
    loaded_module = load_module(module, [base] if base else [], mapping, read_notes)
    commands: list[saved_game.Command] = []
    setup = next(
        (each for each, _ in loaded_module.setups if each.name == OPENING),
        Setup(OPENING, loaded_module.module.archive.span),
    )
    if base is not None:
        save = open_archive(base)
        save_notes = Notes()
        commands = saved_game.read_commands(save, save_notes) or []
        if not commands:
            reasons = "".join(f": {note.line()}" for note in save_notes.entries[-1:])
            raise UsageError(f"{base} is no save of VASSAL that can be read{reasons}")
        note_other_module(save, loaded_module.module, notes)
        if steps := [each for each in commands if each.text.startswith(saved_game.LOG)]:
            commands = [each for each in commands if not each.text.startswith(saved_game.LOG)]
            notes.add_omission(
                steps[0].span, base.name, "the steps of a log are left out: what is changed is its beginning"
            )
        setup = read_setup(base.stem, commands, loaded_module.module, loaded_module.atlas, Notes())
    elif not setup.placements:
        setup = read_setup(
            OPENING,
            [saved_game.Command(1, saved_game.BEGIN, loaded_module.module.archive.name)],
            loaded_module.module,
            loaded_module.atlas,
            Notes(),
        )
    exporter = PieceExporter(loaded_module, setup, notes)
    exporter.match_pieces(state)
    pieces = exporter.pieces_of_state(state)
    written = list(
        _commands_with_base(commands, exporter, pieces) if commands else _commands_from_module(exporter, pieces)
    )
    also = _meta(open_archive(base) if base else loaded_module.module.archive, loaded_module)
    return SaveResult(saved_game.write_commands(written, also), len(pieces), notes)


def _commands_with_base(
    commands: list[saved_game.Command], exporter: PieceExporter, pieces: dict[str, VassalPiece]
) -> Iterator[str]:
    """Yield the commands of a save in their order: known pieces in their current state, all others unchanged.

    A map that has got further boards has a command with all of them, in place of its own or at the end.
    """
    pickers = {
        f"{name}{PICKER}": _boards_command(name, exporter.base.placements[name]) for name in exporter.extended_maps
    }
    known = {each.source.piece.id for each in exporter.placed.values()}
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
        if piece is not None and piece.kind == STACK_TYPE:
            command = stacks.get(piece.id, "")
            if (written := read_piece(command)) is not None:
                if later_ids.isdisjoint(_stacked_pieces(written)):
                    yield command
                else:
                    waiting.append(command)
        elif text.partition("\t")[0] in pickers:
            yield pickers.pop(text.partition("\t")[0])
        elif text == saved_game.END:
            yield from (*pickers.values(), text)
        elif piece is None or piece.id not in known:
            yield text
        elif piece.id in left:
            later_ids.discard(piece.id)
            yield left.pop(piece.id).command()
        if number == last:
            new = list(left.values())
            yield from (each.command() for each in new)
            yield from (*waiting, *(command for each, command in stacks.items() if each.startswith(NEW)))


def _stacks(stacks: list[VassalPiece], known: set[str], pieces: dict[str, VassalPiece]) -> dict[str, str]:
    """Return commands for the current stacks: pieces that left are removed, others added on top or in new stacks."""
    contents: dict[str, list[str]] = {}
    stack_ids: dict[tuple[str, int, int], str] = {}
    written: dict[str, str] = {}
    settled_ids: set[str] = set()
    states = {each.id: each.traits[-1].states() for each in stacks}
    for stack in stacks:
        place = stack.place
        members = _stacked_pieces(stack)
        remaining_members = [
            each for each in members if each not in known or (each in pieces and pieces[each].place == place)
        ]
        settled_ids |= {*remaining_members}
        contents[stack.id] = remaining_members
        if remaining_members:
            stack_ids.setdefault(place, stack.id)
    for piece in pieces.values():
        if piece.id not in settled_ids and piece.can_stack:
            number = stack_ids.setdefault(piece.place, f"{NEW}{len(stack_ids)}")
            contents.setdefault(number, []).append(piece.id)
    for place, number in stack_ids.items():
        if number.startswith(NEW):
            state = join_list([place[0], str(place[1]), str(place[2]), *contents[number], f"{DEPTH_MARK}-1"], ";")
            written[number] = saved_game.ADD + join_list(
                [str(FIRST_STACK + int(number.removeprefix(NEW))), STACK_TYPE, state], "/"
            )
    for stack in stacks:
        if contents[stack.id]:
            depth = [each for each in states[stack.id][3:] if each.startswith(DEPTH_MARK)]
            written[stack.id] = stack.with_state(
                0, join_list([*states[stack.id][:3], *contents[stack.id], *depth], ";")
            ).command()
    return written


def _commands_from_module(exporter: PieceExporter, pieces: dict[str, VassalPiece]) -> Iterator[str]:
    """Yield the commands of a save without a base: the pieces, the initial set-up except decks, and the boards."""
    loaded_module = exporter.loaded_module
    yield saved_game.BEGIN
    known = {each.source.piece.id for each in exporter.placed.values()}
    for placed in exporter.base.placed:
        if placed.piece.id not in known:
            yield placed.piece.command()
    yield from (piece.command() for piece in pieces.values())
    yield from _stacks([], known, {piece.id: piece for piece in pieces.values()}).values()
    for stack in loaded_module.module.stacks:
        if stack.is_deck and stack.slots:
            remark = "a deck is laid out by VASSAL alone: save a new game there and give it with --from"
            exporter.notes.add_omission(stack.span, stack.name, remark)
    yield LAID_OUT
    yield from (_boards_command(name, placements) for name, placements in exporter.base.placements.items())
    yield saved_game.END


def _boards_command(map_name: str, placements: Iterable[AtlasPlacement]) -> str:
    """Return the command that puts boards on a map."""
    words = [f"{map_name}{PICKER}"]
    for each in placements:
        board = join_list([each.module_board.name, *([REVERSED] if each.is_rotated else [])], "/")
        words += [board, str(each.column), str(each.row)]
    return join_list(words, "\t")


def _meta(archive: ModuleArchive, loaded_module: LoadedModule) -> dict[str, bytes]:
    """Return the members that identify the module of a save: those of the base, or built from the module."""
    quiet = Notes()
    found = {
        name: content for name in META if name in archive.members and (content := archive.read(name, quiet)) is not None
    }
    module = loaded_module.module
    version = f"<version>{escape(module.version)}</version>\n<VassalVersion>{escape(module.vassal)}</VassalVersion>\n"
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<data version="1">\n'
    texts = {"savedata": version, MODULE_DATA: f"{version}<name>{escape(module.name)}</name>\n"}
    return found | {name: f"{head}{text}</data>\n".encode() for name, text in texts.items() if name not in found}


def _stacked_pieces(stack: VassalPiece) -> list[str]:
    """Return the pieces of a stack, from bottom to top."""
    return [each for each in stack.traits[-1].states()[3:] if not each.startswith(DEPTH_MARK)]


EXPORTER = Exporter(saved_game.SAVE_ENDING, export_state)
