"""Import packages of another program: convert boards, cards and counters, and report what was not converted.

In: a folder in one of the foreign formats. Out: a package folder for `--path`. The translation of foreign
identifiers is data, a mapping (mappings/); the code contains no identifier of any game.
"""

from rulewright.importing.notes import ImportNote, ImportReport, NoteSeverity
from rulewright.importing.package_import import import_package

__all__ = ["ImportNote", "ImportReport", "NoteSeverity", "import_package"]
