"""Sentences and laws of which only one changed since a revision, and changes that are not reported."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.report.findings.revisions import ChangedAlone
from compiler.source.package import discover_layers
from rulewright.checks.revisions.revision_comparison import RevisionComparison, compare_with_revision
from rulewright.checks.revisions.revision_texts import read_revision
from rulewright.serve.cli.app import run
from tests.codes.committed import commit

MANIFEST = "layer: hill\ntitle: Hill\nkind: base\nplayable: yes\n"
RULES = """
case hill "Up the hill" {
  rule few-on-top [H.1 .2] "At most two units of one side stand on the hill; a truck may not go up before noon."
    exception to may-go
    when count(u in unit at to where u.side = mover.side) >= 2 and to is hill   # not three
    example "a crowd" { ask 1 = 1 }
}
ruling may-wait [H.3] clarification, none
  asks "May it wait?" answers "Yes. All may."
  clarifies may-go
dispute noon [H.1] "When is noon?" {
  reading early [H.2] default "As printed." { rule at-noon "Noon is turn three." noon is 3 }
}
action climb by player in day [H.4] "Only one own unit goes up." {
  choose u from {v in all unit where v.side = player}
  legal may_climb(u)
}
rule trucks-stay [H.1] "A truck stays on the road if the enemy is near." stays holds when u is truck
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write and commit the rules, once for all tests."""
    place = tmp_path_factory.mktemp("kept") / "hill"
    place.mkdir()
    (place / "layer.yaml").write_text(MANIFEST)
    (place / "hill.rules").write_text(RULES)
    commit(place)
    return place


@pytest.fixture
def since(folder: Path) -> Iterator[Path]:
    """Yield the file of rules, and restore the folder afterwards."""
    yield folder / "hill.rules"
    (folder / "hill.rules").write_text(RULES)
    for other in folder.glob("other.rules"):
        other.unlink()


def compare(folder: Path) -> RevisionComparison:
    library = discover_layers([folder])[0]
    found = compare_with_revision(library, "hill", read_revision(library, "HEAD"))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("was", "now", "what", "messages"),
    [
        ("At most two units", "At most three units", "sentence", ("most two units", "most three units")),
        ("may not go up", "may go up", "sentence", ("may not go", "may go")),
        ("enemy is near", "enemy is close by", "sentence", ("is near.", "is close by.")),
        ('"Yes. All', '"No. All', "sentence", ("wait? Yes. All", "wait? No. All")),
        ("turn three", "turn four", "sentence", ("turn three.", "turn four.")),
        (">= 2 and", ">= 4 and", "law", (">= 2 and", ">= 4 and")),
        (" and to is hill", "", "law", ("2 and to is hill", "2")),
        ("u is truck", "v is truck", "law", ("when u is", "when v is")),
        ("exception to may-go", "exception to at-noon", "law", ("to may-go when", "to at-noon when")),
        ("noon is 3", "noon is 5", "law", ("is 3 }", "is 5 }")),
        ("[H.3] clarification", "[H.4] clarification", "citation", ("[H.3]", "[H.4]")),
        ("[H.1 .2]", "[H.1 .2 .3]", "citation", ("[H.1 .2]", "[H.1 .2 .3]")),
    ],
)  # fmt: skip
def test_a_change_of_one_part_is_reported(
    since: Path, was: str, now: str, what: str, messages: tuple[str, str]
) -> None:
    """A rewording, too: its words do not tell whether the law is still what it says."""
    assert RULES.count(was) == 1
    since.write_text(RULES.replace(was, now))
    [found] = compare(since.parent).findings
    assert (found.part, found.revision) == (what, "HEAD")
    assert (found.old_text, found.new_text) == messages


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("# not three", "# not four"),
        ('"a crowd"', '"three of them"'),
        ("exception to may-go\n", "exception   to may-go\n\n"),
        ("may_climb(u)", "may_ascend(u)"),
        ("At most two units of one side", "At most four units of one side;;when;;>= 2;;>= 4"),
    ],
)
def test_a_change_without_effect_or_of_both_parts_is_not_reported(since: Path, was: str, now: str) -> None:
    now, *more = now.split(";;")
    text = RULES.replace(was, now)
    for old, new in zip(more[1::2], more[2::2], strict=True):
        text = text.replace(old, new)
    assert text != RULES
    since.write_text(text)
    assert compare(since.parent).findings == ()


def test_moved_and_removed_declarations(since: Path) -> None:
    parts = RULES.split("action climb")
    since.write_text(parts[0])
    (since.parent / "other.rules").write_text("action climb" + parts[1])
    found = compare(since.parent)
    assert (found.changed, found.new, found.removed, found.findings) == (0, 2, 2, ())
    (since.parent / "other.rules").write_text("")
    found = compare(since.parent)
    assert (found.changed, found.new, found.removed, found.findings) == (0, 0, 2, ())
    assert found.record()["left_out"] == ["charts", "counters", "boards", "cards"]


def test_folders_outside_of_git(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "hill").mkdir()
    (tmp_path / "hill" / "layer.yaml").write_text(MANIFEST)
    library = discover_layers([tmp_path])[0]
    assert compare_with_revision(library, "hill", read_revision(library, "HEAD")) is None
    assert run(["check", "hill", "--path", str(tmp_path), "--since", "HEAD"]) == 2
    assert "names no revision that git knows" in capsys.readouterr().err
    assert run(["check", "hill", "--path", str(tmp_path), "--since", "HEAD", "--alone"]) == 2


def test_the_command_compares_with_the_last_commit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By default; `--alone` checks the rules without comparison, and rules with errors are not compared."""
    text = "sources: [{prefix: H, title: Hill, items: [H.1]}]\n"
    rules = 'side red\nkind unit has speed: 0..9\nvalue pace(u: unit): 0..9 otherwise 1\n  reads "the pace of {u}"\n'
    rule = 'rule slow-up [H.1] "A unit goes two hexes."\n  pace is 2\n  when u.speed > 4\n'
    place = tmp_path / "slope"
    place.mkdir()
    (place / "layer.yaml").write_text(MANIFEST.replace("hill", "slope"))
    (place / "sources.yaml").write_text(text)
    (place / "slope.rules").write_text(rules + rule)
    commit(place)
    (place / "slope.rules").write_text(rules + rule.replace("A unit goes", "No unit goes"))
    run(["check", "slope", "--path", str(place)])
    output = capsys.readouterr().out
    assert output.count("R0595") == 1
    assert "1 differs" in output
    run(["check", "slope", "--path", str(place), "--alone"])
    assert "R0595" not in capsys.readouterr().out
    (place / "slope.rules").write_text(rules + rule.replace("A unit goes", "No unit goes").replace("pace is", "pce is"))
    assert run(["check", "slope", "--path", str(place)]) == 1
    assert "R0595" not in capsys.readouterr().out


def test_the_fact_has_the_whole_sentence_and_its_span(since: Path) -> None:
    since.write_text(RULES.replace("At most two", "At most three"))
    [found] = compare(since.parent).findings
    assert isinstance(found, ChangedAlone)
    assert found.sentences.startswith("At most three units of one side")
    assert found.span.line == 3


def test_exchanged_sentences_are_both_reported(since: Path) -> None:
    """The exchanged sentences contain no word of a list like `not` or `before`; each describes the other law."""
    text = since.read_text()
    text = text.replace('"Only one own unit goes up."', '"-"').replace(
        '"A truck stays on the road if the enemy is near."', '"Only one own unit goes up."'
    )
    since.write_text(text.replace('"-"', '"A truck stays on the road if the enemy is near."'))
    found = compare(since.parent).findings
    assert [(each.part, each.label) for each in found] == [("sentence", "climb"), ("sentence", "trucks-stay")]


def test_a_law_without_a_sentence_is_that_of_the_ruling_around_it(since: Path) -> None:
    text = RULES.replace('"Noon is turn three." noon is 3', "noon is 3")
    since.write_text(text)
    commit(since.parent)
    try:
        since.write_text(text.replace("noon is 3", "noon is 4"))
        assert [each.part for each in compare(since.parent).findings] == ["law"]
        since.write_text(text.replace("noon is 3", "noon is 4").replace("As printed.", "As we print it."))
        assert compare(since.parent).findings == ()
    finally:
        since.write_text(RULES)
        commit(since.parent)


def test_many_parts_that_changed_alone_are_counted(tmp_path: Path) -> None:
    place = tmp_path / "hill"
    place.mkdir()
    (place / "layer.yaml").write_text(MANIFEST)
    rules = [f'rule wait-{at} [H.1] "Two wait before noon." stays holds when u is truck' for at in range(30)]
    (place / "hill.rules").write_text("\n\n".join(rules))
    commit(place)
    (place / "hill.rules").write_text("\n\n".join(each.replace("before", "after") for each in rules))
    found = compare(place)
    assert (found.alone, found.findings) == (30, ())
    assert found.record()["alone"] == 30
