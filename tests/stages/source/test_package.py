"""Packages: which files belong to a layer, which are read separately, and which are refused."""

import json
import os
from pathlib import Path

import pytest
import yaml

from compiler.report.diagnose import sentence_of
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.findings.files import DuplicateItem, MissingFile, NotUtf8, OutsidePackage
from compiler.source.findings.unexpected_token import UnexpectedToken
from compiler.source.heads import document_heads
from compiler.source.lazy_table import RecordingTable
from compiler.source.nodes import Scenario
from compiler.source.package import discover_layers, load_layer, read_document
from tests.stages.source.plain import plain

FILES = {
    "sources.yaml": "sources: [{prefix: T, title: Toy, items: [T.1]}]",
    "toy/layer.yaml": "layer: toy\nkind: base\nplayable: yes",
    "toy/world.rules": "side elves, dwarves",
    "toy/charts/fare.yaml": "{table: fare, keys: {a: b}, cell: MP, rows: []}\n---\n{pieces: unit, rows: []}",
    "toy/frost/layer.yaml": "layer: frost\nkind: optional\non: [toy]",
    "toy/frost/frost.rules": "rule fen cost is 1\nrule heath cost is",
    "toy/frost/patch.yaml": "{patch: fare, set: [{a: b, expect: 1, now: 2}]}\n---\n"
    "{patch: unit, add counters: [{id: elf}]}",
    "boards/shore.yaml": "# The shore.\n\nboard: shore\nnumbering: {style: ccrr, columns: 2, rows: 2}",
    "toy/mill.yaml": "scenario: mill\nuses: toy\nmap: [[shore]]\nturns: 3\norder: [elves]\nforces: []",
    "toy/here.yaml": "position: here\nstack: toy\nboard: {rows: [[A]]}",
    "toy/notes.txt": "not ours",
    "toy/.hidden.rules": "not ours either",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Write a small package."""
    return written(tmp_path / "rules", FILES)


def test_layers_documents_boards_and_cards_are_found(root: Path) -> None:
    library, found = discover_layers([root])
    assert found == ()
    assert sorted(library.layers) == ["frost", "toy"]
    assert [document.prefix.text for document in library.documents] == ["T"]
    assert (list(library.boards), list(library.scenarios)) == (["shore"], ["mill"])
    assert library.layers["toy"].span.file == "rules/toy/layer.yaml"
    assert library.texts["rules/toy/world.rules"] == "side elves, dwarves"


def test_a_layer_is_read_on_demand(root: Path) -> None:
    library, _ = discover_layers([root])
    toy, found = load_layer(library, "toy")
    assert found == ()
    assert [file.span.file for file in toy.files] == ["rules/toy/world.rules"]
    assert (len(toy.tables), len(toy.charts), len(toy.files)) == (1, 1, 1)
    frost, found = load_layer(library, "frost")
    assert [each.span.file for each in found if isinstance(each, UnexpectedToken)] == ["rules/toy/frost/frost.rules"]
    assert (frost.files[0].layer, len(frost.files[0].statements)) == ("frost", 1)
    assert (len(frost.table_patches), len(frost.piece_patches)) == (1, 1)


def test_boards_and_cards_are_read_once(root: Path) -> None:
    library, _ = discover_layers([root])
    assert library.boards["shore"] is library.boards["shore"]
    assert library.boards["shore"].numbering.rows == 2
    assert isinstance(library.scenarios["mill"], Scenario)
    assert "moor" not in library.boards
    assert library.boards.problems == ()


def test_a_faulty_board_is_absent_and_its_problem_recorded(root: Path) -> None:
    written(root, {"boards/shore.yaml": "board: shore\nnumbering: []"})
    library, found = discover_layers([root])
    assert found == ()
    assert library.boards.get("shore") is None
    assert [type(each).__name__ for each in library.boards.problems] == ["BadShape"]


def test_problems_are_recorded_for_each_reader_of_a_board(root: Path) -> None:
    written(root, {"boards/shore.yaml": "board: shore\nnumbering: []"})
    library, _ = discover_layers([root])
    first, second = RecordingTable(library.boards), RecordingTable(library.boards)
    assert first.get("shore") is None
    assert len(first.problems) == 1
    assert not second.problems
    assert "shore" not in second
    assert second.problems == first.problems


def test_names_are_unique(root: Path) -> None:
    written(root, {"other/layer.yaml": "layer: toy\nkind: variant", "boards/two.yaml": FILES["boards/shore.yaml"]})
    library, found = discover_layers([root])
    assert sorted(each.category for each in found if isinstance(each, DuplicateItem)) == ["board", "layer"]
    # The order of folders decides, not that of files.
    assert library.layers["toy"].span.file == "rules/other/layer.yaml"


def test_rules_belong_to_a_layer(root: Path) -> None:
    written(root, {"loose.rules": "side elves", "more/loose.yaml": "{table: x, keys: {a: b}, cell: c, rows: []}"})
    _, found = discover_layers([root])
    assert sorted(each.path for each in found if isinstance(each, MissingFile)) == [
        "rules/layer.yaml",
        "rules/more/layer.yaml",
    ]


@pytest.mark.parametrize(
    ("file", "text", "report"),
    [
        ("toy/layer.yaml", "layer: toy", "this layer lacks `kind`"),
        ("toy/layer.yaml", "", "expected a manifest that begins with `layer:`, found another document"),
        ("toy/layer.yaml", "table: x", "this table lacks"),
        (
            "toy/layer.yaml",
            "layer: toy\nkind: base\n---\nlayer: more\nkind: base",
            "expected the only document of its file",
        ),
        ("toy/layer.yaml", "layer: [", "this is not valid YAML"),
        ("sources.yaml", "sources: [{prefix: T}]", "this document lacks `title`"),
        ("sources.yaml", "sources: [{prefix: T, title: Toy, items: [T.1, §2]}]", "`§2` is not a citation"),
        ("sources.yaml", "sources: [{prefix: T, title: Toy, items: [T.1-.3, T.2]}]", "`T.2` is cited twice"),
    ],
)
def test_manifests_and_registries(root: Path, file: str, text: str, report: str) -> None:
    _, found = discover_layers([written(root, {file: text})])
    assert any(report in line for line in problem_texts(found))


def test_bytes_that_are_not_utf8_are_reported_with_their_place(root: Path) -> None:
    (root / "toy/world.rules").write_bytes("side elves\r\n# ä\n".encode() + b"side dw\xe4rf")
    library, _ = discover_layers([root])
    toy, found = load_layer(library, "toy")
    assert toy.files == ()
    [slip] = found
    assert isinstance(slip, NotUtf8)
    assert (slip.span.line, slip.span.column, slip.byte) == (3, 8, 0xE4)


def test_utf_16_is_refused(root: Path) -> None:
    (root / "toy/layer.yaml").write_bytes("layer: toy\nkind: base".encode("utf-16"))
    _, found = discover_layers([root])
    assert [type(each).__name__ for each in found] == ["NotUtf8"]


def test_a_package_with_byte_order_marks_and_crlf(root: Path) -> None:
    for file, text in FILES.items():
        (root / file).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    library, found = discover_layers([root])
    assert found == ()
    _, found = load_layer(library, "toy")
    assert found == ()
    assert library.boards["shore"].numbering.rows == 2


def test_links_out_of_the_package_are_refused(root: Path, tmp_path: Path) -> None:
    outside = written(tmp_path / "secret", {"a.rules": "side trolls", "more/b.rules": "side ogres"})
    (root / "toy/a.rules").symlink_to(outside / "a.rules")
    (root / "toy/more").symlink_to(outside / "more")
    (root / "toy/same.rules").symlink_to(root / "toy/world.rules")
    (root / "toy/round").symlink_to(root)
    (root / "toy/nowhere.rules").symlink_to(root / "gone.rules")
    library, found = discover_layers([root])
    assert sorted(each.span.file for each in found if isinstance(each, OutsidePackage)) == [
        "rules/toy/a.rules",
        "rules/toy/more",
    ]
    toy, found = load_layer(library, "toy")
    assert [file.span.file for file in toy.files] == ["rules/toy/same.rules", "rules/toy/world.rules"]
    assert [type(each).__name__ for each in found] == ["MissingFile"]


def test_a_pipe_is_reported_and_not_read(root: Path) -> None:
    os.mkfifo(root / "toy/pipe.rules")
    library, _ = discover_layers([root])
    _, [slip] = load_layer(library, "toy")
    assert isinstance(slip, MissingFile)


def test_a_missing_root_is_one_problem(tmp_path: Path) -> None:
    library, [slip] = discover_layers([tmp_path / "gone"])
    assert isinstance(slip, MissingFile)
    assert (dict(library.layers), library.documents) == ({}, ())


def test_a_layer_can_be_a_root(root: Path) -> None:
    library, _ = discover_layers([root / "toy/frost"])
    assert library.layers["frost"].span.file == "frost/layer.yaml"


def test_a_folder_is_searched_once(root: Path, tmp_path: Path) -> None:
    """Whatever it is called, and named before or after one that contains it, unless it is hidden there."""
    (tmp_path / "link").symlink_to(root / "toy")
    once, found = discover_layers([root])
    hidden = written(root / ".aside", {"layer.yaml": "layer: aside\ntitle: A\nkind: base\n"})
    for roots in (
        [root, root], [root / "toy/frost", root], [root, tmp_path / "link"], [tmp_path / "link/frost/..", root],
        [root / "toy/../toy/", root],
    ):  # fmt: skip
        library, problems_there = discover_layers(roots)
        assert (list(library.layers.items()), problems_there) == (list(once.layers.items()), found), roots
    assert "aside" in discover_layers([root, hidden])[0].layers


def test_the_order_of_files_does_not_matter(root: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "again" / "rules", dict(reversed(FILES.items())))
    first, second = discover_layers([root])[0], discover_layers([other])[0]
    assert list(first.layers.items()) == list(second.layers.items())
    assert load_layer(first, "toy") == load_layer(second, "toy")


def test_reading_single_documents(root: Path) -> None:
    position, found = read_document(root / "toy/here.yaml", source.Position)
    assert found == ()
    assert position is not None
    assert position.span.file == (root / "toy/here.yaml").as_posix()
    assert read_document(root / "toy/mill.yaml", source.Scenario)[0] is not None
    assert read_document(root / "boards/shore.yaml", source.Board)[0] is not None
    assert problem_texts(read_document(root / "toy/mill.yaml", source.Board)[1]) == [
        "expected a document that begins with `board:`, found none"
    ]
    assert "no such file" in problem_texts(read_document(root / "gone.yaml", source.Position)[1])[0]
    assert "not a file" in problem_texts(read_document(root, source.Position)[1])[0]


HERE: dict[str, object] = {
    "position": "here", "stack": "toy", "board": {"rows": [["A bog"]]}, "sides": {"north": {"tired": True}},
    "pieces": [{"name": "R", "type": "walker", "at": "A", "fast": False, "spent": 3}],
}  # fmt: skip
FORMS = {
    "sorted": yaml.safe_dump(HERE),
    "in brackets": yaml.safe_dump(HERE, default_flow_style=True),
    "JSON": json.dumps(HERE),
    "sorted JSON": json.dumps(HERE, indent="\t", sort_keys=True),
    "marked, from Windows": "\ufeff" + yaml.safe_dump(HERE, sort_keys=False).replace("\n", "\r\n"),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_position_is_read_as_other_tools_write_it(form: str, root: Path) -> None:
    file = root / "toy" / "here.yaml"
    written_here = yaml.safe_dump(HERE, sort_keys=False)
    expected, problems = read_document_text(file, written_here.replace("true", "yes").replace("false", "no"))
    assert expected is not None
    assert problems == ()
    found, problems = read_document_text(file, FORMS[form])
    assert problems == ()
    assert sorted(plain(found)) == sorted(plain(expected))
    assert [kind for kind, _, _ in document_heads(FORMS[form], "here.yaml")] == ["position"]
    library, problems = discover_layers([root])  # A sorted one in a folder of packages is no board.
    assert (problems, [*library.boards.places]) == ((), ["shore"])


def read_document_text(file: Path, text: str) -> tuple[source.Position | None, tuple[Finding, ...]]:
    """Write a position file, and read it."""
    file.write_text(text, encoding="utf-8", newline="")
    return read_document(file, source.Position)


def written(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder."""
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


def problem_texts(found: tuple[Finding, ...]) -> list[str]:
    """Return the messages of problems."""
    return [sentence_of(problem).message for problem in found]
