"""`check` reports each of the six mistakes with the code, span and help that docs/mistakes.md prints in our column."""

import re
from pathlib import Path

import pytest

from tests.commands.planting import say, underlined
from tests.safety.confine import package
from tests.sample import sampled

PAGE = (Path(__file__).parents[2] / "docs" / "mistakes.md").read_text(encoding="utf-8")
LAYER = "layer: mine\ntitle: Mine\nkind: variant\non: [toy]\n"
SOURCES = "sources:\n  - {prefix: V, title: My Variant, items: [V.1]}\n"
STAY = 'rule ice [V.1] "Ice."\n  may_enter forbidden\n  when '
MISTAKES = {
    "misspelled input": f"{STAY}moover.movement < 2 MP\n",
    "misspelled member of a list": f"{STAY}mover.gait = fooot\n",
    "syntax error": f'{STAY}mover.gait =\n\nrule ice-too [V.1] "Ice."\n  may_enter forbidden\n  when to is wood\n',
    "wrong type (`text > 3`)": f"{STAY}mover.gait > 3\n",
    "two rules answer differently": 'rule ice [V.1] "Ice costs two."\n  entry_cost is 2 MP\n'
    "  exception to price-of-ground\n  when to is marsh\n",
    "no rule answers": 'value toll(mover: unit): 0..9 MP\n  reads "the toll"\n'
    'rule tax [V.1] "x"\n  toll is 1 MP\n  when mover is tired\n'
    'rule poor [V.1] "x"\n  may_enter forbidden\n  when toll(mover) > mover.movement\n',
}  # fmt: skip


@sampled(1)
@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_page_prints_the_diagnostic_of_each_mistake(mistake: str, tmp_path: Path) -> None:
    files = {"mine/layer.yaml": LAYER, "mine/sources.yaml": SOURCES, "mine/mine.rules": MISTAKES[mistake]}
    top = package(tmp_path, {f"../{name}": text for name, text in files.items()})
    data = say(["check", "mine", "--path", str(top), "--path", str(tmp_path / "mine"), "--format", "json"])
    errors = [each for each in data.data["diagnostics"] if each["severity"] == "error"]
    [error] = errors
    place = error["spans"][0]
    shown_text = underlined((tmp_path / place["file"]).read_text(encoding="utf-8"), place).strip()
    row = f"| {mistake} | {error['code']} | `{shown_text}` | {error['help']} |"
    assert row in PAGE, row
    assert bool(error["witness"]) == mistake.endswith(("differently", "answers"))


def test_every_mistake_is_on_the_page() -> None:
    assert re.findall(r"^\| (.+?) \| R\d{4} ", PAGE, re.MULTILINE) == [*MISTAKES]
