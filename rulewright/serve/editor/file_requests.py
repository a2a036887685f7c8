"""Requests about whole files: formatting, outline, code actions, workspace symbols."""

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from compiler.source.files import split_lines
from rulewright.serve.editor.file_outline import OutlineEntry, list_headings
from rulewright.serve.editor.protocol_positions import range_of
from rulewright.serve.editor.symbols import CALLED
from rulewright.serve.editor.workspace import RULES, format_text

if TYPE_CHECKING:
    from rulewright.serve.editor.server import RulesServer

MOST_SYMBOLS = 500
NOT_LISTED = {"local", "parameter"}


def add_file_requests(server: "RulesServer") -> None:
    """Register the requests about whole files, and about all files."""

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def layout(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        path, text = server.read(params.text_document.uri)
        after = format_text(path, text)
        if after is None:
            return None
        end = lsp.Position(len(split_lines(text)) + 1, 0)
        return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), after)]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        path, text = server.read(params.text_document.uri)
        lines = split_lines(text)
        return [_symbol(each, lines) for each in list_headings(text)] if path.suffix == RULES else []

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
    def repairs(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        # The range decides: clients pass the findings they show, and some pass none or drop their data.
        return [
            lsp.CodeAction(
                f"write `{word}`",
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[each],
                is_preferred=len(words) == 1,
                edit=lsp.WorkspaceEdit({params.text_document.uri: [lsp.TextEdit(each.range, word)]}),
            )
            for each in server.published_diagnostics(params.text_document.uri, params.range)
            if isinstance(each.data, dict) and isinstance(words := each.data.get("instead"), list)
            for word in words
        ]

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def anywhere(params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        return _declared(server, params.query.lower())


def _symbol(heading: OutlineEntry, lines: list[str]) -> lsp.DocumentSymbol:
    full_range, name = range_of(heading.span, lines), range_of(heading.name_span, lines)
    children = [_symbol(each, lines) for each in heading.children]
    kind = lsp.SymbolKind[heading.symbol.capitalize()]
    return lsp.DocumentSymbol(heading.name, kind, full_range, name, detail=heading.kind, children=children)


def _declared(server: "RulesServer", query: str) -> list[lsp.SymbolInformation]:
    """Return the declarations in the stacks of open files whose names match a query."""
    found: dict[tuple[str, int, int], lsp.SymbolInformation] = {}
    for path in list(server.current_workspace().buffers):
        with server.current_workspace().index_of(path) as stack:
            if stack is None:
                continue
            for symbol in stack.index.symbols():
                sort, _, name = symbol.partition(" ")
                if sort in NOT_LISTED or query not in name.lower():
                    continue
                for each in stack.index.declarations(symbol):
                    file = stack.path_of(each.span.file)
                    if file is not None and len(found) < MOST_SYMBOLS:
                        lines = split_lines(stack.packages.library.texts[each.span.file])
                        location = lsp.Location(server.current_workspace().uri_of(file), range_of(each.span, lines))
                        container = f"{CALLED.get(sort, sort)}, {Path(each.span.file).name}"
                        info = lsp.SymbolInformation(location, name, lsp.SymbolKind.Key, container_name=container)
                        found[each.span.file, each.span.line, each.span.column] = info
    return sorted(found.values(), key=lambda each: (not each.name.lower().startswith(query), each.name))
