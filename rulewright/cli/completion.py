"""Shell completion of an argument: stacks, cards, boards, codes, players.

In: the incomplete line. Out: names with short descriptions; none for files, which the shell itself completes.
Some shells evaluate completions, so that only plain names are offered. Problems of packages are not reported here, as
the line is still being typed.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from inspect import Parameter
from typing import TYPE_CHECKING, get_args

import typer
from typer.models import ParameterInfo

if TYPE_CHECKING:
    from rulewright.library.package_index import PackageIndex

Item = tuple[str, str]
Offers = Callable[["PackageIndex", str], Iterable[Item]]
Completion = Callable[[typer.Context, str], list[Item]]

PLAIN = re.compile(r"[\w+.,:-]+")
# Characters that are removed from titles, since zsh evaluates them.
UNSAFE = re.compile(r"[^\w ,.-]")


def completion_of(offers: Offers) -> Completion:
    """Build a completion from a function that lists names, of the packages in the line; the typed prefix is matched."""

    def complete(ctx: typer.Context, incomplete: str) -> list[Item]:
        from rulewright.errors import UsageError
        from rulewright.library.package_index import list_packages

        try:
            found = list(offers(list_packages(tuple(ctx.params.get("packages") or ())), incomplete))
        except (UsageError, OSError):  # A message would break the line that is being typed.
            return []
        return [(name, UNSAFE.sub("", help_text)) for name, help_text in found
                if name.startswith(incomplete) and PLAIN.fullmatch(name)]  # fmt: skip

    return complete


def _stacks(listed: "PackageIndex", prefix: str) -> Iterator[Item]:
    """Yield stacks: each layer, and after a `+` each layer that may be added to the stack before it."""
    from rulewright.library.package_index import base_layers

    layers = listed.layers()
    named, plus, _ = prefix.rpartition("+")
    games, chosen_layers = base_layers(layers, named), named.split("+")
    for name, layer in layers.items():
        # A joint layer is added automatically.
        kind = layer.get("kind", "")
        is_addable = kind != "base" and name not in chosen_layers and base_layers(layers, name) <= games
        if kind != "joint" and (not plus or is_addable):
            yield f"{named}{plus}{name}", layer.get("title", "")


def _cards(listed: "PackageIndex", _: str) -> Iterator[Item]:
    """Yield scenario cards."""
    for row in listed.card_rows():
        yield row["name"], row["title"]


def _boards(listed: "PackageIndex", _: str) -> Iterator[Item]:
    """Return boards."""
    return ((name, "a board") for name in listed.files["board"])


def _several(*lists: Offers) -> Offers:
    """Concatenate lists of offers."""
    return lambda listed, prefix: (item for each in lists for item in each(listed, prefix))


def _codes(_: "PackageIndex", __: str) -> Iterator[Item]:
    """Return the codes of findings."""
    from compiler.report.codes import CODES

    return ((each.number, each.slug.replace("-", " ")) for each in CODES)


def _players(_: "PackageIndex", prefix: str) -> Iterator[Item]:
    """Return players, for the last element of a comma-separated list."""
    from runtime.players.player_names import PLAYERS

    before, comma, _last = prefix.rpartition(",")
    return ((f"{before}{comma}{name}", "") for name in ("human", *PLAYERS))


# The completions by metavar on the help page: any argument with one of these metavars is completed.
_STACKS, _CARDS = completion_of(_stacks), completion_of(_cards)
_EITHER, _PLAYERS = completion_of(_several(_stacks, _cards)), completion_of(_players)
COMPLETIONS: dict[str, Completion] = {
    "STACK": _STACKS, "[STACK...]": _STACKS, "[LAYER...]": _STACKS,
    "STACK|DAY": _STACKS, "SCENARIO": _CARDS, "SCENARIO|TRIAL": _CARDS, "SCENARIO|POSITION|TRIAL": _CARDS,
    "STACK|SCENARIO": _EITHER, "A": _EITHER, "B": _EITHER,
    "X,Y": _PLAYERS, "PLAYER:BUDGET": _PLAYERS,
    "SCENARIO|POSITION|BOARD": completion_of(_several(_cards, _boards)),
    "SCENARIO|POSITION|LAYER|TRIAL": _CARDS,
    "CODE|STACK|WORDS": completion_of(_several(_stacks, _codes)),
}  # fmt: skip


def complete(parameter: Parameter) -> None:
    """Add the completion to a parameter whose metavar is one of `COMPLETIONS`."""
    for info in get_args(parameter.annotation):
        if isinstance(info, ParameterInfo) and info.metavar in COMPLETIONS:
            info.autocompletion = COMPLETIONS[info.metavar]
