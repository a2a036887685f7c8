"""Import what another program wrote: find its importer, convert it, and write the package with a report."""

from collections.abc import Sequence
from pathlib import Path

from rulewright.exchange.notes import ImportReport, Notes, sorted_notes
from rulewright.exchange.package_files import earlier_files, save_import
from rulewright.exchange.records import IMPORTERS, Importer, ImportSource
from rulewright.system.entry_points import load_adapters
from rulewright.system.errors import UsageError


def import_package(source: Path, out: Path, mapping: Path | None = None, saves: Sequence[Path] = ()) -> ImportReport:
    """Import a source into `out`, which may be new, empty, or written by an earlier import."""
    importer = _importer_of(source)
    if saves and not importer.reads_saves:
        raise UsageError(f"{source} is {importer.formats}, and there are no saves of that")
    earlier = earlier_files(out, edited=mapping)
    notes = Notes()
    package = importer.read_package(ImportSource(source, saves, mapping, out), notes)
    files = tuple(sorted(package.files))
    report = ImportReport(
        source.name,
        package.form,
        package.boards,
        package.cards,
        package.layers,
        files,
        sorted_notes(notes.entries),
        package.shares,
        package.omissions,
    )
    save_import(out, package.files, report, earlier)
    return report


def _importer_of(source: Path) -> Importer:
    """Return the first importer that recognizes a source; `UsageError` if none does."""
    formats = []
    for importer in load_adapters(IMPORTERS, Importer):
        if importer.recognizes(source):
            return importer
        formats.append(importer.formats)
    raise UsageError(f"`{source}` cannot be imported; it is none of these: {'; '.join(formats)}")
