"""What all tests share: `--reset` writes down again what golden tests expect; the diff is the review."""

import os
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--reset`."""
    parser.addoption("--reset", action="store_true", help="record golden outputs again instead of comparing")


def pytest_configure(config: pytest.Config) -> None:
    """Let syrupy's snapshots follow the same switch."""
    if config.getoption("--reset"):
        config.option.update_snapshots = True


@pytest.fixture
def reset(request: pytest.FixtureRequest) -> bool:
    """Tell whether golden files are to be written."""
    return bool(request.config.getoption("--reset"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what tests compile out of the user's cache; one folder for the whole run."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache"
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(folder))
    return folder
