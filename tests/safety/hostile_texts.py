"""Hostile sentences, names, trials, links and repositories, each limited to 30 s and 900 MiB.

Many are repetitions, on which a regular expression could backtrack without bound.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.safety.confine import TOY, Content
from tests.safety.hostile import ASK, BOOK, CHECK, FIELD, HERE, NO_GAME, PLAY, PLAYING, POSITION, REPLAY, Case, trial

REPEATED = {
    "hyphens": "a-" * 60_000,
    "turns": "unless except but without instead " * 8_000,
    "comparisons": "no more than the wall, no less than " * 6_000,
    "figures": "1-1/2, 3-4, 1/2-5 " * 10_000,
    "left behind": "leaves " * 40_000,
    "brackets": "({[" * 30_000,
    "accents": "o" + "\u0301" * 60_000,
}
RULE = 'rule r [TOY.1] "%s"\n  may_enter forbidden\n  when mover is tired and to is wood\n'
DOUBLED = "".join(f"define d{n + 1}(): 0..9 = d{n}() + d{n}()\n" for n in range(60))
DOUBLED = f"define d0(): 0..9 = 1\n{DOUBLED}" + RULE % "x" + 'example "x" {\n  row A\n  ask d60() = 1\n}\n'
NESTED_IF = "  if yes {\n" * 1_200 + "  stop\n" + "  }\n" * 1_200
ROUNDS = 'after end of movement [TOY.1] "x" { for each h in all hex { tell moved(h) } }\n'
ECHO = "event echo(h: hex)\nafter echo(h) { tell echo(h) }\n" + ROUNDS.replace("moved", "echo")
ACCOUNT = 'account {\n  before mover\n  tells "%s"\n}\n' % ("{the mover} {mover: goes, go} " * 8_000)
UNDO = "".join('{"what":"undo","step":0}\n' for _ in range(50_000))
OUTLINE = "board: ar\nkind: areas\ntitle: Ar\ncites: TOY.1\nspaces:\n"
OUTLINE += "  A: {outline: [[.nan, 0], [1e308, -1e308], [.inf, 5]]}\n  B: {outline: [[0, 0], [1, 0], [1, 1]]}\n"
CYRILLIC = POSITION.replace("name: R", "name: \u0420")
TWICE = POSITION + "  - {name: R, type: runner, at: A1}\n" * 5_000


def link(target: str) -> Content:
    """Return a function that creates a link to a target."""
    return lambda file: file.symlink_to(target)


def git_of_zeros(file: Path) -> None:
    """Make a repository whose head is an endless device."""
    file.mkdir(parents=True)
    (file / "HEAD").symlink_to("/dev/zero")
    (file / "objects").mkdir()
    (file / "refs").mkdir()


def borrowed_objects(file: Path) -> None:
    """Make a repository that reads its list of alternate object stores from a device."""
    (file / "objects" / "info").mkdir(parents=True)
    (file / "refs").mkdir()
    (file / "HEAD").write_text("ref: refs/heads/x\n", encoding="ascii")
    (file / "objects" / "info" / "alternates").symlink_to("/dev/zero")


def odd_name(file: Path) -> None:
    """Create a file whose name is no valid UTF-8."""
    os.close(os.open(os.fsencode(file.parent) + b"/\xff\xfe.rules", os.O_CREAT | os.O_WRONLY))


TEXTS: Mapping[str, tuple[Mapping[str, Content], tuple[str, ...], str]] = {
    **{f"a sentence of {name}": ({"x.rules": RULE % text}, CHECK, "R0") for name, text in REPEATED.items()},
    "a name with a thousand accents": ({"x.rules": f"status unit: o{chr(0x301) * 1_000}\n"}, CHECK, "R0"),
    "sixty questions that double": ({"x.rules": DOUBLED}, ("test", "toy", *HERE), "R0"),
    "1,200 branches in each other": (
        {"playing.rules": PLAYING.replace("  move mover to to\n", NESTED_IF + "  move mover to to\n")}, CHECK, "R0",
    ),
    "an event that tells itself": ({"x.rules": ECHO}, PLAY, "R0"),
    "an account of 16,000 parts": ({"playing.rules": PLAYING.replace("\n}\n", f"\n}}\n{ACCOUNT}", 1)}, BOOK, ""),
    "50,000 steps taken back": ({"t.trial": trial() + UNDO}, REPLAY, NO_GAME),
    "a game of deep labels": ({"t.trial": trial(label=json.loads("[" * 900 + "]" * 900))}, REPLAY, NO_GAME),
    "an outline without end": ({"ar.yaml": OUTLINE}, ("show", "ar", "--rules", "toy", *HERE), "R0"),
    "a piece of another alphabet": ({"p.yml": CYRILLIC}, ASK, "R0"),
    "5,000 pieces of one name": ({"p.yml": TWICE}, ASK, "R0"),
    "a head of zeros": ({".git": git_of_zeros}, CHECK, ""),
    "objects of zeros": ({".git": borrowed_objects}, CHECK, ""),
    "a repository elsewhere": ({".git": "gitdir: /proc/self/root/etc\n"}, CHECK, ""),
    "rules that are a memory": ({"x.rules": link("/proc/self/mem")}, CHECK, "R0"),
    "rules that are a terminal": ({"x.rules": link("/dev/tty")}, CHECK, "R0"),
    "a name that is no text": ({"x.rules": odd_name}, CHECK, ""),
    "a card that links to itself": ({"x.yaml": link("x.yaml")}, CHECK, "symbolic links"),
    "a book that is no day": ({}, (*BOOK, "--against", "99999-99-99"), ""),
    "a search of brackets": ({}, ("explain", "toy", "(a+)+$" * 2_000, *HERE), ""),
    "a title of brackets": ({"field.yaml": FIELD.replace("title: The Field", f'title: "{"[b]" * 9_000}"')}, PLAY, ""),
}  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield all cases, ten of a kind."""
    for number, (name, (files, command, says)) in enumerate(TEXTS.items()):
        yield Case(name, f"texts {number // 10}", files, command, says, seconds=30, mebibytes=900)


assert TOY["field.yaml"] == FIELD
