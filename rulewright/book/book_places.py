"""Full-text search in the book of a stack."""

import textwrap

from compiler.report.bounded import truncated_text
from compiler.rulebook.contents import Contents
from compiler.rulebook.index.index_row import IndexRow
from compiler.rulebook.index.index_rows import list_index_rows, other_words
from compiler.rulebook.index.places import BENEATH, QueryResult
from compiler.rulebook.index.ranking import SearchIndex
from rulewright.book.book_evidence import unplayed_examples
from rulewright.explain.finder.find import unanswered_rows
from rulewright.explain.finder.row import numbered_lines
from rulewright.explain.views.pages import explain_page
from rulewright.library import cache
from rulewright.library.stacks import Stack
from runtime.graph import words
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import listing, reply_block
from runtime.graph.records.explaining import PlaceRecord, PlaceRowRecord, PlacesRecord

MOST_PLACES_SHOWN = 5
BEST = 3  # places that a message names
LONGEST_EXCERPT = 400  # The length of an excerpt: a sequence of play fills a page, and is shown whole under its name.


def book_index(stack: Stack) -> SearchIndex:
    """Build the index of the book of a stack, with its examples as written."""
    assert stack.graph
    rules = stack.graph

    def build() -> SearchIndex:
        contents = Contents(rules, unplayed_examples(stack), None)
        return SearchIndex(tuple(list_index_rows(contents)), other_words(contents))

    # The graph lacks the examples of stacks below, of which the texts are a part of the key.
    texts = (part.encode() for item in sorted(stack.library.texts.items()) for part in item)
    stamp = cache.compiler_stamp("runtime/graph", "compiler", "rulewright")
    return cache.remember_deferred(cache.cache_key(b"index", stamp, rules.hash.encode(), *texts), build, bool)


def places_page(stack: Stack, index: SearchIndex, query: str) -> PlacesRecord | None:
    """Return the page of the places that match a query, ranked as in the printed book; None if there is none.

    `best` is the label of the first place that has a page of `explain`, "" if there is none.
    """
    places = index.find(query)
    if not places:
        return None
    labels = (_row(row, place)["label"] for place in places[:MOST_PLACES_SHOWN] for row in place.rows)
    named = (label for label in labels if label and explain_page(stack, label) is not None)
    return {
        "words": query,
        "stack": stack.name,
        "found": len(places),
        "unknown": index.unknown_words(query),
        "read": index.substituted_words(query),
        "best": next(named, ""),
        "places": [_data_of(place) for place in places[:MOST_PLACES_SHOWN]],
    }


def with_questions(stack: Stack, page: PlacesRecord, query: str) -> PlacesRecord:
    """Add to a page the `rows` of the questions of the rules that words may mean; no position answers them."""
    rows = unanswered_rows(stack.rules, query)
    return {**page, "rows": [row.data for row in rows]} if rows else page


def best_places(stack: Stack, query: str) -> str:
    """Format the best places that match a query by number, title and label; "" if there is none."""
    places = book_index(stack).find(query)[:BEST]
    found = (_row(place.head, place) for place in places)
    return "; ".join(" ".join(filter(None, (row["number"], row["title"], f"({row['label']})"))) for row in found)


def _data_of(place: QueryResult) -> PlaceRecord:
    beneath = [row for row in place.rows if row is not place.head]
    return {**_row(place.head, place), "beneath": [_row(row, place) for row in beneath[:BENEATH]]}


def _row(row: IndexRow, place: QueryResult) -> PlaceRowRecord:
    return {
        "sort": row.sort.lower(),
        "number": row.number,
        "title": row.title,
        "label": row.address.partition("#")[2],
        "text": " ".join((row.words or row.logic).split()),
        "found_by": place.found_by.get(row.address, ""),
    }


def places_block(page: PlacesRecord) -> DocumentBlock:
    """Show the places, with the command that shows the first, and the questions of the rules."""
    count = f"the best {len(page['places'])} of {page['found']} places"
    head = f"“{truncated_text(page['words'])}” in {page['stack']}, "
    head += f"{count}:" if page["found"] > len(page["places"]) else "in the book:"
    message = ""
    if missing := [*page["unknown"], *page["read"]]:
        missing_words = words.list_text([f"`{word}`" for word in missing], "or")
        read = [f"`{word}` is read as {_substitutes_text(substitutes)}." for word, substitutes in page["read"].items()]
        message = " ".join([f"Nothing in this book says {missing_words}.", *read])
    lines = [listing(place_text(place), map(place_text, place["beneath"])) for place in page["places"]]
    blocks = [reply_block(*lines)]
    if page["best"]:
        blocks.append(reply_block(f"To read one whole: rulewright explain {page['stack']} {page['best']}"))
    if rows := page.get("rows"):
        answered = f"`ask {page['stack']} -p POSITION` answers them about the pieces of a file"
        blocks.append(reply_block(f"Questions of the rules; {answered}:", *numbered_lines(rows)))
    return reply_block(head, message, blocks=blocks)


def _substitutes_text(substitutes: tuple[str, ...]) -> str:
    return words.list_text([f"`{word}`" for word in substitutes], "or")


def place_text(row: PlaceRowRecord) -> str:
    """Format a place: its number and title, its kind, and its text."""
    head = " ".join(filter(None, (row["number"], row["title"])))
    text = textwrap.shorten(row["text"], LONGEST_EXCERPT, placeholder=" …") if row["text"] else "…"
    if row["found_by"]:
        text += f" Found by: “{row['found_by']}”."
    return f"{head} ({row['sort']}): {text}"
