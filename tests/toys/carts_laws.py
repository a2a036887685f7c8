"""The rules of the carts."""

from fractions import Fraction

from runtime.graph import nodes as graph
from tests.toys.build import (
    ask,
    cell,
    fold,
    get,
    given,
    has,
    is_,
    is_not,
    member,
    num,
    op,
    pieces,
    rule,
)
from tests.toys.carts_terms import MOVED

BOG, THICKET, KNOLL = ("feature", "hex", "bog"), ("feature", "hex", "thicket"), ("feature", "hex", "knoll")
HEDGE = ("feature", "hexside", "hedge")
WHEELED, TALL = ("trait", "cart", "wheeled"), ("trait", "cart", "tall")
DIZZY, TIRED = ("status", "cart", "dizzy"), ("status", "cart", "tired")
COST, BARRED = ("cell", "prices", "cost"), ("cell", "prices", "barred")
LEFT = op("-", get("mover", "printed", "speed"), get("mover", "track", "spent"))
PRICE_CELL = cell("prices", ask("ground_of", "goal"), get("mover", "printed", "build"))
SIDE = op("between", "start", "goal")
OTHERS = fold("count", "u", pieces("goal"), where=op("!=", "u", "mover"))

RULES = [
    rule(
        "chart-price",
        "price",
        "is",
        cell("prices", ask("ground_of", "goal"), get("mover", "printed", "build"), kind="cost"),
        guard=is_(PRICE_CELL, COST),
        prose="The price of a hex stands in the chart.",
    ),
    rule("no-price", "price", "is", num(0, "MP"), guard=is_(PRICE_CELL, BARRED), prose="A closed hex has no price."),
    rule(
        "lane-price",
        "price",
        "is",
        num(Fraction(1, 2), "MP"),
        guard=ask("may_use_lane", *MOVED),
        defeats=("chart-price", "no-price"),
        prose="Along a lane a hex costs half a point.",
    ),
    rule(
        "pay-your-way",
        "may_enter",
        "forbids",
        guard=op(">", ask("price", *MOVED), LEFT),
        prose="A cart pays for every hex.",
    ),
    rule(
        "one-hex",
        "may_enter",
        "allows",
        guard=op("and", is_not("mover", WHEELED), op("=", get("mover", "track", "spent"), num(0, "MP"))),
        defeats=("pay-your-way",),
        prose="A cart on foot that has not moved may go one hex.",
    ),
    rule(
        "hedges-stop-wheels",
        "may_enter",
        "forbids",
        guard=op("and", is_("mover", WHEELED), is_(SIDE, HEDGE)),
        prose="Wheels do not cross hedges.",
    ),
    rule(
        "lane-through-hedge",
        "may_enter",
        "",
        guard=op("and", has(SIDE, "path", "path", "lane"), op("<", OTHERS, 2)),
        defeats=("hedges-stop-wheels",),
        prose="A lane opens a hedge, unless two carts stand beyond it.",
    ),
    rule(
        "closed-on-chart", "may_enter", "forbids", guard=is_(PRICE_CELL, BARRED), prose="The chart closes some ground."
    ),
    rule(
        "held",
        "may_enter",
        "forbids",
        guard=fold("some", "u", pieces("goal"), where=op("!=", given("u", "side"), given("mover", "side"))),
        prose="No cart enters a hex that a foe holds.",
    ),
    rule(
        "lane-joins",
        "may_use_lane",
        "allows",
        guard=has(SIDE, "path", "path", "lane"),
        prose="Lanes are for whoever is on them.",
    ),
    rule("crowded", "may_use_lane", "forbids", guard=op(">=", OTHERS, 1), prose="A full lane serves nobody."),
    rule(
        "light-squeezes",
        "may_use_lane",
        "allows",
        guard=op("=", get("mover", "printed", "build"), member("build", "light")),
        defeats=("crowded",),
        prose="Light carts squeeze past.",
    ),
    rule("bog-is-bog", "ground_of", "is", member("ground", "bog"), guard=is_("h", BOG), prose="A bog is a bog."),
    rule(
        "thicket-is-thicket",
        "ground_of",
        "is",
        member("ground", "thicket"),
        guard=op("and", is_("h", THICKET), is_not("h", BOG)),
        prose="Thickets, unless boggy.",
    ),
    rule(
        "frozen",
        "hex.bog",
        "is",
        value=False,
        guard=graph.GameTrack("scenario", "frost"),
        prose="In frost a bog is open ground.",
    ),
    rule("tall-pushes", "push", "adds", 2, guard=is_("c", TALL), prose="Tall carts push."),
    rule(
        "heavy-pushes",
        "push",
        "adds",
        2,
        guard=op("=", get("c", "printed", "build"), member("build", "heavy")),
        prose="So do heavy ones.",
    ),
    rule("cover-hinders", "push", "adds", op("neg", ask("cover", "h")), prose="Cover hinders."),
    rule(
        "smoke-hides-cover",
        "push",
        "",
        guard=is_("h", ("status", "hex", "smoky")),
        defeats=("cover-hinders",),
        prose="Smoke hides cover.",
    ),
    rule("thicket-covers", "cover", "offers", 1, guard=is_("h", THICKET), prose="Thickets give one."),
    rule("knoll-covers", "cover", "offers", 3, guard=is_("h", KNOLL), prose="Knolls give three."),
    rule(
        "speed-reaches",
        "reach",
        "offers",
        op("round_down", op("/", get("c", "printed", "speed"), num(2, "MP"))),
        prose="Half the speed.",
    ),
    rule("dizzy-reaches-one", "reach", "offers", 1, guard=is_("c", DIZZY), prose="The dizzy reach one."),
    rule(
        "others-are-foes",
        "foes",
        "includes",
        fold("gather", "u", pieces(), where=op("!=", given("u", "side"), given("c", "side"))),
        prose="All of the other side.",
    ),
    rule(
        "dizzy-are-no-foes",
        "foes",
        "excludes",
        fold("gather", "u", pieces(), where=is_("u", DIZZY)),
        guard=is_not("c", DIZZY),
        prose="Nobody minds the dizzy.",
    ),
    rule(
        "alone-is-calm",
        "calm",
        "holds",
        guard=op("=", fold("count", "u", graph.Var("near")), 0),
        prose="Alone, one is calm.",
        names=(
            (
                "near",
                fold(
                    "gather",
                    "u",
                    pieces(),
                    where=op("<=", op("distance", given("u", "hex"), given("c", "hex")), num(1, "hexes")),
                    body="u",
                ),
            ),
        ),
    ),
    rule(
        "company-calms",
        "calm",
        "holds",
        guard=fold(
            "every",
            "u",
            fold("gather", "v", pieces(), where=op("adjacent", given("v", "hex"), given("c", "hex"))),
            body=op("=", given("u", "side"), given("c", "side")),
        ),
        prose="So is one among friends.",
    ),
    rule("dizzy-is-restless", "calm", "fails", guard=is_("c", DIZZY, TIRED), prose="The dizzy are not."),
    rule(
        "hauled-is-calm",
        "calm",
        "holds",
        guard=has("c", "partner", "hauls", "left"),
        defeats=("dizzy-is-restless",),
        prose="Unless hauled.",
    ),
    rule("dizzy-unfit", "fit", "fails", guard=is_("c", DIZZY), prose="The dizzy are not fit."),
    rule(
        "bonus-fit",
        "fit",
        "holds",
        guard=op(">", graph.GameTrack("game", "bonus"), 1),
        defeats=("dizzy-unfit",),
        prose="Unless cheered.",
    ),
    rule("force-last", "force", "is", ask("force.shaken", "c")),
    rule("printed-might", "force.printed", "is", get("c", "printed", "might"), prose="First what is printed."),
    rule(
        "dizzy-halves",
        "force.shaken",
        "is",
        op("round_up", op("/", ask("force.printed", "c"), 2)),
        guard=is_("c", DIZZY),
        prose="Dizziness halves.",
    ),
    rule(
        "odds",
        "column",
        "is",
        op(
            "clamp",
            op(
                "if",
                op(">=", "s", "t"),
                op("place", op("-", op("round_down", op("/", "s", "t")), 1)),
                op("place", op("-", 1, op("round_up", op("/", "t", "s")))),
            ),
            graph.Place("odds", "worse", -1),
            graph.Place("odds", "best", 2),
        ),
        names=(("s", ask("force", "c")), ("t", ask("force", "d"))),
        guard=op("and", op(">", "s", 0), op(">", "t", 0)),
        prose="Odds are rounded down.",
    ),
    rule(
        "weak-odds",
        "column",
        "is",
        graph.Place("odds", "worse", -1),
        guard=op("or", op("=", ask("force", "c"), 0), op("=", ask("force", "d"), 0)),
        prose="No force, no odds.",
    ),
    rule("chart-outcome", "outcome", "is", cell("outcomes", "odds", "die"), prose="Read the chart."),
    rule(
        "paid-steps",
        "paid",
        "is",
        fold(
            "sum",
            "s",
            fold(
                "trailing",
                "s",
                get("c", "track", "path"),
                where=op(">", get("s", "record", "paid", "step"), num(0, "MP")),
            ),
            body=get("s", "record", "paid", "step"),
        ),
        prose="What was paid without a break.",
    ),
    rule(
        "least-far",
        "nearest",
        "is",
        fold(
            "least",
            "u",
            fold("gather", "u", pieces(), where=op("!=", "u", "c")),
            body=op("distance", given("u", "hex"), given("c", "hex")),
        ),
        guard=op(">", fold("count", "u", pieces()), 1),
        prose="The least far.",
    ),
    rule(
        "thickets-block",
        "may_see",
        "forbids",
        guard=fold(
            "some",
            "x",
            op("line", "a", "b"),
            where=op(
                "or",
                is_(get("x", "record", "side", "crossing"), HEDGE),
                op(
                    "and",
                    op("!=", get("x", "record", "over", "crossing"), "b"),
                    is_(get("x", "record", "over", "crossing"), THICKET),
                ),
            ),
        ),
        prose="Thickets and hedges block the view.",
    ),
    rule(
        "next-door",
        "may_see",
        "allows",
        guard=op("adjacent", "a", "b"),
        defeats=("thickets-block",),
        prose="Neighbors see each other.",
    ),
]
