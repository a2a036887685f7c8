"""Twelve disputes from the published questions: positions with their counters, and the clicks that show an answer.

`anchor` is an example of the book under Panzer Leader, `phase` another phase if the example needs one, `clicks` a
counter and the counter or space that it is tested against. The reason must cite the published question `item`.
"""

from typing import NamedTuple
from urllib.parse import quote

STACK = "panzer_leader"


class Dispute(NamedTuple):
    """A published question, and the clicks that ask it on the Table."""

    item: str
    anchor: str
    clicks: tuple[str, ...]
    phase: str = ""

    @property
    def address(self) -> str:
        """Return the address of the position."""
        return f"example.{STACK}@example-{self.anchor}"

    @property
    def link(self) -> str:
        """Return the link to the position on the Table."""
        return f"#/table/{quote(self.address, safe='')}"


DISPUTES = (
    Dispute("PLQ.MOVE.03", "panzer_leader-rulings-movement-a-slow-truck-below-a-slope", ("truck-1", "B")),
    Dispute("PLQ.MOVE.05", "panzer_leader-rulings-movement-a-wagon-before-the-trees", ("wagon-1", "B")),
    Dispute(
        "PLQ.CAT.04",
        "panzer_leader-rulings-assaults-off-the-half-track-this-turn",
        ("us_rifle-1", "truck-1"),
        "Close assault",
    ),
    Dispute("PLQ.OVERRUN.03", "panzer_leader-rulings-overruns-a-truck-on-the-bridge", ("m4-1", "truck-1")),
    Dispute("PLQ.DF.06", "panzer_leader-rulings-units-rifles-against-an-armored-car", ("us_rifle-1", "puma-1")),
    Dispute("PLQ.TRANSPORT.05", "panzer_leader-rulings-combat-a-tank-with-riders-fires", ("rifle-1", "m4-1")),
    Dispute("PLQ.COMBAT.03", "panzer_leader-rulings-combat-a-dispersed-truck-on-the-road", ("m3-1", "truck-1")),
    Dispute(
        "PLQ.CAT.14",
        "panzer_leader-rulings-assaults-a-close-assault-below-1-4",
        ("us_rifle-1", "rifle-1"),
        "Close assault",
    ),
    Dispute(
        "PLQ.CAT.10",
        "panzer_leader-bridges-close-assault-from-a-bridge-on-units-under-it",
        ("us_rifle-2", "rifle-1"),
        "Close assault",
    ),
    Dispute("PLQ.IF.02", "panzer_leader-indirect-an-order-for-a-hex-that-no-unit-observes", ("mortar81-1", "D")),
    Dispute("PLQ.OVERRUN.14", "panzer_leader-overrun-self-propelled-artillery", ("m7-1", "truck-1")),
    Dispute("PLQ.WRECK.02", "panzer_leader-overrun-a-wreck-beside-the-victim", ("m4-1", "truck-1")),
)
