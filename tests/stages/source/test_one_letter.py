"""A letter of another script in a name is one finding, at that name, wherever the name occurs."""

from pathlib import Path

import pytest

from rulewright.checks.checking import check_stack
from tests.sample import sampled
from tests.toys.plain_game import plain_game

# A file, and a name in it; the letter in braces is replaced.
NAMES = [
    ("field.yaml", "board: toy_fi{e}ld"),
    ("field.yaml", "uses: t{o}y"),
    ("field.yaml", "side: n{o}rth"),
    ("charts.yaml", "[runn{e}r, north"),
    ("world.rules", "enum gait: f{o}ot"),
    ("world.rules", "status unit: tir{e}d"),
    ("layer.yaml", "layer: t{o}y"),
]
LATIN, CYRILLIC = {"e": "e", "o": "o", "t": "t"}, {"e": "е", "o": "о", "t": "т"}


@sampled(1)
@pytest.mark.parametrize(("file", "name"), NAMES)
def test_a_letter_of_another_script_is_one_finding(tmp_path: Path, file: str, name: str) -> None:
    plain_game("toy", tmp_path)
    path = tmp_path / "toy" / file
    text = path.read_text()
    written = name.format_map(LATIN)
    assert text.count(written) >= 1
    path.write_text(text.replace(written, name.format_map(CYRILLIC), 1))
    [found] = check_stack(str(tmp_path / "toy"), (), 10_000).diagnostics
    assert found.code == "R0108"
    line = text[: text.index(written)].count("\n") + 1
    assert (Path(found.spans[0].span.file).name, found.spans[0].span.line) == (file, line)
