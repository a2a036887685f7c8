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
    from rulewright.library.stacks import PackageSet

Item = tuple[str, str]
Offers = Callable[["PackageSet", str], Iterable[Item]]
Completion = Callable[[typer.Context, str], list[Item]]

PLAIN = re.compile(r"[\w+.,:-]+")
# Characters that are removed from titles, since zsh evaluates them.
UNSAFE = re.compile(r"[^\w ,.-]")


def completion_of(offers: Offers) -> Completion:
    """Build a completion from a function that lists names, of the packages in the line; the typed prefix is matched."""

    def complete(ctx: typer.Context, incomplete: str) -> list[Item]:
        from rulewright.errors import UsageError
        from rulewright.library.stacks import open_packages

        try:
            found = list(offers(open_packages(tuple(ctx.params.get("packages") or ())), incomplete))
        except (UsageError, OSError):  # A message would break the line that is being typed.
            return []
        return [(name, UNSAFE.sub("", help_text)) for name, help_text in found
                if name.startswith(incomplete) and PLAIN.fullmatch(name)]  # fmt: skip

    return complete


def _stacks(package_set: "PackageSet", prefix: str) -> Iterator[Item]:
    """Yield stacks: each layer, and after a `+` each layer that may be added to the stack before it."""
    from compiler.layered.layer_selection import choose_layers, parse_request

    known = package_set.library.layers
    named, plus, _ = prefix.rpartition("+")

    def base_layers(stack: str) -> set[str]:
        return {each.name.text for each in choose_layers(known, parse_request(stack))[0] if each.kind.text == "base"}

    before, chosen_layers = base_layers(named) if plus else set(), named.split("+")
    for name, layer in known.items():
        # A joint layer is added automatically.
        is_addable = not plus or (
            layer.kind.text != "base" and name not in chosen_layers and base_layers(name) <= before
        )
        if layer.kind.text != "joint" and is_addable:
            yield f"{named}{plus}{name}", layer.title


def _cards(package_set: "PackageSet", _: str) -> Iterator[Item]:
    """Yield scenario cards."""
    known = package_set.library.scenarios
    for name in known.places:
        card = known.get(name)
        yield name, card.title if card else ""


def _boards(package_set: "PackageSet", _: str) -> Iterator[Item]:
    """Return boards."""
    return ((name, "a board") for name in package_set.library.boards.places)


def _several(*lists: Offers) -> Offers:
    """Concatenate lists of offers."""
    return lambda package_set, prefix: (item for each in lists for item in each(package_set, prefix))


def _codes(_: "PackageSet", __: str) -> Iterator[Item]:
    """Return the codes of findings."""
    from compiler.report.codes import CODES

    return ((each.number, each.slug.replace("-", " ")) for each in CODES)


def _players(_: "PackageSet", prefix: str) -> Iterator[Item]:
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
