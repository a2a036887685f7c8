"""From a foreign folder to a package of ours."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from rulewright.errors import UsageError
from rulewright.importing.boards import write_board
from rulewright.importing.nodes import Foreign
from rulewright.importing.notes import Imported, Notes, in_order
from rulewright.importing.plain import read_folder
from rulewright.importing.words import USUAL, read_words
from rulewright.shipped import rules_folder

REPORT = "import-report"
BOARDS, CARDS = "boards", "scenarios"

Read = Callable[[Path, Notes], Foreign]


def bring_in(source: Path, out: Path, mapping: Path | None = None) -> Imported:
    """Import a folder; `out` may be new, empty, or written by an earlier import."""
    form, read = _form(source)
    notes = Notes()
    words = read_words(mapping or USUAL, notes)
    if words is None:
        first = notes.found[0]
        raise UsageError(f"{first.span.file}:{first.span.line}:{first.span.column}: {first.subject}: {first.text}")
    _clear(out)
    foreign = read(source, notes)
    files: dict[str, str] = {}
    boards = []
    for board in foreign.boards:
        made = write_board(board, words, notes)
        boards.append(made.name)
        files[f"{BOARDS}/{made.name}.yaml"] = f"# Imported; see {REPORT}.md.\n{made.text}"
    done = Imported(source.name, form, tuple(boards), (), (), tuple(sorted(files)), in_order(notes.found))
    files |= {f"{REPORT}.md": done.page(), f"{REPORT}.json": json.dumps(done.data(), indent=1) + "\n"}
    for name, text in files.items():
        file = out / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    return done


def _form(source: Path) -> tuple[str, Read]:
    """Tell which form a folder has."""
    if (source / "boards").is_dir() or (source / "scenarios").is_dir():
        return "facts", read_folder
    raise UsageError(f"`{source}` holds neither `boards/` and `scenarios/` of plain facts nor a module's folders")


def _clear(out: Path) -> None:
    """Make room: what an earlier import wrote is taken away, anything else stays and stops us."""
    place = out.resolve()
    if place.is_relative_to(rules_folder().resolve()):
        raise UsageError(f"`{out}` lies among the rules that come with rulewright; import into a folder of its own")
    if not place.exists():
        return
    if not place.is_dir() or (any(place.iterdir()) and not (place / f"{REPORT}.json").is_file()):
        raise UsageError(f"`{out}` is there already, and no import wrote it")
    for name in (BOARDS, CARDS):
        shutil.rmtree(place / name, ignore_errors=True)
