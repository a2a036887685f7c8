"""Examples that stand at no rule are printed under the section of what they play."""

from compiler.rulebook.contents import NOWHERE, gather_contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.further_examples import group_further_examples
from tests.shipped.test_variant_changes import shelves


def test_further_examples_stand_under_the_sections_of_what_they_play() -> None:
    book = shelves().compiled("panzer_leader").graph
    assert book is not None
    contents = gather_contents(book, unplayed_outcomes(book), None)
    grouped = group_further_examples(contents)
    every = [one.title for _, mine in grouped for one in mine]
    assert sorted(every) == sorted(one.title for one in contents.examples[NOWHERE])
    sections = [section for section, _ in grouped if section is not None]
    assert sections == [section for section in contents.outline if section in sections]
    titles = {section.title if section else "": [one.title for one in mine] for section, mine in grouped}
    assert "A landing is booked" in titles["Landings"]
    assert "Bombs or rockets" in titles["Aircraft"]
    assert len(titles[""]) < len(every) / 2
