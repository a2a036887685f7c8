"""A small invented game with all parts of a book: cases, rulings, a dispute, examples, counters and a turn."""

from dataclasses import replace

from runtime.graph import nodes as graph
from tests.toys.build import ask, member, num, pieces, rule
from tests.toys.carts import carts

HERE = graph.Origin("carts", "carts.rules", 1, 1, 1, 1)

MAP = graph.Board(
    "fair",
    {"A": (0, 0, ()), "B": (1, 0, ("bog",)), "C": (2, 0, ("thicket", "knoll")), "D": (0, 1, ())},
    (("A", "B", ("hedge",)),),
    (("lane", "A", "B"), ("lane", "B", "C")),
    {},
)


def at(line: int) -> graph.Origin:
    return replace(HERE, line=line)


def piece(name: str, hex_: str, *marks: str) -> graph.PieceAt:
    return graph.PieceAt(name, "cart", "heavy_cart", "north", hex_, "", (), (), marks, (("spent", num(2, "MP")),))


def example(title: str, protects: str, *checks: graph.Check, board: graph.Board = MAP) -> graph.Example:
    pieces_ = (piece("K", "A"), piece("L & M", "B", "dizzy"), piece("N", ""))
    facts = (("scenario.frost", graph.Truth(value=True)),)
    position = graph.Position(title, "carts", board, pieces_, facts, (("C", "smoky"),), (), (), 1, "north", "")
    question = graph.Perform(
        "drive",
        (("mover", graph.Spot("piece", "K")), ("goal", graph.Spot("hex", "B"))),
        (graph.Refusal("", (), (), None),),
        HERE,
    )
    rows = ((graph.Spot("hex", "A"),), (graph.Spot("hex", "B"),))
    return graph.Example(title, "carts", ("goal",), rows, position, (3, 5), (question, *checks), protects, HERE)


def check(verdict: str, *because: str) -> graph.Check:
    question = ask("may_enter", graph.Spot("piece", "K"), graph.Spot("hex", "A"), graph.Spot("hex", "B"))
    return graph.Check(question, None, verdict, (), because, HERE)


def drive() -> graph.Procedure:
    body = (
        graph.Choose("", "c", pieces(), None, None),
        graph.Choose("", "goal", graph.Op("neighbors", (graph.Get(graph.Var("c"), "given", "", "hex"),)), None, None),
        graph.Legal(ask("may_enter", "c", graph.Get(graph.Var("c"), "given", "", "hex"), "goal")),
        graph.Roll("luck", "die", 1, 6),
        graph.Branch(
            graph.Op("=", (graph.Var("luck"), num(1))),
            (graph.Mark(graph.Var("c"), "cart", "dizzy", on=True), graph.Stop()),
            (graph.Move(graph.Var("c"), graph.Var("goal"), ""),),
        ),
    )
    return graph.Procedure(
        "action", "drive", "", (), ("driving",), body, "{mover} drives to {goal}", "Drive on.", ("T.DRIVE",), HERE
    )


def turn() -> graph.Procedure:
    phase = graph.Phase(
        "driving", "Driving", (graph.Offer((("drive", ()),), None, None),), graph.Cited(("T.TURN",), HERE)
    )
    rest = graph.Loop("u", pieces(), (graph.Mark(graph.Var("u"), "cart", "dizzy", on=False),))
    body = (graph.Each("turn", graph.Op("span", (num(1), num(8))), (phase, graph.Phase("rest", "", (rest,)))),)
    return graph.Procedure("sequence", "carts", "", (), (), body, "", "", ("T.TURN",), HERE)


def fair_with_gaps() -> graph.Graph:
    """Return the game with a situation whose sources leave something open."""
    field = graph.Board("field", {"A": (0, 0, ())}, (), (), {})
    where, gaps = graph.Origin("fair", "", 1, 1, 1, 1), ("Who begins.",)
    card = graph.Scenario("brawl", "The Brawl", "fair", field, 3, (), (), (), (), (), gaps, (), where)
    return replace(fair(), scenario=card)


def fair() -> graph.Graph:
    """Return a game with every part that a book prints, and with some parts that lack prose or a place."""
    base = carts()
    cases = {
        "going": graph.Case("going", "Going", "3", "", at(1)),
        "prices": graph.Case("prices", "What it costs", "3.2", "going", at(2)),
        "pushing": graph.Case("pushing", "Pushing & pulling", "", "", at(3)),
    }
    homes = {"price": "prices", "may_enter": "going", "push": "pushing"}
    rules = {
        label: replace(one, case=homes.get(one.terms[0], ""), origin=at(place))
        for place, (label, one) in enumerate(base.rules.items())
    }
    rules["light-ruled"] = rule(
        "light-ruled",
        "price",
        "is",
        num(1, "MP"),
        guard=graph.Op("=", (graph.Var("goal"), graph.Var("goal"))),
        defeats=("lane-price",),
        relations=(("exception", "lane-price"),),
        ruling="light-loads",
        cites=("Q.1",),
        origin=at(90),
    )
    rules["only-asked"] = rule(
        "only-asked", "price", relations=(("clarifies", "chart-price"),), ruling="asked-twice", origin=at(91)
    )
    light = ("light-loads", "correction", "minor", "Do light loads <pay>?", "They pay one point.")
    ruling = ("asked-twice", "clarification", "none", "Really?", "Yes.")
    rulings = {
        "light-loads": graph.Ruling(*light, ("light-ruled",), (), ("Q.1", "Q.2"), at(90)),
        "asked-twice": graph.Ruling(*ruling, ("only-asked",), ("chart-price",), ("Q.3",), at(91)),
        "nothing-to-do": graph.Ruling("nothing-to-do", "", "", "Is it fun?", "It is.", (), (), (), at(92)),
    }
    readings = (
        graph.Reading("wet-hay", ("Q.4",), "The later answer.", chosen=True, rules=("chart-price",)),
        graph.Reading("dry-hay", ("Q.5",), "", chosen=False, rules=("dry-price",)),
    )
    terms = {
        name: replace(one, rules=(*one.rules, "light-ruled", "only-asked")) if name == "price" else one
        for name, one in base.terms.items()
    }
    examples = (
        example("K stops at the hedge", "", check("forbidden", "hedges-stop-wheels")),
        example("a light load", "light-loads", check("allowed")),
        example("nobody knows why", "", graph.Check(ask("cover", graph.Spot("hex", "A")), num(0), "", (), (), HERE)),
        example(
            "no map at all",
            "",
            graph.Check(graph.Truth(value=True), None, "", (), (), HERE),
            board=graph.Board("x", {}, (), (), {}),
        ),
    )
    printed = (("speed", num(4, "MP")), ("might", num(2)), ("build", member("build", "heavy")))
    counter = graph.Counter(
        "heavy_cart", "cart", "north", printed, ("wheeled",), ("T.CART",), singled_out=False, origin=at(1)
    )
    return replace(
        base,
        terms=terms,
        rules=rules,
        cases=cases,
        rulings=rulings,
        disputes={"hay": graph.Dispute("hay", "Is hay wet?", readings, ("Q.4", "Q.5"), HERE)},
        examples=examples,
        counters={
            "heavy_cart": counter,
            "bare": replace(counter, id="bare", owner="", printed=(), traits=(), cites=()),
        },
        procedures={"action:drive": drive(), "sequence": turn()},
        hash="0123456789abcdef" * 4,
    )


def crowded() -> graph.Graph:
    """Return the game with thirty rules in one case, more than a level of numbers has digits."""
    base = fair()
    many = {
        f"price-{place}": rule(f"price-{place}", "price", "is", num(1), case="prices", origin=at(200 + place))
        for place in range(30)
    }
    terms = {
        name: replace(one, rules=(*one.rules, *many)) if name == "price" else one for name, one in base.terms.items()
    }
    return replace(base, rules={**base.rules, **many}, terms=terms)


def empty_stack() -> graph.Graph:
    """Return a stack without cases, rules and charts."""
    return replace(
        fair(),
        terms={},
        rules={},
        tables={},
        cases={},
        rulings={},
        disputes={},
        examples=(),
        counters={},
        procedures={},
        hash="",
    )
