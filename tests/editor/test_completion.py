"""Completions at names of files that compile: the name itself is offered, and near the top of the list."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.editor import completion
from rulewright.editor.workspace import EditorWorkspace
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
    """Yield some names that a file uses, with their symbols and the offers at their start, ordered by rank."""
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
    """Return the ranks of the words offered at the end of a line in the last rule of a file."""
    text = f'{rules.read_text()}\nrule new [TOY.4] "New."\n  may_enter forbidden\n  {line}'
    here = EditorWorkspace([rules.parent.parent])
    here.read(rules)
    at = len(text.split("\n")) - 1
    found = completion.list_offers(here, rules, text, at, len(line) + 2)
    return {each.offer.word: each.rank for each in found}


@sampled(0)
def test_the_name_at_a_position_is_offered_near_the_top(rules: Path) -> None:
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
def test_names_of_the_expected_type_come_first(rules: Path, line: str, first: set[str], later: set[str]) -> None:
    found = typed(rules, line)
    assert {word for word, rank in found.items() if rank == completion.FIRST_RANK} >= first
    assert not {word for word in later if found[word] == completion.FIRST_RANK}


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("act march(", {"mover", "to"}),
        ("when mover has ", {"spent", "back", "front", "no"}),
        ("  row B from A ", {"e", "ne", "nw", "w", "sw", "se"}),
    ],
)
def test_only_parameters_of_an_action_and_only_directions_are_offered(
    rules: Path, line: str, offered: set[str]
) -> None:
    assert typed(rules, line).keys() == offered


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
def test_keywords_and_members_that_the_grammar_allows_come_first(rules: Path, line: str, first: set[str]) -> None:
    found = typed(rules, line)
    assert {word for word, rank in found.items() if rank == completion.FIRST_RANK} >= first


def test_keywords_that_begin_a_paragraph_are_ranked_below_those_of_a_rule(rules: Path) -> None:
    found = typed(rules, "")
    assert found["when"] < found["rule"]
    assert "may_enter" not in found, "no name may stand behind a conclusion"


def test_a_line_beyond_the_end_has_no_offers(rules: Path) -> None:
    here = EditorWorkspace([rules.parent.parent])
    assert completion.list_offers(here, rules, "", 3, 0) == []


def test_keywords_of_paragraphs_are_offered_in_an_empty_file(tmp_path: Path) -> None:
    file = tmp_path / "new.rules"
    offered = {each.offer.word for each in completion.list_offers(EditorWorkspace([tmp_path]), file, "", 0, 0)}
    assert {"rule", "example", "measure", "define"} <= offered
    assert not {"when", "piece"} & offered


def test_items_of_sources_are_offered_with_their_prefix(rules: Path) -> None:
    found = typed(rules, "rule more [TOY.")
    assert {"TOY.1", "TOY.2"} <= found.keys()
    assert "may_enter" not in found
