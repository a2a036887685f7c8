"""One row of the index of a book."""

from runtime.graph.frozen_dataclass import frozen_dataclass

INDEX = "Index"  # The sort of entries of the index.
ASKED_SORT = "Asked"  # The sort of queries that layers declare as `asked`.


@frozen_dataclass
class IndexRow:
    """One entry of the search index."""

    sort: str
    title: str
    number: str
    address: str
    words: str
    around: str = ""
    logic: str = ""
    headings: str = ""  # of the cases above and of the sections of its sources
    beside: str = ""  # the address of the rule above it
    section: str = ""  # the label of the innermost heading above a rule or ruling
