"""Hostile inputs of further kinds: manifests, boards of areas, checksums, results, modules, arguments, names.

Each case is limited to 30 s and 700 or 900 MiB; printing to 40 s and 2,000. No case may print the contents of
`/etc/passwd`, create a file through a link out of its package, or make a program create the file `called`
(test_corpus.py).
"""

import os
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.safety.confine import TOY, Content
from tests.safety.hostile import (
    ASK,
    BOOK,
    CHARTS,
    CHECK,
    FIELD,
    HERE,
    PLAY,
    PLAYING,
    POSITION,
    REPLAY,
    RULE,
    SHOW,
    WIDE,
    Case,
    sparse,
    trial,
)  # fmt: skip

TEST = ("test", "toy", *HERE)
MUTATE = ("test", "toy", "--mutate", "-j", "1", "--budget", "0.1", *HERE)
HOOK = 'after end of movement [TOY.1] "x" '
LAYER = TOY["layer.yaml"]
Command = tuple[str, ...]
Cases = Mapping[str, tuple[Mapping[str, Content], Command, str]]


def rules(text: str) -> dict[str, Content]:
    """Return a file of rules in addition to the game."""
    return {"x.rules": text}


def define(head: str, body: str) -> str:
    """Write a definition."""
    return f'define {head} [TOY.1] = {body} reads "x"\n'


def to(target: str) -> Callable[[Path], None]:
    """Return a function that creates a link to a target."""
    return lambda file: file.symlink_to(target)


# ---------------------------------------------------------------- rules

BINDING = "choose any a from all hex\n  choose any b from all hex\n  choose any c from all hex\n  choose to from"
GROWING = define("a(s: set of hex): 0..9", "a(s + {h for h in all hex where h in s})")
FIBONACCI = define("a(n: 0..99): number", "if n < 2 then 1 else a(n - 1) + a(n - 2)")
ACKERMANN = define(
    "a(m: number, n: number): number",
    "if m = 0 then n + 1 else if n = 0 then a(m - 1, 1) else a(m - 1, a(m, n - 1))",
)
FRACTIONS = define("a(n: 0..999): number", "if n = 0 then 1/3 else a(n - 1) * a(n - 1) + 1/7")
CIRCLE = "".join(f'rule r{n} [TOY.1] "x"\n  may_enter forbidden\n  exception to r{(n + 1) % 3}\n' for n in range(3))
EACH_OTHER = "".join(
    f'rule e{n} [TOY.1] "x"\n  may_enter forbidden\n  exception to {", ".join(f"e{m}" for m in range(n))}\n'
    for n in range(1, 120)
)
WRAPPED = "".join(f'rule r{n} [TOY.1] "x"\n  wraps phase movement by {{ proceed proceed }}\n' for n in range(15))
ANSWERED = 'event zz(h: hex)\nreaction back by enemy to zz(h) "x" reads "x" { choose g from all hex tell zz(g) }\n'
SENTENCE = 'rule r [TOY.1] "%s"\n  may_enter forbidden\n  when 1 = 2\n'
READS = 'define a(h: hex): 0..9 [TOY.1] = 3 reads "%s"\n' + f"{RULE}a(to) = 3\n"
RULES: Cases = {
    "5,000 rules of one label": (rules(f"{RULE}1 = 2\n" * 5_000), CHECK, "R0306"),
    "5,000 hexes in an example": (
        rules(f'example "x" {{\n  row {", ".join(f"H{n}" for n in range(5_000))}\n  ask distance(H0, H1) = 1\n}}\n'),
        TEST, "",
    ),
    "20,000 cases": (
        rules(f'example "x" for n in {", ".join(str(n % 9) for n in range(20_000))} {{\n row A\n ask n = 3\n}}\n'),
        TEST, "",
    ),
    "two questions that ask each other": (
        rules(define("a(h: hex): 0..9", "b(h)") + define("b(h: hex): 0..9", "a(h)") + f"{RULE}a(to) = 3\n"),
        PLAY, "R0410",
    ),
    "a question that asks itself of more": (rules(f"{GROWING}{RULE}a({{to}}) = 3\n"), PLAY, "R0"),
    "Fibonacci": (rules(f"{FIBONACCI}{RULE}a(90) = 3\n"), PLAY, "R0"),
    "Ackermann": (rules(f"{ACKERMANN}{RULE}a(4, 3) = 3\n"), PLAY, "R0"),
    "fractions that double": (rules(f"{FRACTIONS}{RULE}a(30) = 3\n"), PLAY, "R0"),
    "divided by nothing": (rules(f"{RULE}1 / (mover.spent - mover.spent) = 3\n"), PLAY, "R0"),
    "a sum to 10^9": (rules(f"{RULE}sum(n for n in 0..999999999) = 3\n"), PLAY, "R0"),
    "exceptions in a circle": (rules(CIRCLE), PLAY, "R0"),
    "exceptions to all others": (rules(EACH_OTHER), CHECK, "R0"),
    "fifteen wraps that double": (rules(WRAPPED), CHECK, "R0332"),
    "reactions to reactions": (rules(f"{ANSWERED}{HOOK}{{ for each h in all hex {{ tell zz(h) }} }}\n"), PLAY, ""),
    "three free sets in a row": ({"playing.rules": PLAYING.replace("choose to from", BINDING)}, PLAY, ""),
    "three free sets in a row, greedily": (
        {"playing.rules": PLAYING.replace("choose to from", BINDING)}, (*PLAY, "--players", "greedy"), "R0555",
    ),
    "nothing to draw from": (rules(f'{HOOK}{{ draw x from {{h in all hex where h.name = "zz"}} }}\n'), PLAY, "R0"),
    "less than nothing drawn": (rules(f"{HOOK}{{ draw any xs of 0 - 5 from all hex }}\n"), PLAY, ""),
    "half a piece drawn": (rules(f"{HOOK}{{ draw any xs of 1/2 from all hex }}\n"), PLAY, "R0"),
    "a die without sides": (rules(f"{HOOK}{{ roll d: 1..0 }}\n"), PLAY, "R0"),
    "a sentence for a terminal": (rules(SENTENCE % "a \x1b[31m b"), CHECK, "R0104"),
    "a sentence from the right": (rules(SENTENCE % "a \u202e b"), CHECK, "R0104"),
    "a comment for a terminal": (rules(f"# \x1b[2J\x07\n{RULE}1 = 2\n"), CHECK, ""),
    "letters that show nothing": (rules(SENTENCE % "a \u3164\u115f b"), CHECK, ""),
    "a label of 100,000 signs": (rules(f'rule {"r" * 100_000} [TOY.1] "x"\n  may_enter forbidden\n'), CHECK, ""),
    "a label of 50,000 words": (rules(f'rule {"a-" * 50_000}a [TOY.1] "x"\n  may_enter forbidden\n'), CHECK, ""),
    "a template for Python": (rules(READS % "{h.__class__} {0} {} {h!r} {h:>99999999}"), PLAY, "R0"),
    "a template of 20,000 names": (rules(READS % ("{h}" * 20_000)), CHECK, ""),
}  # fmt: skip

# ---------------------------------------------------------------- manifests, registers, checksums

MANIFESTS: Cases = {
    "a layer called by a path": ({"layer.yaml": LAYER.replace("layer: toy", "layer: ../../toy")}, CHECK, "R0"),
    "a layer called 10^400": ({"layer.yaml": LAYER.replace("layer: toy", "layer: 1e400")}, CHECK, ""),
    "a layer without a name": ({"layer.yaml": "layer: ~\n"}, CHECK, "R0"),
    "a list of layers": ({"layer.yaml": "- layer: toy\n"}, CHECK, "R0"),
    "a layer called by a date": ({"layer.yaml": "layer: 2001-01-01\n"}, CHECK, ""),
    "10,000 equal mutants": (
        {"layer.yaml": LAYER + "equivalent:\n" + "  - {in: r, was: a, now: b, why: c}\n" * 10_000}, CHECK, "",
    ),
    "equal mutants for a terminal": (
        {"layer.yaml": f'{LAYER}equivalent:\n  - {{in: "\\e[31m", was: "\\u202e", now: "<b>", why: "x"}}\n'},
        MUTATE, "",
    ),
    "checksums of zeros": ({"checksums.txt": to("/dev/zero")}, CHECK, ""),
    "checksums in a pipe": ({"checksums.txt": os.mkfifo}, CHECK, ""),
    "checksums of 800 megabytes": ({"checksums.txt": sparse("rule x 1f3a\n")}, CHECK, ""),
    "checksums for a terminal": ({"checksums.txt": "rule \x1b[31mr abcdef12\n"}, CHECK, ""),
    "400,000 checksums": ({"checksums.txt": "rule a 12345678\n" * 400_000}, CHECK, ""),
    "checksums that lead out": (
        {"checksums.txt": to("../outside.txt")}, ("check", "toy", "--accept", *HERE), "leads out",
    ),
    "numbers that lead out": ({"numbers.yaml": to("../outside.txt")}, ("number", "toy", *HERE), "does not compile"),
    "a book of aliases": ({"book.yaml": "&a [*a]\n"}, CHECK, "R0"),
    "a book of a thousand lists": ({"book.yaml": "- x\n" * 1_000}, CHECK, "R0"),
    "numbers without end": ({"numbers.yaml": "numbers: {x: 1e999999999}\n"}, CHECK, ""),
    "Python that nobody calls": (
        dict.fromkeys(("conftest.py", "rulewright.py", "sitecustomize.py"), "open('called', 'w')\n"), TEST, "",
    ),
    "a program for git": (
        {".git/config": "[core]\n\tfsmonitor = touch called\n[diff]\n\texternal = touch called\n", ".git/HEAD": "x\n"},
        CHECK, "",
    ),
}  # fmt: skip

# ---------------------------------------------------------------- places to write to, files of other tools


def ring(place: Path) -> None:
    """Create a link to itself."""
    place.symlink_to(place.name)


ABOVE = ("check", "toy", "--path", "@/..")
CHANGE = (
    "change", "toy", "mine", "--status", "deep", "--of", "unit", "--why", "Deep.", "--dir", "@", *HERE,
)  # fmt: skip
RECORD = ("play", "first_toy", "--players", "random,random", "--record", "@/t.trial", *HERE)
SORTED = "board: [[toy_field]]\npieces:\n  - {at: A1, name: R, type: runner}\nposition: p\nstack: toy\n"
KINDS = "table pieces patch layer book numbers sources board outline scenario position reported".split()
WRITTEN: Cases = {
    "a pipe to record to": ({"t.trial": os.mkfifo}, RECORD, "is no regular file"),
    "a ring for a layer": ({"mine": ring}, CHANGE, "toy/mine"),
    "a pipe beside a new layer": ({"../aside/x.yaml": os.mkfifo}, (*CHANGE[:-3], "@/..", *HERE), "wrote "),
    "a pipe among rules": ({"x.rules": os.mkfifo}, ("new", "ruling", "a-b", "--dir", "@"), "is no regular file"),
    "rules in Latin-1": (
        {"x.rules": b"# caf\xe9\n"}, ("new", "ruling", "a-b", "--dir", "@"), "is no text in UTF-8",
    ),
    "a sorted position": ({"p.yml": SORTED}, ASK, "R may enter A2"),
    "a position of all kinds": ({"p.yml": "".join(f"{kind}: x\n" for kind in KINDS)}, ASK, "R06"),
    "a deep position in JSON": ({"p.yml": '{"position": ' + '{"a": ' * 5_000 + "1" + "}" * 5_001}, ASK, "R0107"),
    "a key of 500,000 signs": ({"../loose/x.yaml": "k" * 500_000 + ": 1\n"}, ABOVE, f"begins with `{'k' * 30}`"),
    "20,000 keys, one of them a layer": (
        {"../loose/x.yaml": "x: 1\n" + "".join(f"y{n}: {{layer: 1}}\n" for n in range(20_000))}, ABOVE, "R0126",
    ),
    "an accent that stands apart": ({"x.rules": 'rule no\u0308rd [TOY.1] "x"\n'}, CHECK, "`no\u0308rd` means nothing"),
}  # fmt: skip

# ---------------------------------------------------------------- maps, cards, data

CARD = "---\nscenario: arc\ntitle: Arc\nuses: toy\nmap: [[ar]]\nturns: 3\norder: [north, south]\nforces: []\n"
POINTS = "board: ar\ntitle: Ar\nkind: points\nspaces:\n"
AREAS = "board: ar\ntitle: Ar\nkind: areas\nspaces:\n"
STAR = f"{POINTS}{''.join(f'  Pp{n}: {{at: [{n * 9}, 0]}}{chr(10)}' for n in range(500))}connections: ["
STAR += ", ".join(f"Pp0-Pp{n}" for n in range(1, 500)) + f"]\n{CARD}"
SQUARES = "".join(f"  Aa{n}: {{outline: [[{n}, 0], [{n + 1}, 0], [{n + 1}, 5], [{n}, 5]]}}\n" for n in range(2_000))
NESTED = "".join(
    f"  Aa{n}: {{outline: [{', '.join(f'[{n + k}, {n}]' for k in range(59))}, [{n}, {9_000 - n}]]}}\n"
    for n in range(90)
)
WINDING = f"  Aa: {{outline: [{', '.join(f'[{n}, {n * 7 % 13}]' for n in range(20_000))}]}}\n"
AR = ("show", "ar", "--rules", "toy", *HERE)
SIZE = "columns: 6, rows: 4"
ORDERS = "order: [north, south]"
MAPS: Cases = {
    "500 ways from one point": ({"ar.yaml": STAR}, ("show", "arc", "--out", "@/a.svg", *HERE), ""),
    "2,000 areas": ({"ar.yaml": AREAS + SQUARES}, AR, "R0121"),
    "areas around areas": ({"ar.yaml": AREAS + NESTED}, AR, ""),
    "an outline of 20,000 corners": ({"ar.yaml": AREAS + WINDING}, AR, "R0"),
    "an outline that crosses itself": (
        {"ar.yaml": f"{AREAS}  Aa: {{outline: [[0, 0], [9, 9], [9, 0], [0, 9]]}}\n"}, AR, "crosses itself",
    ),
    "a way from a point to itself": (
        {"ar.yaml": f"{POINTS}  Pp: {{at: [0, 0]}}\nconnections: [Pp-Pp]\n"}, AR, "R0",
    ),
    "a map of nothing": ({"field.yaml": FIELD.replace(SIZE, "columns: 0, rows: 0")}, SHOW, "R0"),
    "a map of less": ({"field.yaml": FIELD.replace(SIZE, "columns: -6, rows: -4")}, SHOW, "R0607"),
    "a map without end": ({"field.yaml": FIELD.replace(SIZE, "columns: 6, rows: .inf")}, SHOW, "R0607"),
    "4,900 hexes": ({"field.yaml": FIELD.replace(SIZE, "columns: 70, rows: 70")}, PLAY, "decisions"),
    "fewer than no units": ({"field.yaml": FIELD.replace("runner: 2", "runner: -2")}, PLAY, "R0607"),
    "true units": ({"field.yaml": FIELD.replace("runner: 2", "runner: true")}, PLAY, "R0607"),
    "an order of nobody": ({"field.yaml": FIELD.replace(ORDERS, "order: []")}, PLAY, ""),
    "an order of 10,000": (
        {"field.yaml": FIELD.replace(ORDERS, f"order: [{', '.join(['north', 'south'] * 5_000)}]")}, PLAY, "R0607",
    ),
    "a card for a terminal": ({"field.yaml": FIELD.replace("uses: toy", 'uses: "toy\\e[31m"')}, PLAY, "R0104"),
    "a card for 5,000 layers": (
        {"field.yaml": FIELD.replace("uses: toy", f"uses: {'+'.join(['toy'] * 5_000)}")}, PLAY, "",
    ),
    "a cell of 10^9 digits": ({"charts.yaml": CHARTS.replace("[1, 1]", "[1e999999999, 1]")}, CHECK, "R0601"),
    "a cell of as many behind the point": (
        {"charts.yaml": CHARTS.replace("[1, 1]", "[1e-999999999, 1]")}, CHECK, "R0601",
    ),
    "a cell of 100,000 digits": ({"charts.yaml": CHARTS.replace("[1, 1]", f"[{'9' * 100_000}, 1]")}, CHECK, "R0601"),
    "a cell divided by nothing": ({"charts.yaml": CHARTS.replace("[1, 1]", "[1/0, 0/0]")}, CHECK, "R0601"),
    "cells of sixties": ({"charts.yaml": CHARTS.replace("[1, 1]", "[1:30, 190:20:30]")}, CHECK, "R0601"),
    "cells without end": ({"charts.yaml": CHARTS.replace("[1, 1]", "[.inf, -.inf]")}, CHECK, "R0601"),
    "lines that end otherwise": ({"charts.yaml": CHARTS.replace("\n", "\r")}, CHECK, ""),
    "a chart in wide letters": ({"x.yaml": "table: x\n".encode("utf-32")}, CHECK, "R0"),
    "a chart of another release": ({"x.yaml": "%YAML 9.9\n---\n!x table: y\n"}, CHECK, "R0"),
    "a schema from elsewhere": ({"x.yaml": "table: x\n$ref: http://127.0.0.1:9/x\n"}, CHECK, "R0"),
}  # fmt: skip

# ---------------------------------------------------------------- games, positions, results, modules and questions


def zipped(**members: str | bytes) -> Callable[[Path], None]:
    """Return a function that packs a module; `__` in a name stands for a path out of it."""

    def make(file: Path) -> None:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name.replace("__", "../../").replace("_xml", ".xml"), content)

    return make


BUILD = '<VASSAL.build.GameModule name="%s" version="1">%s</VASSAL.build.GameModule>'
ENTITIES = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(8))
IMPORT = ("import", "@/m.vmod", "--out", "@/out")
COMPARE = ("compare", "first_toy", "-n", "1", "-j", "1", *HERE)
HELD = (*COMPARE, "--reported", "@/r.yml")
AMONG = (
    "count(a in all hex where some(b in all hex where some(c in all hex where distance(a, b) + distance(b, c) = 999)))"
)
REPORTED = "reported: first_toy\nresults:\n"


def question_case(question: str) -> tuple[Mapping[str, Content], Command, str]:
    """Return a case that asks a question about a position."""
    return {"field.yaml": WIDE, "p.yml": POSITION}, ("ask", "toy", "-p", "@/p.yml", question, *HERE), ""


def module(**members: str | bytes) -> tuple[Mapping[str, Content], Command, str]:
    """Return a case that imports a module."""
    return {"m.vmod": zipped(**members)}, IMPORT, ""


SENT: Cases = {
    "a game of 50 options": ({"t.trial": trial({"stack": "toy" + "+toy" * 50})}, REPLAY, ""),
    "a game with half a letter": ({"t.trial": trial(label="\ud800").encode("utf-8", "surrogatepass")}, REPLAY, ""),
    "a game of 10^5000 turns": (
        {"t.trial": trial().replace('"turn": 0', f'"turn": {"9" * 5_000}')}, REPLAY, "recorded",
    ),
    "a game with a key for a terminal": ({"t.trial": trial({"\x1b[31m": "x"})}, REPLAY, ""),
    "a game of classes": ({"t.trial": trial({"players": {"__class__": "greedy"}})}, REPLAY, ""),
    "5,000 pieces": (
        {"p.yml": POSITION + "".join(f"  - {{name: R{n}x, type: runner, at: A1}}\n" for n in range(5_000))}, ASK, "R0",
    ),
    "a piece for a terminal": ({"p.yml": POSITION.replace("at: A1", 'at: "A1\\e[2J"')}, ASK, "R0104"),
    "a position of passwords": ({"p.yml": POSITION.replace("stack: toy", "stack: /etc/passwd")}, ASK, ""),
    "a board of passwords": ({"p.yml": POSITION.replace("[[toy_field]]", "[[../../../etc/passwd]]")}, ASK, "R0"),
    "3,600 boards": (
        {"p.yml": POSITION.replace("[[toy_field]]", f"[{'[toy_field, toy_field], ' * 1_800}[field]]")}, ASK, "R0",
    ),
    "a turn of 10^12": ({"p.yml": f"{POSITION}turn: 999999999999\n"}, ASK, "R0"),
    "results of 10^20": ({"r.yml": f"{REPORTED}  - {{rules: toy, north: {'9' * 20}}}\n"}, HELD, "R0"),
    "results for a terminal": ({"r.yml": 'reported: "first_toy\\e[31m"\n'}, HELD, "R0104"),
    "100,000 results": ({"r.yml": REPORTED + "  - {winner: north}\n" * 100_000}, HELD, "R0"),
    "results of zeros": ({"r.yml": to("/dev/zero")}, HELD, ""),
    "results that are deep": ({"r.out": "[" * 100_000}, (*COMPARE, "--out", "@/r.out"), ""),
    "results of another release": ({"r.out": '{"what":"heading","version":99}\n'}, (*COMPARE, "--out", "@/r.out"), ""),
    "a module that leads out": module(__outside="x", buildFile_xml=BUILD % ("x", "")),
    "a module of passwords": module(
        buildFile_xml='<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><VASSAL.build.GameModule name="&e;"/>'
    ),
    "a module that doubles": module(
        buildFile_xml=f'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">{ENTITIES}]><VASSAL.build.GameModule name="&i;"/>'
    ),
    "a module of 100 megabytes": module(buildFile_xml=BUILD % ("x", ""), image=b"\0" * 100_000_000),
    "a module 100,000 deep": module(buildFile_xml="<a>" * 100_000),
    "a module for a path": module(buildFile_xml=BUILD % ("../../evil &#x202e; [red]", "")),
    "a module that is cut": ({"m.vmod": b"PK\x03\x04junk"}, IMPORT, ""),
    "a package through a link": (
        {"m.vmod": zipped(buildFile_xml=BUILD % ("x", "")), "out": to("../outside")}, IMPORT, "is a link",
    ),
    "a question for a shell": question_case("$(touch called)"),
    "a question for a terminal": question_case("may_enter(R,\nA1,\tA2)\x1b[31m"),
    "a question for Python": question_case("__import__('os').system('id')"),
    "a question of three passes": question_case(AMONG),
    "a question of sets of sets": question_case("count({all hex - {a} for a in all hex})"),
    "a question of all lines": question_case(
        "count(a in all hex where some(b in all hex where count(line(a, b)) > 999))"
    ),
    "a question of 5,000 digits": question_case(" * ".join(["999999999"] * 500)),
}  # fmt: skip

# ---------------------------------------------------------------- arguments, and names of files

ARGUMENTS: dict[str, Command] = {
    "a stack outside": ("check", "../toy", *HERE),
    "a stack for a terminal": ("check", "\x1b[31mtoy\x7f", *HERE),
    "5,000 signs of plus": ("check", "+" * 5_000, *HERE),
    "400 options": ("check", f"toy{''.join(f'+o{n}' for n in range(400))}", *HERE),
    "no stack": ("check", "", *HERE),
    "the system's own files": ("check", "toy", "--path", "/proc/self"),
    "10^400 games": ("compare", "first_toy", "--games", "9" * 400, *HERE),
    "a seed from the right": ("play", "first_toy", "--seed", "\x1b[31m\u202e", *HERE),
    "10^50 steps": ("play", "first_toy", "--steps", "9" * 50, *HERE),
    "99,999 processes": ("compare", "first_toy", "-n", "2", "-j", "99999", *HERE),
    "5,000 players": ("play", "first_toy", "--players", ",".join(["random"] * 5_000), *HERE),
    "a player for a terminal": ("play", "first_toy", "--players", "\x1b[31m", *HERE),
    "a term for a terminal": ("tree", "toy", "\x1b]0;x\x07", *HERE),
    "a name of 90,000 signs": ("explain", "toy", "x" * 90_000, *HERE),
    "a game outside": ("new", "game", "../../evil"),
    "a game for a terminal": ("new", "game", "a\x1b[31m"),
    "a game that looks like another": ("new", "game", "t\u043ey"),
    "open files to be laid out": ("fmt", "/proc/self/fd", "--check"),
    "a revision that is an option": ("test", "toy", "--since", "--upload-pack=touch called", *HERE),
    "a revision for a shell": ("check", "toy", "--since", "$(touch called)", *HERE),
    "one in 10^30": ("test", "toy", "--mutate", "--sample", "9" * 30, "-j", "1", *HERE),
    "a book in a file": ("reference", "toy", "--out", "@/layer.yaml", *HERE),
    "a graph of a device": ("graph", "toy", "--out", "/dev/full", *HERE),
}
FILES: dict[str, dict[str, Content]] = {
    "a name of two lines": {"a\nb\x1b[31m.rules": "rule\n"},
    "a name from the right": {"a\u202eb.rules": "rule\n"},
    "a name with markup": {"[red]a[/red].rules": "rule\n"},
    "a circle of folders": {"d/x.rules": "# x\n", "d/loop": to("../d")},
    "a chain of links": {f"l{n}.rules": to(f"l{n + 1}.rules") for n in range(60)},
    "150 folders deep": {f"{'d/' * 150}x.rules": "# x\n"},
    "3,000 folders": {f"d{n}/x.rules": "# x\n" for n in range(3_000)},
    "a schema of one's own": {"schemas/table.schema.json": "{}"},
}


def cases() -> Iterator[Case]:
    """Yield all cases; the first ones of each mapping are a kind of their own."""
    kinds = {"rule": RULES, "manifest": MANIFESTS, "written": WRITTEN, "map": MAPS, "sent": SENT}
    for kind, found in kinds.items():
        for number, (name, (files, command, says)) in enumerate(found.items()):
            yield Case(name, f"{kind} {(number + 8) // 10}", files, command, says, seconds=30, mebibytes=900)
    for number, (name, command) in enumerate(ARGUMENTS.items()):
        yield Case(f"argument: {name}", f"argument {(number + 8) // 10}", {}, command, seconds=30)
    for number, (name, files) in enumerate(FILES.items()):
        yield Case(f"file: {name}", f"file {(number + 5) // 7}", files, CHECK, seconds=30)
    printed = {"x.rules": SENTENCE % "#eval('1') $sum$ @x <y> // */ `raw`"}
    yield Case("what is printed", "paper", printed, (*BOOK, "--pdf"), seconds=40, mebibytes=2_000)
