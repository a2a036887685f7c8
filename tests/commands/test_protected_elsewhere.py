"""A hook is protected by the example of its own layer, also where its number in the stack is another."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run

SOURCES = "sources:\n  - {prefix: T, title: Toy, edition: ours, items: [T.1]}\n"
LAYER = "layer: {0}\ntitle: {0}\nkind: {1}\n{2}"
GAME = "side red, blue kind unit status unit: moved, warned, tired event walked(u: unit)\n"
FIRST = 'after walked(u) [T.1] "Who walks is warned." { mark u as warned }\n'
SECOND = """after walked(u) [T.1] "Who walks tires." { mark u as tired }

example "tired" {
  row A
  piece U: unit of red at A
  tell walked(U)
  ask U is tired
}
"""


def write(folder: Path, name: str, kind: str, more: str, rules: str) -> None:
    """Write one layer to the disk."""
    (folder / name).mkdir()
    (folder / name / "layer.yaml").write_text(LAYER.format(name, kind, more))
    (folder / name / "some.rules").write_text(rules)


def test_a_hook_is_identified_by_its_layer_and_not_by_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sources.yaml").write_text(SOURCES)
    write(tmp_path, "game", "base", "", GAME)
    write(tmp_path, "ahead", "optional", "on: [game]\n", FIRST)
    write(tmp_path, "behind", "optional", "on: [game]\n", SECOND)
    write(tmp_path, "both", "joint", "on: [ahead, behind]\n", "")
    assert run(["test", "both", "--mutate", "--path", str(tmp_path)]) == 1
    output = capsys.readouterr().out
    assert "behind: 1 passed, 0 failed" in output
    assert "behind/" not in output
    assert "2 of 4 alterations are noticed by an example" in output
