"""Shell completion of an argument: stacks, cards, boards, codes, players.

In: the line as far as it is typed. Out: names with a few words of help; none where a file has to be named, which
the shell itself completes. Some shells evaluate what they are offered, so only plain names are. What is wrong with a
package is not reported here, as the line is still being typed.
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
# Everything else in a title: zsh evaluates what it is given.
UNSAFE = re.compile(r"[^\w ,.-]")


def completion_of(offers: Offers) -> Completion:
    """Make a completion of a list of names: those that begin with what is typed, of the packages of the line."""

    def complete(ctx: typer.Context, incomplete: str) -> list[Item]:
        from rulewright.errors import UsageError
        from rulewright.library.stacks import open_packages

        try:
            found = list(offers(open_packages(tuple(ctx.params.get("packages") or ())), incomplete))
        except (UsageError, OSError):  # A message would break the line that is being typed.
            return []
        return [(name, UNSAFE.sub("", said)) for name, said in found
                if name.startswith(incomplete) and PLAIN.fullmatch(name)]  # fmt: skip

    return complete


def _stacks(package_set: "PackageSet", begun: str) -> Iterator[Item]:
    """List stacks: each layer, and behind a `+` each layer that fits what stands before it."""
    from compiler.layered.layer_selection import choose_layers, parse_request

    known = package_set.library.layers
    named, plus, _ = begun.rpartition("+")

    def bases(stack: str) -> set[str]:
        return {each.name.text for each in choose_layers(known, parse_request(stack))[0] if each.kind.text == "base"}

    before, taken = bases(named) if plus else set(), named.split("+")
    for name, layer in known.items():
        # A joint layer comes along by itself where its layers meet.
        fits = not plus or (layer.kind.text != "base" and name not in taken and bases(name) <= before)
        if layer.kind.text != "joint" and fits:
            yield f"{named}{plus}{name}", layer.title


def _cards(package_set: "PackageSet", _: str) -> Iterator[Item]:
    """List situation cards."""
    known = package_set.library.scenarios
    for name in known.places:
        card = known.get(name)
        yield name, card.title if card else ""


def _boards(package_set: "PackageSet", _: str) -> Iterator[Item]:
    """List boards."""
    return ((name, "a board") for name in package_set.library.boards.places)


def _several(*lists: Offers) -> Offers:
    """Join lists."""
    return lambda package_set, begun: (item for each in lists for item in each(package_set, begun))


def _codes(_: "PackageSet", __: str) -> Iterator[Item]:
    """List the codes of findings."""
    from compiler.report.codes import CODES

    return ((each.number, each.slug.replace("-", " ")) for each in CODES)


def _players(_: "PackageSet", begun: str) -> Iterator[Item]:
    """List players: the last of those that are typed with commas between them."""
    from runtime.players.player_names import PLAYERS

    before, comma, _last = begun.rpartition(",")
    return ((f"{before}{comma}{name}", "") for name in ("human", *PLAYERS))


# By the metavar of an argument on the help page: an argument of a new command with one of these is completed.
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
    """Complete a parameter of a command if its metavar is one of `COMPLETIONS`."""
    for info in get_args(parameter.annotation):
        if isinstance(info, ParameterInfo) and info.metavar in COMPLETIONS:
            info.autocompletion = COMPLETIONS[info.metavar]
