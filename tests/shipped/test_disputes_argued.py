"""Every shipped dispute has a title, and each of its readings a title and a reason, those not chosen included."""

from functools import cache

from compiler.rulebook.openings import headings_of_things
from compiler.source import nodes as source
from compiler.source.package import load_layer
from rulewright.library.stacks import open_packages


@cache
def shipped_disputes() -> dict[str, list[source.Dispute]]:
    """Return the disputes of each shipped layer that declares some."""
    library = open_packages().library
    laws = {name: source.nested_laws(load_layer(library, name)[0].statements()) for name in library.layers}
    disputes = {name: [law for law in each if isinstance(law, source.Dispute)] for name, each in laws.items()}
    return {name: each for name, each in disputes.items() if each}


def test_every_reading_of_a_dispute_has_a_reason() -> None:
    found = [one for each in shipped_disputes().values() for one in each]
    assert len(found) > 25
    silent = [
        f"{one.label.text}={reading.label.text}" for one in found for reading in one.readings if not reading.reason
    ]
    assert not silent


def test_disputes_and_readings_have_titles() -> None:
    """The label of a dispute, such as note-a, is no title for a reader, and two disputes of a layer share none."""
    for layer, found in shipped_disputes().items():
        book = open_packages().compiled(layer).graph
        assert book is not None
        titles = headings_of_things(book)
        labels = [each.label.text for each in found] + [one.label.text for each in found for one in each.readings]
        labels += [rule for each in found for one in book.disputes[each.label.text].readings for rule in one.rules]
        assert not [label for label in labels if label not in titles], layer
        assert len({titles[each.label.text] for each in found}) == len(found), layer
