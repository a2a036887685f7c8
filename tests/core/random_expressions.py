"""Draw expressions of the rule language at random, and the rules of the questions that they ask."""

import random
from collections.abc import Callable
from itertools import count

Scope = dict[str, tuple[str, ...]]  # Names in scope, by type.

DECLARED = """
side north, south
domain die = 1..6
measure hexes
enum tint: red, green, blue
scale mood: 'low' = 0, 'mid' = 1, 'high' = 2
kind cart has worth: 0..9
kind crate has worth: 0..9
feature hex: bog
feature hexside: wall
place shed of cart
status cart: tired until end of own_turn, hot until end of moving, worn until end of game
status hex: trodden until end of turn, burnt until end of game
track cart.spent: 0..9 = 0 until end of moving
track cart.load: 0..9 = 0
track cart.goal: hex
track cart.seen: list of hex = {}
track cart.met: set of cart = {}
track crate.mark: 0..9 = 0
track side.score: 0..9 = 0
track side.taken: 0..9 = 0 until end of own_turn
track hex.heat: 0..9 = 0
track game.lead: cart
track game.base: hex
track game.tally: 0..9 = 0
track game.share: 0..9 = 0
track game.tint: tint = red
track game.mood: mood = 'low'
track game.open: yes_no = no
relation tows(front: cart, rear: cart) one front keeps since: 0..9
  ends when rear is gone or front is gone or left_behind(front, rear, since)
relation likes(fan: cart, idol: cart)
record note {of: cart, at: hex, n: 0..9, mate: cart?}
record plan secret {by: side, goal: hex}
task waits(by: side, at: hex) counts waited: 0..9 each end of turn {
  lost when this.at is burnt
  starts over when this.at is trodden
  waits when game.open
}
event moved(c: cart, h: hex)
event hit(c: cart)
value lead(): cart reads "the lead"
value base(): hex reads "the base"
rule lead [house] "It is noted."
  lead is game.lead
  when game has lead
rule base [house] "It is noted."
  base is game.base
  when game has base
define spot(c: cart): hex [house] =
  if c is gone or c is off then greatest(h in all hex by h.heat otherwise base()) else c.hex
define crates(h: hex): set of crate [house] = crate at h
"""
TRACKS = {"cart": ("spent", "load", "worth"), "hex": ("heat",), "side": ("score",), "crate": ("mark",)}
STATUSES = {"cart": ("tired", "hot", "worn"), "hex": ("trodden", "burnt")}


class RandomExpressions:
    """Draws expressions; `known` are the names in scope."""

    def __init__(self, seed: str) -> None:
        """Begin with an unused supply of names."""
        self.chance = random.Random(seed)
        self.number = count()

    def name(self, like: str) -> str:
        """Return a new name with the given prefix."""
        return f"{like}{next(self.number)}"

    def one(self, *of: str) -> str:
        """Draw one of the texts."""
        return self.chance.choice(of)

    def likely(self, share: float) -> bool:
        """Draw a truth value, true with the given probability."""
        return self.chance.random() < share

    # ------------------------------------------------------------ expressions

    def draw(self, of: str, known: Scope, depth: int = 2) -> str:
        """Draw an expression of a type."""
        named = known.get(of, ())
        if named and self.likely(0.9 if depth <= 0 else 0.4):
            return self.chance.choice(named)
        makers: dict[str, Callable[[Scope, int], str]] = {
            "num": self.number_, "bool": self.condition, "cart": self.cart, "hex": self.hex, "side": self.side,
            "carts": self.carts, "hexes": self.hexes, "crates": self.crates, "notes": self.notes,
            "tint": lambda _, __: self.one("red", "green", "blue"),
            "mood": lambda _, __: self.one("'low'", "'mid'", "'high'", "clamp(game.mood + 1, 'low', 'high')"),
        }  # fmt: skip
        return makers[of](known, depth - 1)

    def number_(self, known: Scope, depth: int) -> str:
        """Draw a number from 0 to 9, or an expression clamped to this range."""
        if depth <= 0:
            owners = [of for of in TRACKS if known.get(of)]
            if owners and self.likely(0.5):
                owner = self.one(*owners)
                if owner != "crate" or not self.likely(0.3):
                    return f"{self.one(*known[owner])}.{self.one(*TRACKS[owner])}"
            return self.one("0", "1", "2", "3", "5", "game.tally", "min(game.turn, 9)")
        each = self.name("e")
        match self.chance.randrange(10):
            case 0 | 1:
                sign = self.one("+", "-", "*")
                return f"clamp({self.draw('num', known, depth)} {sign} {self.draw('num', known, depth)}, 0, 9)"
            case 2:
                rounding = self.one("round_down", "round_up")
                return f"{rounding}({self.draw('num', known, depth)} / {self.one('2', '3')})"
            case 3 | 4:
                return f"min(count({self.among(each, known, depth)}), 9)"
            case 5:
                what = self.one("sum", "max", "min")
                orelse = "" if what == "sum" else " otherwise 0"
                return f"clamp({what}({each}.worth for {self.among(each, known, depth)}{orelse}), 0, 9)"
            case 6:
                return f"weigh({self.draw('cart', known, depth)})"
            case 7:
                return f"(if {self.draw('bool', known, depth)} then {self.draw('num', known, depth)} else 1)"
            case 8:
                return f"busy({self.draw('side', known, depth)})"
            case _:
                return f"clamp(round_up(game.share * {self.one('2', '3')}), 0, 9)"

    def among(self, each: str, known: Scope, depth: int) -> str:
        """Draw the source of a fold over carts, most of the time with a condition."""
        source = self.draw("carts", known, depth - 1)
        if self.likely(0.3):
            return f"{each} in {source}"
        inner = {**known, "cart": (*known.get("cart", ()), each, each)}
        return f"{each} in {source} where {self.draw('bool', inner, depth - 1)}"

    def condition(self, known: Scope, depth: int) -> str:  # noqa: C901 -- one case a form.
        """Draw a condition, in parentheses if needed."""
        if depth <= 0:
            owners = [of for of in STATUSES if known.get(of)]
            if owners and self.likely(0.7):
                owner = self.one(*owners)
                return f"({self.one(*known[owner])} is {self.one('', 'not ')}{self.one(*STATUSES[owner])})"
            return self.one("game.open", "(game.tally > 4)", "(game.tint = red)", "(game.mood < 'high')")
        each = self.name("e")
        match self.chance.randrange(14):
            case 0 | 1:
                sign = self.one("and", "or")
                return f"({self.draw('bool', known, depth)} {sign} {self.draw('bool', known, depth)})"
            case 2:
                return f"(not {self.draw('bool', known, depth)})"
            case 3 | 4:
                sign = self.one("<", "<=", "=", "!=", ">")
                return f"({self.draw('num', known, depth)} {sign} {self.draw('num', known, depth)})"
            case 5:
                return f"{self.one('some', 'none')}({self.among(each, known, depth)})"
            case 6:
                return f"({self.draw('hex', known, depth)} is {self.one('bog', 'not bog', 'trodden')})"
            case 7:
                cart = self.named_cart(known)
                return f"may_go({cart}, spot({cart}), {self.draw('hex', known, depth)})"
            case 8:
                return f"({self.draw('side', known, depth)} = {self.draw('side', known, depth)})"
            case 9:
                return f"({self.draw('cart', known, 0)} in {self.draw('carts', known, depth)})"
            case 10:
                one, other = self.draw("hex", known, 0), self.draw("hex", known, 0)
                return f"(distance({one}, {other}) <= {self.one('1', '2')} hexes)"
            case 11:
                fact = self.one(
                    "has front", "has no rear", "has goal", "has back", "is gone", "is off", "is shed", "is cart"
                )
                return f"({self.draw('cart', known, 0)} {fact})".replace("has no rear", "has no front")
            case 12:
                return f"{self.one('tows', 'likes')}({self.draw('cart', known, 0)}, {self.draw('cart', known, 0)})"
            case _:
                return (
                    f"some({each} in {self.draw('notes', known, depth)} where {each}.n > {self.draw('num', known, 0)})"
                )

    def cart(self, known: Scope, depth: int) -> str:
        """Draw a cart, with a fallback if the set is empty."""
        each = self.name("e")
        inner = {**known, "cart": (*known.get("cart", ()), each, each)}
        first = self.one(*known["cart"]) if known.get("cart") else "lead()"
        return (
            f"({self.one('least', 'greatest')}({each} in {self.draw('carts', known, depth)} by "
            f"{self.draw('num', inner, 0)} otherwise {first}))"
        )

    def named_cart(self, known: Scope) -> str:
        """Draw a cart in scope, or the lead."""
        return self.one(*known["cart"]) if known.get("cart") else "lead()"

    def hex(self, known: Scope, _: int) -> str:
        """Draw a hex; with a small probability it may be absent."""
        if known.get("cart") and self.likely(0.6):
            cart = self.one(*known["cart"])
            return f"{cart}.hex" if self.likely(0.03) else f"spot({cart})"
        each = self.name("e")
        inner = {**known, "hex": (*known.get("hex", ()), each, each)}
        return f"({self.one('least', 'greatest')}({each} in all hex by {self.draw('num', inner, 0)} otherwise base()))"

    def side(self, known: Scope, _: int) -> str:
        """Draw a side."""
        if known.get("cart") and self.likely(0.5):
            return f"{self.one(*known['cart'])}.side"
        return self.one("north", "south", *known.get("side", ()))

    def carts(self, known: Scope, depth: int) -> str:
        """Draw a set of carts."""
        if depth <= 0:
            return self.one("all cart", "all cart", "reserve(cart)")
        each = self.name("e")
        match self.chance.randrange(9):
            case 0 | 1 | 2:
                return f"{{{self.among(each, known, depth)}}}"
            case 3:
                return f"cart at {self.draw('hex', known, 0)}" if known.get("hex") else "all cart"
            case 4:
                some, sign = self.draw("carts", known, depth - 1), self.one("+", "-")
                return f"({some} {sign} {self.draw('carts', known, depth - 1)})"
            case 5:
                return f"friends({self.draw('cart', known, depth)})"
            case 6:
                return f"{self.draw('cart', known, 0)}.{self.one('met', 'rear', 'idol')}"
            case 7:
                return f"{{{each}.of for {each} in {self.draw('notes', known, depth)}}}"
            case _:
                return f"{{{self.draw('cart', known, 0)}}}"

    def hexes(self, known: Scope, depth: int) -> str:
        """Draw a set of hexes."""
        here = self.draw("hex", known, 0)
        if depth <= 0:
            return self.one("all hex", f"neighbors({here})")
        each = self.name("e")
        match self.chance.randrange(7):
            case 0 | 1:
                inner = {**known, "hex": (*known.get("hex", ()), each, each)}
                source = self.draw("hexes", known, depth - 1)
                return f"{{{each} in {source} where {self.draw('bool', inner, depth - 1)}}}"
            case 2:
                return f"reachable({here} by may_go({self.draw('cart', known, 0)}))"
            case 3:
                return f"linked({{{here}}}, {self.draw('hexes', known, depth - 1)})"
            case 4:
                return f"{{h in {self.draw('cart', known, 0)}.seen}}"
            case 5:
                return f"within({here}, 1)"
            case _:
                return f"({self.draw('hexes', known, depth - 1)} {self.one('+', '-')} {{{here}}})"

    def crates(self, known: Scope, _: int) -> str:
        """Draw a set of crates."""
        return self.one("all crate", "reserve(crate)", f"crates({self.draw('hex', known, 0)})")

    def notes(self, known: Scope, _: int) -> str:
        """Draw a set of records."""
        if not known.get("cart") or self.likely(0.5):
            return "all note"
        each = self.name("e")
        return f"{{{each} in all note where {each}.of = {self.draw('cart', known, 0)}}}"

    # ------------------------------------------------------------ questions

    def laws(self) -> str:
        """Draw the rules of the questions that expressions ask; none asks a question declared after it."""
        statements = [
            "define busy(s: side): 0..9 [house] = min(count(c in all cart where c.side = s and "
            f"{self.plain('c', 'cart')}), 9)",
            'value weigh(c: cart): 0..9 otherwise 1 reads "weigh {c}"',
            "verdict may_go(c: cart, from: hex, h: hex) default allowed "
            'reads "{c} may go {from} {h}" denied "{c} may not go {from} {h}"',
            'set friends(c: cart): cart reads "the friends of {c}"',
            "condition left_behind(front: cart, rear: cart, since: 0..9) default no "
            'reads "{rear} is left behind" denied "{rear} is not"',
        ]
        for at in range(self.chance.randrange(2, 4)):
            exception = "\n  exception to " + ", ".join(f"weigh-{n}" for n in range(at)) if at else ""
            statements.append(
                f'rule weigh-{at} [house] "A cart weighs so much."\n'
                f"  weigh is {self.one('1', '2', 'c.load', 'c.worth')}"
                f"{exception}\n  when {self.plain('c', 'cart')}"
            )
        for at in range(3):
            guard = self.one("h is bog", "between(from, h) is wall", self.plain("h", "hex"), self.plain("c", "cart"))
            statements.append(f'rule go-{at} [house] "No cart goes there."\n  may_go forbidden\n  when {guard}')
        statements += [
            f'rule friends-0 [house] "Those of a side."\n  friends includes {{o in all cart where o.side = c.side and '
            f"{self.plain('o', 'cart')}}}",
            'rule friends-1 [house] "But not these."\n'
            f"  friends excludes {{o in all cart where {self.plain('o', 'cart')}}}",
            'rule left [house] "A cart that is far behind is left."\n  left_behind holds\n  when '
            f"{self.plain('rear', 'cart')} and since > {self.one('1', '3')}",
        ]
        return "\n".join(statements) + "\n"

    def plain(self, name: str, of: str) -> str:
        """Draw a condition on a cart or a hex that asks no question."""
        number = f"{name}.{self.one(*TRACKS[of])} {self.one('<', '>', '=')} {self.one('1', '2', '4')}"
        status = f"{name} is {self.one('', 'not ')}{self.one(*STATUSES[of])}"
        near = (
            f"some(n in all cart where n != {name} and distance(spot(n), spot({name})) <= 1 hexes and n is not tired)"
        )
        full = f"some(n in cart at {name} where n is {self.one('hot', 'worn')})"
        return self.one(number, status, near if of == "cart" else full)
