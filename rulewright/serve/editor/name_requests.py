"""Requests about the name at a cursor: hover, declarations and uses, renaming, completion.

In: a file and a position. Out: the answer in the form of the protocol. Names are resolved by the semantic index of the
stack; a word that it lacks, such as one in a data file, is looked up like in `explain`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from compiler.source.files import split_lines
from rulewright.serve.editor import completion as completions
from rulewright.serve.editor import renaming, symbols
from rulewright.serve.editor.cursor import CursorToken, text_before, word_at
from rulewright.serve.editor.protocol_positions import column_at, protocol_location, range_of, token_range
from rulewright.serve.editor.workspace import RULES, IndexedStack
from rulewright.system.errors import UsageError

if TYPE_CHECKING:
    from rulewright.serve.editor.server import RulesServer

OFFERED = {
    "question": lsp.CompletionItemKind.Function,
    "chart": lsp.CompletionItemKind.Struct,
    "rule": lsp.CompletionItemKind.Reference,
    "ruling": lsp.CompletionItemKind.Reference,
    "case": lsp.CompletionItemKind.Module,
    "action": lsp.CompletionItemKind.Method,
    "resolution": lsp.CompletionItemKind.Method,
    "member": lsp.CompletionItemKind.EnumMember,
    "type": lsp.CompletionItemKind.Class,
    "event": lsp.CompletionItemKind.Event,
    "what it can be": lsp.CompletionItemKind.EnumMember,
    "counter": lsp.CompletionItemKind.EnumMember,
    "function": lsp.CompletionItemKind.Function,
    "sequence": lsp.CompletionItemKind.Method,
    "record": lsp.CompletionItemKind.Struct,
    "track": lsp.CompletionItemKind.Property,
    "status": lsp.CompletionItemKind.Property,
    "relation": lsp.CompletionItemKind.Property,
    "measure": lsp.CompletionItemKind.Unit,
}
# LSP 3.17, RequestFailed: a valid request that cannot be fulfilled.
REFUSED = -32803


def add_names(server: "RulesServer") -> None:
    """Register the requests at a cursor."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        with server.names_under_cursor(params.text_document, params.position) as (path, text, indexed, names):
            if names and indexed:
                meaning: str | None = symbols.meaning_of(server.current_workspace(), indexed, path, names[0])
                word_range = range_of(names[0].span, split_lines(text))
            elif word := _word_without_index(indexed, path, text, params.position):
                meaning, word_range = server.current_workspace().explain(path, word.text), token_range(word, text)
            else:
                return None
        if not meaning:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, _fenced(meaning)), word_range)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        with server.names_under_cursor(params.text_document, params.position) as (path, text, indexed, names):
            if indexed and (
                places := symbols.declarations_at(indexed, names) or symbols.registrations_at(indexed, names)
            ):
                return [protocol_location(each, server.current_workspace()) for each in places]
            word = _word_without_index(indexed, path, text, params.position)
        place = word and server.current_workspace().declared_at(path, word.text)
        if not place:
            return []
        start = lsp.Position(place.line, 0)
        return [lsp.Location(server.current_workspace().uri_of(place.path), lsp.Range(start, start))]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        with server.names_under_cursor(params.text_document, params.position) as (_path, _text, indexed, names):
            declarations = params.context.include_declaration
            places = symbols.uses_at(indexed, names, declarations=declarations) if indexed else []
            return [protocol_location(each, server.current_workspace()) for each in places]


def _word_without_index(
    indexed: IndexedStack | None, path: Path, text: str, position: lsp.Position
) -> CursorToken | None:
    """Return the word at a position whose name the index may lack; None if it is no name.

    In a line of rules with indexed names, any other word is a keyword or part of a text.
    """
    names = (
        indexed.index.files.get(indexed.files.get(path.resolve(), ""), ()) if indexed and path.suffix == RULES else ()
    )
    before = text_before(text, position.line, position.character)
    if any(name.span.line == position.line + 1 for name in names) and before.count('"') % 2 == 0:
        return None
    return word_at(text, position.line, position.character)


def add_renaming(server: "RulesServer") -> None:
    """Register the requests for renaming."""

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def can_rename(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        with server.names_under_cursor(params.text_document, params.position) as (_path, text, indexed, names):
            if not indexed or not symbols.declarations_at(indexed, names):
                return None
            return range_of(names[0].span, split_lines(text))

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        path, text = server.read(params.text_document.uri)
        line, column = params.position.line + 1, column_at(text, params.position) + 1
        new = params.new_name.strip("'")
        workspace = server.current_workspace()
        try:
            found = renaming.rename_places(workspace, path, line, column, new)
        except UsageError as slip:
            raise JsonRpcException(str(slip), REFUSED) from None
        return lsp.WorkspaceEdit({workspace.uri_of(file): _edits(places, new) for file, places in found.items()})


def add_completion(server: "RulesServer") -> None:
    """Register the request while a user writes."""

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["."]))
    def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        path, text = server.read(params.text_document.uri)
        word = word_at(text, params.position.line, params.position.character)
        word_range = token_range(word, text) if word else lsp.Range(params.position, params.position)
        line, column = params.position.line, column_at(text, params.position)
        # Other offers are described by their types: fields after a dot, otherwise names in scope.
        start = word.start if word else column
        is_field = text_before(text, line, start).endswith(".")
        other = lsp.CompletionItemKind.Field if is_field else lsp.CompletionItemKind.Variable
        found = completions.list_offers(server.current_workspace(), path, text, line, column)
        return [
            lsp.CompletionItem(
                each.offer.word,
                kind=other if is_field else OFFERED.get(each.offer.kind, other),
                detail=each.offer.kind,
                documentation=each.offer.reads or None,
                sort_text=f"{each.rank}{index:05}",
                text_edit=lsp.TextEdit(word_range, each.offer.word),
            )
            for index, each in enumerate(found)
        ]


def _fenced(meaning: str) -> str:
    """Format the description of a name as fenced text, and the paragraph after it as fenced rules.

    Some editors highlight a fence without a language in that of the file, so that words look like keywords.
    """
    about, _, paragraph = meaning.partition("\n\n")
    return f"```text\n{about}\n```" + (f"\n```rulewright\n{paragraph}\n```" if paragraph else "")


def _edits(places: list[symbols.Location], new: str) -> Sequence[lsp.TextEdit]:
    """Return the edits that replace the names at some places."""
    return [
        lsp.TextEdit(range_of(place.span, split_lines(place.text)), renaming.name_spelling(place, new))
        for place in places
    ]
