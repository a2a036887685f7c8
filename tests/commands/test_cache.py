"""What is kept survives concurrent runs, torn files and folders that cannot be used."""

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import pytest

from rulewright.library import cache


@dataclass(frozen=True, slots=True)
class Leaf:
    """A node as compiled stacks are full of."""

    name: str
    parts: tuple[int, ...]


MADE = {"tree": [Leaf("a", (1, 2)), Leaf("b", ())]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep things in a folder of our own."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def never() -> dict[str, list[Leaf]]:
    """Fail: it should have been kept."""
    raise AssertionError("made again")


@pytest.mark.usefixtures("folder")
def test_what_is_kept_is_not_made_again() -> None:
    assert cache.remember("k", lambda: MADE) == MADE
    assert cache.remember("k", never) == MADE


@pytest.mark.usefixtures("folder")
def test_what_is_not_worth_keeping_is_made_again() -> None:
    assert cache.remember("k", lambda: 1, worth=lambda made: made > 1) == 1
    assert cache.remember("k", lambda: 2, worth=lambda made: made > 1) == 2
    assert cache.remember("k", lambda: 3) == 2


@pytest.mark.parametrize("damage", [b"", b"x", b"x" * 40, None])
def test_a_damaged_entry_is_made_again(folder: Path, damage: bytes | None) -> None:
    cache.remember("k", lambda: MADE)
    [entry] = folder.glob("*.stack")
    entry.write_bytes(entry.read_bytes()[:-1] if damage is None else damage)
    assert cache.remember("k", lambda: {"tree": []}) == {"tree": []}
    assert cache.remember("k", never) == {"tree": []}


def test_an_entry_is_not_believed_for_being_a_pickle(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    (folder / "k.stack").write_bytes(b"\x80\x04N.")
    assert cache.remember("k", lambda: 5) == 5


@pytest.mark.skipif(os.name == "nt", reason="NOT CHECKED: other users cannot be told apart here")
def test_a_folder_that_others_may_write_to_is_not_used(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    cache.remember("k", lambda: 5)
    assert [*folder.iterdir()] == []


def test_only_the_entries_used_last_are_kept(folder: Path) -> None:
    for number in range(cache.STACKS.kept + 5):
        cache.remember(f"k{number}", lambda: 1)
        os.utime(folder / f"k{number}.stack", (number, number))
    cache.remember("last", lambda: 1)
    kept = {file.stem for file in folder.glob("*.stack")}
    assert len(kept) == cache.STACKS.kept
    assert "last" in kept
    assert "k0" not in kept


def test_what_cannot_be_written_down_costs_nothing(folder: Path) -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert cache.remember("k", lambda: deep) is deep
    assert [*folder.iterdir()] == []


def use(name: str) -> bool:
    """Use one entry, in a process of its own."""
    return len(cache.remember(name, lambda: [Leaf(str(number), (number,)) for number in range(20_000)])) == 20_000


def test_many_processes_share_a_folder(folder: Path) -> None:
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as executor:
        assert all(executor.map(use, ["a", "b"] * 8))
    assert {file.name for file in folder.iterdir()} == {"a.stack", "b.stack"}


def test_keys_do_not_run_together() -> None:
    assert cache.key(b"ab", b"c") != cache.key(b"a", b"bc") != cache.key(b"abc")
