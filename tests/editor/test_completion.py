"""Completions at every name of files that compile: what stands there is offered, and near the top."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.editor import completion
from rulewright.editor.workspace import EditorWorkspace
from tests.toys.plain_game import plain_game

SHIPPED = Path("rules").resolve()
SHARE = 4  # Of so many names one is looked at.


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a small game and give its rules of movement."""
    folder = tmp_path_factory.mktemp("set")
    plain_game("toy", folder)
    return folder / "toy" / "moving.rules"


def places(workspace: EditorWorkspace, path: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield some names that a file uses, their symbols, and what is offered where each begins, the likeliest first."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    workspace.read(path)
    with workspace.index_of(path) as found:
        assert found is not None
        names = found.index.files[found.files[path.resolve()]]
    used = [each for each in names if not each.declares and each.span.line == each.span.end_line]
    for each in used[::SHARE]:
        line, column = each.span.line - 1, each.span.column - 1
        offered = sorted(completion.list_offers(workspace, path, text, line, column), key=lambda one: one.rank)
        yield lines[line][column : each.span.end_column - 1], each.symbol, [one.offer.word for one in offered]


def typed(rules: Path, line: str) -> dict[str, int]:
    """Return the ranks of what is offered at the end of a line that is typed into the last rule of a file."""
    text = f'{rules.read_text()}\nrule new [TOY.4] "New."\n  may_enter forbidden\n  {line}'
    here = EditorWorkspace([rules.parent.parent])
    here.read(rules)
    at = len(text.split("\n")) - 1
    found = completion.list_offers(here, rules, text, at, len(line) + 2)
    return {each.offer.word: each.rank for each in found}


def test_what_stands_at_a_name_is_offered_there_and_near_the_top(rules: Path) -> None:
    here = EditorWorkspace([rules.parent.parent])
    found = [each for file in sorted(rules.parent.glob("*.rules")) for each in places(here, file)]
    assert len(found) > 40
    assert not [(word, symbol) for word, symbol, offered in found if word not in offered]
    near = [word for word, _, offered in found if word in offered[:10]]
    assert len(near) > 0.9 * len(found)


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
    assert len(near) > 0.8 * len(found)


@pytest.mark.parametrize(
    ("line", "first", "later"),
    [
        ("when mover.hex = ", {"from", "to"}, {"mover"}),
        ("when mover.hex = mover.", {"hex"}, {"movement", "side", "gait"}),
        ("when entry_cost(", {"mover"}, {"from", "to"}),
        ("when entry_cost(mover, ", {"from", "to"}, {"mover"}),
        ("when entry_cost(mover, mover.", {"hex"}, {"movement", "side", "gait"}),
        ("when mover.movement > mover.", {"movement", "spent"}, {"side", "gait"}),
    ],
)
def test_what_is_of_the_expected_type_comes_first(rules: Path, line: str, first: set[str], later: set[str]) -> None:
    found = typed(rules, line)
    assert {word for word, rank in found.items() if rank == completion.FIRST} >= first
    assert not {word for word in later if found[word] == completion.FIRST}


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("act march(", {"mover", "to"}),
        ("  row B from A ", {"e", "ne", "nw", "w", "sw", "se"}),
    ],
)
def test_places_ask_for_names_of_one_sort(rules: Path, line: str, offered: set[str]) -> None:
    assert typed(rules, line).keys() >= offered


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("exc", {"exception", "when", "replaces"}),
        ("when mover ", {"is", "has", "and"}),
        ("when some(u in unit ", {"at", "where"}),
        ("when mover.gait in {", {"foot", "wheel"}),
        ("when mover.gait not in {foot, ", {"wheel"}),
    ],
)
def test_keywords_and_members_are_offered_where_they_may_stand(rules: Path, line: str, first: set[str]) -> None:
    found = typed(rules, line)
    assert {word for word, rank in found.items() if rank == completion.FIRST} >= first


def test_keywords_of_other_paragraphs_are_last_inside_of_one(rules: Path) -> None:
    found = typed(rules, "")
    assert found["when"] < found["rule"]
    assert "may_enter" not in found, "no name may stand behind a conclusion"


def test_a_line_beyond_the_end_is_offered_nothing(rules: Path) -> None:
    here = EditorWorkspace([rules.parent.parent])
    assert completion.list_offers(here, rules, "", 3, 0) == []


def test_an_empty_file_is_offered_paragraphs(tmp_path: Path) -> None:
    file = tmp_path / "new.rules"
    offered = {each.offer.word for each in completion.list_offers(EditorWorkspace([tmp_path]), file, "", 0, 0)}
    assert {"rule", "example", "measure", "define"} <= offered
    assert not {"when", "piece"} & offered


def test_items_that_are_cited_are_offered_whole(rules: Path) -> None:
    found = typed(rules, "rule more [TOY.")
    assert {"TOY.1", "TOY.2"} <= found.keys()
    assert "may_enter" not in found
