"""Put the positions that prove findings where `ask -p` can open them."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from compiler.report.diagnostic import Diagnostic
from rulewright import cache


def save_witnesses(diagnostics: Iterable[Diagnostic], stack: str, wanted: Path | None = None) -> list[Diagnostic]:
    """Write each position into a file and name the file in its finding.

    Without a folder wanted they go to the user's cache: a check leaves nothing beside the sources.
    Where that cannot be written to, findings stay without a file.
    """
    name = "".join(sign if sign.isalnum() or sign in "_+=-" else "_" for sign in stack)
    place = wanted or cache.folder() / "witnesses" / name
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
            _write(file, witness.file)
            saved.append(replace(diagnostic, witness=replace(witness, path=str(file))))
            continue
        with suppress(OSError):
            _write(file, witness.file)
            witness = replace(witness, path=str(file))
        saved.append(replace(diagnostic, witness=witness))
    return saved


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="\n")
