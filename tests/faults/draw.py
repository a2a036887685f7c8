"""Draw faults by a seed: an equal number of each kind, from one half of the packages or from both."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from rulewright.library.shipped_folders import rules_folder
from tests.faults import chart, law, prose
from tests.faults.declarations import declarations
from tests.faults.fault import Fault, fault_at

DEVELOP, HELD_OUT = "develop", "held out"
KINDS = (*prose.KINDS, *law.KINDS, *chart.KINDS)


def half_of(file: str) -> str:
    """Return the half of the packages to which a file belongs; each family of games has layers in both."""
    parts = Path(file).parts
    name = parts[1] if parts[0] in {"games", "options", "variants", "situations"} else parts[0]
    held = {"panzerblitz", "long_frost", "panssari_salama", "emplacing", "opportunity_fire", "panzerblitz_cards"}
    held |= {"pg_mire", "pg_overrun", "pg_tank_riders", "pb_experimental_fire", "panzerbitz_heavy", "scenarios"}
    held |= {"panzerbitz_concealed", "panzerbitz_horseshoes", "pg_many_players", "pl1940_experimental"}
    return HELD_OUT if name in held else DEVELOP


@cache
def all_faults() -> dict[str, list[Fault]]:
    """Return all faults that can be planted, by kind."""
    root = rules_folder()
    found: dict[str, list[Fault]] = {kind: [] for kind in KINDS}
    for path in sorted((*root.rglob("*.rules"), *root.rglob("*.yaml"))):
        file, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        if "schemas" not in path.parts:
            for fault in _of_rules(file, text) if path.suffix == ".rules" else _of_data(file, text):
                found[fault.kind].append(fault)
    return found


def _of_rules(file: str, text: str) -> Iterator[Fault]:
    for where in declarations(text):
        for kind, places in (*prose.KINDS.items(), *law.KINDS.items()) if where.word != "example" else ():
            for place in places(where, text):
                yield fault_at(kind, file, where, text, place)


def _of_data(file: str, text: str) -> Iterator[Fault]:
    for kind, places in chart.KINDS.items():
        for start, end, now in places(text):
            first, last = text.count("\n", 0, start) + 1, text.count("\n", 0, max(start, end - 1)) + 1
            yield Fault(kind, file, Path(file).stem, start, end, text[start:end], now, first, last)


def drawn(seed: str, each: int, half: str = "", kinds: Sequence[str] = KINDS) -> Iterator[Fault]:
    """Draw faults of each kind, as many as `each`; a file gives a second one only after all files gave one."""
    for kind, faults in all_faults().items():
        dice = random.Random(f"{seed} {kind}")
        left = [fault for fault in faults if not half or half_of(fault.file) == half]
        dice.shuffle(left)
        count_by_kind: dict[str, int] = {}
        ranked = []
        for fault in left:
            count_by_kind[fault.file] = count_by_kind.get(fault.file, 0) + 1
            ranked.append((count_by_kind[fault.file], fault))
        ranked.sort(key=lambda pair: pair[0])
        if kind in kinds:
            yield from (fault for _, fault in ranked[:each])
