"""Search the books of all available games for a query without a game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from compiler.rulebook.index.ranking import SearchIndex
from rulewright.library.stacks import games_in, open_packages
from rulewright.views.book_places import book_index, options_text, place_lines, places_page
from rulewright.views.options_about import stacks_about
from runtime.graph import words

# The most places per game; a query with the name of the game returns more.
PLACES_PER_GAME = 2


def games_about(query: str, packages: Sequence[Path]) -> dict[str, Any]:
    """Return the best places of each game whose book contains all words, and its options that match.

    Games that lack a word and have no matching option are listed, and those with errors.
    """
    package_set = open_packages(packages)
    found: list[dict[str, Any]] = []
    lack: list[str] = []
    broken: list[str] = []
    for name in games_in(package_set.library):
        stack = package_set.compiled(name)
        if stack.is_broken or stack.graph is None:
            broken.append(name)
            continue
        index = book_index(stack)
        page = places_page(stack, index, query) if _has_all(index, query) else None
        places = page["places"] if page else []
        places_with_text = [place for place in places if place["text"]] or places
        if (options := stacks_about(stack, index, query)) or places_with_text:
            found.append({"stack": name, "places": places_with_text[:PLACES_PER_GAME], "options": options})
        else:
            lack.append(name)
    return {"words": query, "games": found, "without": lack, "broken": broken}


def _has_all(index: SearchIndex, query: str) -> bool:
    return not index.unknown_words(query) and not index.substituted_words(query)


def games_text(page: dict[str, Any]) -> str:
    """Format the places by game, and the games without matches."""
    lines = [f"“{page['words']}” in the games in reach, the best places of each:"]
    for game in page["games"]:
        lines += ["", game["stack"]]
        for place in game["places"]:
            lines += place_lines(place, "  ")
        if game["options"]:
            lines += [f"  {line}" for line in options_text(game["options"])]
    if page["without"]:
        lines += [
            "",
            f"Neither the books nor the options of {words.list_text(page['without'])} have all of these words.",
        ]
    if page["broken"]:
        lines += ["", f"Not looked at, as they have errors: {words.list_text(page['broken'])}."]
    if page["games"]:
        lines += ["", f"To see more of one: rulewright explain {page['games'][0]['stack']} '{page['words']}'"]
    return "\n".join(lines)
