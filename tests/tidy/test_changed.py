"""`--changed` selects the tests nearest to the changed files, and reports how many it leaves out."""

import subprocess
from pathlib import Path

import pytest

from tests import changed
from tests.changed import Nearest, changed_files, distances, layer_of, nearest, run_changed

TEXTS = {
    "compiler/far.py": "",
    "compiler/near.py": "from compiler import far\n",
    "rulewright/page.py": 'ASSET = "page.js"\n',
    "tests/a/test_near.py": "def test():\n    from compiler.near import (\n        thing,\n    )\n",
    "tests/a/test_far.py": "import compiler.far\n",
    "tests/a/test_page.py": "from rulewright import page\n",
    "tests/a/test_pages.py": 'PAGES = ["variants.md"]\n',
    "tests/a/test_all.py": 'PACKAGES = ["compiler", "docs"]\n',
    "tests/a/test_other.py": "import json\n",
}


@pytest.mark.parametrize(
    ("edited", "found"),
    [
        ("compiler/near.py", {"near": 1, "all": 3}),
        ("compiler/far.py", {"far": 1, "near": 2, "all": 3}),
        ("docs/variants.md", {"pages": 1, "all": 3}),
        ("rulewright/assets/page.js", {"page": 2}),
        ("tests/a/test_other.py", {"other": 0}),
        ("README.txt", {}),
    ],
)
def test_distances_are_counted_in_imports(edited: str, found: dict[str, int]) -> None:
    assert distances([edited], TEXTS) == {f"tests/a/test_{name}.py": away for name, away in found.items()}


def test_the_nearest_of_several_changes_counts() -> None:
    assert distances(["compiler/far.py", "compiler/near.py"], TEXTS)["tests/a/test_near.py"] == 1


def test_a_conftest_selects_all_tests_of_its_folder() -> None:
    assert set(distances(["tests/a/conftest.py"], TEXTS).values()) == {1}


def test_tests_are_ordered_by_distance_then_by_name() -> None:
    texts = TEXTS | {"tests/a/test_about.py": TEXTS["tests/a/test_far.py"]}
    assert nearest(["compiler/far.py"], texts)[:2] == ["tests/a/test_far.py", "tests/a/test_about.py"]


def test_a_rules_file_selects_the_tests_of_shipped_stacks() -> None:
    path = "rules/games/low_tide/play.rules"
    assert layer_of(Path(path)) == "low_tide"
    assert nearest([path], TEXTS | {changed.SHIPPED: ""})[0] == changed.SHIPPED


def test_changed_files_are_those_that_git_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *words], cwd=tmp_path, check=True)

    for name in ("same", "edited", "deleted"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    assert changed_files("HEAD", tmp_path) == []
    (tmp_path / "edited").write_text("otherwise", encoding="utf-8")
    (tmp_path / "new").write_text("new", encoding="utf-8")
    (tmp_path / "deleted").unlink()
    assert changed_files("HEAD", tmp_path) == ["deleted", "edited", "new"]
    with pytest.raises(ValueError, match="nobody"):
        changed_files("nobody", tmp_path)
    monkeypatch.setattr(changed, "changed_files", lambda _: [])
    assert run_changed([], "HEAD") == 0
    assert "nothing differs from HEAD" in capsys.readouterr().out


def test_no_test_starts_after_the_time_limit() -> None:
    plugin = Nearest(frozenset(), {}, 0)
    plugin.began_at -= changed.SECONDS
    assert [plugin.pytest_runtest_protocol() for _ in range(changed.FEWEST + 1)] == [None] * changed.FEWEST + [True]
    assert plugin.left == 1
