"""What an adapter offers: an importer reads what another program wrote, an exporter writes what it reads.

An entry point of the group `rulewright.importers` names an `Importer`, one of `rulewright.exporters` an `Exporter`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.exchange.notes import ImportNote, Notes, TransferCount
from runtime.state.position import State

IMPORTERS, EXPORTERS = "rulewright.importers", "rulewright.exporters"


@dataclass(frozen=True, slots=True)
class ImportSource:
    """What a user wants imported: a file or folder, saves of it, a file of other names, and the output folder."""

    place: Path
    saves: Sequence[Path]
    mapping: Path | None
    out: Path


@dataclass(frozen=True, slots=True)
class ForeignPackage:
    """A converted package: the text of each file by its name, and the names of boards, cards and layers in them.

    `form` is the name of the foreign format in the report, `shares` the counts of what was converted, `omissions` the
    notes that state why situations were left out.
    """

    form: str
    files: Mapping[str, str]
    boards: tuple[str, ...]
    cards: tuple[str, ...]
    layers: tuple[str, ...]
    shares: tuple[TransferCount, ...]
    omissions: tuple[ImportNote, ...] = ()


@dataclass(frozen=True, slots=True)
class Importer:
    """An importer: the formats that it reads, in words, whether a path has one of them, and how that is converted.

    `read_package` records what it cannot convert in the notes. It raises `UsageError` for a source that it cannot read
    at all, and for a mapping or a save that is none.
    """

    formats: str
    recognizes: Callable[[Path], bool]
    read_package: Callable[[ImportSource, Notes], ForeignPackage]
    reads_saves: bool = False


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The result of an export: its bytes, the number of pieces, and notes of losses."""

    content: bytes
    piece_count: int
    notes: Notes


# The state; the module; the file of names; the save to change.
ExportFunction = Callable[[State, Path, Path | None, Path | None], SaveResult]


@dataclass(frozen=True, slots=True)
class Exporter:
    """An exporter: the ending of its saves, and how they are written."""

    save_ending: str
    export_state: ExportFunction
