"""Each name of a game is renamed and renamed back: all files are then as before."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.index.semantic_index import SemanticIndex
from compiler.source.finding import Finding
from compiler.source.nodes import Scenario
from compiler.source.package import Library
from compiler.stack_index import index_stack
from rulewright.serve.editor import renaming
from rulewright.serve.editor.workspace import EditorWorkspace
from rulewright.system.errors import UsageError
from rulewright.write.new_packages import new_game
from tests.commands.test_slips_of_an_author import game
from tests.sample import sampled

SAMPLE = 6
# Expected refusals: the name of a layer, and a name that data files use for several symbols.
REFUSED = ("and data files mention it: rename it by hand", "there is no layer `toy`")
DRAWN = """example "printed" {
  chart unit(side, movement, gait) {
    runner: north, 6, foot {}
  }
}
"""
NAME = re.compile(r"'[^']+'|\w+(?:-\w+)*")


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a game with accounts, phrases, examples with cases, and refusals."""
    folder = tmp_path_factory.mktemp("set")
    for name, text in game().items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def declared(toy: Path) -> Iterator[tuple[Path, str, int, int]]:
    """Yield the symbols that the rules of the game declare, with their locations."""
    workspace = EditorWorkspace((toy,))
    for file in sorted((toy / "toy").glob("*.rules")):
        with workspace.index_of(file) as found:
            assert found is not None
            name = found.files[file.resolve()]
            for symbol in sorted(found.index.symbols()):
                for each in found.index.declarations(symbol):
                    if each.span.file == name:
                        yield file, symbol, each.span.line, each.span.column + 1


def renamed(toy: Path, place: tuple[Path, int, int], new: str) -> tuple[str, int]:
    """Rename the symbol at a location; return the refusal or "", and the column of the symbol afterwards."""
    file, line, column = place
    try:
        edits = renaming.rename_places(EditorWorkspace((toy,)), file, line, column, new)
    except UsageError as refused:
        return str(refused), column
    for path, places in edits.items():
        path.write_text(renaming.replace_places(places, new), encoding="utf-8")
    before = [each.span for each in edits[file] if each.span.line == line and each.span.end_column < column]
    return "", column + sum(len(new) - len(written_at(edits[file][0].text, line, each.column + 1)) for each in before)


def rename_and_back(toy: Path, file: Path, symbol: str, line: int, column: int) -> str:
    """Rename a symbol and rename it back; return what is wrong, or ""."""
    before = {path: path.read_text(encoding="utf-8") for path in toy.rglob("*.*")}
    own_word = written_at(before[file], line, column)
    new = "quite-another" if "-" in own_word else "quite another" if " " in own_word else "quiteanother"
    refused, there = renamed(toy, (file, line, column), new)
    if refused:
        return "" if any(each in refused for each in REFUSED) else f"{symbol}: {refused}"
    try:
        assert written_at(file.read_text(encoding="utf-8"), line, there) == new
        refused, _ = renamed(toy, (file, line, there), own_word)
        if refused:
            return f"{symbol} back: {refused}"
        other = [path.name for path, text in before.items() if path.read_text(encoding="utf-8") != text]
        return f"{symbol}: {other} not as before" if other else ""
    finally:
        for path, text in before.items():
            path.write_text(text, encoding="utf-8")


def written_at(text: str, line: int, column: int) -> str:
    """Return the name at a location, where the column is one after its start; without quotes."""
    found = NAME.match(text.split("\n")[line - 1], column - 2)
    assert found is not None
    return found[0].strip("'")


def wrong_renamings(toy: Path, count: int | None) -> list[str]:
    names = list(declared(toy))
    assert len(names) > 100
    chosen = names if count is None else random.Random(7).sample(names, count)
    return [wrong for each in chosen if (wrong := rename_and_back(toy, *each))]


@sampled(0)
def test_some_symbols_are_renamed_and_renamed_back(toy: Path) -> None:
    assert not wrong_renamings(toy, SAMPLE)


@pytest.mark.long
def test_all_symbols_are_renamed_and_renamed_back(toy: Path) -> None:
    assert not wrong_renamings(toy, None)


def places_of(toy: Path, name: str) -> dict[str, int]:
    """Count the lines that contain a name, by file."""
    word = re.compile(rf"(?<![\w-]){name}(?![\w-])")
    texts = {path.name: path.read_text(encoding="utf-8") for path in (toy / "toy").glob("*.*")}
    return {
        file: count for file, text in texts.items() if (count := sum(map(bool, map(word.search, text.split("\n")))))
    }


@sampled(0)
def test_a_counter_is_renamed_in_data_and_examples_but_not_in_prose(tmp_path: Path) -> None:
    new_game("toy", tmp_path)
    toy = tmp_path / "toy"
    sources = toy / "sources.yaml"
    sources.write_text(sources.read_text().replace("The Rules of Toy", "Rules for a runner"), encoding="utf-8")
    (toy / "printed.rules").write_text(DRAWN, encoding="utf-8")
    before = places_of(tmp_path, "runner")
    assert {"field.yaml", "charts.yaml", "playing.rules", "moving.rules", "printed.rules", "sources.yaml"} <= {*before}
    file = toy / "moving.rules"
    line = next(at for at, each in enumerate(file.read_text().split("\n"), 1) if ": runner of" in each)
    column = file.read_text().split("\n")[line - 1].index("runner") + 2
    refused, _ = renamed(tmp_path, (file, line, column), "walker")
    assert not refused
    assert {*places_of(tmp_path, "runner")} == {"sources.yaml"}
    assert {*places_of(tmp_path, "walker")} == {*before} - {"sources.yaml"}


def test_a_member_is_renamed_in_charts_of_examples(tmp_path: Path) -> None:
    new_game("toy", tmp_path)
    toy = tmp_path / "toy"
    (toy / "printed.rules").write_text(DRAWN, encoding="utf-8")
    world = (toy / "world.rules").read_text().split("\n")
    line = next(at for at, each in enumerate(world, 1) if re.search(r"\bfoot\b", each))
    place = (toy / "world.rules", line, world[line - 1].index("foot") + 2)
    refused, _ = renamed(tmp_path, place, "paw")
    assert not refused
    assert "north, 6, paw" in (toy / "printed.rules").read_text()
    assert "[runner, north, 6, paw]" in (toy / "charts.yaml").read_text()
    assert '"on foot"' in (toy / "world.rules").read_text()


def test_a_keyword_is_refused_as_a_name(tmp_path: Path) -> None:
    new_game("toy", tmp_path)
    world = tmp_path / "toy" / "world.rules"
    before = world.read_text()
    line, text = next((at, each) for at, each in enumerate(before.split("\n"), 1) if "tired" in each)
    refused, _ = renamed(tmp_path, (world, line, text.index("tired") + 2), "when")
    assert refused == "`when` is a keyword of the language; choose another name"
    assert world.read_text() == before


def layer(folder: Path, name: str, rules: str) -> None:
    """Write an optional layer of the game."""
    (folder / name).mkdir()
    (folder / name / "layer.yaml").write_text(f"layer: {name}\ntitle: {name}\nkind: optional\non: [toy]\n")
    (folder / name / "more.rules").write_text(rules)


@sampled(0)
def test_only_stacks_that_mention_one_of_the_names_are_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_game("toy", tmp_path)
    law = 'rule {0} [TOY.2] "It pays nothing."\n  entry_cost is 0 MP\n  exception to price-of-ground\n  when {1}\n'
    layer(tmp_path, "using", law.format("rested", "mover is not tired and mover.spent = 3 MP"))
    layer(tmp_path, "declaring", "status unit: weary until end of turn\n")
    layer(tmp_path, "silent", law.format("silent-law", "mover.spent = 2 MP"))
    layer(tmp_path, "shown", law.format("shown-law", "mover.spent = 1 MP"))
    moving = tmp_path / "toy" / "moving.rules"
    row = '\nexample "it" under toy+shown {\n  row A, B\n  piece R: runner of north at B (tired)\n'
    moving.write_text(moving.read_text() + row + "  ask entry_cost(R, B, A) = 2 MP\n}\n")
    compiled: list[str] = []

    def noted(library: Library, stack: str, card: Scenario | None) -> tuple[SemanticIndex, tuple[Finding, ...]]:
        compiled.append(stack)
        return index_stack(library, stack, card)

    monkeypatch.setattr("rulewright.serve.editor.renaming.index_stack", noted)
    world = (tmp_path / "toy" / "world.rules").read_text().split("\n")
    line = next(at for at, each in enumerate(world, 1) if "tired" in each)
    place = (tmp_path / "toy" / "world.rules", line, world[line - 1].index("tired") + 2)
    refused, _ = renamed(tmp_path, place, "weary")
    assert "`declaring`" in refused
    assert {"toy", "toy+shown", "using", "declaring"} <= {*compiled}
    assert "silent" not in compiled
    compiled.clear()
    refused, _ = renamed(tmp_path, place, "worn")
    assert not refused
    assert {"toy", "toy+shown", "using"} <= {*compiled}
    assert {"declaring", "silent"}.isdisjoint(compiled)
    assert "mover is not worn" in (tmp_path / "using" / "more.rules").read_text()
    assert "at B (worn)" in moving.read_text()
