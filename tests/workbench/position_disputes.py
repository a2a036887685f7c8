"""Disputes as position files: no example of the rules has them, and the answer may be yes.

Each is a published question, the position, the counter that is clicked and what it is tested against. The panel beside
the map must cite `item`, whatever the answer is, unless `cited` is false: no rule that is asked is declared to be its
subject.
"""

from typing import NamedTuple


class PositionDispute(NamedTuple):
    """A published question and its position; `answer` is yes or no."""

    item: str
    answer: str
    clicks: tuple[str, str]
    phase: str
    side: str
    rows: str
    pieces: tuple[str, ...]
    more: str = ""
    stack: str = "panzer_leader"
    carried: str = ""
    cited: bool = True

    @property
    def name(self) -> str:
        """Return the name of the file."""
        return self.item.replace(".", "_").lower()

    @property
    def text(self) -> str:
        """Return the position file."""
        pieces = "".join(f"  - {{{each}}}\n" for each in self.pieces)
        game = f"game: {{turn: 3, player: {self.side}, phase: {self.phase}}}"
        carrier, _, passenger = self.carried.partition(": ")
        pairs = f"relations: {{carries: [{{carrier: {carrier}, passengers: {passenger}}}]}}\n" if carrier else ""
        return (f"position: {self.name}\nstack: {self.stack}\n{game}\nboard:\n  rows: [[{self.rows}]]\n{self.more}"
                f"pieces:\n{pieces}{pairs}")  # fmt: skip


STEP = "path: [{from: A, to: B, paid: 1, rate: terrain, act: moving}]"
FORT, MINES = "name: bunker, type: fort, side: german, at: ", "name: mines, type: minefield, side: german, at: "
GUN = "name: gun, type: pak75, at: A"
TANK = "name: tank, type: m4, at: "
LORRY = "name: lorry, type: us_truck, at: A"
BRIDGE, ROAD = "B stream permanent_bridge", "  paths: {road: [A-B-C]}\n"
WRECKS = tuple(f"name: wreck_{number}, type: wreck, at: B" for number in "123")
POSITION_DISPUTES = (
    PositionDispute("PLQ.TRANSPORT.06", "no", ("mortar", "panther_1"), "movement", "german", "A, B",
                    ("name: panther_1, type: panther, at: A", "name: mortar, type: mortar81, at: A")),
    PositionDispute("PLQ.DF.07", "no", ("gun", "tank"), "combat", "german", "A, B, C", (GUN, f"{TANK}C"),
                    "  sides: {A/B: green}\n  paths: {road: [A-B-C]}\n"),
    PositionDispute("PLQ.HILL.02", "yes", ("pz", "tank"), "combat", "german", "A slope, B hilltop",
                    ("name: pz, type: pz4, at: A", f"{TANK}B")),
    PositionDispute("PLQ.LOS.01", "no", ("pz", "tank"), "combat", "german", "A slope, B, C slope",
                    ("name: pz, type: pz4, at: A", f"{TANK}C"), "  sides: {A/B: brown}\n"),
    PositionDispute("PLQ.SPOT.01", "no", ("tank", "silent"), "combat", "allied", "A, B, C, D woods",
                    (f"{TANK}A", "name: heard, type: rifle, at: D, fired: yes", "name: silent, type: rifle, at: D")),
    PositionDispute("PLQ.SPOT.12", "no", ("tank", "silent"), "combat", "allied", "A, B, C, D woods, E",
                    (f"{TANK}A", "name: silent, type: rifle, at: D", "name: lorry, type: us_truck, at: E",
                     "name: squad, type: us_rifle, at: E"), carried="lorry: squad"),
    PositionDispute("PLQ.WRECK.01", "no", ("lorry", "B"), "movement", "allied", "A, B, C",
                    (LORRY, *WRECKS, "name: block_1, type: block, at: B")),
    PositionDispute("PLQ.ROAD.05", "no", ("lorry", "B"), "movement", "allied", "A, B, C",
                    (LORRY, *WRECKS[:2], "name: other, type: us_truck, at: B"),
                    "  sides: {A/B: green}\n  paths: {road: [A-B-C]}\n"),
    PositionDispute("PLQ.ROAD.03", "yes", ("lorry", "B"), "movement", "allied", "A, B town, C", (LORRY, *WRECKS),
                    "  paths: {road: [A-B-C]}\n"),
    PositionDispute("PLQ.COMBAT.04", "yes", ("tank", "pz"), "combat", "allied", "A, B, C",
                    (f"{TANK}A", "name: pz, type: pz4, at: C, dispersed: yes")),
    PositionDispute("PLQ.DF.04", "yes", ("gun", "tank"), "combat", "german", "A, B, C",
                    (GUN, f"{TANK}C", *(f"name: t{number}, type: us_truck, at: C" for number in "123"))),
    PositionDispute("PLQ.OVERRUN.15", "no", ("ht", "car"), "movement", "german", "A, B, C",
                    ("name: ht, type: halftrack, at: A", "name: car, type: m8, at: B")),
    PositionDispute("PBQ.ROAD.13", "no", ("first", "B"), "movement", "german", "A, B swamp, C",
                    ("name: first, type: panther, at: A", "name: second, type: panther, at: B"),
                    "  paths: {road: [A-B-C]}\n", "panzerblitz"),
    PositionDispute("PBQ.SPOT.01", "yes", ("pz", "squad"), "combat", "german", "A, B, C, D woods, E",
                    ("name: pz, type: panther, at: A", "name: squad, type: rifle, at: D, side: russian",
                     "name: lorry, type: truck, at: E, side: german"), stack="panzerblitz"),
    # The answer follows from the questions of rules that could forbid it, or from official answers on the situation.
    PositionDispute("PLQ.LOS.02", "yes", ("tank", "squad"), "combat", "allied", "A hilltop, B, C slope",
                    (f"{TANK}A", "name: squad, type: rifle, at: C"), "  sides: {B/C: brown}\n"),
    PositionDispute("PLQ.OVERRUN.01", "yes", ("tank", "lorry"), "movement", "allied", f"A, {BRIDGE}, C",
                    (f"{TANK}A", "name: lorry, type: truck, at: B, side: german"), ROAD),
    PositionDispute("PLQ.BLOCK.01", "yes", ("squad", "foe"), "close_assault", "allied", "A, B, C",
                    (f"name: squad, type: us_rifle, at: B, {STEP}",
                     "name: foe, type: rifle, at: C", "name: block_1, type: block, at: B"), cited=False),
    PositionDispute("PLQ.STACK.03", "yes", ("tank", "t1"), "movement", "allied", "A, B, C",
                    (f"{TANK}A", *(f"name: t{number}, type: truck, side: german, at: B" for number in "1234")),
                    cited=False),
    PositionDispute("PLQ.BRIDGE.03", "no", ("lorry", "B"), "movement", "allied", f"A, {BRIDGE}, C",
                    (LORRY, *(f"name: t{number}, type: us_truck, at: B" for number in "123"),
                     "name: squad, type: us_rifle, at: B, in: under"), ROAD),
    PositionDispute("PLQ.ROAD.06", "yes", ("t1", "B"), "movement", "german", "A, B, C",
                    (*(f"name: t{number}, type: truck, at: A" for number in "1234"),
                     *(f"name: w{number}, type: wreck, at: B" for number in "12")),
                    "  sides: {A/B: green}\n  paths: {road: [A-B-C]}\n"),
    PositionDispute("PLQ.OVERRUN.05", "yes", ("car", "squad"), "movement", "allied", "A, B, C",
                    ("name: car, type: m20, at: A", "name: squad, type: rifle, at: B, defense: 24")),
    PositionDispute("PLQ.FORT.06", "yes", ("squad", "foe"), "close_assault", "allied", "A, B, C",
                    (f"{FORT}B, defense: 20", "name: crew, type: rifle, at: B, in: inside",
                     "name: squad, type: us_rifle, at: B", "name: foe, type: rifle, at: C"), cited=False),
    PositionDispute("PLQ.MINE.02", "yes", ("tank", "foe"), "combat", "allied", "A, B, C",
                    (f"{TANK}A, past_mines: yes", f"{MINES}A", "name: foe, type: rifle, at: C"), cited=False),
    PositionDispute("PLQ.MINE.05", "yes", ("squad", "foe"), "close_assault", "allied", "A, B, C",
                    ("name: squad, type: us_rifle, at: B", f"{MINES}C", "name: foe, type: rifle, at: C")),
    # The same pieces, with the mines under the other one.
    PositionDispute("PLQ.CAT.02", "yes", ("squad", "foe"), "close_assault", "allied", "A, B, C",
                    (f"name: squad, type: us_rifle, at: B, {STEP}", f"{MINES}B", "name: foe, type: rifle, at: C")),
    PositionDispute("PLQ.DF.01", "yes", ("gun", "squad"), "combat", "german", "A, B, C",
                    (GUN, f"{FORT}C, defense: 20", "name: squad, type: us_rifle, at: C")),
    PositionDispute("PBQ.CAT.09", "no", ("squad", "foe"), "close_assault", "german", "P, Q, R",
                    ("name: squad, type: rifle, at: Q, fired: yes", "name: other, type: russian_rifle, at: P",
                     "name: foe, type: russian_rifle, at: R"), stack="panzerblitz"),
    PositionDispute("PBQ.BLOCK.02", "yes", ("squad", "foe"), "close_assault", "german", "A, B, C",
                    (f"name: squad, type: rifle, side: german, at: B, {STEP}",
                     "name: foe, type: rifle, side: russian, at: C", "name: block_1, type: block, at: B"),
                    stack="panzerblitz", cited=False),
)  # fmt: skip
