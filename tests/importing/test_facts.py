"""The public facts, where they are installed: boards equal the facts, cards compile, and some are played on two stacks.

All twenty games: `python3 -m tests.importing`.
"""

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.source import nodes as source
from compiler.source.files import PackageFile
from compiler.source.nodes import ValueMap
from compiler.source.package import read_document
from rulewright.exchange import ImportReport, NoteSeverity, import_package
from rulewright.exchange.notes import Notes
from rulewright.exchange.tree_reader import find_entry, listed_words, read_documents
from rulewright.games.scenarios import load_scenario
from tests.importing.situations import find_facts, games
from tests.sample import first_of_each

FACTS = find_facts()
pytestmark = pytest.mark.skipif(FACTS is None, reason="no folder of public facts; set RULEWRIGHT_FACTS to one")

BOARDS = ("01", "03", "a", "d")
CARDS = ("panzer-leader-20", "russia-1941-05")
# Situations with Japanese or Chinese units, with three sides, or with no known unit on one side.
LEFT_OUT = {"gamestorm-02", "gamestorm-03", "panzerblitz-00", "battle-for-berlin-21", "battle-for-berlin-22"}
KNOWN = sorted(
    f"opb_{path.stem.replace('-', '_')}"
    for path in (FACTS.glob("scenarios/*.yaml") if FACTS else ())
    if path.stem not in LEFT_OUT
)
# Tags of the facts that are also features of imported boards.
SAME = ("woods", "town", "swamp", "slope", "hilltop", "ford")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Import a few boards and cards."""
    assert FACTS is not None
    folder = tmp_path_factory.mktemp("facts")
    for name in (
        *(f"boards/board-{key}.yaml" for key in BOARDS),
        *(f"scenarios/{key}.yaml" for key in CARDS),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(FACTS / name, folder / name)
    done = import_package(folder, folder / "out")
    assert not [note for note in done.notes if note.weight is NoteSeverity.BROKEN]
    return folder


@pytest.mark.parametrize(("key", "name"), [("01", "pb_1"), ("03", "pb_3"), ("a", "pl_a"), ("d", "pl_d")])
def test_every_hex_has_the_features_of_the_facts(package: Path, key: str, name: str) -> None:
    board, problems = read_document(package / "out" / "boards" / f"{name}.yaml", source.Board)
    assert board is not None, problems
    own_ground = {(ground.feature.text, word.text) for ground in board.terrain for word in ground.hexes}
    source_ground = set(tags(package / "boards" / f"board-{key}.yaml"))
    assert {pair for pair in own_ground if pair[0] in SAME} == {pair for pair in source_ground if pair[0] in SAME}
    assert Counter(feature for feature, _ in own_ground)["half"] == 52


def tags(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the tags of each hex in the facts."""
    (tree,) = read_documents(PackageFile(path, path.name), Notes())
    hexes = find_entry(tree, "hexes")
    assert isinstance(hexes, ValueMap)
    for word, value in hexes.entries:
        yield from ((tag, word.text) for tag, _ in listed_words(find_entry(value, "tags")))


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[ImportReport, Path]:
    """Import all facts."""
    assert FACTS is not None
    out = tmp_path_factory.mktemp("everything") / "out"
    return import_package(FACTS, out), out


def test_only_the_listed_cards_are_left_out(everything: tuple[ImportReport, Path]) -> None:
    done, _ = everything
    assert {note.subject for note in done.omissions} == LEFT_OUT
    assert len(done.cards) == len(KNOWN)


@pytest.mark.parametrize("name", first_of_each(KNOWN, lambda name: name.rpartition("_")[0]))
def test_a_card_compiles(everything: tuple[ImportReport, Path], name: str) -> None:
    stack = load_scenario(name, None, [everything[1]])
    assert not stack.is_broken, [each.message for each in stack.diagnostics]
    assert stack.graph is not None
    assert stack.graph.scenario is not None


def test_situations_are_played_to_the_end(package: Path) -> None:
    for game in games(["opb_panzer_leader_20", "opb_russia_1941_05"], package / "out", ["random", "greedy"], "1"):
        assert game.code == 0, game.message_text
        turns = {"opb_panzer_leader_20": 8, "opb_russia_1941_05": 5}[game.name]
        assert game.data["turns"] == turns, game.data
