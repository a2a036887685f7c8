"""Titles of a book: in full, and where space is limited."""

from runtime.graph import nodes as graph
from runtime.graph import words

MOST_LETTERS = 44
FEWEST_COUNTED_OPTIONS = 2  # options; the title of a single one tells a book from those of other options


def book_title(book: graph.Graph) -> str:
    """Return the title of the book: that of its situation card, or its highest base layer and the options on it."""
    if book.scenario is not None:
        return book.scenario.title or words.readable_name(book.scenario.name)
    return stack_title(book, book.stack)


def stack_title(book: graph.Graph, stack: str) -> str:
    """Return the title of a stack of layers in a book."""
    name, *options = stack.split("+")
    titles = {layer.name: layer.title for layer in book.layers}
    added_options, removed_options = (
        [option for option in options if option.endswith("=off") is off] for off in (False, True)
    )
    title = titles.get(name, "") or _spelled(name)
    if options:
        title = _without_apposition(title)
    if added_options:
        option_titles = [titles.get(option, "") or _spelled(option) for option in added_options]
        title += f", with {words.list_text([each.removesuffix(f' in {title}') for each in option_titles])}"
    if removed_options:
        title += f", without {words.list_text([_spelled(option) for option in removed_options])}"
    return title


def short_title(book: graph.Graph) -> str:
    """Return the title of the book for limited space: several options are only counted if their titles are long."""
    title = book_title(book)
    name, *options = book.stack.split("+")
    if book.scenario is not None or len(title) < MOST_LETTERS or len(options) < FEWEST_COUNTED_OPTIONS:
        return title
    titles = {layer.name: layer.title for layer in book.layers}
    base_title = _without_apposition(titles.get(name, "") or _spelled(name))
    return f"{base_title} with {words.counted_noun(len(options), 'option')}"


def _without_apposition(title: str) -> str:
    """Return a title up to its first comma: what follows describes the game by itself, not with options."""
    return title.partition(", ")[0]


def authors_of(book: graph.Graph) -> tuple[str, ...]:
    """Return the authors of the rules, layer by layer."""
    return tuple(dict.fromkeys(author for layer in book.layers for author in layer.authors))


def publisher_of(book: graph.Graph) -> str:
    """Return the publisher of the rules, as declared by the highest layer."""
    return next((layer.publisher for layer in reversed(book.layers) if layer.publisher), "")


def _spelled(name: str) -> str:
    return words.readable_name(name.partition("=")[0]).title()
