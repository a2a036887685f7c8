"""Writes docs/touchstones.md from the list and the current rules."""

from collections.abc import Iterator
from textwrap import fill

from tests.touchstones.twelve import Touchstone, compiled, excerpt, twelve

WIDTH = 118

HEAD = """# Twelve touchstones

The language is good enough when these read naturally and nothing in Python knows about them. Each stands here with
the rules that say it, cut out of `rules/` and of `tests/touchstones/`, where a small game of our own, The Fens, holds
what no shipped game needs or says as shortly. `python3 -m tests tests/touchstones` plays their examples, takes out
each of these rules in turn to see an example fail, and compares this page with the rules.

*Elsewhere* is how three languages would say it that were made for rules of another kind: Catala for statutes, DMN for
the decisions of a business, OpenFisca for taxes and benefits. That comes from their documentation; it was not run.
"""


def page() -> str:
    """Return the text of the page."""
    return "\n".join([HEAD, *(line for one in twelve() for line in section(one))])


def section(one: Touchstone) -> Iterator[str]:
    """Yield the lines of one touchstone."""
    yield f"## {one.number}. {one.asks}\n"
    yield fill(one.reads, WIDTH) + "\n"
    for home in one.homes:
        if home.show:
            title = next(layer.title for layer in compiled(home.stack).layers if layer.name == home.stack)
            yield f"{title} (`{home.stack}`):\n"
            patches = [excerpt(home, label) for label in home.show if label.startswith("patch ")]
            rules = [excerpt(home, label) for label in home.show if not label.startswith("patch ")]
            yield "```rules\n" + "\n\n".join(rules) + "\n```\n"
            yield from (f"```yaml\n{text}\n```\n" for text in patches)
    yield fill(f"Stiff: {one.stiff}", WIDTH) + "\n"
    yield fill(f"Elsewhere: {one.elsewhere}", WIDTH) + "\n"
