"""Compilation with memos gives the same graph or problems as compilation with an unused database.

A copy of a small game and its options is edited step by step; after every step stacks are compiled both ways and
compared.
"""

import random
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from unittest.mock import patch

import pytest

from compiler.compile import compile_stack
from compiler.query.database import VERSIONS, Database
from compiler.source import content
from compiler.source.package import discover_layers
from compiler.source.parse import parse_rules
from rulewright.library import cache, shipped_folders, stacks
from rulewright.library.parse_archive import FileArchive
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import load_stack
from runtime.graph.canonical import node_text
from tests.parsed import unused_database
from tests.sample import LONG, first_of_each, sampled

GAME = "panzer_grenadier"
CARD = "hazel_ford"
STACKS = (f"{GAME}+pg_smoke", GAME, f"{GAME}+pg_mire", f"{GAME}+pg_mire+pg_smoke")
FEW = (STACKS[1], STACKS[3])
FILE = "games/panzer_grenadier/movement.rules"
# Edits of words that occur often, so that an edit is likely to cause errors.
SLIPS = (
    (r"\b(\d+)\b", lambda found: str(int(found[1]) + 1)),
    (r"\bunit\b", lambda _: "marker"),
    (r"\bnot ", lambda _: ""),
    (r"\n\n", lambda _: "\n\nrule of nobody\n\n"),
    (r"(?s)\n\n(rule .*?)(?=\n\n)", lambda _: ""),
    (r"\bvalue (\w+)", lambda found: f"value {found[1]}_again"),
    (r"\bstatus (\w+): ", lambda found: f"status {found[1]}: mended, "),
)

# Declarations in one file that other files use: each edit must invalidate the memos of the uses.
MEANINGS = (
    ("world.rules", "wooded", "wood"),
    ("world.rules", "side axis", "side central"),
    ("world.rules", "range: 0..40 hexes", "range: 0..40 pips"),
    ("world.rules", "movement: 0..20 MP", "movement: 0..200 MP"),
    ("world.rules", "'42' = 4", "'42' = 9"),
    ("world.rules", "kind wreck", "kind wreckage"),
    ("world.rules", "infantry", "footmen"),
    ("world.rules", "feature hex: woods", "feature hex: wood"),
    ("world.rules", "limbered marker", "on_wheels marker"),
    ("world.rules", "track unit.spent: 0..40 MP", "track unit.spent: 0..40 hexes"),
    ("world.rules", "yes_no = no", "yes_no"),
    ("world.rules", "one carrier", ""),
    ("world.rules", "hex: hex, target: unit", "hex: hex, target: hex"),
    ("world.rules", "entered(mover: unit, to: hex)", "entered(mover: unit)"),
    ("world.rules", "domain die = 1..6 pips", "domain die = 1..8 pips"),
    ("terms.rules", "armor_of(u: unit): 0..9 pips", "armor_of(u: unit): 0..9 levels"),
    ("terms.rules", "limiting(h: hex) default no", "limiting(h: unit) default no"),
    ("terms.rules", "define foe(owner: side)", "define foe(owner: unit)"),
)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Copy the game and its options, and the card that its examples use."""
    options = sorted(f"options/{folder.name}" for folder in (rules_folder() / "options").glob("pg_*"))
    for part in ("core", f"games/{GAME}", *options):
        shutil.copytree(rules_folder() / part, tmp_path / "rules" / part)
    for file in ("sources.yaml", "boards/outlines.yaml", f"boards/{CARD}.yaml", f"scenarios/{CARD}.yaml"):
        (tmp_path / "rules" / file).parent.mkdir(exist_ok=True)
        shutil.copy(rules_folder() / file, tmp_path / "rules" / file)
    return tmp_path / "rules"


def outcome(folder: Path, stack: str, database: Database) -> tuple[str, str]:
    """Compile a stack; return its graph as text, and its problems."""
    library, found = discover_layers([folder], database)
    compiled_stack = compile_stack(library, stack)
    return (
        node_text(compiled_stack.graph) if compiled_stack.graph else "",
        repr((*found, *compiled_stack.problems)),
    )


# Results by digest and stack: edits are undone, so the same texts occur repeatedly.
_from_nothing: dict[tuple[str, str], tuple[str, str]] = {}


def outcome_without_memos(folder: Path, stack: str) -> tuple[str, str]:
    """Compile a stack with an unused database, once for each version of the texts."""
    digest = sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        digest.update(f"{file.relative_to(folder)} {sha256(file.read_bytes()).hexdigest()}".encode())
    key = digest.hexdigest(), stack
    if key not in _from_nothing:
        _from_nothing[key] = outcome(folder, stack, unused_database())
    return _from_nothing[key]


def agree(folder: Path, database: Database, names: tuple[str, ...] = FEW) -> None:
    """Compare the results of stacks with this database and with an unused one."""
    for stack in names:
        assert outcome(folder, stack, database) == outcome_without_memos(folder, stack), stack


def edited(folder: Path, file: str, change: Callable[[str], str]) -> str:
    """Edit a file; return its former text."""
    before = (folder / file).read_text(encoding="utf-8")
    (folder / file).write_text(change(before), encoding="utf-8")
    return before


@sampled(0)
def test_stacks_compiled_in_sequence(rules: Path) -> None:
    database = unused_database()
    agree(rules, database, STACKS)
    agree(rules, database, STACKS)
    assert all(outcome(rules, stack, database)[0] for stack in STACKS)


@sampled(0)
@pytest.mark.parametrize("meanings", [MEANINGS[::3], pytest.param(MEANINGS, marks=LONG)], ids=["some", "all"])
def test_an_edited_declaration_invalidates_its_uses(rules: Path, meanings: tuple[tuple[str, str, str], ...]) -> None:
    database = unused_database()
    whole = outcome(rules, GAME, database)
    for name, old, new in meanings:
        file = f"games/{GAME}/{name}"
        before = edited(rules, file, lambda text, old=old, new=new: text.replace(old, new, 1))  # type: ignore[misc]
        changed = outcome(rules, GAME, database)
        assert changed != whole, f"{old} stands there no longer, or says nothing"
        assert changed == outcome_without_memos(rules, GAME), old
        (rules / file).write_text(before, encoding="utf-8")
        assert outcome(rules, GAME, database) == whole


def test_a_file_edited_broken_restored_and_deleted(rules: Path) -> None:
    database = unused_database()
    agree(rules, database)
    before = edited(rules, FILE, lambda text: re.sub(r"\d+", lambda found: str(int(found[0]) % 3), text))
    agree(rules, database)
    edited(rules, FILE, lambda text: text.replace("rule ", "( rule ", 1))
    agree(rules, database)
    assert not outcome(rules, GAME, database)[0]
    edited(rules, FILE, lambda _: before)
    agree(rules, database)
    assert outcome(rules, GAME, database)[0]
    (rules / FILE).unlink()
    agree(rules, database)
    (rules / FILE).write_text(before, encoding="utf-8")
    agree(rules, database)


@sampled(0)
def test_a_layer_renamed_moved_and_deleted(rules: Path) -> None:
    database = unused_database()
    agree(rules, database)
    edited(rules, "options/pg_mire/layer.yaml", lambda text: text.replace("layer: pg_mire", "layer: pg_bog"))
    agree(rules, database)
    bog = f"{GAME}+pg_bog"
    assert outcome(rules, bog, database) == outcome_without_memos(rules, bog)
    assert outcome(rules, bog, database)[0]
    (rules / "options/pg_mire").rename(rules / "options/bog")
    assert outcome(rules, bog, database) == outcome_without_memos(rules, bog)
    shutil.rmtree(rules / "options/bog")
    assert outcome(rules, bog, database) == outcome_without_memos(rules, bog)
    agree(rules, database)


@pytest.mark.parametrize("seed", first_of_each(range(2), lambda _: ""))
def test_a_sequence_of_random_edits(rules: Path, seed: int) -> None:
    dice, database = random.Random(seed), unused_database()
    files = sorted(file.relative_to(rules).as_posix() for file in rules.rglob("*.rules"))
    was: dict[str, str] = {}
    for _ in range(6):
        file = dice.choice(files)
        pattern, new = dice.choice(SLIPS)

        def slip(text: str, pattern: str = pattern, new: Callable[[re.Match[str]], str] = new) -> str:
            found = [*re.finditer(pattern, text)]
            if not found:
                return text
            at = dice.choice(found)
            return text[: at.start()] + new(at) + text[at.end() :]

        text = edited(rules, file, slip)
        was.setdefault(file, text)
        agree(rules, database, STACKS[1:3])
        if dice.random() < 0.6:
            for name, text in was.items():
                (rules / name).write_text(text, encoding="utf-8")
            was.clear()
            agree(rules, database, STACKS[3:])


def test_memos_beyond_the_capacity_are_dropped(rules: Path) -> None:
    database = Database(capacity=10)
    agree(rules, database)
    assert max(each.memos for each in database.uses()) <= 10 * VERSIONS
    agree(rules, database)


def loaded(folder: Path, stack: str) -> str:
    """Load a stack from a folder as commands do; return its graph as text."""
    with patch.object(shipped_folders, "rules_folder", lambda: folder):
        found = load_stack(stack)
    assert found.graph is not None, found.problems
    return node_text(found.graph)


def restart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write pending entries to disk, and clear the memory as in a new process."""
    write_pending_entries()
    monkeypatch.setattr(cache, "_in_memory", {})
    monkeypatch.setattr(stacks, "_DATABASE", Database(FileArchive()))


def write_pending_entries() -> None:
    """Write pending entries to disk, as at the end of a program."""
    cache.write_pending()
    assert isinstance(stacks._DATABASE.archive, FileArchive)
    stacks._DATABASE.archive.write_entries()


@sampled(0)
def test_a_stack_loads_from_the_disk_cache_and_from_a_damaged_one(
    rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    stack = STACKS[-1]
    expected = outcome_without_memos(rules, stack)[0]
    assert loaded(rules, stack) == expected
    assert not [*(tmp_path / "cache").glob("*.stack")]
    restart(monkeypatch)
    [entry, pack] = sorted((tmp_path / "cache").iterdir(), key=lambda file: file.name == "files.pack")
    assert loaded(rules, stack) == expected
    for damage in (entry.read_bytes()[:-3], b"", b"\x80\x05N."):
        restart(monkeypatch)
        entry.write_bytes(damage)
        pack.write_bytes(damage)
        assert loaded(rules, stack) == expected


@sampled(0)
def test_only_edited_files_are_parsed_in_a_later_run(
    rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    loaded(rules, GAME)
    restart(monkeypatch)
    edited(rules, FILE, lambda text: f"\n{text}")
    read: list[str] = []

    def parsed(text: str, file: str) -> object:
        read.append(file)
        return parse_rules(text, file)

    monkeypatch.setattr(content, "parse_rules", parsed)
    assert loaded(rules, GAME) == outcome(rules, GAME, Database(stacks._DATABASE.archive))[0]
    assert read == [f"rules/{FILE}"]
    assert loaded(rules, STACKS[-1]) == outcome_without_memos(rules, STACKS[-1])[0]


def load_and_write(folder: str, stack: str) -> str:
    """Load a stack in a process of its own, and write the caches."""
    found = loaded(Path(folder), stack)
    write_pending_entries()
    return found


@LONG
def test_two_processes_at_once(rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    stack_names = [STACKS[0], STACKS[0], STACKS[1]]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        found = [*executor.map(load_and_write, [str(rules)] * len(stack_names), stack_names)]
    expected = {stack: outcome_without_memos(rules, stack)[0] for stack in set(stack_names)}
    assert found == [expected[stack] for stack in stack_names]
    suffixes = sorted(file.suffix for file in (tmp_path / "cache").iterdir())
    assert suffixes == [".pack", *[".stack"] * len(set(stack_names))]


def test_a_stack_once_loaded_is_in_memory(rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(shipped_folders, "rules_folder", lambda: rules)
    assert load_stack(GAME).graph is load_stack(GAME).graph
