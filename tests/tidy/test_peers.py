"""Every peer of the bench is registered, installed by the extra, and has its rows on the page of measurements."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.tidy.check import ROOT, check, plant

FOLDER, PAGE, PROJECT = "bench/peers", "docs/performance.md", "pyproject.toml"
# Modules that are no engines: the table of engines, and their interface.
SHARED = {"__init__", "engine"}


def unregistered(root: Path) -> Iterator[str]:
    """Find engines without an entry in `PEERS`, and entries without a package of the extra or a row of the page."""
    table = (root / FOLDER / "__init__.py").read_text(encoding="utf-8")
    peers = dict(re.findall(r'^    "([\w-]+)": (\w+),$', table, re.MULTILINE))
    for file in sorted((root / FOLDER).glob("*.py")):
        if file.stem not in SHARED | set(peers.values()):
            yield f"{FOLDER}/{file.name}: has no entry in `PEERS`"
    extras = tomllib.loads((root / PROJECT).read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    packages = {re.split(r"[^\w-]", each)[0] for each in extras["bench"]}
    page = (root / PAGE).read_text(encoding="utf-8")
    for name in peers:
        if name not in packages:
            yield f"{PROJECT}: the extra `bench` does not install `{name}`"
        if f"| {name}" not in page:
            yield f"{PAGE}: has no row for `{name}`"


def test_every_peer_is_registered() -> None:
    check(unregistered)


def test_an_unregistered_peer_is_found(tmp_path: Path) -> None:
    table = 'PEERS = {\n    "one-engine": one,\n    "two-engine": two,\n}\n'
    root = plant(tmp_path, {
        f"{FOLDER}/__init__.py": table, f"{FOLDER}/one.py": "", f"{FOLDER}/three.py": "", f"{FOLDER}/engine.py": "",
        PAGE: "| one-engine 1.0, load | |\n",
        PROJECT: '[project.optional-dependencies]\nbench = ["one-engine>=1.0"]\n',
    })  # fmt: skip
    assert [each.partition(":")[0] for each in unregistered(root)] == [f"{FOLDER}/three.py", PROJECT, PAGE]


def test_the_pattern_finds_the_peers() -> None:
    table = (ROOT / FOLDER / "__init__.py").read_text(encoding="utf-8")
    assert len(re.findall(r'^    "[\w-]+": \w+,$', table, re.MULTILINE)) > 4
