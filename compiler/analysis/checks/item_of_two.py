"""Items of the sources that two rulings cite, in a document where each ruling has a separate item.

In: a stack. Out: suspects. The items of a box of questions are answered one by one: if nearly every cited item of a
document is cited by one ruling alone, an item that two cite is most often an error in one of the two. It is reported at
the ruling that is out of the order of items in its file; if the order does not decide, at the later one. Two rulings
with a common word in their labels may answer one question together.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from compiler.analysis.omissions import ItemOfTwo
from compiler.analysis.parties import ruling_party
from compiler.analysis.problems import Problem
from compiler.analysis.section_profiles import SHORTEST_STEM, section_of, text_stems
from runtime.graph import nodes as graph

# The number of cited items of a document, and the share of those with a single ruling, from which a citation by two is
# suspect.
ITEMS, SUSPECT_SHARE = 12, 0.9
# With more uncited items, it is unclear which one was meant.
MOST_UNCITED_ITEMS = 3


def item_of_two(stack: graph.Graph) -> Iterator[Problem]:
    """Find items that two rulings cite."""
    citing: dict[str, list[graph.Ruling]] = defaultdict(list)
    for ruling in stack.rulings.values():
        for cite in ruling.cites:
            citing[cite].append(ruling)
    for prefix in dict.fromkeys(cite.partition(".")[0] for cite in citing):
        items = [cite for cite in citing if cite.partition(".")[0] == prefix]
        single = sum(len(citing[cite]) == 1 for cite in items)
        if len(items) >= ITEMS and single >= SUSPECT_SHARE * len(items):
            for cite in items:
                yield from _problem_of_pair(stack, cite, citing[cite])


def _problem_of_pair(stack: graph.Graph, cite: str, rulings: Sequence[graph.Ruling]) -> Iterator[Problem]:
    ordered = sorted(rulings, key=lambda each: (_in_order(stack, each), each.origin.file, -each.origin.line))
    match ordered:
        case [first, second] if not _share_word(first, second):
            yield ItemOfTwo(ruling_party(first), ruling_party(second), cite, _uncited(stack, section_of(cite)))


def _share_word(first: graph.Ruling, second: graph.Ruling) -> bool:
    """Return whether the labels of two rulings have a word in common."""
    words, other_words = (
        [word for word in text_stems(each.label) if len(word) >= SHORTEST_STEM] for each in (first, second)
    )
    return any(a.startswith(b) or b.startswith(a) for a in words for b in other_words)


def _in_order(stack: graph.Graph, ruling: graph.Ruling) -> bool:
    """Return whether the items of a ruling are between those of its neighbors in the file."""
    sections = {section_of(cite) for cite in ruling.cites}
    rulings = [
        each
        for each in stack.rulings.values()
        if each.origin.file == ruling.origin.file and sections & {section_of(cite) for cite in each.cites}
    ]
    rulings.sort(key=lambda each: each.origin.line)
    adjacent_pairs = [(a, b) for a, b in pairwise(rulings) if ruling.label in (a.label, b.label)]
    return bool(adjacent_pairs) and all(min(a.cites) <= max(b.cites) for a, b in adjacent_pairs)


def _uncited(stack: graph.Graph, section: str) -> tuple[str, ...]:
    """Return the items of a section that no law, procedure or question of the stack cites, if they are few."""
    prefix, _, name = section.partition(".")
    count = next((dict(each.sections).get(name, 0) for each in stack.documents if each.prefix == prefix), 0)
    kinds: tuple[Iterable[graph.Rule | graph.Ruling | graph.Procedure | graph.Term], ...] = (
        stack.rules.values(), stack.rulings.values(), stack.procedures.values(), stack.terms.values()
    )  # fmt: skip
    cited = {cite for kind in kinds for each in kind for cite in each.cites}
    left = tuple(item for item in (f"{section}.{number:02d}" for number in range(1, count + 1)) if item not in cited)
    return left if len(left) <= MOST_UNCITED_ITEMS else ()
