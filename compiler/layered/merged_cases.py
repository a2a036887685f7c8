"""Cases that are written in several places.

In: two headings of one case. Out: their differences, and the case with what either states.
"""

from dataclasses import replace

from compiler.layered import nodes as layered
from compiler.source import nodes as source

# A case as written, or as merged from several places.
AnyCase = source.Case | layered.Case


def renamed_parts(case: AnyCase, first: layered.Case) -> list[tuple[str, str]]:
    """Return the titles and numbers in which a case differs between two places."""
    pairs = ((case.title, first.title), (case.number, first.number))
    return [(later, earlier) for later, earlier in pairs if later and earlier and later != earlier]


def merge_cases(first: layered.Case, case: AnyCase) -> layered.Case:
    """Merge the title and number of a case that is written in two places."""
    title, number = first.title or case.title or "", first.number or case.number or ""
    same = (title, number) == (first.title, first.number)
    return first if same else replace(first, title=title, number=number)
