"""Sentences and laws of which only one changed since a revision, and changes that are not reported."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.report.answers import ChangedAlone
from compiler.source.package import discover_layers
from rulewright.cli.app import run
from rulewright.revisions.rule_paragraphs import paragraphs_of
from rulewright.revisions.sentence_review import RevisionComparison, compare_with_revision
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
    found = compare_with_revision(discover_layers([folder])[0], "hill", "HEAD")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("was", "now", "what", "messages"),
    [
        ("At most two units", "At most three units", "sentence", ("most two units", "most three units")),
        ("At most two", "At least two", "sentence", ("At most two", "At least two")),
        ("may not go up", "may go up", "sentence", ("may not go", "may go")),
        ("before noon", "after noon", "sentence", ("up before noon", "up after noon")),
        ("one own unit goes", "one own hex goes", "sentence", ("own unit goes", "own hex goes")),
        ("A truck stays", "A unit stays", "sentence", ("A truck stays", "A unit stays")),
        ("on the road if", "on the moor if", "sentence", ("the road if", "the moor if")),
        ('"Yes. All', '"No. All', "sentence", ("Yes. All", "No. All")),
        ("All may", "Some may", "sentence", ("All may", "Some may")),
        ("Only one own", "Also one own", "sentence", ("Only one", "Also one")),
        ("one own unit", "one enemy unit", "sentence", ("one own unit", "one enemy unit")),
        ("turn three", "turn four", "sentence", ("turn three", "turn four")),
        ("At most two units of one side", "At most one units of two side", "sentence", ("two units", "one units")),
        (">= 2 and", ">= 4 and", "law", (">= 2 and to", ">= 4 and to")),
        (">= 2 and", "<= 2 and", "law", (".. >= 2", ".. <= 2")),
        ("side = mover", "side != mover", "law", ("= mover", "!= mover")),
        (" and to is hill", "", "law", ("and to is hill", ">= 2")),
        ("to is hill", "to is not hill", "law", ("to is hill", "to is not hill")),
        ("u is truck", "v is truck", "law", ("when u is", "when v is")),
        ("exception to may-go", "exception to at-noon", "law", ("may-go", "at-noon")),
        ("noon is 3", "noon is 5", "law", ("noon is 3", "noon is 5")),
        ("[H.3] clarification", "[H.4] clarification", "citation", ("H.3", "H.4")),
        ("[H.1 .2]", "[H.1 .3]", "citation", ("H.2", "H.3")),
    ],
)  # fmt: skip
def test_a_change_of_one_part_is_reported(
    since: Path, was: str, now: str, what: str, messages: tuple[str, str]
) -> None:
    assert RULES.count(was) == 1
    since.write_text(RULES.replace(was, now))
    [found] = compare(since.parent).findings
    assert found.part == what
    for shown_text, wanted in zip((found.old_text, found.new_text), messages, strict=True):
        assert wanted.removeprefix(".. ") in shown_text
    assert found.revision == "HEAD"
    assert not (ALL_WORDS & {*found.old_text.split(), *found.new_text.split()})


ALL_WORDS = {"asks", "answers"}


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("At most two units", "No more than two units"),
        ("may not go up", "cannot go up"),
        ("All may", "Everybody can"),
        ("enemy is near", "enemy is close by"),
        ("# not three", "# not four"),
        ('"a crowd"', '"three of them"'),
        ("exception to may-go\n", "exception   to may-go\n\n"),
        ("may_climb(u)", "may_ascend(u)"),
        ("At most two units of one side", "At most four units of one side;;when;;>= 2;;>= 4"),
        ("[H.1 .2]", "[H.1 .2 .3]"),
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


def test_a_correction_is_not_reported(since: Path) -> None:
    """The sentence said three and the law two: a change of either to the other is a correction."""
    wrong = RULES.replace("At most two", "At most three")
    since.write_text(wrong)
    commit(since.parent)
    try:
        since.write_text(RULES)
        assert compare(since.parent).findings == ()
        since.write_text(wrong.replace(">= 2", ">= 3"))
        assert compare(since.parent).findings == ()
    finally:
        since.write_text(RULES)
        commit(since.parent)


def test_moved_and_removed_paragraphs(since: Path) -> None:
    parts = RULES.split("action climb")
    since.write_text(parts[0])
    (since.parent / "other.rules").write_text("action climb" + parts[1])
    assert not compare(since.parent).is_different
    (since.parent / "other.rules").write_text("")
    found = compare(since.parent)
    assert (found.changed, found.new, found.removed, found.findings) == (0, 0, 2, ())
    assert found.summary() == (
        "paragraphs compared with HEAD: 2 gone; charts, counters, boards and cards were not compared"
    )


def test_paragraphs_of_a_text_have_labels_and_parts() -> None:
    parts = {each.label: each for each in paragraphs_of(RULES, "hill.rules")}
    assert [*parts] == ["hill", "few-on-top", "may-wait", "noon", "noon early", "climb", "trucks-stay"]
    assert parts["few-on-top"].cites == ("H.1", "H.2")
    assert parts["hill"].sentences == ("Up the hill",)
    assert "crowd" not in parts["few-on-top"].law
    assert parts["noon early"].sentences == ("As printed.", "Noon is turn three.")


def test_folders_outside_of_git(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "hill").mkdir()
    (tmp_path / "hill" / "layer.yaml").write_text(MANIFEST)
    assert compare_with_revision(discover_layers([tmp_path])[0], "hill", revision="") is None
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


def test_exchanged_sentences_are_reported_once(since: Path) -> None:
    """The exchanged sentences contain no word of a list like `not` or `before`; each describes the other law."""
    text = since.read_text()
    text = text.replace('"Only one own unit goes up."', '"-"').replace(
        '"A truck stays on the road if the enemy is near."', '"Only one own unit goes up."'
    )
    since.write_text(text.replace('"-"', '"A truck stays on the road if the enemy is near."'))
    [found] = compare(since.parent).findings
    assert (found.part, found.label) == ("sentence", "climb")


def test_if_many_sentences_are_reworded_only_changed_numbers_are_reported(tmp_path: Path) -> None:
    place = tmp_path / "hill"
    place.mkdir()
    (place / "layer.yaml").write_text(MANIFEST)
    rules = [f'rule wait-{at} [H.1] "Two wait before noon." stays holds when u is truck' for at in range(30)]
    (place / "hill.rules").write_text("\n\n".join(rules))
    commit(place)
    after = [each.replace("before", "after") for each in rules]
    (place / "hill.rules").write_text("\n\n".join((after[0].replace("Two", "Three"), *after[1:])))
    found = compare(place)
    assert (found.reworded, [each.label for each in found.findings]) == (30, ["wait-0"])
    assert "of 30 sentences" in found.summary()
