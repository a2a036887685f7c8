"""The cache on disk: concurrent runs, corrupted and forged entries, and folders that cannot be used."""

import hashlib
import hmac
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks import trace_store
from rulewright.library import cache, parse_archive
from rulewright.system import user_key
from tests.sample import LONG, sampled


@dataclass(frozen=True, slots=True)
class Leaf:
    """A node like those of compiled stacks."""

    name: str
    parts: tuple[int, ...]


MADE = {"tree": [Leaf("a", (1, 2)), Leaf("b", ())]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Store entries of the cache in a temporary folder."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def never() -> dict[str, list[Leaf]]:
    """Fail: the value should have been cached."""
    raise AssertionError("made again")


@pytest.mark.usefixtures("folder")
def test_a_cached_value_is_not_computed_again() -> None:
    assert cache.remember_result("k", lambda: MADE) == MADE
    assert cache.remember_result("k", never) == MADE


@pytest.mark.usefixtures("folder")
def test_a_value_that_is_not_worth_caching_is_computed_again() -> None:
    assert cache.remember_result("k", lambda: 1, worth=lambda value: value > 1) == 1
    assert cache.remember_result("k", lambda: 2, worth=lambda value: value > 1) == 2
    assert cache.remember_result("k", lambda: 3) == 2


@pytest.mark.parametrize("damage", [b"", b"x", b"x" * 40, None])
def test_a_corrupted_entry_is_computed_again(folder: Path, damage: bytes | None) -> None:
    cache.remember_result("k", lambda: MADE)
    [entry] = folder.glob("*.result")
    entry.write_bytes(entry.read_bytes()[:-1] if damage is None else damage)
    assert cache.remember_result("k", lambda: {"tree": []}) == {"tree": []}
    assert cache.remember_result("k", never) == {"tree": []}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="NOT CHECKED: no pipes here")
@pytest.mark.parametrize("make", [os.mkfifo, lambda place: place.symlink_to("/dev/zero"), Path.mkdir])
def test_an_entry_that_is_no_file_is_computed_again(folder: Path, make: Callable[[Path], object]) -> None:
    """A pipe does not block, and a device without end is not read."""
    cache.remember_result("k", lambda: MADE)
    [entry] = folder.glob("*.result")
    entry.unlink()
    make(entry)
    assert cache.remember_result("k", lambda: {"tree": []}) == {"tree": []}
    assert entry.is_dir() or cache.remember_result("k", never) == {"tree": []}


def test_an_unsigned_pickle_is_not_loaded(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    (folder / "k.result").write_bytes(b"\x80\x04N.")
    assert cache.remember_result("k", lambda: 5) == 5


@pytest.mark.skipif(os.name == "nt", reason="NOT CHECKED: other users cannot be told apart here")
def test_a_folder_that_others_may_write_to_is_not_used(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    cache.remember_result("k", lambda: 5)
    assert [*folder.iterdir()] == []


def test_the_least_recently_used_entries_are_evicted(folder: Path) -> None:
    for number in range(cache.RESULTS.capacity + 5):
        cache.remember_result(f"k{number}", lambda: 1)
        os.utime(folder / f"k{number}.result", (number, number))
    cache.remember_result("last", lambda: 1)
    remaining = {file.stem for file in folder.glob("*.result")}
    assert len(remaining) == cache.RESULTS.capacity
    assert "last" in remaining
    assert "k0" not in remaining


def test_a_value_that_cannot_be_pickled_is_returned_and_not_stored(folder: Path) -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert cache.remember_result("k", lambda: deep) is deep
    assert [*folder.iterdir()] == []


# ---------------------------------------------------------------- entries written by other users


class Intruder:
    """An object that runs code when it is unpickled."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.putenv, ("RULEWRIGHT_INTRUDED",)


def planted(folder: Path, name: str, sign: Callable[[bytes], bytes]) -> Path:
    """Write an entry that runs code when it is unpickled, signed by the given function."""
    folder.mkdir(mode=0o700, exist_ok=True)
    content = pickle.dumps(Intruder())
    (folder / name).write_bytes(sign(content) + content)
    return folder / name


FORGED: list[Callable[[bytes], bytes]] = [
    lambda content: hashlib.sha256(content).digest(),
    lambda content: hmac.digest(b"", b"k.result\0" + content, "sha256"),
    lambda content: hmac.digest(b"\0" * 32, b"k.result\0" + content, "sha256"),
    lambda _: b"",
]


@pytest.mark.parametrize("sign", FORGED)
@pytest.mark.parametrize("name", ["k.result", "k.card", "files.pack", "k.code"])
def test_a_forged_entry_is_deleted_and_never_unpickled(
    folder: Path, name: str, sign: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_unpickled(_: bytes) -> None:
        raise AssertionError("unpickled")

    file = planted(folder, name, sign)
    monkeypatch.setattr(cache, "unpickle_quickly", never_unpickled)
    stem, suffix = name.split(".")
    assert cache.cached_entry(stem, cache.CachePool(f".{suffix}", 5)) is None
    assert not file.exists()


def test_a_renamed_entry_is_not_loaded(folder: Path) -> None:
    cache.remember_result("k", lambda: 5)
    (folder / "k.result").rename(folder / "other.result")
    assert cache.remember_result("other", lambda: 6) == 6


@pytest.mark.skipif(os.name == "nt", reason="NOT CHECKED: other users cannot be told apart here")
def test_the_key_is_outside_the_cache_and_readable_by_the_user_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    cache.remember_result("k", lambda: 5)
    file = user_key.key_file()
    assert file.is_relative_to(tmp_path / "state")
    assert not file.is_relative_to(folder)
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(file.read_bytes()) == user_key.LENGTH
    assert cache.remember_result("k", lambda: 6) == 5
    file.chmod(0o644)
    assert cache.remember_result("k", lambda: 6) == 6
    file.chmod(0o600)
    file.write_bytes(b"another key that is also 32 long")
    assert cache.remember_result("k", lambda: 7) == 7
    file.unlink()
    os.mkfifo(file, mode=0o600)
    assert cache.remember_result("k", lambda: 8) == 8


@sampled(0)
@pytest.mark.skipif(os.name == "nt", reason="NOT CHECKED: other users cannot be told apart here")
@pytest.mark.parametrize("refused", ["folder", pytest.param("key", marks=LONG)])
def test_an_unsafe_folder_or_key_is_reported_and_nothing_is_stored(tmp_path: Path, refused: str) -> None:
    shared, state = tmp_path / "shared", tmp_path / "state"
    shared.mkdir()
    (state / "rulewright").mkdir(parents=True)
    file = state / "rulewright" / "cache.key"
    file.write_bytes(b"x" * 32)
    file.chmod(0o600 if refused == "folder" else 0o666)
    shared.chmod(0o777 if refused == "folder" else 0o700)
    root = Path(__file__).resolve().parents[2]
    data = [sys.executable, "-m", "rulewright", "test", "two_clans", "--format", "json"]
    environment = {**os.environ, "RULEWRIGHT_CACHE": str(shared), "XDG_STATE_HOME": str(state)}
    done = subprocess.run(data, capture_output=True, text=True, env=environment, cwd=root, check=False)
    json.loads(done.stdout)
    place = shared if refused == "folder" else file
    assert f"nothing is kept for the next time, and this took longer: {place}: others have access" in done.stderr
    assert [*shared.iterdir()] == []


@pytest.mark.parametrize(
    ("name_of_file", "calls"),
    [(parse_archive._name, (".memoize(",)), (trace_store._name, ("trace_store.store", ".prove("))],
)
def test_stored_results_have_the_stamp_of_the_code_that_makes_them(
    name_of_file: Callable[[], str], calls: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the next version loads what this one stored, such as words of a text that it counts differently."""
    parts: list[str] = []

    def record_parts(*names: str) -> bytes:
        parts.extend(names)
        return b""

    monkeypatch.setattr(cache, "compiler_stamp", record_parts)
    name_of_file()
    root = Path(cache.__file__).parents[2]
    callers = {
        file.relative_to(root).as_posix()
        for package in ("compiler", "rulewright/library", "rulewright/checks")
        for file in (root / package).rglob("*.py")
        if any(call in file.read_text(encoding="utf-8") for call in calls)
    }
    assert any(file.startswith("rulewright/checks/") for file in callers)
    assert [file for file in callers if not file.startswith(tuple(f"{part}/" for part in parts))] == []


@pytest.mark.usefixtures("folder")
def test_an_entry_beyond_the_limit_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.remember_result("k", lambda: MADE)
    monkeypatch.setattr(cache, "LARGEST_ENTRY", 10)
    assert cache.remember_result("k", lambda: 5) == 5


def test_keys_depend_on_the_boundaries_of_their_parts() -> None:
    assert cache.cache_key(b"ab", b"c") != cache.cache_key(b"a", b"bc") != cache.cache_key(b"abc")


def test_old_partial_files_are_deleted(folder: Path) -> None:
    cache.remember_result("k", lambda: 5)
    (folder / ".other.result.x.part").touch()
    os.utime(folder / ".other.result.x.part", (1, 1))
    cache.remember_result("k2", lambda: 5)
    assert {file.name for file in folder.iterdir()} == {"k.result", "k2.result"}


def test_another_schema_is_another_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of a schema changes the stamp of the compiler: cached files were parsed according to the schemas."""
    schemas = tmp_path / "schemas"
    schemas.mkdir()
    monkeypatch.setattr(cache, "rules_folder", lambda: tmp_path)
    monkeypatch.setattr(cache, "_stamp", cache._stamp.__wrapped__)
    before = cache.compiler_stamp()
    (schemas / "patch.schema.json").write_text("{}")
    assert cache.compiler_stamp() != before
