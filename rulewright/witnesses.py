"""Put the positions that prove findings where `ask -p` can open them."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from compiler.report.diagnostic import Diagnostic
from rulewright.atomic_files import save_text
from rulewright.library import cache


def save_witnesses(diagnostics: Iterable[Diagnostic], stack: str, wanted: Path | None = None) -> list[Diagnostic]:
    """Write each position into a file and name the file in its finding.

    Without a folder wanted they go to the user's cache: a check leaves nothing beside the sources.
    Where that cannot be written to, findings stay without a file.
    """
    place = witness_folder(stack, wanted)
    saved: list[Diagnostic] = []
    number = 0
    for diagnostic in diagnostics:
        witness = diagnostic.witness
        if witness is None or not witness.file:
            saved.append(diagnostic)
            continue
        number += 1
        file = place / f"witness-{number}.yaml"
        if wanted:
            saved.append(replace(diagnostic, witness=replace(witness, path=write_witness(file, witness.file))))
            continue
        path = keep_witness(file, witness.file)
        saved.append(replace(diagnostic, witness=replace(witness, path=path) if path else witness))
    return saved


def witness_folder(name: str, wanted: Path | None = None) -> Path:
    """Return the folder for positions: the one that is wanted, else one for this name in the cache."""
    safe = "".join(sign if sign.isalnum() or sign in "_+=-." else "_" for sign in name)
    return wanted or cache.cache_folder() / "witnesses" / safe


def keep_witness(file: Path, text: str) -> str | None:
    """Write a position into the cache; a cache that cannot be used only costs the file."""
    with suppress(OSError):
        cache.own_folder()
        return write_witness(file, text)
    return None


def write_witness(file: Path, text: str) -> str:
    """Write a position; return its path as one would type it."""
    save_text(file, text)
    return str(file)
