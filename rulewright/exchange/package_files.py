"""The output folder of an import: where its files are, and which of them an earlier import wrote."""

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from rulewright.exchange.notes import ImportReport
from rulewright.library.shipped_folders import rules_folder
from rulewright.system.atomic_files import save_folder
from rulewright.system.errors import UsageError
from rulewright.system.json_texts import decode_json
from rulewright.system.regular_files import read_regular

REPORT, LARGEST_REPORT = "import-report", 16_000_000
IMPORTED_COMMENT = f"# Imported; see {REPORT}.md."  # The first line of each file that is written.
BOARDS, CARDS, LAYERS = "boards", "scenarios", "layers"
# In the report: the hash of each written file, by which edited files are detected.
HASHES = "written"


def save_import(out: Path, files: Mapping[str, str], report: ImportReport, earlier: tuple[str, ...]) -> None:
    """Write the files of an import and its report; the files of an earlier import are replaced."""
    content = {name: text.encode() for name, text in files.items()}
    hashes = {name: sha256(each).hexdigest() for name, each in content.items()}
    content[f"{REPORT}.md"] = report.page().encode()
    content[f"{REPORT}.json"] = (json.dumps({**report.record(), HASHES: hashes}, indent=1) + "\n").encode()
    save_folder(out, content, earlier)


def earlier_files(out: Path, edited: Path | None = None) -> tuple[str, ...]:
    """Return the files of a folder that an earlier import wrote.

    Raises `UsageError` for a link, for a folder that no import wrote, or whose files were edited since. `edited`, the
    mapping that this import reads and rewrites, may have been edited.
    """
    if out.is_symlink():
        # A package of a stranger may contain it, and it may lead anywhere.
        raise UsageError(f"`{out}` is a link to {out.readlink()}; name the folder itself")
    place = Path(os.path.realpath(out))
    if place.is_relative_to(rules_folder().resolve()):
        raise UsageError(f"`{out}` lies among the rules that come with rulewright; import into a folder of its own")
    if not place.exists() or (place.is_dir() and not any(place.iterdir())):
        return ()
    try:
        report = decode_json(read_regular(place / f"{REPORT}.json", LARGEST_REPORT).decode())
        hashes = {str(name): str(known) for name, known in report[HASHES].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, UsageError):
        raise UsageError(f"`{out}` is there already, and no import wrote it") from None
    for name, known in hashes.items():
        file = place / name
        if edited is not None and file.resolve() == edited.resolve():
            continue
        if file.is_file() and file.resolve().is_relative_to(place) and sha256(file.read_bytes()).hexdigest() != known:
            raise UsageError(
                f"{out / name} was changed after it was imported; move it away, or import into another folder"
            )
    return f"{REPORT}.md", f"{REPORT}.json", *hashes
