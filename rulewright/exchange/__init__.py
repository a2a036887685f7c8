"""Exchange with other programs: what their adapters have in common, and how adapters are found.

An adapter is found by an entry point (`rulewright/system/entry_points.py`), whether it comes with Rulewright or with
another package; no module here or elsewhere imports one. `records.py` states what an importer and an exporter consist
of.
"""

from rulewright.exchange.import_package import import_package
from rulewright.exchange.notes import ImportNote, ImportReport, Notes, NoteSeverity, TransferCount
from rulewright.exchange.records import Exporter, ForeignPackage, Importer, ImportSource, SaveResult

__all__ = [
    "Exporter",
    "ForeignPackage",
    "ImportNote",
    "ImportReport",
    "ImportSource",
    "Importer",
    "NoteSeverity",
    "Notes",
    "SaveResult",
    "TransferCount",
    "import_package",
]
