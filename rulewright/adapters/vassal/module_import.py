"""The importer of modules of VASSAL: convert a module, with saves of it, to a package."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.adapters.vassal import texts
from rulewright.adapters.vassal.archive import ModuleArchive, is_module, open_archive
from rulewright.adapters.vassal.atlas import Atlas, make_atlas
from rulewright.adapters.vassal.counter_conversion import CounterChart, make_chart
from rulewright.adapters.vassal.identifiers import NamePool
from rulewright.adapters.vassal.mapping import OMITTED, NameMapping, read_mapping, write_mapping
from rulewright.adapters.vassal.module_parts import VassalModule, read_module
from rulewright.adapters.vassal.saved_game import LOG, LOG_ENDING, SAVE_ENDING, Command, read_commands
from rulewright.adapters.vassal.setup_conversion import Setup, opening_setup, read_setup
from rulewright.adapters.vassal.xml_tree import parse_xml
from rulewright.exchange.notes import Notes, TransferCount
from rulewright.exchange.package_files import BOARDS, CARDS, IMPORTED_COMMENT, LAYERS
from rulewright.exchange.records import ForeignPackage, Importer, ImportSource
from rulewright.system.errors import UsageError

FORM = "vassal"
# The suffix distinguishes it from the files of layers.
MAPPING_FILE, POSITIONS_FOLDER = "mapping.yml", "positions"
MOST_SETUPS = 60
# The member of a save that names its module.
MODULE_DATA = "moduledata"


@dataclass(slots=True)
class LoadedModule:
    """A loaded module with its converted boards and counters, and its set-ups; the first is that of a new game."""

    module: VassalModule
    mapping: NameMapping
    atlas: Atlas
    chart: CounterChart
    setups: list[tuple[Setup, bool]]
    unread_count: int


def load_module(source: Path, saves: Sequence[Path], mapping: Path | None, notes: Notes) -> LoadedModule:
    """Load a module with its set-ups and further saves; `UsageError` if the module or the mapping cannot be read."""
    words = NameMapping() if mapping is None else _read_mapping(mapping, notes)
    archive = open_archive(source)
    module = read_module(archive, notes)
    if module is None:
        raise UsageError(notes.entries[-1].line())
    words.module = words.module or f"{module.name} {module.version}".strip()
    words.stack = words.stack or NamePool().word(module.name, "module")
    atlas = make_atlas(module, words, notes)
    is_laid_out = any(not stack.is_deck for stack in module.stacks)
    setups = [(opening_setup(module, atlas, notes), False)] if is_laid_out else []
    opened = list(_open_setups(module, archive, notes))
    unread = len(module.setups) - len(opened)
    opened += [(path.stem, open_archive(path), True) for path in saves]
    for name, save, is_user_save in opened:
        commands = read_commands(save, notes)
        if commands is None:
            unread += 1
            continue
        _note_steps(name, commands, notes)
        setups.append((read_setup(name, commands, module, atlas, notes), is_user_save))
    pieces = [placed.piece for setup, _ in setups for placed in setup.placed]
    return LoadedModule(module, words, atlas, make_chart(module, words, pieces, notes), setups, unread)


def _read_mapping(path: Path, notes: Notes) -> NameMapping:
    mapping = read_mapping(path, notes)
    if mapping is None:
        invalid = notes.first_invalid()
        raise UsageError(invalid.line() if invalid else f"{path} is no mapping")
    return mapping


def _open_setups(
    module: VassalModule, archive: ModuleArchive, notes: Notes
) -> Iterator[tuple[str, ModuleArchive, bool]]:
    """Open the set-ups that a module names, up to a limit; each is no save of a user."""
    for span, name, member in module.setups[:MOST_SETUPS]:
        if member not in archive.members:
            notes.add_invalid(span, member, "this set-up is not in the module")
        elif (inner := archive.inner_archive(member, notes)) is not None:
            yield name, inner, False
    named = {member for _, _, member in module.setups}
    for member in sorted(archive.members):
        if member.endswith((SAVE_ENDING, LOG_ENDING)) and member not in named:
            remark = "no set-up of the module names this save: it is not read; unpack it and give it as SAVE"
            notes.add_omission(archive.span, member, remark)
    if len(module.setups) > MOST_SETUPS:
        notes.add_omission(archive.span, "set-ups", f"has {len(module.setups)}; those after {MOST_SETUPS} are left out")


def _note_steps(name: str, commands: Sequence[Command], notes: Notes) -> None:
    """Record that the steps of a log are left out."""
    if steps := [command for command in commands if command.text.startswith(LOG)]:
        remark = f"the {len(steps)} steps of this log are left out: the position is its beginning"
        notes.add_omission(steps[0].span, name, remark)


def note_other_module(save: ModuleArchive, module: VassalModule, notes: Notes) -> None:
    """Record that a save names another module, whose counters have the same numbers; a save may name none."""
    content = save.read(MODULE_DATA, Notes()) if MODULE_DATA in save.members else None
    root = parse_xml(content, MODULE_DATA, Notes()) if content is not None else None
    other = next((each.text.strip() for each in root.children_named("name")), "") if root else ""
    if other not in ("", module.name):
        remark = f"this save is of the module `{other}`: its pieces are taken for counters of `{module.name}` by number"
        notes.add_invalid(save.span, MODULE_DATA, remark)


def read_package(source: ImportSource, notes: Notes) -> ForeignPackage:
    """Convert a module with saves of it."""
    loaded_module = load_module(source.place, source.saves, source.mapping, notes)
    for path in source.saves:
        note_other_module(open_archive(path), loaded_module.module, notes)
    files = {
        f"{BOARDS}/{board.name}.yaml": f"{IMPORTED_COMMENT}\n{board.text}" for _, board in loaded_module.atlas.boards()
    }
    cards, brought = _write_setups(loaded_module, files, notes)
    mapping = loaded_module.mapping
    if mapping.write:
        folder = f"{LAYERS}/{mapping.stack}"
        title = loaded_module.module.name or mapping.stack
        files |= {f"{folder}/{name}": text for name, text in texts.layer_files(loaded_module.chart, title).items()}
    titles = {slot.gpid: slot.name for slot in loaded_module.module.slots.values()}
    files[MAPPING_FILE] = write_mapping(mapping, titles)
    boards = tuple(board.name for _, board in loaded_module.atlas.boards())
    layers = (mapping.stack,) if mapping.write else ()
    position_count = sum(name.startswith(f"{POSITIONS_FOLDER}/") for name in files)
    return ForeignPackage(FORM, files, boards, cards, layers, _shares(loaded_module, position_count, brought))


def _write_setups(loaded_module: LoadedModule, files: dict[str, str], notes: Notes) -> tuple[tuple[str, ...], int]:
    """Add a position and a card of each set-up to `files`; return the cards and the number of converted pieces."""
    cards: list[str] = []
    brought = 0
    mapping, atlas = loaded_module.mapping, loaded_module.atlas
    pool = NamePool([mapping.stack, *mapping["boards"].values()])
    order = _sides_in_order(loaded_module)
    for setup, is_user_save in loaded_module.setups:
        boards = setup.boards(atlas)
        board_names = {placed.board.name for placed in setup.placed} or {board.name for board in boards[:1]}
        placed_boards = [board for board in boards if board.name in board_names]
        if not placed_boards:
            notes.add_omission(setup.span, setup.name, "no board of it came over: left out")
            continue
        labels = texts.space_labels(placed_boards)
        pieces = texts.place_pieces(setup, loaded_module.chart, labels, notes)
        brought += len(pieces)
        rows, links = texts.map_rows(setup, atlas, board_names), texts.board_links(setup, atlas, labels, notes)
        ground = texts.MapText(rows, links)
        name = pool.file(setup.name, "setup")
        files[f"{POSITIONS_FOLDER}/{name}.yaml"] = texts.position_text(name, mapping.stack, ground, pieces)
        if is_user_save:
            continue
        if not any(piece.side in order for piece in pieces):
            notes.add_changed(setup.span, setup.name, "has no pieces of any side: it became a position, and no card")
            continue
        card = f"{name}_card"
        text, left = texts.card_text(card, setup.name, mapping.stack, ground, pieces, order)
        files[f"{CARDS}/{card}.yaml"] = text
        cards.append(card)
        marked = sum(bool(piece.marks or piece.tracks) for piece in pieces)
        if marked:
            remark = f"{marked} pieces begin as printed on the card; the position has their faces"
            notes.add_changed(setup.span, card, remark)
        if left:
            notes.add_changed(setup.span, card, f"{left} pieces of no side stand in the position alone")
    return tuple(cards), brought


def _sides_in_order(loaded_module: LoadedModule) -> list[str]:
    """Return the sides of the mapping in its order: those that have counters, if any has."""
    sides = [side for side in dict.fromkeys(loaded_module.mapping["sides"].values()) if side != OMITTED]
    used = {counter.side for counter in loaded_module.chart.counters.values()}
    return [side for side in sides if side in used] or sides


def _shares(loaded_module: LoadedModule, position_count: int, brought: int) -> tuple[TransferCount, ...]:
    """Count what the module has of each kind, and what was converted; `brought` is the number of pieces."""
    module, atlas = loaded_module.module, loaded_module.atlas
    boards = [board for module_map in module.maps for board in module_map.boards]
    counters = [name for name in loaded_module.chart.counters_by_slot.values() if name != OMITTED]
    piece_count = sum(setup.piece_count for setup, _ in loaded_module.setups)
    return (
        TransferCount("board", "boards", len(boards), sum(any(atlas.boards_of(board)) for board in boards)),
        TransferCount("counter", "counters", len(module.slots) + module.unread_slots, len(counters)),
        TransferCount("set-up", "set-ups", len(loaded_module.setups) + loaded_module.unread_count, position_count),
        TransferCount("piece", "pieces", piece_count, brought),
    )


IMPORTER = Importer(
    "a module of VASSAL (a ZIP archive .vmod)",
    is_module,
    read_package,
    reads_saves=True,
)
