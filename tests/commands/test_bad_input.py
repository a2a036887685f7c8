"""Bad input gives one located error and exit code 1 or 2, without a traceback and without a change on disk."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.library.shipped_folders import rules_folder
from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game
from tests.sample import sampled

Capture = pytest.CaptureFixture[str]

POSITION = "position: edge\nstack: toy\nboard: {rows: [[A, B]]}\npieces: [{name: R, type: runner, at: A}]\n"
BOMB = "table: &a price\ncites: [&b [*a, *a], &c [*b, *b, *b], &d [*c, *c, *c]]\nkeys: *d\ncell: *d\nrows: *d\n"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small game and a position; return the folder of the game."""
    (tmp_path / "edge.yaml").write_text(POSITION)
    return new_game("toy", tmp_path).folder


def files(place: Path) -> dict[str, bytes]:
    """Read all files below a folder, by relative path."""
    return {str(file.relative_to(place)): file.read_bytes() for file in sorted(place.rglob("*")) if file.is_file()}


def check(command: list[str], place: Path, capsys: Capture) -> tuple[int, str]:
    """Run a command that must fail without a crash and without writing; return its exit code and its output."""
    before = files(place)
    code = run(command)
    printed = capsys.readouterr()
    error_output = printed.out + printed.err
    assert code in (1, 2), error_output
    assert "Traceback" not in error_output
    assert "bug in rulewright" not in error_output
    assert files(place) == before
    return code, error_output


BROKEN: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "not utf-8": ("R0122", lambda at: (at / "x.rules").write_bytes(b'rule a [TOY.1] "\xff\xfe"'), "x.rules:1:17"),
    "a picture": ("R0122", lambda at: (at / "x.rules").write_bytes(bytes(range(256)) * 40), "x.rules:"),
    "a yaml bomb": ("R0603", lambda at: (at / "x.yaml").write_text(BOMB), "x.yaml:1:8"),
    "ten megabytes": ("R0121", lambda at: (at / "x.rules").write_bytes(b"# long\n" * 1_500_000), "x.rules"),
    "deep brackets": (
        "R0107",
        lambda at: (at / "x.rules").write_text('rule a [TOY.1] "x" may_enter forbidden when ' + "not " * 5000 + "yes"),
        "x.rules:1:",
    ),
    "deep yaml": ("R0107", lambda at: (at / "x.yaml").write_text("[" * 50_000), "x.yaml:1:"),
    "a link out": ("R0124", lambda at: (at / "x.rules").symlink_to("/etc/passwd"), "x.rules"),
    "a duplicate key": ("R0604", lambda at: append(at / "layer.yaml", "title: Again\n"), "layer.yaml:6:1"),
    "a null byte": (
        "R0104",
        lambda at: (at / "x.rules").write_text('rule a [TOY.1] "x\x00" may_enter forbidden when mover is tired'),
        "x.rules:1:18",
    ),
    "a misspelled key": ("R0605", lambda at: append(at / "layer.yaml", "knid: base\n"), "layer.yaml:6:1"),
}


def append(file: Path, text: str) -> None:
    """Append a text to a file."""
    file.write_text(file.read_text() + text)


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files(name: str, toy: Path, capsys: Capture) -> None:
    code, plant, place = BROKEN[name]
    plant(toy)
    exit_code, output = check(["check", str(toy)], toy, capsys)
    assert exit_code == 1
    assert output.count(f"error {code}:") == 1, output
    assert place in output
    assert output.rstrip().endswith("1 error, 0 warnings")


@sampled(12)
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("tree first_toy", "it is a situation, written for `toy`: name these rules"),
        ("check tyo", "there is no layer `tyo`; did you mean `toy`?"),
        ("check toy+", "`toy+` is no stack"),
        ("check ./nowhere", "there is no folder `nowhere`"),
        ("ask {place}/edge.yaml x", "edge.yaml` is a file: name rules, or the folder of a layer"),
        ("check {place}", "is no layer but holds some; write `--path"),
        ("play first_tyo", "there is no scenario `first_tyo`; did you mean `first_toy`?"),
        ("play nowhere.yaml", "`nowhere.yaml` cannot be read: no such file"),
        ("play first_toy --players clever", "there is no player `clever`"),
        ("play first_toy --games 2", "`--games` is gone: `compare"),
        ("play first_toy --players random --seed a\x07b", "`--seed` is given characters that cannot be printed"),
        ("play first_toy --players random,random,random", "3 players for 2 sides"),
        ("ask toy -p nowhere.yaml may_enter(R,A,B)", "`nowhere.yaml` cannot be read: no such file"),
        ("ask toy -p {place}/edge.yaml may_entr(R,A,B)", "did you mean `may_enter`?"),
        ("ask toy -p {place}/edge.yaml may_enter(R,A", "the file ends after `A` too early"),
        ("ask toy -p {place}/edge.yaml may_enter(R,A)", "`may_enter` takes 3 arguments, not 2"),
        ("diff toy toy --term entri_cost", "did you mean `entry_cost`?"),
        ("ask toy " + "x" * 2000, "1,000 at most are searched for"),
        ("open latin.yaml", "line 1: the file is not UTF-8: it contains the byte 0xE9"),
        ("replay {place}/edge.yaml", "is no recorded game"),
        ("coverage toy --ledger {place}/toy", "expected a list of items"),
        ("compare first_toy --rules toy --side east", "no side `east` plays here"),
        ("compare first_toy --rules toy -n 0", "invalid value for '-n'"),
        ("compare first_toy --until soon", "write a width from 0.001 to below 2, such as 0.1 or 10%"),
        (
            "compare first_toy --ablate tired-leg",
            "patched cell, table or situation `tired-leg`; did you mean",
        ),
        ("compare first_toy -n 1 --report there", "`--report` is gone: redirect"),
        ("new game toy", "there is a layer `toy` already"),
        ("new game ../escape", "`../escape` is no name"),
        ("new variant other", "`--on STACK`"),
        ("new ruling tired-legs --dir {place}/toy", "the label `tired-legs` is taken"),
        ("frobnicate", "no such command 'frobnicate'"),
        ("ladder toy", "`ladder` is gone: `compare"),
        ("tree toyfile may_enter", "it is a file, and a stack is named by its layers"),
        ("new ruling again --on toy", "a ruling goes into the folder of a layer: `--dir DIR`"),
        ("diff toy", "missing argument 'B' rulewright diff [OPTIONS] A B"),
        ("test toy --mutate --in tired-lags", "rule or procedure `tired-lags`; did you mean `tired-legs`?"),
        ("tree toy entry_cost --formt json", "no such option: --formt (Possible options: --format"),
        ("tree toy entry_cost more", "got unexpected extra argument(s) (more)"),
    ],
)
def test_wrong_arguments(
    command: str, message: str, toy: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(toy.parent)
    (toy.parent / "toyfile").touch()
    (toy.parent / "latin.yaml").write_bytes(b"position: caf\xe9\n")
    arguments = [part.format(place=toy.parent) for part in command.split()]
    path = [] if "--path" in arguments or command.startswith(("check {", "frob")) else ["--path", str(toy)]
    _, printed = check([*arguments, *path], toy.parent, capsys)
    assert message in " ".join(printed.split())


TRUCKS = """position: trucks
stack: panzer_leader
board: {rows: [[A, B]]}
pieces:
  - {name: T, type: truck, side: german, at: A}
  - {name: U, type: truck, side: german, at: A}
  - {name: R, type: rifle, at: A}
  - {name: W, type: wreck, side: german, at: B}
"""


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("relations: {carries: [{carrier: A, passengers: R}]}", "10:33 there is no unit `A`"),
        ("relations: {carries: [{carrier: W, passengers: R}]}", "10:33 there is no unit `W`"),
        ("relations: {carries: [{carrier: T, passengers: [R]}]}", "10:48 expected a unit for `passengers`"),
        (
            "relations: {carries: [{carrier: T, passengers: R}, {carrier: U, passengers: R}]}",
            "10:52 `R` has two partners `carrier`",
        ),
        (
            "relations: {carries: [{carrier: T, passengers: R}, {carrier: T, passengers: R}]}",
            "10:52 `T` and `R` are paired twice",
        ),
        ("records: {run: [{unit: A, entry: A, over: B, exit: A, before: 1}]}", "10:24 there is no unit `A`"),
        ("records: {run: [{unit: T, entry: R, over: B, exit: A, before: 1}]}", "10:34 there is no hex `R`"),
        ("game: {dd_sinks_on: [3/2]}", "10:22 expected a whole number of 1..6"),
        ("game: {turn: [1]}", "10:14 expected one word or number"),
        ("game: {turn: 1.5}", "10:14 expected a whole number of 0..1000"),
        ("game: {turn: true}", "10:14 expected a number in 0..1000"),
        ("game: {turn: -1}", "10:14 expected a number in 0..1000"),
        ("game: {turn: 99999999999999999999}", "10:14 expected a number in 0..1000"),
        ("game: {turns: 2.5}", "10:15 expected a whole number of 1..1000"),
        (
            "---\nposition: again\nstack: panzer_leader\nboard: {rows: [[A]]}\n",
            "11:1 expected one `position:` in the file",
        ),
    ],
)
def test_a_wrong_part_of_a_position_is_refused_at_its_place(
    more: str, message: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "trucks.yaml"
    file.write_text(TRUCKS + "\n" + more)
    assert run(["ask", "panzer_leader", "-p", str(file), "T.passengers", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    places = [f"{at['line']}:{at['column']} {each['message']}" for each in found for at in each["spans"][:1]]
    assert any(place.startswith(message) for place in places), places


def test_a_rule_that_does_not_parse_hides_no_later_mistake(toy: Path, capsys: Capture) -> None:
    append(
        toy / "moving.rules", 'rule a [TOY.1] "x"\n  may_enter forbiden\n\nrule b [TOY.1] "x"\n  may_entr forbidden\n'
    )
    assert run(["check", str(toy), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(each["code"], each["help"]) for each in found] == [
        ("R0101", "did you mean `forbidden`?"),
        ("R0201", "did you mean `may_enter`?"),
    ]


def test_a_layer_that_extends_itself_is_refused(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "layer.yaml").write_text("layer: bare\ntitle: Bare\nkind: optional\non: [bare]\n")
    assert run(["check", str(tmp_path)]) == 1
    assert "R0302: `bare` is based on itself" in capsys.readouterr().out


BROKEN_ELSEWHERE = {
    "sources that are no YAML": {"other/sources.yaml": "sources: [{prefix: \n"},
    "a manifest that is no YAML": {"other/layer.yaml": "layer: [\n"},
    "two boards of one name": dict.fromkeys(("one/b.yaml", "two/b.yaml"), "board: twice\nrows: [[A1]]\n"),
    "a link out": {"other/x.yaml": Path("/etc/passwd")},
    "links in a circle": {"other/layer.yaml": Path("layer.yaml")},
}


@sampled(1)
@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("broken", BROKEN_ELSEWHERE.values(), ids=BROKEN_ELSEWHERE)
def test_an_error_in_another_folder_is_left_out_and_named(
    broken: dict[str, str | Path], tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Proofs of all shipped cards beside the sources of this folder take ten seconds, and are not the subject.
    monkeypatch.setattr("rulewright.checks.card_library.problems_of_card", lambda *_: ())
    for name, text in broken.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        if isinstance(text, Path):
            file.symlink_to(text)
        else:
            file.write_text(text)
    reach = ["--path", str(tmp_path)]
    assert run(["check", "toy", "--format", "json", *reach]) == 0
    (finding,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (finding["code"], finding["severity"]) == ("R0127", "warning")
    assert run(["ask", "toy", "-p", str(tmp_path / "edge.yaml"), "distance(A, B)", *reach]) == 0
    answered = capsys.readouterr()
    assert answered.out == "The distance from A to B is 1.\n"
    last = f"/{list(broken)[-1]}"
    assert "left out, as they have errors: " in answered.err
    assert f"{last}; `rulewright check STACK` names them\n" in answered.err
    assert run(["check", "toy", *reach]) == 0
    assert last in capsys.readouterr().out


@pytest.mark.usefixtures("toy")
def test_an_error_in_a_folder_around_a_layer_or_a_second_layer_of_its_name_refuses_it(
    tmp_path: Path, capsys: Capture
) -> None:
    """A typing mistake in the name of a stack is reported, whatever else is broken."""
    (tmp_path / "sources.yaml").write_text("sources: [{prefix: \n")
    reach = ["--path", str(tmp_path)]
    assert "R0602" in check(["check", "toy", *reach], tmp_path, capsys)[1]
    assert "did you mean `toy`" in check(["check", "tyo", *reach], tmp_path, capsys)[1]
    (tmp_path / "sources.yaml").unlink()
    (tmp_path / "other").mkdir()
    (tmp_path / "other/layer.yaml").write_text("layer: toy\ntitle: Other\nkind: base\n")
    assert "R0125" in check(["check", "toy", *reach], tmp_path, capsys)[1]


def test_a_copy_of_the_shipped_rules_is_one_error(tmp_path: Path, capsys: Capture) -> None:
    """The copy repeats layers, sources, boards and outlines of boards alike."""
    for folder in ("boards", "games/low_tide"):
        shutil.copytree(rules_folder() / folder, tmp_path / "rules" / folder)
    report = check(["check", "low_tide", "--path", str(tmp_path)], tmp_path, capsys)[1]
    assert report.count("error R0125") == 1
    assert "two copies of a file" in report


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["play", "first_toy", "--rules", ""], "`--rules` is given an empty text"),
        (["reference", "toy", "--out="], "`--out` is given an empty text"),
        (["fmt", ""], "argument 1 is empty"),
        (["show", ""], "argument 1 is empty"),
    ],
)
def test_an_empty_argument_is_refused(
    command: list[str], message: str, toy: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """It would name the working folder, or mean that the option is not given."""
    monkeypatch.chdir(toy)
    assert check(command, toy, capsys) == (2, f"error: {message}\n")


def test_an_unknown_revision_is_refused(toy: Path, capsys: Capture) -> None:
    assert "`--since nothing` names no revision" in check(["test", str(toy), "--since", "nothing"], toy, capsys)[1]
    assert "`--since nothing` names no revision" in check(["test", "low_tide", "--since", "nothing"], toy, capsys)[1]
