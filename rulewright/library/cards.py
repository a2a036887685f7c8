"""The situation cards in reach: what is on them, and which of them are broken.

A card is sound if it compiles on the stack it is written for, boards that it waits for aside. That takes a moment for
each, so a card found sound is remembered under the hash of all it was compiled from: itself, its boards, its layers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from compiler.layered.layer_selection import choose_layers, parse_request
from compiler.report.codes import code_of
from compiler.report.diagnose import Problem, diagnose
from compiler.report.diagnostic import Diagnostic, Severity
from compiler.source.nodes import Amend, Conduct, Scenario
from compiler.source.package import Library, load_layer
from compiler.source.suggestions import nearest_names
from rulewright.library import cache
from rulewright.library.card_proofs import found_on
from rulewright.library.example_targets import on_cards
from rulewright.library.stacks import PackageSet, Stack, open_packages
from runtime.graph.walk import walk

Progress = Callable[[int, int], None]
# What every card says under keys of their own.
KEYS = frozenset({"turns", "order", "set_up"})


@dataclass(frozen=True, slots=True)
class Listing:
    """The contents of every card, in the order of their names; the problems of cards, and the texts to quote."""

    cards: list[dict[str, Any]]
    diagnostics: list[Diagnostic]
    texts: Mapping[str, str]


def list_scenarios(packages: Sequence[Path] = (), progress: Progress = lambda _done, _of: None) -> Listing:
    """List every card in reach, the broken ones included."""
    package_set = open_packages(packages)
    known = package_set.library.scenarios
    found: list[Problem] = [*package_set.problems]
    cards = []
    for done, name in enumerate(sorted(known)):
        progress(done, len(known))
        card = known.get(name)
        told = problems_of(package_set, card) if card and not known.problems_with(name) else ()
        wrong = [problem for problem in told if code_of(problem).severity is Severity.ERROR]
        found += wrong
        broken = card is None or bool(wrong or known.problems_with(name))
        cards.append({**_summary(name, card, package_set), "broken": broken})
    found += known.problems
    # What proofs find holds positions, which have no hash.
    once = [each for at, each in enumerate(found) if each not in found[:at]]
    return Listing(cards, diagnose(once, package_set.library.texts), package_set.library.texts)


def card_summaries(packages: Sequence[Path] = ()) -> list[dict[str, Any]]:
    """Return what is on every card in reach that can be read, without compiling any."""
    package_set = open_packages(packages)
    known = package_set.library.scenarios
    return [_summary(name, card, package_set) for name in sorted(known)
            if (card := known.get(name)) and not known.problems_with(name)]  # fmt: skip


def card_problems(stack: Stack) -> tuple[Problem, ...]:
    """Find what is wrong with the cards written for a stack, changed by it, or in its examples, also at rest."""
    package_set = PackageSet(stack.library, ())
    found = (each for name, card in checked_cards(stack) for each in problems_of(package_set, card, name))
    return (*stack.library.scenarios.problems, *found)


def laid_cards(stack: Stack) -> tuple[tuple[str, Scenario], ...]:
    """List the cards written for a stack, changed by it, or in its examples, each with the stack that it lies on."""
    known = stack.library.scenarios
    package_set = PackageSet(stack.library, ())
    cards = [card for name in sorted(known) if (card := known.get(name)) and card.uses.text == stack.name]
    laid = [(each.stack, card) for each in on_cards(package_set, stack.name) if (card := known.get(each.scenario))]
    laid += [
        (_with_layers_of(card, stack), card)
        for name in sorted({name for name, _ in changed_cards(stack.library, stack.name)})
        if (card := known.get(name))
    ]
    cards += [card for name in sorted(known) if (card := known.get(name)) and _meant_for(card, stack, package_set)]
    return tuple(dict.fromkeys([*((card.uses.text, card) for card in cards), *laid]))


def checked_cards(stack: Stack) -> tuple[tuple[str, Scenario], ...]:
    """List the cards that a check of a stack looks at, each with the stack that it lies on.

    To the cards laid comes the smallest one below that is not at rest and gives what the stack requires, where the
    layers above it say what is done: so what they may leave stuck is played in a whole game.
    """
    laid = laid_cards(stack)
    if any(card.uses.text == stack.name for _, card in laid):
        return laid
    package_set = PackageSet(stack.library, ())
    fitting = (card for card in cards_below(stack) if not package_set.waited_for(card) and _gives_required(card, stack))
    playable = [card for card in fitting if _acts_above(card, stack)]
    smallest = min(playable, key=lambda card: (units_of(card), card.name.text), default=None)
    return laid if smallest is None else tuple(dict.fromkeys((*laid, (stack.name, smallest))))


def cards_below(stack: Stack) -> tuple[Scenario, ...]:
    """List the cards written for stacks that this one stands on."""
    known = stack.library.scenarios
    own = frozenset(layer.name for layer in stack.graph.layers) if stack.graph else frozenset[str]()
    cards = (card for name in sorted(known) if (card := known.get(name)) and card.uses.text in own)
    return tuple(card for card in cards if card.uses.text != stack.name)


def units_of(card: Scenario) -> int:
    """Count the units of all forces."""
    return sum(len(force.placed) + sum(count for _, count in force.units) for force in card.forces)


def _gives_required(card: Scenario, stack: Stack) -> bool:
    """Return whether a card, perhaps written for less, gives the facts that a stack requires of every card."""
    tracks = stack.graph.vocabulary.tracks.values() if stack.graph else ()
    demands = ((track.name, demand) for track in tracks for demand in track.required)
    wanted = {name for name, demand in demands if demand.needed is None and not demand.asked}
    return wanted <= {*(word.text for word, _ in card.facts), *(part.name.text for part in card.regions), *KEYS}


def _acts_above(card: Scenario, stack: Stack) -> bool:
    """Return whether a layer of a stack that a card is not written for has procedures, or amends some."""
    library = stack.library
    own, below = (
        {layer.name.text for layer in choose_layers(library.layers, parse_request(name))[0]}
        for name in (stack.name, card.uses.text)
    )
    files = (file for name in sorted(own - below) for file in load_layer(library, name)[0].files)
    return any(isinstance(node, (*get_args(Conduct), Amend)) for file in files for node in walk(file.statements))


@dataclass(frozen=True, slots=True)
class CheckedCards:
    """The cards that a check of a stack looks at, and those in or below their folders that it does not, by stack."""

    cards: tuple[str, ...] = ()
    others: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def data(self) -> dict[str, object]:
        """Shape it for `--format json`."""
        return {"looked_at": list(self.cards), "others": {stack: list(names) for stack, names in self.others}}

    def summary(self) -> str:
        """Return a line with the cards that were checked, and for each other card the check that covers it."""
        if not self.cards:
            return ""
        parts = (f"{_some(names)} (`check {stack}`)" for stack, names in self.others)
        others = f"; not looked at beside them: {', '.join(parts)}" if self.others else ""
        return f"cards looked at: {_some(self.cards)}{others}"


# So many cards are named; of more their number is told.
FEW = 6


def _some(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= FEW else f"{len(names)} cards"


def cards_to_check(stack: Stack) -> CheckedCards:
    """Return which cards a check of a stack looks at; a changed card may be another stack's."""
    known = stack.library.scenarios
    laid = {card.name.text: card for _, card in checked_cards(stack)}
    folders = {f"{_folder(card)}/" for card in laid.values()}
    others: dict[str, list[str]] = {}
    for name in sorted(known):
        card = known.get(name)
        if card is not None and name not in laid and any(f"{_folder(card)}/".startswith(each) for each in folders):
            others.setdefault(card.uses.text, []).append(name)
    return CheckedCards(tuple(sorted(laid)), tuple((name, tuple(each)) for name, each in sorted(others.items())))


def _folder(card: Scenario) -> str:
    return card.span.file.rpartition("/")[0]


def changed_cards(library: Library, stack: str) -> set[tuple[str, str]]:
    """Name the cards that layers of a stack change, each with the layer."""
    layers, _ = choose_layers(library.layers, parse_request(stack))
    read = (load_layer(library, layer.name.text)[0] for layer in layers)
    return {(patch.card.text, layer.layer.name.text) for layer in read for patch in layer.card_patches}


def _with_layers_of(card: Scenario, stack: Stack) -> str:
    """Name a stack with the layers that a card is written for, too, if it lacks one of them."""
    own, needed = (
        {layer.name.text for layer in choose_layers(stack.library.layers, parse_request(name))[0]}
        for name in (stack.name, card.uses.text)
    )
    return stack.name if needed <= own else f"{stack.name}+{card.uses.text}"


def _meant_for(card: Scenario, stack: Stack, package_set: PackageSet) -> bool:
    """Return whether a card uses a layer that is not in reach and is probably a misspelled one of this stack."""
    own = {name for name in stack.name.split("+") if "=" not in name}
    return any(
        not own.isdisjoint(nearest_names(name, stack.library.layers))
        for name in package_set.missing_layers(card.uses.text)
    )


def problems_of(package_set: PackageSet, card: Scenario, stack: str = "") -> tuple[Problem, ...]:
    """Compile a card on a stack, its own unless told, and prove its lines, if it was not found sound there before."""
    name = stack or card.uses.text
    return cache.remember(
        _key(package_set, card, name),
        lambda: found_on(package_set, card, name),
        worth=lambda problems: not problems,
        where=cache.SOUND_CARDS,
    )


def _key(package_set: PackageSet, card: Scenario, stack: str) -> str:
    """Hash all that a card is compiled from."""
    library = package_set.library
    layers, _ = choose_layers(library.layers, parse_request(stack))
    files = [file.name for layer in layers for file in library.files[layer.name.text]]
    names = sorted({placement.board.text for placement in card.map})
    boards = [board for name in names if (board := library.boards.get(name) or library.outlines.get(name))]
    # What of a board could not be read is not in what was read of it.
    files += dict.fromkeys(board.span.file for board in boards)
    parts = (stack, card, *layers, library.documents, *boards)
    stamp = cache.compiler_stamp("compiler", "runtime")
    texts = (part.encode() for name in files for part in (name, library.texts[name]))
    return cache.cache_key(stamp, *(repr(part).encode() for part in parts), *texts)


def _summary(name: str, card: Scenario | None, package_set: PackageSet) -> dict[str, Any]:
    """Return what is on a card; of one that cannot be read nothing but its name is known."""
    if card is None:
        return {"name": name, "title": "", "stack": "", "sides": [], "turns": 0, "units": 0, "waits_for": []}
    return {
        "name": name,
        "title": card.title,
        "stack": card.uses.text,
        "sides": [word.text for word in card.order],
        "turns": card.turns,
        "units": units_of(card),
        "waits_for": list(package_set.waited_for(card)),
    }
