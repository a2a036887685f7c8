"""Each planted mistake gives one error with its code, span and help; no command prints a traceback.

Each run has the first mistake of each three codes, as the page of each code is a test; the others run with `--all`.
"""

import shutil
from pathlib import Path

import pytest

from rulewright.library import shipped_folders
from rulewright.library.shipped_folders import rules_folder
from tests.commands.planting import Mistake, mistakes, planted, say, underlined
from tests.sample import LONG, first_of_each, sampled

ALL = tuple(mistakes())
# Proofs of a whole game take seconds; tests/analysis and tests/codes plant the same mistakes in small games.
PROVED = {
    "a column of a patch that lacks a cell",
    "row missing from a chart",
    "an option's hook beside one of its game",
    "an action offered in a phase that is not its own",
    "a resolution that does itself",
    "column missing from a chart",
    "a cell that is no answer",
    "an answer beyond the domain",
    "a special rule against the game",
    "one new rule against many old ones",
}
# A check of a wrong card proves the whole game too; tests/situations plants mistakes in cards of small games.
PROVED |= {each.name for each in ALL if each.file.startswith("scenarios/") and each.code == "R0411"}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the shipped rules once, without the situation cards that no mistake needs; each test restores its file."""
    copy = tmp_path_factory.mktemp("planted") / "rules"
    cards = {each.file for each in ALL} | {each.at for each in ALL}

    def left_out(_: str, names: list[str]) -> list[str]:
        return [name for name in names if "_situation_" in name and f"scenarios/{name}" not in cards]

    shutil.copytree(rules_folder(), copy, ignore=left_out)
    return copy


@sampled(1)
@pytest.mark.parametrize(
    "mistake",
    first_of_each([each for each in ALL if each.name not in PROVED], lambda mistake: int(mistake.code[1:]) // 3)
    + [pytest.param(each, marks=LONG) for each in ALL if each.name in PROVED],
    ids=lambda mistake: mistake.name,
)
def test_a_planted_mistake_is_one_error(mistake: Mistake, packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped_folders, "rules_folder", lambda: packages)
    file = packages / mistake.file
    before = file.read_text(encoding="utf-8")
    file.write_text(planted(mistake, before), encoding="utf-8")
    try:
        data = say([*mistake.command, "--format", "json"])
        text = (packages / mistake.at).read_text(encoding="utf-8")
    finally:
        file.write_text(before, encoding="utf-8")
    assert (data.code, data.err) == (1, ""), data
    errors = [each for each in data.data["diagnostics"] if each["severity"] == "error"]
    assert [each["code"] for each in errors] == [mistake.code], data.out
    [error] = errors
    place = error["spans"][0]
    assert place["file"] == f"rules/{mistake.at}"
    assert mistake.output in underlined(text, place)
    assert mistake.help in f"{error['message']}; {error['help']}"


def test_mistakes_have_different_names_and_are_at_least_sixty() -> None:
    assert len({mistake.name for mistake in ALL}) == len(ALL) >= 60


def test_a_wrong_label_hides_no_wrong_name(tmp_path: Path) -> None:
    """An unknown label and an unknown name of one rule are both reported in one run."""
    (tmp_path / "mire").mkdir()
    (tmp_path / "mire" / "layer.yaml").write_text(
        "layer: mire\ntitle: Mire\nkind: variant\non: [panzer_leader]\n", encoding="utf-8"
    )
    (tmp_path / "mire" / "mire.rules").write_text(
        'rule deep-mire [house] "Deep."\n  may_enter forbidden\n  exception to barriers-hod\n  when mover is armord\n',
        encoding="utf-8",
    )
    data = say(["check", "panzer_leader+mire", "--path", str(tmp_path), "--format", "json"])
    assert [each["code"] for each in data.data["diagnostics"]] == ["R0307", "R0203"]


@pytest.mark.parametrize("file", sorted({each.file for each in ALL}))
def test_every_mistake_can_be_planted(file: str) -> None:
    """The text that a mistake replaces occurs once in its file; most mistakes are run with `--all` only."""
    text = (rules_folder() / file).read_text(encoding="utf-8")
    for mistake in ALL:
        if mistake.file == file:
            assert planted(mistake, text) != text
