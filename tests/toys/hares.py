"""Hares, built by hand: a short race with pounces, snaps and a bluff, which contains every kind of step.

Both sides set up, then run for the far row. Two hares next to a foe may pounce on it together; a hare that hops away
from a foe's side may be snapped at; the last phase is a bluff over a carrot.
"""

from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.digest import graph_digest
from runtime.graph.version import VERSION
from tests.toys.build import (
    HEX,
    ORIGIN,
    YES_NO,
    amount,
    ask,
    enum,
    flag,
    fold,
    get,
    given,
    is_,
    is_not,
    member,
    num,
    op,
    params,
    rule,
    term,
    terms_with_rules,
)

HARE = graph.Piece(("hare",))
HARES = graph.Many("set", HARE)
SIDE = graph.Enum("side")
GLORY = graph.Scale("glory")
PLAYER = graph.Var("player")
TIRED = ("status", "hare", "tired")
ALL = graph.Pieces(("hare",), None)
RESERVE = op("reserve", member("kind", "hare"))


def vocabulary() -> graph.Vocabulary:
    flags = [
        flag("trait", "hare", "bold"),
        flag("feature", "hex", "bog"),
        flag("feature", "hex", "red_goal"),
        flag("feature", "hex", "blue_goal"),
        flag("status", "hare", "tired"),
        flag("status", "hare", "hopped", "own_turn"),
        flag("status", "hex", "trodden", "turn"),
    ]
    tracks = [
        graph.Track("hare", "spent", amount(0, 9, "hops"), num(0, "hops"), "run"),
        graph.Track("game", "carrots", amount(-9, 9), num(0), ""),
        graph.Track("hare", "seen", graph.Many("list", HEX), None, ""),
    ]
    return graph.Vocabulary(
        measures={"hops": "hop"},
        wording={"number carrots": "plural"},
        domains={"die": amount(1, 6)},
        enums={
            "side": enum("side", "red", "blue"),
            "phase": enum("phase", "setup", "run", "bluff", "rest"),
            "kind": enum("kind", "carrot", "hare"),
        },
        scales={"glory": graph.Line("glory", "", (("nothing", 0), ("some", 1), ("much", 2)))},
        kinds={
            "hare": graph.Kind("hare", "hare", params(speed=amount(0, 9, "hops"))),
            "carrot": graph.Kind("carrot", "carrot", ()),
        },
        flags={f"{f.owner}.{f.name}": f for f in flags},
        tracks={f"{t.owner}.{t.name}": t for t in tracks},
        relations={
            "chases": graph.Relation(
                "chases", graph.Parameter("chaser", HARE), graph.Parameter("prey", HARE), "left", None
            )
        },
        records={"snatch": graph.Record("snatch", params(by=SIDE, at=HEX))},
        events={"leaving": graph.Event("leaving", params(mover=HARE, to=HEX))},
    )


def goal(owner: str) -> tuple[str, str, str]:
    return ("feature", "hex", f"{owner}_goal")


def ahead(h: graph.Expr, side: graph.Expr) -> graph.Expr:
    """Return the question on the number of hexes to the far row, which rules may change."""
    return ask("left_to_go", h, side)


TERMS = [
    term("verdict", "may_enter", YES_NO, params(mover=HARE, to=HEX), default=True, reads="{mover} may enter {to}"),
    term("value", "left_to_go", amount(0, 20), params(h=HEX, side=SIDE), reads="the way left from {h} for {side}"),
    term(
        "value",
        "glory_of",
        GLORY,
        params(owner=SIDE),
        otherwise=graph.Place("glory", "nothing", 0),
        reads="the glory of {owner}",
    ),
    term("set", "foes", HARES, params(side=SIDE), reads="the foes of {side}"),
]

HOME = fold(
    "count",
    "u",
    ALL,
    where=op("and", op("=", given("u", "side"), "owner"), op("=", ask("left_to_go", given("u", "hex"), "owner"), 0)),
)

RULES = [
    rule(
        "held",
        "may_enter",
        "forbids",
        guard=fold(
            "some",
            "u",
            graph.Pieces(("hare",), graph.Var("to")),
            where=op("!=", given("u", "side"), given("mover", "side")),
        ),
        prose="A foe holds a hex.",
    ),
    rule(
        "short-of-breath",
        "may_enter",
        "forbids",
        guard=op(">=", get("mover", "track", "spent", "hare"), get("mover", "printed", "speed", "hare")),
        prose="Breath is short.",
    ),
    *(
        rule(
            f"{side}-way",
            "left_to_go",
            "is",
            fold(
                "min",
                "g",
                fold("gather", "g", graph.All(HEX), where=is_("g", goal(side))),
                body=op("distance", "h", "g"),
                otherwise=num(0),
            ),
            guard=op("=", "side", member("side", side)),
            prose="To the nearest goal.",
        )
        for side in ("red", "blue")
    ),
    rule(
        "much-glory",
        "glory_of",
        "is",
        graph.Place("glory", "much", 2),
        guard=op(">", HOME, 1),
        prose="Two at home are much.",
    ),
    rule("some-glory", "glory_of", "is", graph.Place("glory", "some", 1), guard=op("=", HOME, 1), prose="One is some."),
    rule(
        "others-are-foes",
        "foes",
        "includes",
        fold("gather", "u", ALL, where=op("!=", given("u", "side"), "side")),
        prose="The others.",
    ),
]

BOG_BARS = rule(
    "bog-bars", "may_enter", "forbids", guard=is_("to", ("feature", "hex", "bog")), prose="No hare enters a bog."
)

GOAL_BARS = rule(
    "goal-bars",
    "may_enter",
    "forbids",
    guard=is_("to", ("feature", "hex", "red_goal")),
    prose="Red hares stay out.",
)

MINE = fold("gather", "u", ALL, where=op("=", given("u", "side"), PLAYER))
FRESH = fold("gather", "u", MINE, where=is_not("u", TIRED))
ENEMY = graph.Fold("least", "s", graph.All(SIDE), op("!=", "s", PLAYER), num(0), None)

DEPLOY = (
    graph.Choose("", "u", fold("gather", "u", RESERVE, where=op("=", given("u", "side"), PLAYER)), None, None),
    graph.Choose("", "h", given("u", "area"), None, None),
    graph.Legal(op("=", fold("count", "v", graph.Pieces(("hare",), graph.Var("h"))), 0)),
    graph.Move(graph.Var("u"), graph.Var("h"), ""),
)
HOP = (
    graph.Choose("", "mover", FRESH, None, None),
    graph.Choose(
        "",
        "to",
        op("neighbors", given("mover", "hex")),
        None,
        op("-", ahead(given("mover", "hex"), PLAYER), ahead(graph.Var("to"), PLAYER)),
    ),
    graph.Legal(
        op("and", ask("may_enter", "mover", "to"), op("<", get("mover", "track", "spent", "hare"), num(9, "hops")))
    ),
    graph.Tell("leaving", (graph.Var("mover"), graph.Var("to"))),
    graph.Assign(
        get("mover", "track", "spent", "hare"), op("+", get("mover", "track", "spent", "hare"), num(1, "hops"))
    ),
    graph.Add(given("mover", "hex"), get("mover", "track", "seen", "hare")),
    graph.Mark(graph.Var("mover"), "hare", "hopped", on=True),
    graph.Mark(graph.Var("to"), "hex", "trodden", on=True),
    graph.Move(graph.Var("mover"), graph.Var("to"), ""),
)
BESIDE = op("<=", op("distance", given("u", "hex"), given("prey", "hex")), num(1, "hexes"))
POUNCE = (
    graph.Choose("", "prey", ask("foes", PLAYER), None, None),
    graph.Choose("any", "gang", fold("gather", "u", FRESH, where=BESIDE), None, fold("count", "g", "gang")),
    graph.Let("size", fold("count", "g", "gang")),
    graph.Legal(op(">=", "size", 2)),
    graph.Loop(
        "g",
        graph.Var("gang"),
        (
            graph.Mark(graph.Var("g"), "hare", "tired", on=True),
            graph.Pair("chases", graph.Var("g"), graph.Var("prey"), None, on=True),
        ),
    ),
    graph.Do("bite", (graph.Var("prey"), op("-", 7, "size"))),
)
SNAP = (
    graph.Choose(
        "",
        "biter",
        fold("gather", "u", FRESH, where=op("adjacent", given("u", "hex"), given("prey", "hex"))),
        None,
        num(1),
    ),
    graph.Mark(graph.Var("biter"), "hare", "tired", on=True),
    graph.Do("bite", (graph.Var("prey"), num(6))),
)
BITE = (
    graph.Roll("d", "die", 1, 6),
    graph.Branch(op("<", "d", "needs"), (graph.Stop(),), ()),
    graph.Remove(graph.Var("prey")),
)
BLUFF = (
    graph.Choose("", "hides", graph.All(YES_NO), PLAYER, None),
    graph.Choose("", "doubts", graph.All(YES_NO), ENEMY, None),
    graph.Branch(
        op("=", "hides", "doubts"),
        (graph.Assign(graph.GameTrack("game", "carrots"), op("-", graph.GameTrack("game", "carrots"), num(1))),),
        (
            graph.Write("w", graph.New("snatch", (("by", PLAYER), ("at", given("first", "hex"))))),
            graph.Create("carrot", "c", get("w", "record", "at", "snatch"), PLAYER),
            graph.Remove(graph.Var("c")),
            graph.Choose("order", "line", MINE, None, None),
            graph.Strike(graph.Var("w")),
        ),
    ),
)
SEQUENCE = (
    graph.Phase(
        "setup",
        "Set-up",
        (
            graph.Offer(
                (("deploy", ()),),
                member("side", "red"),
                op("=", fold("count", "u", RESERVE, where=op("=", given("u", "side"), member("side", "red"))), 0),
            ),
            graph.Offer(
                (("deploy", ()),),
                member("side", "blue"),
                op("=", fold("count", "u", RESERVE, where=op("=", given("u", "side"), member("side", "blue"))), 0),
            ),
        ),
    ),
    graph.Each(
        "turn",
        op("span", 1, graph.GameTrack("scenario", "turns")),
        (
            graph.Each(
                "player",
                graph.GameTrack("scenario", "order"),
                (
                    graph.Phase(
                        "run", "Run", (graph.Offer((("hop", ()), ("pounce", ())), None, graph.Truth(value=True)),)
                    ),
                    graph.Phase(
                        "bluff",
                        "Bluff",
                        (
                            graph.Branch(
                                op(">", fold("count", "u", MINE), 0),
                                (graph.Do("bluff", (graph.Fold("least", "u", MINE, None, given("u", "hex"), None),)),),
                                (),
                            ),
                        ),
                    ),
                    graph.Phase(
                        "rest",
                        "Rest",
                        (graph.Loop("u", MINE, (graph.Mark(graph.Var("u"), "hare", "tired", on=False),)),),
                    ),
                ),
            ),
        ),
    ),
)


def procedure(
    what: graph.ProcedureKind, name: str, body: tuple[graph.Step, ...], event: str = "", **parameters: graph.Type
) -> graph.Procedure:
    return graph.Procedure(what, name, event, params(**parameters), (), body, "", "", (), ORIGIN)


def board() -> graph.Board:
    """Build a map of five columns of four hexes; red starts in the west and runs east."""
    hexes: dict[str, tuple[int, int, tuple[str, ...]]] = {}
    for column in range(5):
        for row in range(4):
            feature = {0: "blue_goal", 4: "red_goal"}.get(column, "bog" if (column, row) in {(2, 1), (3, 2)} else "")
            hexes[f"{'ABCDE'[column]}{row + 1}"] = (column, row, (feature,) if feature else ())
    return graph.Board("meadow", hexes, (), (), {})


def scenario() -> graph.Scenario:
    def force(side: str, column: str) -> graph.Force:
        area = tuple(f"{column}{row}" for row in range(1, 5))
        return graph.Force(side, side, ((f"{side}_hare", 3),), (), area, 0, ())

    return graph.Scenario(
        "run",
        "The run",
        "hares",
        board(),
        3,
        ("red", "blue"),
        ("red", "blue"),
        (),
        (force("red", "A"), force("blue", "E")),
        (),
        (),
        (),
        ORIGIN,
    )


def hares(*more: graph.Rule) -> graph.Graph:
    """Build the game with additional rules."""
    rules = [*RULES, *more]
    procedures = [
        procedure("action", "deploy", DEPLOY),
        procedure("action", "hop", HOP),
        procedure("action", "pounce", POUNCE),
        procedure("action", "snap", SNAP, prey=HARE),
        procedure("resolution", "bite", BITE, prey=HARE, needs=amount(1, 7)),
        procedure("resolution", "bluff", BLUFF, first=HARE),
        procedure(
            "hook",
            "leaving",
            (graph.Offer((("snap", (graph.Var("mover"),)),), ENEMY, None),),
            "leaving",
            mover=HARE,
            to=HEX,
        ),
        procedure("sequence", "hares", SEQUENCE),
    ]
    counters = [
        graph.Counter(
            f"{side}_hare", "hare", side, (("speed", num(speed, "hops")),), (), (), singled_out=False, origin=ORIGIN
        )
        for side, speed in (("red", 2), ("blue", 2))
    ]
    keys = {"sequence": "sequence", "hook": "hook:leaving#1"}
    compiled_rules = graph.Graph(
        version=VERSION,
        stack="hares" + "".join(f"+{one.label}" for one in more),
        layers=(graph.Layer("hares", "base", "Hares", (), ()),),
        documents=(graph.Document("T", "The toy", "1", ()),),
        vocabulary=vocabulary(),
        terms=terms_with_rules(TERMS, rules),
        rules={r.label: r for r in rules},
        tables={},
        counters={c.id: c for c in counters},
        procedures={keys.get(p.what, f"{p.what}:{p.name}"): p for p in procedures},
        outcome="glory_of",
        aims=(),
        always=(),
        preconditions=(),
        cases={},
        rulings={},
        disputes={},
        examples=(),
        scenario=scenario(),
        hash="",
    )
    return replace(compiled_rules, hash=graph_digest(compiled_rules))
