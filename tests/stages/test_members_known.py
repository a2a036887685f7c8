"""The least or greatest of a set needs no `otherwise` behind a condition that there is a member."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.typed.findings.failures import MayBeEmpty
from tests.analysis.planted import library_of

GAME = """
side north, south
kind cart has room: 0..4
status cart: dizzy until end of turn
condition odd(c: cart) default no
define others(c: cart): set of cart = {d in all cart where d != c}
rule odd-ones "Odd." odd holds when GUARD
resolution shake(c: cart) "Shake." { STEPS }
sequence game { each turn in 1..3 { each player in {north, south} { phase moving "Moving" { do shake_all() } } } }
resolution shake_all() "Shake all." { for each c in all cart { do shake(c) } }
"""
BEST = "greatest(d in all cart where d.room > 1 and d.side != c.side by d.room)"
MOST = "max(d.room for d in all cart where d.room > 1 and d.side != c.side)"
SOME = "some(e in all cart where e.room > 1 and e.side != c.side)"
GUARDS = (
    (f"{SOME} and {MOST} > c.room", True),
    ("some(e in all cart where e.side != c.side and not odd_room(e) and e.room > 1)"
     f" and {MOST} > c.room", True),
    (f"count(e in all cart where e.room > 1 and e.side != c.side) > 0 and {MOST} > c.room", True),
    (f"not none(e in all cart where e.room > 1 and e.side != c.side) and {MOST} > c.room", True),
    (f"(if {SOME} then {MOST} > c.room else no)", True),
    ("some(others(c)) and min(d.room for d in others(c)) > c.room", True),
    # A weaker condition, one of another set, and one that does not hold where the rest is evaluated.
    (f"some(e in all cart where e.room > 1) and {MOST} > c.room", False),
    ("some(e in others(c) where e.room > 1 and e.side != c.side)" f" and {MOST} > c.room", False),
    (f"{SOME} or {MOST} > c.room", False),
    (f"{MOST} > c.room and {SOME}", False),
    (f"count(e in all cart where e.room > 1 and e.side != c.side) >= 0 and {MOST} > c.room", False),
)  # fmt: skip
STEPS = (
    (f"if {SOME} {{ let g = {BEST} mark g as dizzy }}", True),
    (f"if {SOME} {{ let x = c.room mark {BEST} as dizzy }}", True),
    (f"if {SOME} {{ remove c mark {BEST} as dizzy }}", False),
    (f"if {SOME} {{ for each x in all cart {{ mark {BEST} as dizzy remove x }} }}", False),
    (f"if {SOME} {{ mark c as dizzy }} else {{ mark {BEST} as dizzy }}", False),
    (f"if {SOME} {{ if c.room > 1 {{ remove c }} mark {BEST} as dizzy }}", False),
)  # fmt: skip
PROBES = [(guard, "mark c as dizzy", fine) for guard, fine in GUARDS] + [("c.room > 1", each, ok) for each, ok in STEPS]


@pytest.mark.parametrize(("guard", "steps", "is_known"), PROBES)
def test_a_condition_proves_that_a_set_has_a_member(guard: str, steps: str, is_known: bool, tmp_path: Path) -> None:
    rules = GAME.replace("GUARD", guard.replace("odd_room(e)", "e is dizzy")).replace("STEPS", steps)
    files = {"layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n", "game.rules": rules}
    problems = compile_stack(library_of(files, tmp_path), "planted").problems
    assert [type(each) for each in problems] == ([] if is_known else [MayBeEmpty])
