"""What each printer makes of the small book, as lines that a person can compare.

In: the folder of a package with the game `toy`. Out: texts by the names of golden files.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib  # type: ignore[import-untyped]  # it has no types
import pytest

from compiler.rulebook.contents import Contents
from compiler.rulebook.titles import book_title
from rulewright.book.book_evidence import gather_evidence
from rulewright.book.book_files import Edition, typeset_edition
from rulewright.library.cache import cache_folder
from rulewright.library.stacks import load_from, open_packages
from rulewright.serve.cli.app import run

# Elements that stand in a line of their own; others stay within the line of the one around them.
BLOCKS = {
    "article", "aside", "dd", "details", "div", "dt", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "li",
    "main", "nav", "p", "pre", "section", "summary", "td", "th", "tr",
}  # fmt: skip
SKIPPED = {"script", "style", "svg", "head"}
HASH = re.compile(r"\b[0-9a-f]{16,64}\b")


def html_lines(text: str) -> Iterator[str]:
    """Yield the blocks of the main part of a page: the element, its class, and its words."""
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    main = next(tree.iter("main"), tree)
    yield from _block_lines(main, 0)


def _block_lines(element: Element, depth: int) -> Iterator[str]:
    name, kind = element.tag, element.get("class", "")
    words = " ".join("".join(_inline_words(element)).split())
    if words:
        yield f"{'  ' * depth}{name}{f'.{kind}' if kind else ''}: {words}"
    for child in element.iter():
        if child is not element and child.tag in BLOCKS and _block_above(element, child) is element:
            yield from _block_lines(child, depth + 1)


def _block_above(root: Element, wanted: Element) -> Element:
    """Return the innermost block of a tree that contains an element."""
    parents = {child: parent for parent in root.iter() for child in parent}
    above = parents[wanted]
    while above is not root and above.tag not in BLOCKS:
        above = parents[above]
    return above


def _inline_words(element: Element) -> Iterator[str]:
    """Yield the words of an element that stand in no block within it."""
    yield element.text or ""
    for child in element:
        if child.tag in BLOCKS:
            yield " "
        elif isinstance(child.tag, str) and child.tag not in SKIPPED:
            yield from _inline_words(child)
        yield child.tail or ""


def site_pages(book: Path) -> dict[str, str]:
    """Return the pages of a site and of its wiki, without those that only lead to others."""
    texts = {str(file.relative_to(book)): file.read_text() for file in sorted(book.rglob("*.html"))}
    pages = html_pages(texts, "site")
    wiki = {f"wiki-{file.stem}.md": file.read_text() for file in sorted((book / "wiki").glob("*.md"))}
    return {**pages, **{name: text.rstrip() + "\n" for name, text in wiki.items()}}


def html_pages(texts: dict[str, str], prefix: str) -> dict[str, str]:
    """Return the lines of pages by the names of golden files, without pages that only lead to others."""
    return {
        f"{prefix}-{'-'.join(Path(path).with_suffix('').parts)}.txt": "\n".join(html_lines(text)).rstrip() + "\n"
        for path, text in texts.items()
        if path.endswith(".html") and "go" not in Path(path).parts
    }


def typeset_pages(packages: Path) -> dict[str, str]:
    """Return the Typst sources of each edition of the book."""
    package_set = open_packages([packages])
    stack = load_from(package_set, "toy")
    return typst_sources(Contents(stack.rules, gather_evidence(package_set, stack).outcomes, None), "paper")


def typst_sources(contents: Contents, prefix: str) -> dict[str, str]:
    """Return the Typst sources of each edition of a book by the names of golden files."""
    pages: dict[str, str] = {}
    for edition in Edition:
        sources = typeset_edition(contents, book_title(contents.book), edition)
        if sources is not None:
            pages[f"{prefix}-{edition}.typ"] = sources["main"].decode().rstrip() + "\n"
    return pages


def command_data(commands: dict[str, str], packages: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """Return the text and the JSON of commands by name."""
    pages: dict[str, str] = {}
    for name, line in commands.items():
        for form, suffix in (("text", "txt"), ("json", "json")):
            run([*line.split(), "--format", form])
            # A path near the working directory is printed relative to it.
            folders = {
                str(packages): "PACKAGES",
                os.path.relpath(packages): "PACKAGES",
                str(packages.parent): "HERE",
                str(cache_folder()): "CACHE",
            }
            printed = capsys.readouterr().out
            for folder, name_in_golden in folders.items():
                printed = printed.replace(folder, name_in_golden)
            pages[f"command-{name}.{suffix}"] = stable(printed, form)
    return pages


def stable(printed: str, form: str) -> str:
    """Return output without what differs between runs: digests, which change with every module."""
    text = json.dumps(_without_digests(json.loads(printed)), indent=1) if form == "json" and printed else printed
    return "\n".join(line.rstrip() for line in HASH.sub("DIGEST", text).rstrip().split("\n")) + "\n"


def _without_digests(value: Any) -> Any:
    match value:
        case dict():
            return {key: _without_digests(inner) for key, inner in value.items()}
        case list():
            return [_without_digests(inner) for inner in value]
        case str():
            return HASH.sub("DIGEST", value)
        case _:
            return value
