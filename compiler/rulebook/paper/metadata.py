"""The metadata of a PDF beside its title: authors, a description, keywords and the language.

The input is the contents of a book, and its edition; the output is the first lines of the sources for typst.
"""

from compiler.rulebook.contents import Contents
from compiler.rulebook.paper.typeset import INCLUDED_FILES, quote
from compiler.rulebook.titles import authors_of, book_title, publisher_of
from runtime.graph import words


def opening_lines(contents: Contents, edition: str) -> str:
    """Write the import of the style and the metadata of the document."""
    book = contents.book
    authors, publisher = authors_of(book), publisher_of(book)
    subjects = [contents.titles["case", section.label] for section in contents.outline]
    sentences = [
        f"Rules of play of {book_title(book)}: {edition}.",
        f"By {words.list_text(authors)}." if authors else "",
        f"Published by {publisher}." if publisher else "",
    ]
    return "\n".join([
        *(f'#import "{name}": *' for name in ("look.typ", *INCLUDED_FILES)),
        f"#set document(author: {_text_array(authors)}, description: {quote(' '.join(filter(None, sentences)))}, "
        f"keywords: {_text_array(('rules of play', book_title(book), *subjects))})",
        '#set text(lang: "en")',
    ])  # fmt: skip


def _text_array(texts: tuple[str, ...]) -> str:
    """Write a list of texts."""
    return f"({''.join(f'{quote(text)}, ' for text in dict.fromkeys(texts))})"
