"""The help page, for a screen of any width."""

from collections.abc import Callable, Iterable

from rich.console import Group, RenderableType
from rich.table import Table

FIRST = "Type what you want to do: an action, a piece, a hex, or the number beside it; several in one line."
SAYING = (
    ("ACTION PIECE HEX", "an action (`fire`, or all it is called), then what it asks for, in any order"),
    ("PIECE HEX", "the same: whatever can be done with that piece and that hex"),
    ("move PIECE HEX", "all the way, by the cheapest route; it says what is left"),
    ("HEX HEX .", "go on, hex by hex, with the piece named last; `.` (or `end`) when there is no more of this"),
    ("COUNTER", "any of several alike; a hex also names the piece that stands there"),
    ("PIECE PIECE", "for a set, all of it in one line; `all` for all of them"),
)
THEN = "Nothing of a line is done unless all of it can be done; a line never reaches past a die."
COMMANDS = (
    ("why PIECE HEX", "why that is not open: the rule, its paragraph, and what is in its way"),
    ("open PIECE", "what is open to a piece: hexes and what they cost, targets and their odds, what is not and why"),
    ("what would allow PIECE HEX", "the smallest changes of the position with which it would be open, each tried"),
    ("look HEX", "what is in a hex; `look PIECE`: all about a piece"),
    ("units", "your pieces, and what you see of the others'; `units SIDE`"),
    ("notes", "what the game and its sides keep: stores, scores, your own cards"),
    ("map", "the map; `map HEX` around a hex that is too far off the screen"),
    ("aims", "the victory conditions of each side, and the level that it has at present"),
    ("log", "what happened in this phase and since you were asked before it; `log all` since the beginning"),
    ("list", "what is open, every option with its number"),
    ("hint", "what the greedy player would do, as one could type it"),
    ("auto", "let the greedy player finish this phase for you, such as a long set-up"),
    ("undo", "undo your last line (in this phase, never across a die or a secret)"),
    ("draw FILE.svg", "draw the position; `.png` needs the extra `pictures`"),
    ("save FILE", "copy the game so far; it is written down as it goes anyhow"),
    ("quit", "leave; `play --resume` goes on from here"),
)


def help_page(of_map: Callable[[str], str]) -> RenderableType:
    """Format the help page: inputs beside their effects. `of_map` substitutes the game's terms for parts of the map."""
    return Group(
        of_map(FIRST), "", _two_column_table(SAYING, of_map), "", THEN, "", _two_column_table(COMMANDS, of_map), ""
    )


def _two_column_table(rows: Iterable[tuple[str, str]], of_map: Callable[[str], str]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(min_width=18, no_wrap=True)
    table.add_column()
    for typed, does in rows:
        table.add_row(f"  {of_map(typed)}", of_map(does))
    return table
