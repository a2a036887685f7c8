"""Adapters by their entry points, those of this clone and of installed packages alike.

A clone is used without being installed, and an installed one may be older than its sources: where Rulewright runs from
a clone, its own entry points are read from `pyproject.toml`, otherwise from the metadata of the installed package.
"""

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from rulewright.system.environment import PYPROJECT, read_project
from rulewright.system.errors import UsageError

AdapterT = TypeVar("AdapterT")

OWN_NAME = "rulewright"


def find_entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, those of other packages first, in the order of their names."""
    installed = sorted(entry_points(group=group), key=lambda entry: entry.name)
    shipped = _entry_points_of_clone(group)
    if shipped is None:
        shipped = [entry for entry in installed if _is_own(entry)]
    return [*(entry for entry in installed if not _is_own(entry)), *shipped]


def load_adapters(group: str, kind: type[AdapterT]) -> Iterator[AdapterT]:
    """Yield the adapters of a group; `UsageError` for one that cannot be loaded, or is not of its kind."""
    for entry in find_entry_points(group):
        whose = f"`{entry.name}` ({entry.value}), an entry point of `{group}`"
        try:
            adapter = entry.load()
        except (ImportError, AttributeError) as error:
            raise UsageError(f"{whose}, cannot be loaded: {error}") from None
        if not isinstance(adapter, kind):
            raise UsageError(f"{whose}, is no {kind.__name__}")
        yield adapter


def _is_own(entry: EntryPoint) -> bool:
    return entry.dist is not None and entry.dist.name == OWN_NAME


def _entry_points_of_clone(group: str) -> list[EntryPoint] | None:
    """Return the entry points in the project file of the clone, by name; None if this is no clone."""
    if not PYPROJECT.is_file():
        return None
    named = read_project()["entry-points"].get(group, {})
    return [EntryPoint(name, value, group) for name, value in sorted(named.items())]
