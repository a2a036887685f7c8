"""Rules whose games never end or take hours: each decision must stay within its budget.

Each case once took more than 40 s or ended in a traceback.
"""

from collections.abc import Iterator

from tests.safety.confine import TOY, Content
from tests.safety.hostile import ASK, CHECK, FIELD, HERE, PLAY, PLAYING, POSITION, RULE, WIDE, Case

GREEDY = (*PLAY, "--players", "greedy")
SEARCH = (*PLAY, "--players", "search:2,random")
COMPARE = ("compare", "first_toy", "-n", "20", "-j", "1", *HERE)
CARD = FIELD.split("---\n")[1]

PILED = PLAYING.replace(
    "offer march until yes",
    "offer march must count(u in all unit where u.hex is marsh) > 30 otherwise { stop }",
)
MUST: dict[str, Content] = {"field.yaml": WIDE.replace("runner: 2", "runner: 40"), "playing.rules": PILED}
STEP = 'verdict may_go(from: hex, to: hex) default allowed reads "{from} to {to}" denied "not {from} to {to}"\n'
WAYS: dict[str, Content] = {
    "field.yaml": WIDE,
    "x.rules": f"{STEP}{RULE}count(h in all hex where cheapest_cost(h to to by may_go otherwise 0) > 99) > 3\n",
}
LINKS: dict[str, Content] = {
    "field.yaml": WIDE,
    "x.rules": f"{RULE}count(h in all hex where count(linked({{h}}, "
    "{g in all hex where count(linked({g}, neighbors(h))) > 0})) > 4) > 3\n",
}
ASKED = PLAYING.replace(
    "  move mover to to\n",
    "  move mover to to\n  for each a in 1..1000 { for each b in 1..1000 { choose x from all hex by mover.side } }\n",
)
CHOICES: dict[str, Content] = {"playing.rules": ASKED}
COLUMNS = ", ".join(f"k{n}" for n in range(250))
KEYS = f"enum ea: {', '.join(f'm{n}' for n in range(250))}\nenum eb: {COLUMNS}\n"
GRID = "".join(f"  m{n}: [{', '.join(str(n * k % 12) for k in range(250))}]\n" for n in range(250))
CELLS: dict[str, Content] = {
    "x.rules": f"{KEYS}track unit.a: ea = m0 until end of game\ntrack unit.b: eb = k0 until end of game\n"
    f"{RULE}big[mover.a, mover.b] > 6 MP\n",
    "x.yaml": f"table: big\ncites: TOY.1\nkeys: {{a: ea, b: eb}}\ncell: MP\ncolumns: [{COLUMNS}]\ngrid:\n{GRID}",
}
GAMES: dict[str, tuple[dict[str, Content], tuple[str, ...], str]] = {
    "must among 40 units": (MUST, PLAY, "R0555"),
    "must among 40 units, greedily": (MUST, GREEDY, "R0555"),
    "must among 40 units, compared": (MUST, COMPARE, "no more games are played"),
    "searches of the map in a search": (WAYS, PLAY, "R0555"),
    "searches of the map in a search, greedily": (WAYS, GREEDY, "R0555"),
    "searches of the map, with a player who searches": (WAYS, SEARCH, "R0555"),
    "searches of the map, compared": (WAYS, COMPARE, "no more games are played"),
    "links in links": (LINKS, PLAY, "R0555"),
    "a million choices in one action": (CHOICES, PLAY, "more than 30,000 choices"),
    "a million choices in one action, compared": (
        CHOICES,
        (*COMPARE, "--engine", "python"),
        "no more games are played",
    ),
    "a chart of 62,500 cells, compiled": (CELLS, (*COMPARE, "--engine", "native"), "the charts have 62,506 rows"),
    "250,000 units": (
        {"field.yaml": FIELD + "  - {side: north, units: {runner: 500}, sets_up: {columns: 1..1}}\n" * 500},
        PLAY,
        "R0121",
    ),
    "1,140 cards": (
        {f"c{k}.yaml": "---\n".join(CARD.replace("first_toy", f"card_{k}_{n}") for n in range(190)) for k in range(6)},
        CHECK,
        "0 errors",
    ),
}
COUNT = (*ASK[:4], "count(all hex)", *HERE)
ROWS = "position: p\nstack: toy\nboard:\n  rows:\n"


def rows(count: int) -> str:
    """Write the rows of a square board."""
    return "".join(f"    - [{', '.join(f'H{row}x{column}' for column in range(count))}]\n" for row in range(count))


LATE = "  sides: {" + ", ".join(f"Q{n}/H0x0: hedge" for n in range(30_000)) + "}\npieces: []\n"
MEMBERS = f"enum e: {', '.join(f'm{n}' for n in range(4_000))}\ntrack unit.e: e = m0 until end of game\n"
WRONG = "".join(f"{RULE.replace('rule r', f'rule r{n}')}mover.e = n{n}\n" for n in range(3_000))
DEEP = "if yes then " * 2_000 + "1" + " else 2" * 2_000
LONG = "A unit pays two points more when it enters marsh. " * 400
LONG_WHY = f'rule p [TOY.1] "{LONG}"\n  may_enter forbidden\n  when to is marsh\n'
TEXTS: dict[str, tuple[dict[str, Content], tuple[str, ...], str]] = {
    "90,000 hexes in rows": ({"p.yml": f"{ROWS}{rows(300)}pieces: []\n"}, COUNT, "more than 5,000 hexes"),
    "30,000 unknown hexes": ({"p.yml": f"{ROWS}{rows(70)}{LATE}"}, COUNT, "R0201"),
    "3,000 unknown members": ({"x.rules": MEMBERS + WRONG}, CHECK, "R0202"),
    "20,000 unknown keys": (
        {"x.yaml": "table: t\n" + "".join(f"kez{n}: 1\n" for n in range(20_000))},
        CHECK,
        "R0605",
    ),
    "two long names alike": (
        {"x.rules": f"enum e: {'a' * 90_000}x\n{RULE}mover.gait = {'a' * 90_000}y\n"},
        CHECK,
        "R0202",
    ),
    "a question of 2,000 ifs": ({"p.yml": POSITION}, (*ASK[:4], DEEP, *HERE), ""),
    "an explanation without end": ({"x.rules": LONG_WHY}, ("test", "toy", *HERE), "R0556"),
    "a seed without end": ({}, (*PLAY, "--seed", "9" * 100_000), "200 at most"),
    "a player who thinks without end": ({}, (*PLAY, "--players", "search:" + "9" * 5_000), "1 to 10,000"),
    "a diff of 200 rules": (
        {
            "more/layer.yaml": "layer: more\ntitle: More\nkind: optional\non: [toy]\n",
            "more/x.rules": "".join(
                f"{RULE.replace('rule r', f'rule q{n}')}mover.spent = {n % 12} MP and to.name = 'A{n}'\n"
                for n in range(200)
            ),
        },
        ("diff", "toy", "toy+more", *HERE),
        "all positions for one comparison were used up",
    ),
}


def cases() -> Iterator[Case]:
    """Yield all cases."""
    for name, (files, command, says) in (GAMES | TEXTS).items():
        yield Case(name, f"budget {name}", files, command, says, seconds=30, mebibytes=900)


assert TOY["playing.rules"] not in (PILED, ASKED)  # Otherwise a replacement above did not apply.
