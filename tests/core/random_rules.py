"""Random packages of rules: a small game of carts whose procedures contain every kind of step.

Nearly all packages compile (test_random_rules.py leaves out the others), and most can be played: numbers are clamped to
their ranges, and most steps on a piece check first that it is in the game. Resolutions call earlier ones only; `dig`
calls itself. No offer has `must`, whose search would take most of the time (tests/play/test_obligations.py).
"""

from collections.abc import Callable

from tests.core.random_expressions import DECLARED, STATUSES, RandomExpressions, Scope

COUNTERS = """pieces: cart
cites: house
columns: [id, side, worth, back]
rows:
  - [full, north, 5, half]
  - [half, north, 2, "-"]
  - [heads, south, 4, tails]
  - [tails, south, 3, heads]
"""
EXAMPLE = """example "opening" {
  row A, B, C bog, D
  row E, F, G, H bog from A se
  sides B/C wall
  sides F/G wall
  piece M: full at A
  piece N: full at B
  piece O: cart of north at E (worth 1)
  piece P: heads at D
  piece Q: heads at G
  piece R: cart of south (worth 2)
  piece X: crate of north at F
  piece Y: crate of south
  ask count(all cart) = 5
}
"""
# A bound on the actions of a turn, so that games of greedy players end.
ONCE = "legal player.taken < 4\n  set player.taken to player.taken + 1\n"
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"


class RandomRules(RandomExpressions):
    """Draws one package."""

    def __init__(self, seed: str) -> None:
        """Begin with the resolution `dig` and no actions."""
        super().__init__(seed)
        self.resolutions: list[tuple[str, tuple[str, ...]]] = [("dig", ("num", "cart"))]
        self.actions: list[str] = []
        self.may_ask = self.may_tell = True

    def files(self) -> dict[str, str]:
        """Draw the files of a layer."""
        return {
            "layer.yaml": LAYER,
            "carts.yaml": COUNTERS,
            "r.rules": DECLARED + self.laws() + self.conduct() + EXAMPLE,
        }

    def conduct(self) -> str:
        """Draw resolutions, actions, hooks and the sequence of play."""
        parts = [
            "resolution dig(n: 0..30, c: cart) [house] {\n  if n > 0 { do dig(n - 1, c) "
            f"{self.steps({'num': ('n',), 'cart': ('c',), 'side': ('player',)}, 1, 1)} }}\n}}"
        ]
        for _ in range(self.chance.randrange(2, 5)):
            arguments = tuple(self.one("cart", "hex", "num", "carts") for _ in range(self.chance.randrange(3)))
            names = [self.name("p") for _ in arguments]
            types = {"cart": "cart", "hex": "hex", "num": "0..9", "carts": "set of cart"}
            written = ", ".join(f"{name}: {types[of]}" for name, of in zip(names, arguments, strict=True))
            known: Scope = {"side": ("player",)}
            for name, of in zip(names, arguments, strict=True):
                known = self.with_name(known, of, name)
            name = self.name("resolve")
            parts.append(f"resolution {name}({written}) [house] {{\n{self.steps(known, self.chance.randrange(2, 6))}}}")
            self.resolutions.append((name, arguments))
        parts += [self.action("on", "(c: cart)"), self.reaction()]
        self.actions.clear()
        parts += [self.action(self.name("act"), "") for _ in range(self.chance.randrange(2, 5))]
        # Hooks emit no events: they could run without end.
        self.may_tell = False
        here: Scope = {"cart": ("c",), "hex": ("h",), "side": ("player",)}
        parts.append(f"after moved(c, h) as first, before second [house] {{\n{self.steps(here, 2)}}}")
        parts.append(f"after moved(c, h) as second [house] {{\n{self.steps(here, 1)}}}")
        self.may_ask = self.likely(0.5)
        parts.append(f"after end of {self.one('turn', 'own_turn', 'moving')} as tidy [house] {{\n{self.steps({}, 2)}}}")
        self.may_ask = True
        self.may_tell = True
        parts.append(self.sequence())
        return "\n".join(parts) + "\n"

    def with_name(self, known: Scope, of: str, name: str) -> Scope:
        """Return the scope with a name added twice, so that it is drawn twice as often."""
        return {**known, of: (*known.get(of, ()), name, name)}

    def action(self, name: str, parameters: str) -> str:
        """Draw an action: choices and conditions, then steps."""
        known: Scope = {"side": ("player",), **({"cart": ("c",)} if parameters else {})}
        head = []
        for _ in range(self.chance.randrange(1, 3)):
            step, known, _ = self.choice(known)
            head.append(step)
            if self.likely(0.3):
                named, of = self.name("l"), self.one("num", "carts", "bool")
                head.append(f"let {named} = {self.draw(of, known)}")
                known = self.with_name(known, of, named)
            if self.likely(0.3):
                head.append(f"legal {self.draw('bool', known)}")
        self.actions.append(name)
        body = self.steps(known, self.chance.randrange(2, 6))
        asks = " ".join(head)
        return f'action {name}{parameters} by player [house] "Do it." {{\n  {asks} {ONCE}{body}}}'

    def reaction(self) -> str:
        """Draw a reaction to a hit."""
        known: Scope = {"cart": ("c",), "side": ("player",)}
        step, known, _ = self.choice(known)
        return f'reaction duck by enemy to hit(c) [house] "Duck." {{\n  {step} {ONCE}{self.steps(known, 2)}}}'

    def choice(self, known: Scope) -> tuple[str, Scope, str]:
        """Draw a choice; return it with the scope after it and its source."""
        name, of = self.name("x"), self.one("cart", "cart", "cart", "hex", "num", "bool", "side")
        sources = {"num": f"1..{self.draw('num', known, 0)}", "bool": "{yes, no}", "side": "all side"}
        by = self.one("", "", "", f" by {self.draw('side', known, 0)}")
        if of not in ("cart", "hex"):
            source = sources[of] if of != "num" else "{1, 2, 4}"
            return f"choose {name} from {source}{by}", self.with_name(known, of, name), source
        each = self.name("e")
        inner = self.with_name(known, of, each)
        source = self.draw(f"{of}es" if of == "hex" else "carts", known, 1)
        if of == "cart" and "player" in known.get("side", ()) and self.likely(0.5):
            source = f"{{{each} in all cart where {each}.side = player and {self.draw('bool', inner, 1)}}}"
        best = self.name("b")
        after = self.with_name(known, of, name)
        if of == "cart" and self.likely(0.35):
            how, range_ = self.one("any", "order"), self.one(" of 1..2", " of 0..2")
            carts = self.with_name(known, "carts", name)
            if how == "any":
                return f"choose any {name}{range_} from {source}{by}", carts, source
            # An order is a list; the expressions need a set.
            return f"choose order {best}{range_} from {source}{by} let {name} = {{{each} in {best}}}", carts, source
        preferring = f" preferring {self.draw('num', after, 1)}" if self.likely(0.4) else ""
        return f"choose {name} from {source}{by}{preferring}", after, source

    def steps(self, known: Scope, number: int, depth: int = 2) -> str:
        """Draw steps, one per line."""
        lines = []
        for _ in range(number):
            step, known = self.step(known, depth)
            lines.append(f"  {step}\n")
        return "".join(lines)

    def step(self, known: Scope, depth: int) -> tuple[str, Scope]:
        """Draw a step; return it with the scope after it."""
        kinds: list[Callable[[Scope, int], tuple[str, Scope]]] = [
            self.set_track, self.set_track, self.mark, self.mark, self.move, self.change_piece, self.pair, self.book,
            self.chance_step, self.chance_step, self.name_step, self.call, self.tell, self.add,
        ]  # fmt: skip
        if depth > 0:
            kinds += [self.branch, self.branch, self.loop, self.loop]
        if depth > 0 and self.may_ask:
            kinds += [self.ask, self.ask]
        return self.chance.choice(kinds)(known, depth)

    def guarded(self, cart: str, step: str) -> str:
        """Make a step conditional on a piece being in the game, except in a few cases."""
        return step if self.likely(0.03) else f"if {cart} is not gone {{ {step} }}"

    def set_track(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Set a track, or a field of records."""
        value = self.draw("num", known)
        match self.chance.randrange(9):
            case 0:
                return f"set game.tally to clamp(game.tally + {value}, 0, 9)", known
            case 1:
                share = self.one("2", "3", "4")
                return f"set game.share to {value} / {share}", known
            case 2:
                return f"set game.tint to {self.draw('tint', known)}", known
            case 3:
                return f"set game.mood to {self.draw('mood', known)}", known
            case 4:
                return f"set game.open to {self.draw('bool', known)}", known
            case 5:
                return f"set {self.draw('hex', known)}.heat to {value}", known
            case 6:
                each = self.name("e")
                return f"for each {each} in {self.draw('notes', known)} {{ set {each}.n to {value} }}", known
            case 7 if known.get("side"):
                return f"set {self.one(*known['side'])}.score to {value}", known
            case _:
                cart = self.named_cart(known)
                what = (
                    f"goal to {self.draw('hex', known)}"
                    if self.likely(0.2)
                    else f"{self.one('spent', 'load')} to {value}"
                )
                return self.guarded(cart, f"set {cart}.{what}"), known

    def mark(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Set or clear a status."""
        verb = self.one("mark", "mark", "unmark")
        if self.likely(0.3):
            return f"{verb} {self.draw('hex', known)} as {self.one(*STATUSES['hex'])}", known
        cart = self.named_cart(known)
        return self.guarded(cart, f"{verb} {cart} as {self.one(*STATUSES['cart'])}"), known

    def move(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Move a piece on the map, into a place there, or off it."""
        cart, to = self.named_cart(known), self.draw("hex", known)
        off = self.likely(0.15)
        return self.guarded(
            cart, f"move {cart} off" if off else f"move {cart} to {to}{self.one('', '', ' in shed')}"
        ), known

    def change_piece(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Flip, restore, remove or create a piece."""
        cart, to = self.named_cart(known), self.draw("hex", known, 1)
        match self.chance.randrange(6):
            case 0 | 1:
                verb, fact = self.one("flip back", "restore front").split()
                return f"if {cart} has {fact} {{ {verb} {cart} }}", known
            case 2:
                return f"if game.tally > 6 {{ remove {cart} set game.tally to 0 }}", known
            case 3:
                each = self.name("e")
                return (
                    f"for each {each} in {self.draw('crates', known)} {{ if {each} is not gone {{ remove {each} }} }}",
                    known,
                )
            case 4:
                name = self.name("n")
                creation = (
                    f"if count(all crate) < 4 {{ create crate named {name} at {to} of {self.draw('side', known, 1)} "
                    f"set {name}.mark to {self.draw('num', known, 1)} }}"
                )
                return creation, known
            case _:
                return f"if count(all cart) < 6 {{ create {self.one('full', 'half', 'heads')} at {to} }}", known

    def pair(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Relate two pieces, or end their relation."""
        one, other = self.named_cart(known), self.draw("cart", known, 1)
        name = self.name("o")
        what = self.one(
            f"relate tows({one}, {name}, {self.draw('num', known, 1)})",
            f"relate likes({one}, {name})",
            f"if {self.one('tows', 'likes')}({one}, {name}) {{ unrelate X({one}, {name}) }}",
        )
        relation = what[3:].split("(")[0]
        return f"let {name} = {other} if {one} != {name} and {one} is not gone and {name} is not gone {{ " \
               f"{what.replace('X(', relation + '(')} }}", known  # fmt: skip

    def book(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Write a record, a plan or a task, or strike notes."""
        hex_, side = self.draw("hex", known, 1), self.draw("side", known, 1)
        match self.chance.randrange(5):
            case 0 | 1:
                cart, name = self.named_cart(known), self.name("w")
                mate = self.one("", f", mate: {self.draw('cart', known, 1)}")
                write = f"write {name} = note(of: {cart}, at: {hex_}, n: {self.draw('num', known, 1)}{mate})"
                return f"if count(all note) < 6 {{ {write} set {name}.n to {self.draw('num', known, 1)} }}", known
            case 2:
                return f"if count(all plan) < 4 {{ write plan(by: {side}, goal: {hex_}) }}", known
            case 3:
                return f"if none(all waits) {{ write waits(by: {side}, at: {hex_}, waited: 0) }}", known
            case _:
                each = self.name("e")
                return f"for each {each} in {self.draw('notes', known)} {{ strike {each} }}", known

    def add(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Add to a track that is a list or a set."""
        cart = self.named_cart(known)
        what = self.one(
            f"add {self.draw('hex', known, 1)} to {cart}.seen", f"add {self.draw('cart', known, 1)} to {cart}.met"
        )
        return self.guarded(cart, what), known

    def chance_step(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Roll a die, or draw one or several members of a set."""
        name = self.name("d")
        match self.chance.randrange(6):
            case 0 | 1 | 2:
                die = self.one("die", f"1..{self.draw('num', known, 0)} + 1")
                return f"roll {name}: {die}", self.with_name(known, "num", name)
            case 3:
                return f"draw {name} from {self.one('{1, 3, 5}', '{0, 9}')}", self.with_name(known, "num", name)
            case 4:
                source, many = self.draw("carts", known, 1), self.draw("num", known, 0)
                return f"draw any {name} of {many} from {source}", self.with_name(known, "carts", name)
            case _:
                whole, each = self.name("d"), self.name("e")
                step = f"draw order {whole}{self.one('', ' of 2')} from {self.draw('carts', known, 1)}"
                loop = f"for each {each} in {whole} {{ set game.tally to clamp(game.tally * 2 + {each}.worth, 0, 9) }}"
                return f"{step} {loop}", known

    def name_step(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Name a value."""
        name, of = self.name("l"), self.one("num", "bool", "cart", "hex", "carts", "hexes", "side", "notes")
        return f"let {name} = {self.draw(of, known)}", self.with_name(known, of, name)

    def call(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Call an earlier resolution; `dig` recurses as deep as its argument says."""
        name, resolution = self.chance.choice(self.resolutions)
        return f"do {name}({', '.join(self.draw(of, known, 1) for of in resolution)})", known

    def tell(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Emit an event."""
        cart = self.named_cart(known)
        if not self.may_ask or not self.may_tell or not self.actions:
            return self.mark(known, 0)
        return self.guarded(
            cart, self.one(f"tell moved({cart}, {self.draw('hex', known, 1)})", f"tell hit({cart})")
        ), known

    def branch(self, known: Scope, depth: int) -> tuple[str, Scope]:
        """Branch, with a `stop` in some branches."""
        then = "stop" if self.likely(0.12) else self.steps(known, 2, depth - 1)
        orelse = f" else {{\n{self.steps(known, 1, depth - 1)}}}" if self.likely(0.5) else ""
        return f"if {self.draw('bool', known)} {{\n{then}}}{orelse}", known

    def loop(self, known: Scope, depth: int) -> tuple[str, Scope]:
        """Loop over carts, hexes or numbers."""
        name, of = self.name("i"), self.one("cart", "cart", "hex", "num")
        source = {"cart": self.draw("carts", known), "hex": self.draw("hexes", known), "num": "1..3"}[of]
        asking, self.may_ask = self.may_ask, self.may_ask and of == "num"
        body = self.steps(self.with_name(known, of, name), 2, depth - 1)
        self.may_ask = asking
        return f"for each {name} in {source} {{\n{body}}}", known

    def ask(self, known: Scope, _: int) -> tuple[str, Scope]:
        """Let a side choose in a procedure, or offer actions."""
        if "on" in self.actions and self.likely(0.4):
            return self.guarded(
                cart := self.named_cart(known),
                f"offer on({cart}) until {self.one('yes', 'yes', 'game.tally > 2')} "
                "otherwise { set game.tally to 0 }",
            ), known
        step, __, source = self.choice(known)
        return f"if count({source}) > 1 {{ {step} }}", known

    def sequence(self) -> str:
        """Draw a sequence of two turns with two phases."""
        acts = self.actions
        phases = []
        for name in ("moving", "fighting"):
            offered = ", ".join(sorted(self.chance.sample(acts, self.chance.randrange(1, len(acts) + 1))))
            phases.append(
                f'phase {name} "{name.title()}" {{\n{self.steps({"side": ("player",)}, 2)}offer {offered} until yes\n}}'
            )
        both = "\n".join(phases)
        order = self.one("{north, south}", "{south, north}")
        sides = f"each player in {order} {{\n{both}\n}}"
        return f"sequence game {{ each turn in 1..2 {{ {sides}\n{self.steps({}, 1)}}} }}"
