"""Examples without a rule or ruling are printed under the section of what they play, or under other headings."""

import pytest

from compiler.rulebook.contents import UNATTACHED
from compiler.rulebook.further_examples import NO_PAGE, SectionExamples, group_further_examples
from tests.books.gathered import contents_of
from tests.books.test_reading import FIRST
from tests.sample import LONG, sampled
from tests.shipped.test_stacks import STACKS, TOGETHER

# Examples that belong to no section, for instance on odds beyond a chart: the limit of a book, and the share of all.
MOST, SHARE = 3, 0.1
EVERY = [*STACKS, *TOGETHER]


def titles_of(stack: str) -> dict[str, list[str]]:
    """Return the titles of the further examples of a book by the heading of their group."""
    contents = contents_of(stack)
    grouped = group_further_examples(contents)
    every = [one.title for group in grouped for one in group.examples]
    assert sorted(every) == sorted(one.title for one in contents.examples.get(UNATTACHED, ()))
    sections = [group.section for group in grouped if group.section is not None]
    assert sections == [section for section in contents.outline if section in sections]
    assert all(group.title or group.section for group in grouped)
    return {_called(group): [one.title for one in group.examples] for group in grouped}


def _called(group: SectionExamples) -> str:
    return group.section.title if group.section else group.address


@sampled(1)
@pytest.mark.parametrize("stack", [*FIRST, *(pytest.param(each, marks=LONG) for each in EVERY if each not in FIRST)])
def test_few_further_examples_have_no_section(stack: str) -> None:
    titles = titles_of(stack)
    others = titles.get(NO_PAGE, [])
    assert len(others) <= max(1, min(MOST, SHARE * sum(map(len, titles.values()))))


def test_further_examples_are_under_the_sections_of_what_they_play() -> None:
    titles = titles_of("panzer_leader")
    assert "A landing is booked" in titles["Landings"]
    assert "Bombs or rockets" in titles["Aircraft"]
    # The fact that this example asks is read by rules of the section.
    assert "An assault from the woods" in titles["Fire"]
    assert "Where engineers stand as their side's turn begins" in titles["Engineers"]
    assert "The segments of a turn" in titles["play.html"]
    assert "Printed on German tanks" in titles["counters.html"]
