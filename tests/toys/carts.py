"""The carts in a bog, built by hand: a game that uses every construct of the graph."""

from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.version import VERSION
from tests.toys.build import (
    HEX,
    PIECE,
    YES_NO,
    amount,
    enum,
    flag,
    num,
    params,
    terms_with_rules,
)
from tests.toys.carts_laws import RULES
from tests.toys.carts_terms import CARTS, STEP, TABLES, TERMS


def vocabulary() -> graph.Vocabulary:
    cart = graph.Kind("cart", "cart", params(speed=amount(0, 12, "MP"), might=amount(0, 9), build=graph.Enum("build")))
    flags = [
        flag("trait", "cart", "wheeled"),
        flag("trait", "cart", "tall"),
        flag("feature", "hex", "bog"),
        flag("feature", "hex", "thicket"),
        flag("feature", "hex", "knoll"),
        flag("feature", "hexside", "hedge"),
        flag("status", "cart", "dizzy"),
        flag("status", "cart", "tired", "own_turn"),
        flag("status", "hex", "smoky", "turn"),
        flag("place", "hut", "indoors"),
    ]
    tracks = [
        graph.Track("cart", "spent", amount(0, 12, "MP"), num(0, "MP"), "own_turn"),
        graph.Track("cart", "path", graph.Many("list", STEP), graph.SetOf(()), "own_turn"),
        graph.Track("cart", "home", HEX, None, ""),
        graph.Track("hex", "last", graph.Enum("side"), None, ""),
        graph.Track("scenario", "frost", YES_NO, graph.Truth(value=False), ""),
        graph.Track("game", "bonus", amount(0, 3), num(0), ""),
    ]
    return graph.Vocabulary(
        measures={"MP": "movement point"},
        domains={"die": amount(1, 6)},
        enums={
            "side": enum("side", "north", "south"),
            "ground": enum("ground", "open", "thicket", "bog"),
            "build": enum("build", "light", "heavy"),
        },
        scales={
            "odds": graph.Line(
                "odds", "columns", (("worse", -1), ("poor", Fraction(-1, 2)), ("even", 0), ("better", 1), ("best", 2))
            )
        },
        kinds={"cart": cart, "hut": graph.Kind("hut", "hut", ())},
        flags={f"{f.owner}.{f.name}": f for f in flags}
        | {"path.lane": graph.Flag("path", "path", "lane", "lane", "", "")},
        tracks={f"{t.owner}.{t.name}": t for t in tracks},
        relations={
            "hauls": graph.Relation(
                "hauls", graph.Parameter("hauler", PIECE), graph.Parameter("load", PIECE), "left", None
            )
        },
        records={
            "step": graph.Record("step", params(start=HEX, goal=HEX, paid=amount(0, 12, "MP"))),
            "plan": graph.Record("plan", params(carts=CARTS, aim=HEX)),
        },
        events={},
    )


def carts() -> graph.Graph:
    """Build the game."""
    return graph.Graph(
        version=VERSION,
        stack="carts",
        layers=(graph.Layer("carts", "base", "Carts", (), ()),),
        documents=(graph.Document("T", "The toy", "1", ()),),
        vocabulary=vocabulary(),
        terms=terms_with_rules(TERMS, RULES),
        rules={r.label: r for r in RULES},
        tables={t.name: t for t in TABLES},
        counters={},
        procedures={},
        outcome="",
        aims=(),
        always=(),
        preconditions=(),
        cases={},
        rulings={},
        disputes={},
        examples=(),
        scenario=None,
        hash="",
    )
