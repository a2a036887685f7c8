"""Save the witness positions of findings as files for `ask -p`.

In: diagnostics. Out: the same, with the path of each saved position.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from compiler.report.diagnostic import Diagnostic
from rulewright.library import cache
from rulewright.system.atomic_files import save_text


def save_witnesses(diagnostics: Iterable[Diagnostic], stack: str, folder: Path | None) -> list[Diagnostic]:
    """Write each witness to a file, and return the findings with the files.

    The default folder is in the user's cache, so that a check writes nothing beside the sources. If the cache cannot be
    written to, the findings have no files.
    """
    place = witness_folder(stack, folder)
    saved: list[Diagnostic] = []
    number = 0
    for diagnostic in diagnostics:
        witness = diagnostic.witness
        if witness is None or not witness.file:
            saved.append(diagnostic)
            continue
        number += 1
        file = place / f"witness-{number}.yaml"
        if folder:
            saved.append(replace(diagnostic, witness=replace(witness, path=write_witness(file, witness.file))))
            continue
        path = save_witness(file, witness.file)
        saved.append(replace(diagnostic, witness=replace(witness, path=path) if path else witness))
    return saved


def witness_folder(name: str, folder: Path | None) -> Path:
    """Return the folder of witnesses: the requested one, otherwise one in the cache."""
    safe = "".join(sign if sign.isalnum() or sign in "_+=-." else "_" for sign in name)
    return folder or cache.cache_folder() / "witnesses" / safe


def save_witness(file: Path, text: str) -> str | None:
    """Write a position to the cache; None if the cache cannot be used."""
    with suppress(OSError):
        cache.own_folder()
        return write_witness(file, text)
    return None


def write_witness(file: Path, text: str) -> str:
    """Write a position, and return its path as text."""
    save_text(file, text)
    return str(file)
