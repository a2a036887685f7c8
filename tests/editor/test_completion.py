"""Completions at names of files that compile: the name itself is offered, and near the top of the list."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.serve.editor import completion
from rulewright.serve.editor.workspace import EditorWorkspace
from tests.sample import sampled
from tests.toys.plain_game import plain_game

SHIPPED = Path("rules").resolve()
SHARE = 4  # One of this number of names is tested.


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a small game; return its rules of movement."""
    folder = tmp_path_factory.mktemp("set")
    plain_game("toy", folder)
    return folder / "toy" / "moving.rules"


def places(workspace: EditorWorkspace, path: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield some names that a file uses, with their symbols and the offers at their start, ordered by rank.

    Citations, and names in sentences, are not completed.
    """
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    workspace.read(path)
    with workspace.index_of(path) as found:
        assert found is not None
        names = found.index.files[found.files[path.resolve()]]
    used = [
        each for each in names
        if not each.declares and each.span.line == each.span.end_line and not each.symbol.startswith("source ")
        and lines[each.span.line - 1][: each.span.column - 1].count('"') % 2 == 0
    ]  # fmt: skip
    for each in used[::SHARE]:
        line, column = each.span.line - 1, each.span.column - 1
        offered = sorted(completion.list_offers(workspace, path, text, line, column), key=lambda one: one.rank)
        yield lines[line][column : each.span.end_column - 1], each.symbol, [one.offer.word for one in offered]


@sampled(0)
def test_the_name_at_a_position_is_offered_near_the_top(rules: Path) -> None:
    here = EditorWorkspace([rules.parent.parent])
    found = [each for file in sorted(rules.parent.glob("*.rules")) for each in places(here, file)]
    assert len(found) > 40
    assert not [(word, symbol) for word, symbol, offered in found if word not in offered]
    near = [word for word, _, offered in found if word in offered[:10]]
    assert len(near) > 0.5 * len(found)


def test_a_word_is_offered_once(rules: Path) -> None:
    text = rules.read_text()
    broken = text.replace("    when mover is tired\n", "    when mover.gait = \n    when mover is tired\n", 1)
    here = EditorWorkspace([rules.parent.parent])
    here.read(rules, text)
    line = next(at for at, each in enumerate(broken.split("\n")) if each.endswith("gait = "))
    offered = [each.offer.word for each in completion.list_offers(here, rules, broken, line, 22)]
    assert {"mover", "wheel"} <= {*offered}
    assert len(offered) == len(set(offered))


def test_names_of_a_shipped_file_are_offered() -> None:
    file = SHIPPED / "games" / "low_tide" / "flats.rules"
    found = [*places(EditorWorkspace([SHIPPED]), file)]
    assert len(found) > 40
    assert not [(word, symbol) for word, symbol, offered in found if word not in offered]
    near = [word for word, _, offered in found if word in offered[:10]]
    assert len(near) > 0.5 * len(found)


def test_a_line_beyond_the_end_has_no_offers(rules: Path) -> None:
    here = EditorWorkspace([rules.parent.parent])
    assert completion.list_offers(here, rules, "", 3, 0) == []


def test_keywords_of_paragraphs_are_offered_in_an_empty_file(tmp_path: Path) -> None:
    file = tmp_path / "new.rules"
    offered = {each.offer.word for each in completion.list_offers(EditorWorkspace([tmp_path]), file, "", 0, 0)}
    assert {"rule", "example", "measure", "define"} <= offered
    assert not {"when", "piece"} & offered
