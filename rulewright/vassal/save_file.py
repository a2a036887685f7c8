"""Export of a position or a recorded game as a save or a log of VASSAL.

The base is a save of the module, or its initial set-up. What has no equivalent here is copied from the base: decks,
notes, properties of the game, markers that the mapping omits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from rulewright.errors import UsageError
from rulewright.importing.notes import Notes
from rulewright.vassal.archive import Archive, open_archive
from rulewright.vassal.atlas import PICKER, REVERSED
from rulewright.vassal.exporting import Exporter
from rulewright.vassal.log_steps import DEPTH, members_of, order_of, step_between
from rulewright.vassal.module_import import LoadedModule, load_module
from rulewright.vassal.pieces import STACK, Piece, read_piece
from rulewright.vassal.saved_game import ADD, BEGIN, END, LOG, Command, read_commands, write_commands
from rulewright.vassal.sequences import join_list
from rulewright.vassal.setups import OPENING, Setup, read_setup
from runtime.state.position import State

# The initial set-up of the module is on the map already.
LAID_OUT = "SETUP_STACK\t"
META = ("moduledata", "savedata")
FIRST_STACK = 2_000_000_000_000
# The prefix of a new stack that has no number yet.
NEW = "new "


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The result of an export: its bytes, the numbers of pieces and steps, and notes of losses."""

    content: bytes
    pieces: int
    steps: int
    notes: Notes


def export_states(
    states: Sequence[tuple[str, State]], module: Path, mapping: Path | None, base: Path | None
) -> SaveResult:
    """Encode the first state as a save; further states, each with a sentence about the step to it, as a log."""
    read_notes, notes = Notes(), Notes()
    read = load_module(module, [base] if base else [], mapping, read_notes)
    commands: list[Command] = []
    setup = next((each for each, _ in read.setups if each.name == OPENING), Setup(OPENING, read.module.archive.span))
    if base is not None:
        commands = read_commands(open_archive(base), Notes()) or []
        if not commands:
            raise UsageError(f"{base} is no save of VASSAL that can be read")
        if steps := [each for each in commands if each.text.startswith(LOG)]:
            commands = [each for each in commands if not each.text.startswith(LOG)]
            notes.add_lost(
                steps[0].span, base.name, "the steps of a log are left out: what is changed is its beginning"
            )
        setup = read_setup(base.stem, commands, read.module, read.atlas, Notes())
    elif not setup.laid:
        setup = read_setup(OPENING, [Command(1, BEGIN, read.module.archive.name)], read.module, read.atlas, Notes())
    exporter = Exporter(read, setup, notes)
    exporter.begin(states[0][1])
    shown = exporter.show(states[0][1])
    written = list(_with_base(commands, exporter, shown) if commands else _from_module(exporter, shown))
    taken, order = 0, order_of(written)
    for sentence, state in states[1:]:
        after = exporter.show(state)
        if (step := step_between(sentence, shown, after, order)) is not None:
            written.append(step)
            taken += 1
        shown = after
    also = _meta(open_archive(base) if base else read.module.archive, read)
    return SaveResult(write_commands(written, also), len(shown), taken, notes)


def _with_base(commands: list[Command], exporter: Exporter, shown: dict[str, Piece]) -> Iterator[str]:
    """Yield the commands of a save in their order: known pieces in their current state, all others unchanged."""
    known = {each.source.piece.id for each in exporter.placed.values()}
    left = {piece.id: piece for piece in shown.values()}
    added = [(command.text, read_piece(command.text) if command.text.startswith(ADD) else None) for command in commands]
    stacks = _stacks([piece for _, piece in added if piece is not None and piece.kind == STACK], known, left)
    last = max((number for number, (_, piece) in enumerate(added) if piece is not None), default=0)
    # A command that adds a stack may only refer to pieces added before it: a stack with later pieces is postponed.
    coming, waiting = {*left}, []
    for number, (text, piece) in enumerate(added):
        if piece is not None and piece.kind == STACK:
            command = stacks.get(piece.id, "")
            if (written := read_piece(command)) is not None:
                if coming.isdisjoint(members_of(written)):
                    yield command
                else:
                    waiting.append(command)
        elif piece is None or piece.id not in known:
            yield text
        elif piece.id in left:
            coming.discard(piece.id)
            yield left.pop(piece.id).command()
        if number == last:
            new = list(left.values())
            yield from (each.command() for each in new)
            yield from (*waiting, *(command for each, command in stacks.items() if each.startswith(NEW)))


def _stacks(stacks: list[Piece], known: set[str], shown: dict[str, Piece]) -> dict[str, str]:
    """Return commands for the current stacks: pieces that left are removed, others added on top or in new stacks."""
    contents: dict[str, list[str]] = {}
    lies: dict[tuple[str, int, int], str] = {}
    written: dict[str, str] = {}
    settled: set[str] = set()
    states = {each.id: each.traits[-1].states() for each in stacks}
    for stack in stacks:
        place = stack.place
        members = members_of(stack)
        kept = [each for each in members if each not in known or (each in shown and shown[each].place == place)]
        settled |= {*kept}
        contents[stack.id] = kept
        if kept:
            lies.setdefault(place, stack.id)
    for piece in shown.values():
        if piece.id not in settled and piece.can_stack:
            number = lies.setdefault(piece.place, f"{NEW}{len(lies)}")
            contents.setdefault(number, []).append(piece.id)
    for place, number in lies.items():
        if number.startswith(NEW):
            state = join_list([place[0], str(place[1]), str(place[2]), *contents[number], f"{DEPTH}-1"], ";")
            written[number] = ADD + join_list([str(FIRST_STACK + int(number.removeprefix(NEW))), STACK, state], "/")
    for stack in stacks:
        if contents[stack.id]:
            depth = [each for each in states[stack.id][3:] if each.startswith(DEPTH)]
            written[stack.id] = stack.with_state(
                0, join_list([*states[stack.id][:3], *contents[stack.id], *depth], ";")
            ).command()
    return written


def _from_module(exporter: Exporter, shown: dict[str, Piece]) -> Iterator[str]:
    """Yield the commands of a save without a base: the pieces, the initial set-up except decks, and the boards."""
    read = exporter.read
    yield BEGIN
    known = {each.source.piece.id for each in exporter.placed.values()}
    for placed in exporter.base.placed:
        if placed.piece.id not in known:
            yield placed.piece.command()
    yield from (piece.command() for piece in shown.values())
    yield from _stacks([], known, {piece.id: piece for piece in shown.values()}).values()
    for stack in read.module.stacks:
        if stack.deck and stack.slots:
            said = "a deck is laid out by VASSAL alone: save a new game there and give it with --from"
            exporter.notes.add_lost(stack.span, stack.name, said)
    yield LAID_OUT
    for name, laid in exporter.base.laid.items():
        words = [f"{name}{PICKER}"]
        for each in laid:
            board = join_list([each.module_board.name, *([REVERSED] if each.turned else [])], "/")
            words += [board, str(each.column), str(each.row)]
        yield join_list(words, "\t")
    yield END


def _meta(archive: Archive, read: LoadedModule) -> dict[str, bytes]:
    """Return the members that identify the module of a save: those of the base, or built from the module."""
    quiet = Notes()
    found = {name: content for name in META if name in archive.members
             and (content := archive.read(name, quiet)) is not None}  # fmt: skip
    module = read.module
    said = f"<version>{escape(module.version)}</version>\n<VassalVersion>{escape(module.vassal)}</VassalVersion>\n"
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<data version="1">\n'
    texts = {"savedata": said, "moduledata": f"{said}<name>{escape(module.name)}</name>\n"}
    return found | {name: f"{head}{text}</data>\n".encode() for name, text in texts.items() if name not in found}
