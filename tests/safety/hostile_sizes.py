"""Further hostile files: large numbers of small parts, texts in other encodings, and devices in place of files.

Each case once took more than 25 s or 1 GB, or is of a kind without another case.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.safety.confine import Content
from tests.safety.hostile import CHARTS, CHECK, CHOICE, FIELD, PLAY, PLAYING, RULE, WIDE, Case, marks


def clauses(seed: int) -> str:
    """Write a condition of sixty clauses; `seed` selects their statuses."""
    parts = (f"(mover is s{(n + seed) % 60} or mover is s{((n + seed) * 7 + 1) % 60}"
             f" or not mover is s{(n * 11 + seed * 3) % 60})" for n in range(60))  # fmt: skip
    return " and ".join(parts)


def rule(number: int, condition: str) -> str:
    """Write one of many rules."""
    return RULE.replace("rule r ", f"rule r{number} ") + f"{condition}\n"


MUST = PLAYING.replace(
    "offer march until yes",
    "offer march must every(u in all unit where u.spent > 9 MP) otherwise { stop }",
).replace(
    "  move mover to to\n", "  move mover to to\n  roll a: 1..20\n  roll b: 1..20\n  choose any hs from all hex\n"
)
PASSES = " for ".join(f"{name} in all hex" for name in "abcd")
PRODUCT = f"{RULE}sum(distance(a, b) for {PASSES}) > 3\n"
DUELS = PLAYING.replace(
    CHOICE, f"{CHOICE}\n  choose any us from all unit\n  choose any hs from all hex\n  legal count(us) = 31"
)
STATES = "".join(f"  - [c{n}, north, {n % 9}, foot]\n" for n in range(8_000))
ROWS = "".join("  - {a: [marsh, wood], b: foot, is: 1}\n" for _ in range(8_000))
OVERLAPPING = f"table: big\ncites: TOY.1\nkeys: {{a: ground, b: gait}}\ncell: MP\nhit: any\nrows:\n{ROWS}"
SIZES: dict[str, tuple[dict[str, Content], tuple[str, ...], str]] = {
    "ten rules of 60 clauses": (
        {"x.rules": marks(60) + "".join(rule(n, clauses(n)) for n in range(10))}, CHECK, "this stack",
    ),
    "must, with dice and sets": ({"playing.rules": MUST}, CHECK, "0 errors"),
    "four passes in a sum": ({"field.yaml": WIDE, "x.rules": PRODUCT}, CHECK, "0 errors"),
    "a free choice that fits hardly ever": (
        {"field.yaml": FIELD.replace("runner: 2", "runner: 60"), "playing.rules": DUELS}, PLAY, "",
    ),
    "8,000 counters": ({"charts.yaml": CHARTS + STATES}, CHECK, ""),
    "20,000 members": ({"x.rules": f"enum big: {', '.join(f'm{n}' for n in range(20_000))}\n"}, CHECK, "R0512"),
    "8,000 rows alike": ({"x.yaml": OVERLAPPING}, CHECK, ""),
}  # fmt: skip
TEXTS: dict[str, tuple[str | bytes, str]] = {
    "no text": (b'rule r [TOY.1] "\xed\xa0\x80\xff\xfe"\n', "R0"),
    "wide letters": (f"{RULE}1 = 2\n".encode("utf-16"), "R0"),
    "zeros": (f"{RULE}1 = 2\0\n", "R0"),
    "odd ends of lines": (f"{RULE}1 = 2\n".replace("\n", "\x0b\x0c\x1c\u2028\u2029\x85"), "R0"),
    "foreign figures": (f"{RULE}mover.spent > \u0663 MP\n", "R0"),
    "towers of accents": (f"{RULE}1 = 2\n".replace('"x"', '"' + "e\u0301\u0323\u0335" * 30_000 + '"'), ""),
    "numbers without end": (f"{RULE}1 = 2\n".replace('"x"', '"' + "two or more " * 20_000 + '"'), ""),
}
PLACES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "a book of zeros": ("book.yaml", lambda file: file.symlink_to("/dev/zero")),
    "a pipe of numbers": ("numbers.yaml", os.mkfifo),
    "a pipe for git": (".git", os.mkfifo),
}


def cases() -> Iterator[Case]:
    """Yield all cases."""
    for name, (files, command, says) in SIZES.items():
        yield Case(name, f"budget {name}", files, command, says, seconds=30, mebibytes=900)
    for name, (text, says) in TEXTS.items():
        yield Case(f"text: {name}", "text", {"x.rules": text}, CHECK, says)
    for name, (file, make) in PLACES.items():
        yield Case(name, "place", {file: make}, CHECK)
