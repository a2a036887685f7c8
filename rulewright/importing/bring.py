"""From a foreign folder to a package of ours."""

import json
import re
import shutil
from pathlib import Path

from compiler.source.span import Span
from rulewright.errors import UsageError
from rulewright.importing.boards import write_board
from rulewright.importing.cards import Shelf, write_card
from rulewright.importing.counters import SOURCE, Counters
from rulewright.importing.module import find_module, read_module
from rulewright.importing.nodes import ForeignBoard
from rulewright.importing.notes import Imported, Note, Notes, Weight, in_order
from rulewright.importing.plain import read_folder
from rulewright.importing.words import USUAL, Words, read_words
from rulewright.library.shipped import rules_folder

REPORT = "import-report"
BOARDS, CARDS, LAYERS = "boards", "scenarios", "layers"
_NAME = re.compile(r"[a-z0-9_]+")


def bring_in(source: Path, out: Path, mapping: Path | None = None) -> Imported:
    """Import a folder; `out` may be new, empty, or written by an earlier import."""
    form = _form(source)
    notes = Notes()
    words = read_words(mapping or USUAL, notes)
    if words is None:
        first = notes.found[0]
        raise UsageError(f"{first.span.file}:{first.span.line}:{first.span.column}: {first.subject}: {first.text}")
    _clear(out)
    foreign = read_folder(source, notes) if form == "facts" else read_module(source, words.codes, words.folders, notes)
    files: dict[str, str] = {}
    boards = []
    known = {board.key: board for board in foreign.boards if _may_be_named(board, words, notes)}
    for board in known.values():
        made = write_board(board, words, notes)
        boards.append(made.name)
        files[f"{BOARDS}/{made.name}.yaml"] = f"# Imported; see {REPORT}.md.\n{made.text}"
    counters = Counters({unit.key: unit for unit in foreign.units}, words)
    shelf = Shelf(known, counters, words)
    cards = []
    for card in foreign.cards:
        written = write_card(card, shelf, notes)
        if written is not None:
            cards.append(written.name)
            files[f"{CARDS}/{written.name}.yaml"] = f"# Imported; see {REPORT}.md.\n{written.text}"
    layers = []
    for name, _, parts in counters.layers():
        layers.append(name)
        files |= {f"{LAYERS}/{name}/{part}": text for part, text in parts.items()}
    if layers:
        files[f"{LAYERS}/sources.yaml"] = (
            f"sources:\n  - {{prefix: {SOURCE}, title: Units of an imported package, items: [{SOURCE}.UNITS]}}\n"
        )
    notes.found += _silences(source, words)
    done = Imported(
        source.name, form, tuple(boards), tuple(cards), tuple(layers), tuple(sorted(files)), in_order(notes.found)
    )
    files |= {f"{REPORT}.md": done.page(), f"{REPORT}.json": json.dumps(done.data(), indent=1) + "\n"}
    for name, text in files.items():
        file = out / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    return done


def _may_be_named(board: ForeignBoard, words: Words, notes: Notes) -> bool:
    """Tell whether the name of a board may become that of a file; with other signs it could lie anywhere."""
    named = _NAME.fullmatch(words.board(board.key)) is not None
    if not named:
        notes.broken(board.span, board.key, "a board's name should stand here: small letters, digits and `_`")
    return named


def _silences(source: Path, words: Words) -> list[Note]:
    """Say what the form does not hold at all."""
    place = Span(source.name, 0, 0, 0, 0)
    return [Note(Weight.LOST, place, word, "the source does not hold this at all") for word in words.silent]


def _form(source: Path) -> str:
    """Tell which form a folder has."""
    if any(source.glob(f"{BOARDS}/*.yaml")) or any(source.glob(f"{CARDS}/*.yaml")):
        return "facts"
    if find_module(source) is not None:
        return "module"
    raise UsageError(
        f"`{source}` is neither plain facts (boards/*.yaml, scenarios/*.yaml) nor a module (Scenarios/, Maps/)"
    )


def _clear(out: Path) -> None:
    """Make room: what an earlier import wrote is taken away, anything else stays and stops us."""
    place = out.resolve()
    if place.is_relative_to(rules_folder().resolve()):
        raise UsageError(f"`{out}` lies among the rules that come with rulewright; import into a folder of its own")
    if not place.exists():
        return
    if not place.is_dir() or (any(place.iterdir()) and not (place / f"{REPORT}.json").is_file()):
        raise UsageError(f"`{out}` is there already, and no import wrote it")
    for name in (BOARDS, CARDS, LAYERS):
        shutil.rmtree(place / name, ignore_errors=True)
