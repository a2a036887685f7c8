"""The lists of the view Situations: the cards that can be played, and the games that can be resumed.

In: the available packages, and files of games. Out: data. No card is compiled and no game is replayed for a list:
titles are read from declarations, and of a game its first and its last line.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from compiler.layered.layer_selection import layers_of_stack
from compiler.layered.stack_request import parse_request
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic, place_text
from compiler.source.nodes import Sides
from compiler.source.package import Library
from compiler.source.sentence import Severity
from rulewright.library.package_index import list_packages
from rulewright.library.stacks import open_packages
from rulewright.system.json_texts import decode_json
from runtime.graph import words

# The size in bytes of the end of a game's file that contains its last line.
TAIL = 20_000
MOST_GAMES = 12


def list_situations(packages: Sequence[Path], games: Sequence[Path]) -> dict[str, Any]:
    """Return the cards with the titles of their sides, the number that wait for boards, and the games, latest first."""
    library = open_packages(packages).library
    listed = [row for row in list_packages(packages).card_rows() if not row["broken"]]
    cards = [_card_data(each, library) for each in listed if not each["waits_for"]]
    known = {card["name"]: card for card in cards}
    game_data = (saved_game(file, known, library) for file in games)
    return {"cards": cards, "waiting": len(listed) - len(cards),
            "games": [each for each in game_data if each is not None][:MOST_GAMES]}  # fmt: skip


def broken_cards(packages: Sequence[Path]) -> list[dict[str, str]]:
    """Return the place and the first error of each file with cards that cannot be read."""
    library = open_packages(packages).library
    for name in library.scenarios:
        library.scenarios.get(name)
    first_errors = dict[str, Diagnostic]()
    for each in diagnose(library.scenarios.problems, library.texts):
        if each.severity is Severity.ERROR and each.spans:
            first_errors.setdefault(each.spans[0].span.file, each)
    return [{"folder": place_text(error.spans[0].span), "why": error.message} for error in first_errors.values()]


def _card_data(card: Mapping[str, Any], library: Library) -> dict[str, Any]:
    titles = _side_titles(library, str(card["stack"]))
    return {**card,
            "sides": [{"name": each, "title": titles.get(each, words.readable_name(each))} for each in card["sides"]],
            "rules_title": rules_title(library, str(card["stack"]))}  # fmt: skip


def rules_title(library: Library, stack: str) -> str:
    """Return the title of a stack, composed of those of its layers."""
    named = parse_request(stack).layers
    titles = [str(library.layers[each].title or words.readable_name(each)) for each in named if each in library.layers]
    off = [f"without {library.layers[name].title or words.readable_name(name)}"
           for name in parse_request(stack).excluded_names if name in library.layers]  # fmt: skip
    chosen = [
        words.readable_name(reading) for name, reading in parse_request(stack).readings if name not in library.layers
    ]
    return ", ".join((*titles, *chosen, *off)) or stack


def _side_titles(library: Library, stack: str) -> dict[str, str]:
    """Return the titles of the sides that the layers of a stack declare; only files that declare sides are parsed."""
    layers = layers_of_stack(library, stack)
    found: dict[str, str] = {}
    for layer in layers:
        for file in library.files[layer.name.text]:
            content = library.texts.content(file)
            if content.problems or not file.name.endswith(".rules") or "\nside " not in f"\n{content.text}":
                continue
            declared = (
                statement for statement in content.rules(layer.name.text)[0].statements if isinstance(statement, Sides)
            )
            found |= {item.name.text: item.reads or words.readable_name(item.name.text) for each in declared
                      for item in each.items}  # fmt: skip
    return found


def saved_game(file: Path, cards: Mapping[str, Any], library: Library) -> dict[str, Any] | None:
    """Return a game as data, from its file; None if it is malformed, or if its card is unknown."""
    try:
        with file.open("rb") as opened:
            heading = decode_json(opened.readline(TAIL))
            begins = opened.tell()
            opened.seek(max(begins, file.stat().st_size - TAIL))
            lines = opened.read(TAIL).splitlines()
        card = cards[heading["scenario"]]
        stack = str(heading["stack"])
        players = {str(side): str(player) for side, player in heading["players"].items()}
        changed = file.stat().st_mtime
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    last = next((found for line in reversed(lines) if (found := _choice(line))), {})
    return {
        "name": file.stem,
        "title": card["title"],
        "turn": last.get("turn", 1),
        "turns": card["turns"],
        "over": last.get("what") == "result",
        "sides": [{"title": each["title"], "player": players.get(each["name"], "")} for each in card["sides"]],
        "rules": "" if stack == card["stack"] else rules_title(library, stack),
        "changed": changed,
    }


def _choice(line: bytes) -> dict[str, Any]:
    """Parse a line with a turn; {} for others, and for an incomplete one."""
    try:
        found = decode_json(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) and isinstance(found.get("turn"), int) else {}
