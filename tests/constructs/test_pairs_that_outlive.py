"""A pair outlives its piece only if no procedure that removes the piece, and no hook on its events, ends the pair."""

from pathlib import Path

import pytest

from compiler.analysis.findings.pair_outlives import PairOutlives, pair_outlives
from tests.analysis.planted import compiled

GAME = """
side red, blue
kind unit
relation leads(leader: unit, men: unit) one leader
relation tows(tractor: unit, towed: unit) one tractor
event fell(u: unit)
action muster by player in work [house] "Muster." reads "{u} leads {t}" {
  choose u from {u in all unit where u.side = player}
  choose t from {t in all unit where t.side = player and t has no leader and t has no tractor}
  relate leads(u, t)
  relate tows(u, t)
}
condition led(u: unit) default no reads "{u} is led" denied "{u} is not led"
rule led-so [house] "Who has a leader or a tractor is led." led holds when u has leader or u has tractor
action shoot by player in work [house] "Shoot." reads "{u} shoots {t}" {
  choose u from {u in all unit where u.side = player and led(u)}
  choose t from {t in all unit where t.side != player}
  do lose(t)
}
sequence s [house] {
  each turn in 1..2 { each player in {red, blue} { phase work "Work" { offer muster, shoot until yes } } }
}
"""
REMOVED = 'resolution lose(v: unit) [house] "A unit is lost." {{ {} }}\n'
PARTED = """
after fell(u) [house] "Who loses its leader is led no more." {
  for each m in {m in all unit where m has leader and m.leader = u} { unrelate leads(u, m) }
  for each m in {m in all unit where m has tractor and m.tractor = u} { unrelate tows(u, m) }
}
"""
LED_ONLY = """
after fell(u) [house] "Who loses its leader is led no more." {
  for each m in {m in all unit where m has leader and m.leader = u} { unrelate leads(u, m) }
}
"""
WITHIN = 'resolution gone(v: unit) [house] "A unit is taken off." { remove v }\n'


@pytest.mark.parametrize(
    ("rules", "outlived"),
    [
        (REMOVED.format("remove v tell fell(v)") + PARTED, []),
        (REMOVED.format("do gone(v) tell fell(v)") + WITHIN + PARTED, []),
        (REMOVED.format("remove v tell fell(v)") + LED_ONLY, ["tows", "tows"]),
        (REMOVED.format("remove v"), ["leads", "leads", "tows", "tows"]),
    ],
    ids=["a hook parts them", "what the caller tells parts them", "one is left", "nothing looks"],
)
def test_a_hook_on_the_event_of_a_removal_ends_a_pair(rules: str, outlived: list[str], tmp_path: Path) -> None:
    manifest = "layer: planted\ntitle: Planted\nkind: base\nplayable: yes\ncites: house\n"
    graph = compiled({"planted/layer.yaml": manifest, "planted/planted.rules": GAME + rules}, tmp_path)
    found = [problem for problem in pair_outlives(graph) if isinstance(problem, PairOutlives)]
    assert sorted(each.name for each in found) == outlived
