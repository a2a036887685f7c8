"""The available scenario cards: their contents and their problems.

A card is sound if it compiles on its stack, apart from boards that it waits for. Since this takes time, a sound card
has a cache entry under the hash of all inputs: the card, its boards, its layers.
"""

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from compiler.layered.layer_selection import layer_names_of, layers_of_stack
from compiler.source.finding import Finding
from compiler.source.nodes import Amend, CardPatch, Conduct, Mark, Pair, Scenario
from compiler.source.package import Library, load_layer
from compiler.source.suggestions import nearest_names
from rulewright.checks.card_proofs import prove_card
from rulewright.library import cache
from rulewright.library.example_targets import card_targets, stack_content
from rulewright.library.stacks import PackageSet, Stack
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.records.findings import CheckedCardsRecord
from runtime.graph.walk import walk

# The parts of a card that say what holds at its start, or change it in play.
NOTING_PARTS = frozenset({"hexes", "sides", "placed", "relations", "special"})
# Facts that every card has under separate keys.
CARD_KEYS = frozenset({"turns", "order", "set_up"})


def card_problems(stack: Stack) -> tuple[Finding, ...]:
    """Return the problems of the cards of a stack, including those that wait for boards."""
    package_set = PackageSet(stack.library, ())
    found = (each for name, card in checked_cards(stack) for each in problems_of_card(package_set, card, name))
    return (*stack.library.scenarios.problems, *found)


def cards_of_stack(stack: Stack) -> tuple[tuple[str, Scenario], ...]:
    """Return the cards written for a stack, changed by it, or in its examples, with the stack each is compiled on."""
    known = stack.library.scenarios
    package_set = PackageSet(stack.library, ())
    cards = [card for name in sorted(known) if (card := known.get(name)) and _is_written_for(card, stack)]
    pairs = [(each.stack, card) for each in card_targets(package_set, stack.name) if (card := known.get(each.scenario))]
    pairs += [
        (_with_layers_of(card, stack), card)
        for name in sorted({name for name, _ in changed_cards(stack.library, stack.name)})
        if (card := known.get(name))
    ]
    cards += [card for name in sorted(known) if (card := known.get(name)) and _meant_for(card, stack, package_set)]
    return tuple(dict.fromkeys([*((card.uses.text, card) for card in cards), *pairs]))


def checked_cards(stack: Stack) -> tuple[tuple[str, Scenario], ...]:
    """Return the cards that a check of a stack covers, each with the stack it is compiled on.

    If no card is written for the stack, the smallest complete card of a lower stack is added that sets the required
    facts, provided that a layer above it declares or amends procedures: these are then checked in the play of a whole
    game.
    """
    pairs = cards_of_stack(stack)
    if any(_is_written_for(card, stack) for _, card in pairs):
        return pairs
    package_set = PackageSet(stack.library, ())
    candidates = (
        card for card in _cards_below(stack) if not package_set.missing_boards(card) and _gives_required(card, stack)
    )
    playable = [card for card in candidates if _acts_above(card, stack)]
    smallest = min(playable, key=lambda card: (_units_of(card), card.name.text), default=None)
    return pairs if smallest is None else tuple(dict.fromkeys((*pairs, (stack.name, smallest))))


def _cards_below(stack: Stack) -> tuple[Scenario, ...]:
    """Return the cards written for stacks below this one."""
    known = stack.library.scenarios
    layer_names = frozenset(layer.name for layer in stack.graph.layers) if stack.graph else frozenset[str]()
    cards = (card for name in sorted(known) if (card := known.get(name)) and card.uses.text in layer_names)
    return tuple(card for card in cards if card.uses.text != stack.name)


def _is_written_for(card: Scenario, stack: Stack) -> bool:
    """Return whether a card names a stack, or another request that loads the same layers and readings."""
    return stack_content(stack.library, card.uses.text) == stack_content(stack.library, stack.name)


def _units_of(card: Scenario) -> int:
    """Return the number of units of all forces."""
    return sum(len(force.placed) + sum(count for _, count in force.units) for force in card.forces)


def _gives_required(card: Scenario, stack: Stack) -> bool:
    """Return whether a card, perhaps of a smaller stack, sets the facts that a stack requires of every card."""
    tracks = stack.graph.vocabulary.tracks.values() if stack.graph else ()
    demands = ((track.name, demand) for track in tracks for demand in track.required)
    required_facts = {name for name, demand in demands if demand.needed is None and not demand.asked}
    return required_facts <= {
        *(word.text for word, _ in card.facts),
        *(part.name.text for part in card.regions),
        *CARD_KEYS,
    }


def _acts_above(card: Scenario, stack: Stack) -> bool:
    """Return whether a layer of a stack that is not in the stack of a card declares or amends procedures."""
    library = stack.library
    above = layer_names_of(library, stack.name) - layer_names_of(library, card.uses.text)
    files = (file for name in sorted(above) for file in load_layer(library, name)[0].files)
    return any(isinstance(node, (*get_args(Conduct), Amend)) for file in files for node in walk(file.statements))


@frozen_dataclass
class CheckedCards:
    """The cards that a check of a stack covers, and the other cards in or below their folders, by stack."""

    cards: tuple[str, ...] = ()
    others: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def record(self) -> CheckedCardsRecord:
        """Return the record of it."""
        others = {stack: list(names) for stack, names in self.others}
        return {"looked_at": list(self.cards), "others": others, "games_played": 0}


def cards_to_check(stack: Stack) -> CheckedCards:
    """Return the cards that a check of a stack covers; a changed card may belong to another stack."""
    known = stack.library.scenarios
    cards_by_name = {card.name.text: card for _, card in checked_cards(stack)}
    folders = {f"{_folder(card)}/" for card in cards_by_name.values()}
    others: dict[str, list[str]] = {}
    for name in sorted(known):
        card = known.get(name)
        if (
            card is not None
            and name not in cards_by_name
            and any(f"{_folder(card)}/".startswith(folder) for folder in folders)
        ):
            others.setdefault(card.uses.text, []).append(name)
    return CheckedCards(
        tuple(sorted(cards_by_name)), tuple((name, tuple(each)) for name, each in sorted(others.items()))
    )


def _folder(card: Scenario) -> str:
    return card.span.file.rpartition("/")[0]


def changed_cards(library: Library, stack: str) -> set[tuple[str, str]]:
    """Return the cards that layers of a stack change, as (card, layer)."""
    return {(patch.card.text, layer) for patch, layer in card_patches(library, stack)}


def card_patches(library: Library, stack: str) -> Iterator[tuple[CardPatch, str]]:
    """Yield the patches of cards in the layers of a stack, each with its layer."""
    for layer in layers_of_stack(library, stack):
        read = load_layer(library, layer.name.text)[0]
        yield from ((patch, read.layer.name.text) for patch in read.card_patches)


def _with_layers_of(card: Scenario, stack: Stack) -> str:
    """Return the name of a stack, extended by the stack of a card if it lacks one of its layers."""
    has_all = layer_names_of(stack.library, card.uses.text) <= layer_names_of(stack.library, stack.name)
    return stack.name if has_all else f"{stack.name}+{card.uses.text}"


def _meant_for(card: Scenario, stack: Stack, package_set: PackageSet) -> bool:
    """Return whether a card uses a missing layer that is probably a misspelled one of this stack."""
    layer_names = {name for name in stack.name.split("+") if "=" not in name}
    return any(
        not layer_names.isdisjoint(nearest_names(name, stack.library.layers))
        for name in package_set.missing_layers(card.uses.text)
    )


def problems_of_card(package_set: PackageSet, card: Scenario, stack: str = "") -> tuple[Finding, ...]:
    """Return the problems of a card on a stack, by default its own, unless a cache entry states that it is sound."""
    name = stack or card.uses.text
    return cache.remember_result(
        _key(package_set, card, name),
        lambda: prove_card(package_set, card, name),
        worth=lambda problems: not problems,
        pool=cache.SOUND_CARDS,
    )


def _key(package_set: PackageSet, card: Scenario, stack: str) -> str:
    """Return the hash of all inputs of a card."""
    library = package_set.library
    layers = layers_of_stack(library, stack)
    files = [file.name for layer in layers for file in library.files[layer.name.text]]
    names = sorted({placement.board.text for placement in card.map})
    boards = [board for name in names if (board := library.boards.get(name) or library.outlines.get(name))]
    # The parsed board lacks the parts that could not be read, so its file is an input too.
    files += dict.fromkeys(board.span.file for board in boards)
    parts = (stack, card, *layers, library.documents, *boards)
    stamp = cache.compiler_stamp("compiler", "runtime")
    texts = (part.encode() for name in files for part in (name, library.texts[name]))
    return cache.cache_key(stamp, *(repr(part).encode() for part in parts), *texts)


def names_set_on_cards(stack: Stack) -> set[tuple[str, str]]:
    """Return the sorts and names of the relations, statuses and tracks that cards, or patches of cards, set.

    A note of a piece is returned for the kind "piece", as the kind of a counter is not known here.
    """
    cards = (*(card for _, card in cards_of_stack(stack)), *_cards_below(stack))
    parts: list[tuple[str, Sequence[Any]]] = []
    for card in cards:
        parts += [("hexes", card.hexes), ("sides", card.sides), ("special", card.special)]
        for force in card.forces:
            parts += [("placed", force.placed), ("relations", force.relations)]
    for patch, _ in card_patches(stack.library, stack.name):
        parts += [(part.kind, part.now or ()) for part in patch.parts if part.kind in NOTING_PARTS]
    return {name for kind, entries in parts for name in _names_set(kind, entries)}


def _names_set(kind: str, entries: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """Yield the names that a part of a card sets, `kind` being its key: at the start, or in its special rules."""
    if kind == "relations":
        yield from (("relation", pair.name.text) for pair in entries)
    elif kind == "special":
        marks = (step for step in walk(entries) if isinstance(step, Mark) and step.on)
        yield from (("status", f"{owner}.{step.status.text}") for step in marks for owner in ("piece", "hex"))
        yield from (("relation", step.relation.text) for step in walk(entries) if isinstance(step, Pair) and step.on)
    else:
        owner = {"placed": "piece", "hexes": "hex", "sides": "side"}[kind]
        for entry in entries:
            for word, _ in entry.notes if kind == "placed" else entry.properties:
                yield from (("status", f"{owner}.{word.text}"), ("track", f"{owner}.{word.text}"))
