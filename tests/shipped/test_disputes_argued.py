"""Every reading of every shipped dispute has a reason, those that are not chosen included."""

from compiler.source import nodes as source
from compiler.source.package import load_layer
from rulewright.library.stacks import open_packages


def disputes(law: object) -> list[source.Dispute]:
    inside = [found for inner in source.laws_inside(law) for found in disputes(inner)]
    return [law, *inside] if isinstance(law, source.Dispute) else inside


def test_every_reading_of_a_dispute_has_a_reason() -> None:
    library = open_packages().library
    files = [file for name in library.layers for file in load_layer(library, name)[0].files]
    found = [dispute for file in files for law in file.statements for dispute in disputes(law)]
    assert len(found) > 25
    silent = [
        f"{one.label.text}={reading.label.text}" for one in found for reading in one.readings if not reading.reason
    ]
    assert not silent
