"""A corpus of hostile files: the content, the command that reads it, and the accepted results.

Each case adds files to the toy game and runs one command. `kind` groups the cases; the first ones of each kind run
always, the others with `--all`. A case without `says` may succeed or be refused, but not by a traceback, a control
sequence for the terminal, an endless run, or more output than a limit.
"""

import json
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from runtime.trial.nodes import TRIAL_VERSION
from tests.safety.confine import TOY, Content

RULE = 'rule r [TOY.1] "x"\n  may_enter forbidden\n  when '
FIELD, CHARTS, PLAYING = TOY["field.yaml"], TOY["charts.yaml"], TOY["playing.rules"]
HERE = ("--path", "@")
CHECK, PLAY, SHOW = ("check", "toy", *HERE), ("play", "first_toy", *HERE), ("show", "first_toy", *HERE)
REPLAY, RESUME = ("replay", "@/t.trial", *HERE), ("play", "--resume", "@/t.trial", *HERE)
ASK = ("ask", "toy", "-p", "@/p.yml", "may_enter(R, A1, A2)", *HERE)
BOOK = ("reference", "toy", "--out", "@/out", *HERE)
POSITION = "position: p\nstack: toy\nboard: [[toy_field]]\npieces:\n  - {name: R, type: runner, at: A1}\n"


@dataclass(frozen=True, slots=True)
class Case:
    """Files in addition to the toy game, a command (`@` is the game's folder), and alternatives for a required output.

    `says` separates alternatives by `|`; "" accepts any output. `seconds` of processor time and `mebibytes` beyond the
    memory at the start are its limits.
    """

    name: str
    kind: str
    files: Mapping[str, Content]
    command: tuple[str, ...]
    says: str = ""
    seconds: int = 20
    mebibytes: int = 700


# ---------------------------------------------------------------- recorded games


def trial(heading: Mapping[str, Any] = {}, **choice: Any) -> str:
    """Write a recorded game of one choice, with these fields changed."""
    first = {
        "what": "heading",
        "version": TRIAL_VERSION,
        "stack": "toy",
        "hash": "x",
        "scenario": "first_toy",
        "seed": "1",
        "players": {"north": "random", "south": "random"},
        **heading,
    }
    second = {
        "what": "choice",
        "step": 0,
        "turn": 0,
        "side": "north",
        "question": "x",
        "options": 1,
        "choice": 0,
        "label": "x",
        "dice": [],
        "state": "",
        **choice,
    }
    return f"{json.dumps(first)}\n{json.dumps(second)}\n"


HEAD, LINE, _ = trial().split("\n")
NO_GAME = "is no recorded game"
TRIALS: dict[str, tuple[str, str]] = {
    "choice -7": (trial(choice=-7), NO_GAME),
    "choice 10**30": (trial(choice=10**30), NO_GAME),
    "choice true": (trial(choice=True), NO_GAME),
    "choice 1.5": (trial(choice=1.5), NO_GAME),
    "choice of none": (trial(choice=0, options=0), NO_GAME),
    "choice x": (trial(choice="x"), NO_GAME),
    "not a number": (trial().replace('"turn": 0', '"turn": NaN'), NO_GAME),
    "no players": (trial({"players": [1, 2]}), NO_GAME),
    "a card by its path": (trial({"scenario": "/etc/passwd"}), NO_GAME),
    "a card outside": (trial({"scenario": "../../x.yaml"}), NO_GAME),
    "a folder of rules": (trial({"stack": "./toy/"}), NO_GAME),
    "a stack outside": (trial({"stack": "../toy+x"}), NO_GAME),
    "a stack that commands": (trial({"stack": "\x1b[31mx"}), NO_GAME),
    "a card that commands": (trial({"scenario": "\x1b[2J"}), NO_GAME),
    "a player that commands": (trial({"players": {"north": "\x1b[31m", "south": "\x07"}}), ""),
    "a label that commands": (trial(label="\x1b]0;x\x07\x1b[31m", question="\x1b[2J"), ""),
    "a label from the right": (trial(label="a\u202eb", question="\u2066x"), ""),
    "a long seed": (trial({"seed": "9" * 1_000_000}), NO_GAME),
    "a long label": (trial(label="x" * 500_000), NO_GAME),
    "many dice": (trial(dice=[1] * 300_000), NO_GAME),
    "dice of words": (trial(dice=["x"]), NO_GAME),
    "taken back before the first": (trial() + '{"what":"undo","step":-5}\n', NO_GAME),
    "two headings": (trial() + trial(), NO_GAME),
    "no heading": (LINE + "\n", NO_GAME),
    "a list": ("[]\n" * 50, NO_GAME),
    "deep": ("[" * 200_000 + "\n", NO_GAME),
    "a key twice": (trial().replace('"turn": 0', '"turn": 1, "turn": 0'), ""),
    "many lines": (f"{HEAD}\n" + f"{LINE}\n" * 110_000, NO_GAME),
    "zeros behind it": (f"{HEAD}\n" + "\0" * 1_000, ""),
    "another ending": (f"{HEAD}\nand so on", ""),
}


def trials() -> Iterator[Case]:
    """Yield cases that replay and resume each recorded game."""
    for (number, (name, (text, says))), (how, command) in product(
        enumerate(TRIALS.items()), (("replay", REPLAY), ("resume", RESUME))
    ):
        yield Case(f"{how}: {name}", f"trial {how} {number // 8}", {"t.trial": text}, command, says)


# ---------------------------------------------------------------- devices and other things that are no files


def sparse(head: str) -> Callable[[Path], None]:
    """Return a function that creates a sparse file of 800 megabytes."""

    def make(file: Path) -> None:
        with file.open("wb") as opened:
            opened.write(head.encode())
            opened.truncate(800 * 2**20)

    return make


def bind(file: Path) -> None:
    """Create a socket."""
    here = Path.cwd()
    os.chdir(file.parent)  # The path of a socket is limited to about a hundred bytes.
    try:
        socket.socket(socket.AF_UNIX).bind(file.name)
    finally:
        os.chdir(here)


DEVICES: dict[str, Callable[[Path], None]] = {
    "/dev/zero": lambda file: file.symlink_to("/dev/zero"),
    "a pipe": os.mkfifo,
    "a socket": bind,
    "a folder": lambda file: file.mkdir(),
    "800 megabytes": sparse(f"{HEAD}\n"),
    "a loop of links": lambda file: file.symlink_to(file.name),
}
# The file that is replaced, and the command that reads it.
READERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "replay": ("t.trial", REPLAY),
    "resume": ("t.trial", RESUME),
    "ask": ("p.yml", ASK),
    "play a card": ("c.yml", ("play", "@/c.yml", *HERE)),
    "show": ("c.yml", ("show", "@/c.yml", *HERE)),
    "check": ("x.rules", CHECK),
    "check a chart": ("x.yaml", CHECK),
    "check a layer": ("l/layer.yaml", ("check", "@/l")),
    "fmt": ("x.rules", ("fmt", "@/x.rules", "--check")),
    "coverage": ("led/x.yaml", ("coverage", "--ledger", "@/led", *HERE)),
    "import": ("imp/boards/x.yaml", ("import", "@/imp", "--out", "@/out")),
    "compare": ("r.out", ("compare", "first_toy", "-n", "1", "-j", "1", "--out", "@/r.out", *HERE)),
    "audit": ("x.yaml", ("audit", "toy", *HERE)),
    "explain": ("x.yaml", ("explain", "toy", "may_enter", *HERE)),
    "reference": ("x.rules", BOOK),
}


def devices() -> Iterator[Case]:
    """Yield a case for each device and each command."""
    for (device, make), (how, (file, command)) in product(DEVICES.items(), READERS.items()):
        yield Case(f"{how}: {device}", f"device {device}", {file: make}, command)


# ---------------------------------------------------------------- names

NAMES = {
    "markup": ("[red]run[/red]", "R0108"),
    "a page": ("<script>x</script>", "R0108"),
    "a link": ("[x](javascript:1)", "R0108"),
    "another direction": ("ru\\u202enner", "R0104"),
    "nothing to see": ("run\\u200bner", "R0104"),
    "a look-alike": ("runn\\u0435r", "R0108"),
    "a wide letter": ("runn\\uff45r", "R0108"),
    "a command": ("run\\e[31m", "R0104"),
    "an accent": ("runne\\u0301r", "R0108"),
}


def named(name: str) -> dict[str, tuple[dict[str, Content], tuple[str, ...]]]:
    """Return the files and commands for a name in every place that holds one."""
    one, board = f'"{name}"', f'"{name}"'
    field = FIELD.replace("board: toy_field", f"board: {board}").replace("[[toy_field]]", f"[[{board}]]")
    return {
        "counter": (
            {
                "charts.yaml": CHARTS.replace("[runner,", f"[{one},"),
                "field.yaml": FIELD.replace("runner: 2", f"{one}: 2"),
            },
            CHECK,
        ),
        "title of a counter": ({"charts.yaml": f"{CHARTS}titles: {{runner: {one}}}\n"}, CHECK),
        "board": ({"field.yaml": field}, SHOW),
        "title of a board": ({"field.yaml": FIELD.replace("title: The Field", f"title: {one}")}, CHECK),
        "card": ({"field.yaml": FIELD.replace("first_toy", one)}, CHECK),
        "title of a card": ({"field.yaml": FIELD.replace("title: The First Game of Toy", f"title: {one}")}, CHECK),
        "layer": ({"layer.yaml": TOY["layer.yaml"].replace("title: Toy", f"title: {one}")}, CHECK),
        "region": ({"field.yaml": FIELD.replace("terrain:", f"regions:\n  {one}: [A1]\nterrain:")}, CHECK),
        "hex": ({"field.yaml": FIELD.replace("[B3, C3]", f"[{one}]")}, CHECK),
        "side": ({"field.yaml": FIELD.replace("side: north", f"side: {one}")}, CHECK),
        "row": ({"charts.yaml": CHARTS.replace("meadow: [1, 1]", f"{one}: [1, 1]")}, CHECK),
    }


def names() -> Iterator[Case]:
    """Yield a case for each name in each place."""
    for what, (name, code) in NAMES.items():
        for thing, (files, command) in named(name).items():
            # A title is no identifier: it may contain brackets and accents.
            plain = thing.startswith(("title", "layer")) and what in ("markup", "a link", "an accent")
            yield Case(f"{thing}: {what}", f"name {what}", files, command, "" if plain else f"{code}|R0607")


# ---------------------------------------------------------------- sizes and depths beyond any use


def marks(count: int) -> str:
    """Declare `count` statuses."""
    return "".join(f"status unit: s{n} until end of movement\n" for n in range(count))


def deep(count: int, opening: str, inner: str, closing: str) -> dict[str, Content]:
    """Nest a text `count` times."""
    return {"x.rules": RULE + opening * count + inner + closing * count + "\n"}


def costly(number: int) -> str:
    """Write one of many rules on one question."""
    return f"rule q{number} [TOY.1] \"x\"\n  entry_cost is {number % 9} MP\n  when to.name = 'A{number}'\n"


def excepted(number: int) -> str:
    """Write a rule that is an exception to the next one."""
    return f'rule e{number} [TOY.1] "x"\n  exception to e{number + 1}\n  when to is marsh\n'


def lost(number: int) -> str:
    """Write a rule that asks an undeclared question."""
    return f'rule r{number} [TOY.1] "x"\n  may_enter forbidden\n  when nowhere(to)\n'


def layers(count: int) -> dict[str, Content]:
    """Write layers, each on the one before."""
    on = ["toy", *(f"l{n}" for n in range(count))]
    return {f"l{n}/layer.yaml": f"layer: l{n}\ntitle: x\nkind: optional\non: [{on[n]}]\n" for n in range(count)}


# Each definition doubles the expansion of the one before, with one more question.
XOR_NAMED = 'define x0(u: unit): yes_no [TOY.1] = u is s0 reads "x"\n'
XOR_NAMED += "".join(
    f'define x{n}(u: unit): yes_no [TOY.1] = x{n - 1}(u) != (u is s{n}) reads "x"\n' for n in range(1, 24)
)
XOR = "(mover is s0)"
for _n in range(1, 16):
    XOR = f"({XOR} != (mover is s{_n}))"
CLAUSES = " and ".join(
    f"(mover is s{n} or mover is s{(n * 7 + 1) % 60} or not mover is s{n * 11 % 60})" for n in range(60)
)
NESTED = "some(a in all hex where some(b in all hex where some(c in all hex where some(d in all hex where "
NESTED += "distance(a, b) + distance(c, d) > 999))))"
CHOICE = "from neighbors(mover.hex) preferring 0 - way_left(mover, to)"
SIXTY = FIELD.replace("runner: 2", "runner: 60")
WIDE = FIELD.replace("columns: 6, rows: 4", "columns: 40, rows: 30")
NAMED = 'rule r [TOY.1] "x"\n  may_enter forbidden\n  with n0 = 1\n'
DOUBLED = "".join(f"  with n{n} = n{n - 1} + n{n - 1}\n" for n in range(1, 2_000))
BUDGET: dict[str, tuple[dict[str, Content], tuple[str, ...], str]] = {
    "5,000 parentheses": (deep(5_000, "(", "to is marsh", ")"), CHECK, "R0107"),
    "250 conditions": (
        {"x.rules": RULE + " and ".join(f"not to.name = 'A{n}'" for n in range(250))},
        CHECK,
        "0 errors",
    ),
    "2,000 sides": ({"x.rules": RULE + " or ".join(f"to.name = 'A{n}'" for n in range(2_000))}, CHECK, "R0566"),
    "10,000 and": ({"x.rules": RULE + " and ".join(["to is marsh"] * 10_000)}, CHECK, "0 errors"),
    "10,000 plus": ({"x.rules": RULE + " + ".join(["1"] * 10_000) + " = 3"}, CHECK, "R0107"),
    "200 rules": (
        {"x.rules": "".join(map(costly, range(200)))},
        CHECK,
        "R0312",
    ),
    "60 clauses": ({"x.rules": f"{marks(60)}{RULE}{CLAUSES}\n"}, CHECK, "0 errors"),
    "exclusive or": ({"x.rules": f"{marks(16)}{RULE}{XOR}\n"}, CHECK, "R0566"),
    "exclusive or of names": ({"x.rules": f"{marks(24)}{XOR_NAMED}{RULE}x23(mover)\n"}, CHECK, "R0566"),
    "5,000 ifs": (deep(5_000, "if to is marsh then yes else ", "no", ""), CHECK, "R0107"),
    "5,000 blocks": (
        {"x.rules": 'after end of movement [TOY.1] "x" ' + "{ if 1 = 1 " * 5_000 + "{ stop }" + " }" * 5_000},
        CHECK,
        "R0107",
    ),
    "5,000 cases": ({"x.rules": "".join(f'case c{n} "x" {{\n' for n in range(5_000)) + "}" * 5_000}, CHECK, "R0107"),
    "500 layers": (layers(500), ("check", "l499", *HERE), "R0121"),
    "names of names": ({"x.rules": f"{NAMED}{DOUBLED}  when n1999 = 3\n"}, CHECK, "R0411"),
    "2,000 exceptions": (
        {"x.rules": "".join(map(excepted, range(2_000)))},
        CHECK,
        "R0307",
    ),
    "four passes, played": ({"field.yaml": WIDE, "x.rules": RULE + NESTED}, PLAY, "R0555"),
    "four passes, greedily": ({"field.yaml": WIDE, "x.rules": RULE + NESTED}, (*PLAY, "--players", "greedy"), "R0555"),
    "four passes, compared": (
        {"field.yaml": WIDE, "x.rules": RULE + NESTED},
        ("compare", "first_toy", "-n", "1", "-j", "1", *HERE),
        "",
    ),
    "four passes, asked": ({"field.yaml": WIDE, "x.rules": RULE + NESTED, "p.yml": POSITION}, ASK, "R0567"),
    "four passes, checked": ({"field.yaml": WIDE, "x.rules": RULE + NESTED}, CHECK, ""),
    "an order of 60": (
        {"field.yaml": SIXTY, "playing.rules": PLAYING.replace(CHOICE, f"{CHOICE}\n  choose order hs from all unit")},
        (*PLAY, "--players", "greedy"),
        "decisions",
    ),
    "400 equal errors": (
        {"x.rules": "".join(map(lost, range(400)))},
        CHECK,
        "R0201",
    ),
    "400 keys": ({"charts.yaml": CHARTS + "".join(f"k{n}: 1\n" for n in range(400))}, CHECK, "R0605"),
    "a name without end": ({"x.rules": f"{RULE}{'x' * 200_000}\n"}, CHECK, "R0201"),
    "a key without end": ({"x.yaml": f"table: a\n{'y' * 200_000}: 1\n"}, CHECK, "R0602"),
    "a question without end": ({"p.yml": POSITION}, (*ASK[:4], "x" * 100_000, *HERE), ""),
    "a deep question": ({"p.yml": POSITION}, (*ASK[:4], "(" * 5_000 + "1" + ")" * 5_000 + " = 1", *HERE), "R0107"),
    "a stack without end": ({}, ("check", "x" * 100_000, *HERE), ""),
}


def budgets() -> Iterator[Case]:
    """Yield cases that exceed a budget."""
    for name, (files, command, says) in BUDGET.items():
        yield Case(name, f"budget {name}", files, command, says, seconds=30, mebibytes=900)


# ---------------------------------------------------------------- YAML, pictures, printing

BOMB = "table: &a [x]\n" + "".join(f"k{n}: &b{n} [*a, *a]\n" for n in range(99))
YAML: dict[str, tuple[str, str]] = {
    "aliases": (BOMB, "R0603"),
    "a tag": ("table: !!python/object/apply:os.system [id]\n", "R0603"),
    "a merge": ("table: x\n<<: {a: 1}\n", "R0603"),
    "a key twice": ("table: a\ntable: b\n", "R0604"),
    "a list as key": ("? [a, b]\n: 1\n", ""),
    "a scalar of a megabyte": (f"table: {'x' * 900_000}\n", ""),
    "5,000 keys twice": ("table: a\n" + "k: 1\n" * 5_000, "R0604"),
    "deep": ("table: " + "{a: " * 5_000 + "1" + "}" * 5_000, "R0107"),
    "300 documents": ("---\ntable: a\n" * 300, "R0121"),
    "no text": ("\0" * 1_000, "R0104"),
    "half a letter": ("table: \ud800\n".encode("utf-8", "surrogatepass").decode("latin-1"), ""),
}
PRINTED = RULE.replace('"x"', '"#read(\\"/etc/passwd\\") $x^$ *a _b `c` @d &amp; ]]>"').replace('\\"', "'")


def written() -> Iterator[Case]:
    """Yield cases of malformed YAML, and cases that draw boards and print books."""
    for name, (text, says) in YAML.items():
        yield Case(f"YAML: {name}", "yaml", {"x.yaml": text}, CHECK, says)
    yield Case("a picture", "picture", {"field.yaml": WIDE}, (*SHOW, "--out", "@/map.svg"))
    yield Case("a book", "print", {"x.rules": f"{PRINTED}1 = 2\n"}, BOOK, seconds=40)
    yield Case(
        "a book on paper",
        "print",
        {"x.rules": f"{PRINTED}to is wood\n"},
        (*BOOK, "--pdf"),
        seconds=40,
        mebibytes=2_000,
    )


CASES = (*trials(), *devices(), *names(), *budgets(), *written())
