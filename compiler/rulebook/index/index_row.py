"""One row of the index of a book."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One thing a reader may look for."""

    sort: str
    title: str
    number: str
    address: str
    words: str
    around: str = ""
    logic: str = ""
    headings: str = ""  # of the cases above and of the sections of its sources
    beside: str = ""  # the address of the rule that it stands under
    section: str = ""  # the label of the smallest heading that a rule or ruling stands under
