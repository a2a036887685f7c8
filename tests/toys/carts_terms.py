"""The terms and charts of the carts, and their types."""

from fractions import Fraction

from runtime.graph import nodes as graph
from tests.toys.build import (
    HEX,
    PIECE,
    YES_NO,
    amount,
    ask,
    member,
    num,
    params,
    row,
    table,
    term,
)

STEP = graph.RecordOf("step")
PLAN = graph.RecordOf("plan")
CARTS = graph.Many("set", PIECE)
MOVE = params(mover=PIECE, start=HEX, goal=HEX)
MOVED = ("mover", "start", "goal")
GROUND = graph.Enum("ground")
ODDS = graph.Scale("odds")


TERMS = [
    term(
        "value",
        "price",
        amount(0, 12, "MP"),
        MOVE,
        reads="the price for {mover} to enter {goal} from {start}",
        cites=("T.PRICE",),
    ),
    term(
        "verdict",
        "may_enter",
        YES_NO,
        MOVE,
        default=True,
        reads="{mover} may enter {goal} from {start}",
        denied="{mover} may not enter {goal} from {start}",
    ),
    term(
        "verdict", "may_use_lane", YES_NO, MOVE, default=False, reads="{mover} may use the lane from {start} to {goal}"
    ),
    term("value", "ground_of", GROUND, params(h=HEX), otherwise=member("ground", "open"), reads="the ground of {h}"),
    term("sum", "push", amount(-2, 3), params(c=PIECE, h=HEX), capped=(-2, 3), reads="the push of {c} into {h}"),
    term("max", "cover", amount(0, 4), params(h=HEX), otherwise=num(0), reads="the cover in {h}"),
    term("min", "reach", amount(0, 9), params(c=PIECE), otherwise=num(9), reads="the reach of {c}"),
    term("set", "foes", CARTS, params(c=PIECE), reads="the foes of {c}"),
    term("condition", "calm", YES_NO, params(c=PIECE), default=False, reads="{c} is calm", denied="{c} is restless"),
    term("condition", "fit", YES_NO, params(c=PIECE), default=True, reads="{c} is fit", denied="{c} is not fit"),
    term("flag", "hex.bog", YES_NO, params(hex=HEX)),
    term("value", "force", amount(0, 99), params(c=PIECE), reads="the force of {c}"),
    term("value", "force.printed", amount(0, 99), params(c=PIECE), reads="the force of {c}, printed"),
    term(
        "value",
        "force.shaken",
        amount(0, 99),
        params(c=PIECE),
        otherwise=ask("force.printed", "c"),
        reads="the force of {c}, shaken",
    ),
    term("value", "column", ODDS, params(c=PIECE, d=PIECE), reads="the column of {c} against {d}"),
    term("value", "outcome", amount(0, 3), params(odds=ODDS, die=amount(1, 6)), reads="the outcome of {die} at {odds}"),
    term("value", "paid", amount(0, 99, "MP"), params(c=PIECE), reads="what {c} has paid"),
    term("value", "nearest", PIECE, params(c=PIECE), otherwise=graph.Var("c"), reads="the cart nearest to {c}"),
    term("verdict", "may_see", YES_NO, params(a=HEX, b=HEX), default=True, reads="{a} sees {b}"),
]

TABLES = [
    table(
        "prices",
        params(ground=GROUND, build=graph.Enum("build")),
        (("cost", amount(0, 12, "MP")), ("barred", None)),
        [
            row("open", None, kind="cost", value=num(1, "MP")),
            row("thicket", "light", kind="cost", value=num(2, "MP")),
            row("thicket", "heavy", kind="cost", value=num(4, "MP")),
            row("bog", "light", kind="cost", value=num(3, "MP")),
            row("bog", "heavy", kind="barred"),
        ],
    ),
    table(
        "outcomes",
        params(odds=ODDS, die=amount(1, 6)),
        (("", amount(0, 3)),),
        [
            row(-1, (1, 6), value=0),
            row(Fraction(-1, 2), (1, 5), value=0),
            row(Fraction(-1, 2), 6, value=1),
            row(0, (1, 4), value=0),
            row(0, (5, 6), value=1),
            row(1, [1, 2], value=0),
            row(1, (3, 6), value=1),
            row(2, (1, 3), value=2),
            row(2, (4, 6), value=3),
        ],
    ),
]
