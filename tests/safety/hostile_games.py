"""Rules that play without end, or nearly so: each decision keeps to its budget, and the whole game would take hours.

Each took more than 40 s, or was a bug of ours.
"""

from collections.abc import Iterator

from tests.safety.confine import TOY, Content
from tests.safety.hostile import FIELD, HERE, PLAY, PLAYING, RULE, WIDE, Case

GREEDY = (*PLAY, "--players", "greedy")
SEARCH = (*PLAY, "--players", "search:2,random")
COMPARE = ("compare", "first_toy", "-n", "20", "-j", "1", *HERE)
LADDER = ("ladder", "first_toy", "-n", "20", "--players", "random,greedy", *HERE)
MANY = (*PLAY, "--games", "20", "--players", "random")
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
GAMES: dict[str, tuple[dict[str, Content], tuple[str, ...], str]] = {
    "must among 40 units": (MUST, PLAY, "R0555"),
    "must among 40 units, greedily": (MUST, GREEDY, "R0555"),
    "must among 40 units, compared": (MUST, COMPARE, "no more games are played"),
    "must among 40 units, on a ladder": (MUST, LADDER, "no more were played"),
    "must among 40 units, many games": (MUST, MANY, "no more games are played after 1 of 20"),
    "searches of the map in a search": (WAYS, PLAY, "R0555"),
    "searches of the map in a search, greedily": (WAYS, GREEDY, "R0555"),
    "searches of the map, with a player who searches": (WAYS, SEARCH, "R0555"),
    "searches of the map, compared": (WAYS, COMPARE, "no more games are played"),
    "links in links": (LINKS, PLAY, "R0555"),
    "250,000 units": (
        {"field.yaml": FIELD + "  - {side: north, units: {runner: 500}, sets_up: {columns: 1..1}}\n" * 500},
        PLAY,
        "R0121",
    ),
    "1,140 cards": (
        {f"c{k}.yaml": "---\n".join(CARD.replace("first_toy", f"card_{k}_{n}") for n in range(190)) for k in range(6)},
        ("check", "toy", *HERE),
        "0 errors",
    ),
}


def cases() -> Iterator[Case]:
    """List them all."""
    for name, (files, command, says) in GAMES.items():
        yield Case(name, f"budget {name}", files, command, says, seconds=30, mebibytes=900)


assert TOY["playing.rules"] != PILED  # Else nothing would be tried.
