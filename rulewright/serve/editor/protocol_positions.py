"""Conversion of spans to positions of the Language Server Protocol: zero-based, columns in UTF-16 units."""

from pathlib import Path

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from compiler.source.files import split_lines
from compiler.source.span import Span
from rulewright.serve.editor.cursor import CursorToken, line_at, to_characters, to_units
from rulewright.serve.editor.symbols import Location
from rulewright.serve.editor.workspace import EditorWorkspace

PART_SIGNS = {ord(sign): f"%{ord(sign):X}" for sign in "#?;"}


def range_of(span: Span, lines: list[str]) -> lsp.Range:
    """Return the range of a span."""

    def position(line: int, column: int) -> lsp.Position:
        return lsp.Position(line - 1, to_units(lines[line - 1], column - 1) if line <= len(lines) else 0)

    return lsp.Range(position(span.line, span.column), position(span.end_line, span.end_column))


def token_range(token: CursorToken, text: str) -> lsp.Range:
    """Return the range of a word."""
    line = line_at(text, token.line)
    start, end = to_units(line, token.start), to_units(line, token.end)
    return lsp.Range(lsp.Position(token.line, start), lsp.Position(token.line, end))


def protocol_location(place: Location, workspace: EditorWorkspace) -> lsp.Location:
    """Return the protocol's form of a location."""
    return lsp.Location(workspace.uri_of(place.path), range_of(place.span, split_lines(place.text)))


def column_at(text: str, position: lsp.Position) -> int:
    """Return the zero-based column of a position in characters."""
    return to_characters(line_at(text, position.line), position.character)


def path_of(uri: str) -> Path | None:
    """Return the real path of the file of a URI; None if it is none, or if no file can have this path.

    Some clients do not escape signs that end the path of other URIs.
    """
    place = to_fs_path(uri.translate(PART_SIGNS))
    try:
        return Path(place).resolve() if place else None
    except (OSError, ValueError, RuntimeError):  # A NUL; links in a circle.
        return None
