"""The index of a book is the same on its site, which plays the examples, and for `explain`, which plays none."""

import pytest

from compiler.rulebook.contents import gather_contents
from compiler.rulebook.index.index_rows import list_index_rows
from rulewright.book_evidence import gather_evidence, unplayed_examples
from rulewright.library.stacks import load_stack, open_packages
from tests.sample import LONG


@pytest.mark.parametrize("name", ["long_frost+frost_chits", pytest.param("pl1940", marks=LONG)])
def test_index_rows_of_examples_do_not_depend_on_play(name: str) -> None:
    stack = load_stack(name, [])
    assert stack.graph
    played = gather_evidence(open_packages(), stack).outcomes
    on_site, at_hand = (
        [*list_index_rows(gather_contents(stack.graph, each, None))] for each in (played, unplayed_examples(stack))
    )
    assert at_hand == on_site
    assert len(played) > len(stack.graph.examples), "those of the stacks inside are searched, too"
