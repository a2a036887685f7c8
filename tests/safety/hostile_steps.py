"""Steps and operators whose cost grows with their operands, each in loops over a large map.

The elements that a primitive visits are charged to the budget of the decision (runtime/graph/budget.py). Without the
charge these cases took minutes or all memory.
"""

from collections.abc import Iterator

from tests.safety.confine import Content
from tests.safety.hostile import PLAY, RULE, WIDE, Case

HOOK = 'after end of movement [TOY.1] "x" '
CROWD = WIDE.replace("runner: 2", "runner: 58")
PAIRS = "relation carries(carrier: unit, load: unit)\n"
KEPT = "track game.hs: set of hex = {} until end of game\ntrack game.hl: list of hex = {} until end of game\n"
HEX_BY_HEX = "for each h in all hex { for each g in all hex { %s } }"
UNIT_BY_UNIT = "for each a in all unit { for each b in all unit { %s } }"
EACH = "for each h in all hex { %s }"
PAIR = "some(a in all hex where some(b in all hex where %s))"
OF_SET = 'define f(s: set of hex): yes_no [TOY.1] = %s reads "x"\n'


def steps(body: str, declared: str = "", field: str = WIDE) -> dict[str, Content]:
    """Execute steps at the end of a phase."""
    return {"field.yaml": field, "x.rules": f"{declared}{HOOK}{{ {body} }}\n"}


def condition_files(condition: str, declared: str = "") -> dict[str, Content]:
    """Evaluate a condition for every step of a unit."""
    return {"field.yaml": WIDE, "x.rules": f"{declared}{RULE}{condition}\n"}


LOOPS: dict[str, dict[str, Content]] = {
    "draw an order": steps(EACH % "draw order xs from all hex"),
    "draw many": steps(EACH % "draw any xs of 900 from all hex"),
    "draw one": steps(HEX_BY_HEX % "draw x from all hex"),
    "roll": steps(HEX_BY_HEX % "roll d: small", "domain small = 1..6\n"),
    "relate": steps(EACH % UNIT_BY_UNIT % "relate carries(a, b)", PAIRS, CROWD),
    "relate and unrelate": steps(EACH % UNIT_BY_UNIT % "relate carries(a, b) unrelate carries(a, b)", PAIRS, CROWD),
    "pairs that end": steps(
        UNIT_BY_UNIT % "relate carries(a, b)",
        f"{PAIRS.strip()} ends when carrier is gone and load is gone\n",
        CROWD,
    ),
    "add to a set": steps(HEX_BY_HEX % "add g to game.hs", KEPT),
    "add to a list": steps(HEX_BY_HEX % "add g to game.hl", KEPT),
    "set a set": steps(HEX_BY_HEX % "set game.hs to {h} set game.hs to all hex", KEPT),
    "bind a set": steps(HEX_BY_HEX % "let z = all hex - {g}"),
    "create": steps(HEX_BY_HEX % "create runner at h of north"),
    "write": steps(HEX_BY_HEX % "write r = run(at: h) strike r", "record run {at: hex}\n"),
    "mark": steps(
        "for each k in 1..99 { for each g in all hex { mark g as lit } for each g in all hex { unmark g as lit } }",
        "status hex: lit until end of game\n",
    ),
    "move": steps(HEX_BY_HEX % "for each u in all unit { move u off move u to g }", "", CROWD),
    "unite": condition_files(PAIR % "count((all hex + {a}) - {b}) = 3"),
    "flatten": condition_files("count({c for a in all hex for b in all hex for c in neighbors(b)}) = 3"),
    "look into sets": condition_files(PAIR % "a in (all hex - {a}) and b in all hex"),
    "compare sets": condition_files(PAIR % "all hex - {a} = all hex - {b} and a != b"),
    "sets of sets": condition_files("count({{b for b in all hex where b != a} for a in all hex}) = 3"),
    "pass over a parameter": condition_files(
        "f(all hex)", OF_SET % "some(a in s where some(b in s where some(c in s where distance(a, b) > 999)))"
    ),
    "ask about a set": condition_files(PAIR % "f(all hex) and distance(a, b) = 99", OF_SET % "count(s) > 3"),
    "link": condition_files(PAIR % "count(linked({a}, all hex - {b})) > 9999"),
    "circles": condition_files("some(a in all hex where some(n in 1..60 where count(within(a, n)) > 9999))"),
    "lines": condition_files(PAIR % "count(line(a, b)) > 9999"),
    "rays": condition_files(PAIR % "some(d in 1..6 where count(toward(a, d)) > 9999)"),
}  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield a case that plays a game for each loop."""
    for number, (name, files) in enumerate(LOOPS.items()):
        yield Case(f"in loops: {name}", f"loop {(number + 7) // 9}", files, PLAY, "R0555", seconds=30, mebibytes=600)
