"""`rulewright explain R0312`: the page of a code; `explain STACK NAME`: a paragraph; or places, by any words."""

from pathlib import Path
from typing import Annotated, cast

import typer

from rulewright.serve.cli.arguments import searched_words
from rulewright.serve.cli.console import Reply
from runtime.graph.document_lines import drawn_lines, reply_block
from runtime.graph.records.explaining import CodePageRecord, ExplainedNameRecord, PlacesRecord

# The first keys of pages of paragraphs.
LABELED = {"rule", "ruling", "dispute"}
_NOT_SEARCHED = ", and its book is not searched for words as frequent as these"


def explain(
    what: Annotated[
        str,
        typer.Argument(metavar="CODE|STACK", help="A code such as R0312; or a stack, with NAME or WORDS."),
    ],
    packages: list[Path],
    label: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME|WORDS]",
            help="A label such as open-ground; a question, chart, procedure, status or item of a source; the number "
            "of a rule in the book; or any words.",
        ),
    ] = None,
) -> Reply[CodePageRecord] | Reply[ExplainedNameRecord] | Reply[PlacesRecord]:
    """Explain a code of `check`, or anything with a name in a stack.

    It prints the source, and what depends on it.

    Example: rulewright explain panzer_leader crowded-road
    """
    from compiler.rulebook.index.ranking import SearchIndex
    from rulewright.book.book_places import (
        best_places,
        book_index,
        places_block,
        places_page,
        with_questions,
    )
    from rulewright.explain.views.code_page import code_page, is_code
    from rulewright.explain.views.declaration_text import declaring_layers
    from rulewright.explain.views.pages import explain_page, is_probable_name, missing_name_message, page_block
    from rulewright.library.stacks import load_stack
    from rulewright.serve.cli.findings import page_with_paths
    from rulewright.system.errors import UsageError

    query = searched_words(" ".join(label or ()))
    if not query:
        page = code_page(searched_words(what), packages)
        if page is None:
            raise UsageError(f"`{what}` is no code; what has a name or words needs its stack: `explain STACK {what}`")
        record: CodePageRecord = {"code": what.upper(), "page": page}
        return Reply(record, lambda record: reply_block(*drawn_lines(record["page"])))
    if is_code(what):
        raise UsageError(f"`{what}` is a code and stands alone: `explain {what}`")
    loaded = load_stack(what, packages)
    rules = loaded.rules
    data = explain_page(loaded, query)
    if data is not None:
        if query.isalpha() and next(iter(data)) not in LABELED and (places := best_places(loaded, query)):
            data["book"] = places  # A name of the rules may be an ordinary word of the book, too.
        return Reply(
            cast("ExplainedNameRecord", data), lambda data: page_block(page_with_paths(data, loaded.texts), rules)
        )
    # A text in the form of a name is no query for the book.
    index = SearchIndex((), ()) if is_probable_name(loaded, query) else book_index(loaded)
    found = places_page(loaded, index, query)
    if found is not None and {*found["unknown"], *found["read"]} == {query} and declaring_layers(loaded.library, query):
        found = None  # The query is a name that a layer outside this stack declares.
    if found is None:
        searched = bool(index.unknown_words(query) or index.stems_of(query))
        about_book = ", and nothing in its book says a word of it" if searched else _NOT_SEARCHED
        raise UsageError(missing_name_message(loaded, rules, query, about_book))
    return Reply(with_questions(loaded, found, query), places_block)
