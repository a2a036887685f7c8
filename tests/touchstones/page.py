"""Writes docs/touchstones.md from the list and the current rules."""

from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

from tests.touchstones.twelve import Home, Touchstone, excerpt, twelve

ROOT = Path(__file__).parents[2]
WIDTH = 118
SHORTEST = 3  # A paragraph of fewer lines is a declaration that tells nothing by itself.

HEAD = """# Twelve touchstones

The language is good enough when these read naturally and nothing in Python knows about them. Of each stands here one
paragraph of the rules that say it, cut out of `rules/` and of `tests/touchstones/`, where a small game of our own, The
Fens, holds what no shipped game needs or says as shortly; the others are named below it. `python3 -m tests
tests/touchstones` plays their examples, takes out each of these rules in turn to see an example fail, and compares this
page with the rules.
"""


def page() -> str:
    """Return the text of the page."""
    return "\n".join([HEAD, *(line for touchstone in twelve() for line in section(touchstone))])


def section(touchstone: Touchstone) -> Iterator[str]:
    """Yield the lines of one touchstone: what it asks, how it reads, one paragraph, the names of the others."""
    home, label = shortest(touchstone)
    yield f"## {touchstone.number}. {touchstone.asks}\n"
    yield fill(touchstone.reads, WIDTH) + "\n"
    yield f"```{'yaml' if label.startswith('patch ') else 'rules'}\n{excerpt(home, label)}\n```\n"
    yield fill("; ".join(places(touchstone, home, label)), WIDTH, break_on_hyphens=False) + "\n"


def shortest(touchstone: Touchstone) -> tuple[Home, str]:
    """Return the shortest paragraph of a touchstone that is more than a declaration, and its home."""
    paragraphs = [(home, label) for home in touchstone.homes for label in home.show]
    sizes = {paragraph: excerpt(*paragraph).count("\n") + 1 for paragraph in paragraphs}
    telling = [paragraph for paragraph in paragraphs if sizes[paragraph] >= SHORTEST]
    return min(telling or paragraphs, key=sizes.__getitem__)


def places(touchstone: Touchstone, home: Home, label: str) -> Iterator[str]:
    """Yield where the paragraph stands, and where the others do that belong to it."""
    yield f"From {linked(home.stack)}"
    for other in touchstone.homes:
        names = [f"`{name}`" for name in other.show if (other, name) != (home, label)]
        if names:
            yield f"{', '.join(names)} in {linked(other.stack)}"


def linked(stack: str) -> str:
    """Return the name of a stack with a link to its reference page, or to its folder if it is no shipped one."""
    page_path = ROOT / "docs" / "reference" / f"{stack}.md"
    target = f"reference/{stack}.md" if page_path.exists() else f"../tests/touchstones/{stack}"
    return f"[{stack}]({target})"
