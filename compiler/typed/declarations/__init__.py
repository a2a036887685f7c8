"""The table of declarations, with everything that is specific to one of them.

A declaration is one record (`record.py`) in the file of its family.
"""

from typing import Any

from compiler.typed.declarations.kinds_and_flags import KINDS_AND_FLAGS
from compiler.typed.declarations.procedures import PROCEDURES
from compiler.typed.declarations.questions import QUESTIONS
from compiler.typed.declarations.record import DeclarationRecord
from compiler.typed.declarations.tracks_and_records import TRACKS_AND_RECORDS
from compiler.typed.declarations.value_types import VALUE_TYPES

# By the class of the node.
DECLARATIONS: dict[type, DeclarationRecord[Any]] = {
    each.node: each for each in (*VALUE_TYPES, *KINDS_AND_FLAGS, *TRACKS_AND_RECORDS, *QUESTIONS, *PROCEDURES)
}
