"""The constants that tune the ranking of a book's places."""

from collections.abc import Mapping
from dataclasses import field

from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class _Constants:
    """The constants that tune the ranking; the site reads the same record."""

    rarity: float = 0.9  # the exponent of the rarity of a word: a rare one is often beside the point of a question
    saturation: float = 4.0  # how soon repetitions of a word stop counting
    coverage: float = 1.0  # the exponent of the share of the query that a row covers
    lent: float = 0.6  # the weight of a word that only other rows of the same place contain
    shared: float = 0.3  # the gain of a word that only other rows with the same address contain
    together: float = 0.3  # the gain of a place for its second and third row
    section: float = 0.1  # the gain of a section for its second and third place
    rest: float = 0.5  # rules of a section that are not shown are a result if one scores this share of the best
    phrase: float = 0.5  # the gain of all words of the query side by side, in their order
    titled: float = 1.25  # the query contains the whole title, and more
    exact: float = 1.8  # the query is the title
    subject: float = 0.1  # the gain of such a title with the words of the query for who acts: who sees is not I see
    synonym: float = 0.8
    prefix: float = 0.6  # a longer word, while the last one is being typed
    misspelled: float = 0.8
    misspelled_short: float = 0.4  # a word of few letters is more often another than a misspelled one
    candidates: int = 120  # rows in which phrases are searched
    least: float = 0.12  # places that score less than this share of the best are left out
    sorts: Mapping[str, float] = field(
        default_factory=lambda: {
            "Case": 0.6,
            "Ruling": 1.1,
            "Rule": 1.1,
            "Index": 1.1,
            "Asked": 0.9,
            "Chart": 1.3,
            "Action": 0.6,
            "Resolution": 0.7,
            "Sequence": 1.1,
            "Dispute": 1.2,
            "Question": 0.5,
            "Word": 0.35,
            "Definition": 0.5,
            "Counter": 1.0,
            "Line": 0.7,
            "Source": 0.5,
            "Hook": 0.5,
        }
    )


CONSTANTS = _Constants()
