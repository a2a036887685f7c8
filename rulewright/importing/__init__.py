"""Bring a foreign package into our formats: boards, cards and counters, and a report of what was left.

In: a folder in one of the foreign forms. Out: a package folder for `--path`. Foreign words stand in a mapping
(mappings/), which is data; no word of any game is in the code.
"""

from rulewright.importing.notes import ImportReport, Note, NoteSeverity
from rulewright.importing.package_import import import_package

__all__ = ["ImportReport", "Note", "NoteSeverity", "import_package"]
