"""Accessors for foreign trees that record a note for each malformed part."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from compiler.report.diagnose import diagnose
from compiler.source.files import PackageFile, normalized_text, read_text
from compiler.source.finding import Finding
from compiler.source.findings.files import MissingFile, OutsidePackage
from compiler.source.nodes import Scalar, Value, ValueList, ValueMap, Word
from compiler.source.span import Span
from compiler.source.yaml_reader import read_yaml, value_phrase
from rulewright.exchange.notes import Notes

ValueT = TypeVar("ValueT", ValueList, ValueMap)

# A path such as rules/x.yaml is displayed only; no file is read by it.
LARGEST_NUMBER = 10_000
MOST_TREE_FILES = 2_000


class SkipPart(Exception):  # noqa: N818 control flow within one document: it is noted and left out
    """A part that cannot be used; the reason has been noted."""


def read_documents(file: PackageFile, notes: Notes) -> tuple[ValueMap, ...]:
    """Return the documents of a YAML file that are maps; others are noted."""
    text = _read_foreign_text(file, notes)
    if text is None:
        return ()
    trees, file_problems = read_yaml(text, file.name)
    _note_problems(file_problems, {file.name: text}, file, notes)
    if not trees and not file_problems:
        notes.add_invalid(file.span, file.path.name, "nothing stands in this file")
    for tree in trees:
        if not isinstance(tree, ValueMap):
            notes.add_invalid(tree.span, file.path.name, f"keys and values should stand here, not {value_phrase(tree)}")
    return tuple(tree for tree in trees if isinstance(tree, ValueMap))


def _read_foreign_text(file: PackageFile, notes: Notes) -> str | None:
    """Read a foreign text and normalize its line ends; None, with a note, if it cannot be read."""
    text, unread = read_text(file)
    _note_problems(unread, {}, file, notes)
    return None if unread else normalized_text(text)


def _note_problems(file_problems: tuple[Finding, ...], texts: dict[str, str], file: PackageFile, notes: Notes) -> None:
    """Record the problems that the readers of our own formats report as notes."""
    for found in diagnose(file_problems, texts):
        span = found.spans[0].span if found.spans else file.span
        reason = f" ({found.spans[0].text})" if found.spans and found.spans[0].text else ""
        notes.add_invalid(span, file.path.name, f"{found.message}{reason}")


def files_in(paths: Iterable[Path], root: Path, notes: Notes) -> Iterator[PackageFile]:
    """Yield files with their names relative to the imported folder; a link that leads out of it is noted instead."""
    root_folder, every = root.resolve(), sorted(paths)
    if len(every) > MOST_TREE_FILES:
        place = Span(root.name, 1, 1, 1, 2)
        notes.add_invalid(place, root.name, f"{len(every)} files; those after the first {MOST_TREE_FILES} are not read")
    for path in every[:MOST_TREE_FILES]:
        file, target = PackageFile(path, path.relative_to(root).as_posix()), Path(os.path.realpath(path))
        if not target.is_relative_to(root_folder):
            _note_problems((OutsidePackage(file.span, str(target)),), {}, file, notes)
        elif not target.is_file():
            # Opening a pipe would block.
            _note_problems((MissingFile(file.span, file.name, "not a file"),), {}, file, notes)
        else:
            yield file


def files_ending(folder: Path, endings: tuple[str, ...]) -> list[Path]:
    """Return the files below a folder with one of some suffixes, ignoring case; hidden files are excluded."""
    every = folder.rglob("*") if folder.is_dir() else ()
    return [
        path
        for path in every
        if path.suffix.lower() in endings and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def find_entry(tree: Value | None, key: str) -> Value | None:
    """Return the value of a key; None if it is missing or the tree is not a map."""
    if not isinstance(tree, ValueMap):
        return None
    return next((value for word, value in tree.entries if word.text == key), None)


def text_at(tree: ValueMap, key: str, notes: Notes, default: str | None = None) -> str:
    """Return the scalar at a key, or `default` if it is missing; `SkipPart`, with a note, if there is neither."""
    value = find_entry(tree, key)
    if isinstance(value, Scalar) and (value.text or default is not None):
        return value.text
    if value is None and default is not None:
        return default
    notes.add_invalid(
        value.span if value else tree.span, key, f"a word should stand here, not {_description_of(value)}"
    )
    raise SkipPart


def number_at(tree: ValueMap, key: str, notes: Notes, default: int | None = None) -> int:
    """Return the integer at a key, or `default` if it is missing; `SkipPart`, with a note, if there is neither."""
    value = find_entry(tree, key)
    if value is None and default is not None:
        return default
    found = whole_number(value)
    if found is not None:
        return found
    notes.add_invalid(
        value.span if value else tree.span, key, f"a whole number should stand here, not {_description_of(value)}"
    )
    raise SkipPart


def whole_number(value: Value | None) -> int | None:
    """Parse an integer; None if the value is none, or exceeds the limit."""
    if not isinstance(value, Scalar) or not value.text.removeprefix("-").isdecimal() or len(value.text) > 6:
        return None
    number = int(value.text)
    return number if abs(number) <= LARGEST_NUMBER else None


def list_at(tree: ValueMap, key: str, notes: Notes) -> tuple[Value, ...]:
    """Return the list at a key, empty if it is missing; `SkipPart`, with a note, if it is no list."""
    value = _value_at(ValueList, "a list", tree, key, notes)
    return () if value is None else value.items


def map_at(tree: ValueMap, key: str, notes: Notes) -> tuple[tuple[Word, Value], ...]:
    """Return the entries of the map at a key, empty if it is missing; `SkipPart`, with a note, if it is no map."""
    value = _value_at(ValueMap, "keys and values", tree, key, notes)
    return () if value is None else value.entries


def _value_at(kind: type[ValueT], expected: str, tree: ValueMap, key: str, notes: Notes) -> ValueT | None:
    value = find_entry(tree, key)
    if value is None or isinstance(value, kind):
        return value
    notes.add_invalid(value.span, key, f"{expected} should stand here, not {value_phrase(value)}")
    raise SkipPart


def listed_words(value: Value | None) -> Iterator[tuple[str, Span]]:
    """Yield the scalars of a list, or a single scalar, with their spans."""
    match value:
        case Scalar(text=text, span=span):
            yield text, span
        case ValueList(items=items):
            for item in items:
                if isinstance(item, Scalar):
                    yield item.text, item.span
        case _:
            pass


def _description_of(value: Value | None) -> str:
    """Describe a value for a note that expected another one; "nothing" for None."""
    return "nothing" if value is None else value_phrase(value)
