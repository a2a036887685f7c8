"""Hand-written functions for the workload: the lower bound that every engine is compared with."""

FIRST_HITS = (
    ("t0", "u0", "near", 2), ("t0", "u0", None, 1), ("t0", None, "near", 1), ("t1", None, "far", -2),
    ("t1", "u1", None, 3), ("t2", "u2", None, -1), ("t3", None, None, 2), ("t4", "u3", "near", -3),
    ("t4", None, None, 1), (None, "u3", "far", -1), ("t5", None, None, 4), (None, None, None, 0),
)  # fmt: skip
GROUNDS = tuple(f"t{number}" for number in range(8))
TROOPS = tuple(f"u{number}" for number in range(4))
MANNERS = ("near", "far")
ENDS = ("none_", "d1", "d2", "x")

MODIFIERS = {
    (ground, troop, manner): next(
        value for g, t, m, value in FIRST_HITS if g in {None, ground} and t in {None, troop} and m in {None, manner}
    )
    for ground in GROUNDS
    for troop in TROOPS
    for manner in MANNERS
}
RESULTS = {(odds, md): ENDS[max(0, min(3, (odds + 6 - md) // 2))] for odds in range(6) for md in range(10)}


def by_hand(odds: int, die: int, ground: str, troop: str, manner: str) -> str:
    """Answer one question of the workload."""
    md = max(0, min(9, die + MODIFIERS[ground, troop, manner]))
    return RESULTS[odds, md]
