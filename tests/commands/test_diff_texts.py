"""`diff` of two stacks that differ only in account texts: no answer differs, and the texts are printed."""

from pathlib import Path

import pytest

from tests.commands.planting import say

ARRIVE = """resolution arrive(b: band, to: space) [house] "A band comes to the next area."
  replaces resolution arrive
{
  move b to to
}
"""
ACCOUNT = """account {
  before b, from = b.space, to
  tells "{the b} {b: walks, walk} from {from} to {to}" when b.space = to
}
"""


@pytest.mark.parametrize(("account", "now"), [(ACCOUNT, True), ("", False)])
def test_what_is_told_otherwise_is_shown(tmp_path: Path, account: str, now: bool) -> None:
    layer = tmp_path / "walks"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: walks\ntitle: Walks\nkind: variant\non: [two_clans]\n")
    (layer / "walks.rules").write_text(ARRIVE + account)
    output = say(["diff", "two_clans", "two_clans+walks", "--path", str(tmp_path)]).out
    assert "resolution arrive: people read it, nothing is computed from it: " in output
    assert "what it tells" in output
    assert '  no longer tells "{the b} {b: marches, march} from {from} to {to}, with {left} left"' in output
    assert ('  now tells "{the b} {b: walks, walk} from {from} to {to}"' in output) == now
    assert "no questions are answered differently" in output
    data = say(["diff", "two_clans", "two_clans+walks", "--path", str(tmp_path), "--format", "json"]).data
    assert [len(each["accounts"]["b"]) for each in data["changes"] if each["accounts"]] == [int(now)]


def test_a_phase_that_is_left_out_at_times_is_told_with_its_condition() -> None:
    output = say(["diff", "long_frost", "long_frost+frost_short_days"]).out
    assert "  after combat only long_frost+frost_short_days: If the weather is not snow: exploitation" in output
