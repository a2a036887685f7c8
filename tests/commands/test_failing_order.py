"""A failing `order` line is reported at the station that the game does not reach, or reaches though it must not."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run

Capture = pytest.CaptureFixture[str]

EXAMPLE = """
example "whose turn" {{
  row A channel
  piece W: elder of south at A
  add north to scenario.order
  set scenario.turns to 1
  {dice}
  order {order}
}}
"""


@pytest.mark.parametrize(
    ("dice", "order", "station", "says"),
    [
        ("dice 1", "offer walk of north, offer walk of south, do tide", "offer walk of south", "do tide"),
        ("dice 1", "offer walk of north, no do tide, turn 2", "no do tide", "do tide"),
        ("", "offer walk of north, do tide, turn 2", "turn 2", "is stopped: a die"),
    ],
)
def test_the_station_is_underlined(
    dice: str, order: str, station: str, says: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "layer.yaml").write_text("layer: more\ntitle: More\nkind: variant\non: [low_tide]\n")
    (tmp_path / "more.rules").write_text(EXAMPLE.format(dice=dice, order=order))
    assert run(["test", str(tmp_path), "--alone"]) == 1
    lines = capsys.readouterr().out.splitlines()
    place = next(number for number, line in enumerate(lines) if "^" in line)
    marks, line = lines[place], lines[place - 1]
    assert line[marks.index("^") : marks.rindex("^") + 1] == station
    assert says in marks
