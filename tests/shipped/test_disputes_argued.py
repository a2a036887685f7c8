"""Every reading of every shipped dispute has a reason, those that are not chosen included."""

from compiler.source import nodes as source
from compiler.source.package import load_layer
from rulewright.library.stacks import open_packages


def test_every_reading_of_a_dispute_has_a_reason() -> None:
    library = open_packages().library
    laws = (law for name in library.layers for law in source.nested_laws(load_layer(library, name)[0].statements()))
    found = [law for law in laws if isinstance(law, source.Dispute)]
    assert len(found) > 25
    silent = [
        f"{one.label.text}={reading.label.text}" for one in found for reading in one.readings if not reading.reason
    ]
    assert not silent
